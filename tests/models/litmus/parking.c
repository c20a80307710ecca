/* Checks how threads sleep on a word (ports/sync/parking.h). Two threads sleep until a third thread
 * changes the word, once. Both must wake, and must see what the third thread wrote before the
 * change. */
#include "sleep.h"

static struct kp_wait_word word;
static int data;
static const struct kp_waiter waiter;

static void *run(void *number)
{
    sleeper = (int)(intptr_t)number;
    if (sleeper == 2) {
        data = 1;
        atomic_fetch_add_explicit(&word.value, 1, KP_ORDER_PUBLISH);
        wake_sleepers(&word);
    } else {
        uint32_t value = kp_park(&word, 0, &waiter, NULL, sleep_on);
        assert(value == 1 && data == 1);
        (void)value;
    }
    return NULL;
}

int main(void)
{
    HANGS_AFTER;
    for (int i = 0; i < TIMES; i++) {
        atomic_store_explicit(&word.value, 0, KP_ORDER_RESET);
        data = 0;
        run_threads(run, 3);
        assert(atomic_load_explicit(&word.sleepers, KP_ORDER_RESET) == 0);
    }
    return 0;
}
