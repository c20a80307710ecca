/* A processor that makes no call for a time. A thread sleeps. A fiber looks again and again
 * for a message that does not come, so that the other fibers of its thread run. */
#ifndef KPORT_TESTS_REST_H
#define KPORT_TESTS_REST_H

#include <kport.h>

#include <stdbool.h>
#include <time.h>

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* After a failure of the group, the fiber sleeps for the rest of the time. */
static void rest_ms(kp_proc *self, bool is_fiber, long ms)
{
    const long end = now_ms() + ms;
    int found = 0, status = is_fiber ? 0 : KP_EFAILED;
    while (!status && !found && now_ms() < end)
        status = kp_probe_now(kp_world(self), kp_processor(self), 1, &found, NULL);
    if (status && now_ms() < end)
        sleep_ms(end - now_ms());
}

#endif
