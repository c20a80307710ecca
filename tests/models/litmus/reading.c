/* Checks the end of a group while one member may be reading another member's memory. The owner of
 * the memory breaks the group, waits until no member reads, and then reuses its memory. It must
 * never reuse the memory while the reader reads. */
#include "sleep.h"

#include "ports/sync/awaited.h"

static _Atomic uint32_t reading, broken;
static struct kp_wait_word bell;
static int data;

static bool nobody_reads(const void *unused)
{
    (void)unused;
    return !kp_is_reading(&reading);
}

static void *run(void *number)
{
    sleeper = (int)(intptr_t)number;
    if (sleeper == 0) {
        if (kp_reading_begin(&reading, &broken))
            assert(data == 1);
        if (kp_reading_end(&reading, &broken)) {
            kp_bell_count(&bell);
            wake_sleepers(&bell);
        }
        return NULL;
    }
    const struct kp_waiter waiter = {.spins = 0};
    kp_break(&broken);
    while (!nobody_reads(NULL))
        (void)kp_sleep_until_rung(&bell, nobody_reads, NULL, &waiter, NULL, sleep_on);
    data = 0;
    return NULL;
}

int main(void)
{
    HANGS_AFTER;
    for (int i = 0; i < TIMES; i++) {
        atomic_store_explicit(&broken, 0, KP_ORDER_RESET);
        data = 1;
        run_threads(run, 2);
    }
    return 0;
}
