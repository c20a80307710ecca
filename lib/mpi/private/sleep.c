/* A rank that sleeps, yields or waits for files lets other ranks of its worker run. A thread that
 * the rank has started, and a program that was started by itself, get libc's functions. */
#include "host.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define WEAK   __attribute__((weak))
#define SECOND UINT64_C(1000000000)

/* A time that no program lives to see. */
#define LONGEST (UINT64_C(100) * 365 * 24 * 3600 * SECOND)

static uint64_t nanoseconds_of(const struct timespec *time)
{
    const uint64_t seconds = (uint64_t)time->tv_sec;
    return seconds < LONGEST / SECOND ? seconds * SECOND + (uint64_t)time->tv_nsec : LONGEST;
}

static bool is_time(const struct timespec *time)
{
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && (uint64_t)time->tv_nsec < SECOND;
}

/* In a parallel region another rank of the worker would take OpenMP's team for its own. */
static bool may_rest(void)
{
    return &kp_copy_host && !(omp_get_level && omp_get_level() > 0);
}

/* Returns 0, or the error of libc's nanosleep, which a signal ends early. */
static int sleep_for(uint64_t nanoseconds, struct timespec *left)
{
    typedef int function(const struct timespec *, struct timespec *);
    if (may_rest() && (nanoseconds = kp_copy_host.sleep(nanoseconds)) == 0)
        return 0;
    const struct timespec time = {.tv_sec = (time_t)(nanoseconds / SECOND),
                                  .tv_nsec = (long)(nanoseconds % SECOND)};
    return ((function *)kp_copy_hidden("nanosleep"))(&time, left) ? errno : 0;
}

WEAK int nanosleep(const struct timespec *time, struct timespec *left)
{
    const int error = is_time(time) ? sleep_for(nanoseconds_of(time), left) : EINVAL;
    errno = error ? error : errno;
    return error ? -1 : 0;
}

WEAK int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                         struct timespec *left)
{
    struct timespec now;
    if (!is_time(time) || clock == CLOCK_THREAD_CPUTIME_ID)
        return EINVAL;
    if (!(flags & TIMER_ABSTIME))
        return sleep_for(nanoseconds_of(time), left);
    if (clock_gettime(clock, &now))
        return errno;
    const uint64_t begin = nanoseconds_of(&now), end = nanoseconds_of(time);
    return end > begin ? sleep_for(end - begin, NULL) : 0;
}

WEAK unsigned sleep(unsigned seconds)
{
    struct timespec left = {0};
    return sleep_for(seconds * SECOND, &left) ? (unsigned)left.tv_sec + (left.tv_nsec > 0) : 0;
}

WEAK int usleep(useconds_t microseconds)
{
    const int error = sleep_for(microseconds * UINT64_C(1000), NULL);
    errno = error ? error : errno;
    return error ? -1 : 0;
}

WEAK int thrd_sleep(const struct timespec *time, struct timespec *left)
{
    const int error = is_time(time) ? sleep_for(nanoseconds_of(time), left) : EINVAL;
    return error == EINTR ? -1 : error ? -2 : 0;
}

static bool lets_others_run(void)
{
    return may_rest() && kp_copy_host.yield();
}

/* Ranks of other workers, too. */
WEAK int sched_yield(void)
{
    (void)lets_others_run();
    return ((int (*)(void))kp_copy_hidden("sched_yield"))();
}

WEAK void thrd_yield(void)
{
    (void)sched_yield();
}

/* --- Waits for files --- */

/* How long a rank sleeps between two looks at its files. */
#define FIRST_PAUSE UINT64_C(20000)
#define LAST_PAUSE  UINT64_C(1000000)

/* A wait that looks again and again. */
struct wait {
    bool ends;
    uint64_t end, pause;
};

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return nanoseconds_of(&time);
}

static struct wait wait_of(bool ends, uint64_t nanoseconds)
{
    return (struct wait){ends, now() + nanoseconds, FIRST_PAUSE};
}

/* Sleeps till the next look. Returns false if this look is one too many. */
static bool pause_in(struct wait *wait)
{
    const uint64_t at = now(), left = wait->end > at ? wait->end - at : 0;
    if (wait->ends && left == 0)
        return false;
    (void)sleep_for(wait->ends && left < wait->pause ? left : wait->pause, NULL);
    wait->pause = 2 * wait->pause < LAST_PAUSE ? 2 * wait->pause : LAST_PAUSE;
    return true;
}

WEAK int poll(struct pollfd *files, nfds_t count, int milliseconds)
{
    typedef int function(struct pollfd *, nfds_t, int);
    function *hidden = (function *)kp_copy_hidden("poll");
    int ready = 0;
    if (milliseconds == 0 || !lets_others_run())
        return hidden(files, count, milliseconds);
    struct wait wait = wait_of(milliseconds > 0, (uint64_t)milliseconds * 1000000);
    do
        ready = hidden(files, count, 0);
    while (ready == 0 && pause_in(&wait));
    return ready;
}

WEAK int select(int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *time)
{
    typedef int function(int, fd_set *, fd_set *, fd_set *, struct timeval *);
    function *hidden = (function *)kp_copy_hidden("select");
    fd_set *sets[] = {read, write, except}, asked[3];
    /* A program may have room for the words of `count` descriptors only, as the kernel has it. */
    const size_t bytes = ((size_t)(count > 0 ? count : 0) + NFDBITS - 1) / NFDBITS * (NFDBITS / 8);
    const bool looks = time && time->tv_sec == 0 && time->tv_usec == 0;
    int ready = 0;
    if (looks || (time && (time->tv_sec < 0 || time->tv_usec < 0)) || bytes > sizeof asked[0] ||
        !lets_others_run())
        return hidden(count, read, write, except, time);
    for (int i = 0; i < 3; i++) {
        if (sets[i])
            memcpy(&asked[i], sets[i], bytes);
    }
    struct wait wait = wait_of(
        time != NULL, time ? (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_usec * 1000 : 0);
    do {
        struct timeval none = {0};
        for (int i = 0; i < 3; i++) {
            if (sets[i])
                memcpy(sets[i], &asked[i], bytes);
        }
        ready = hidden(count, read, write, except, &none);
    } while (ready == 0 && pause_in(&wait));
    return ready;
}
