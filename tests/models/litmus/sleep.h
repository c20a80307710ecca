/* Replaces the functions with which parking.h puts a thread to sleep and wakes it. sleep_on
 * compares the word's value with `old` and, if both are equal, sleeps until the next call of
 * wake_sleepers. The real functions are system calls, which might order memory accesses. This
 * replacement does not, so the checked code cannot rely on such an order. */
#ifndef KPORT_TESTS_SLEEP_H
#define KPORT_TESTS_SLEEP_H

#include "litmus.h"
#include "ports/sync/parking.h"

#define MOST_ASLEEP 4

static pthread_mutex_t sleep_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct kp_wait_word *) asleep[MOST_ASLEEP];
static _Thread_local int sleeper; /* the number of this thread, which the thread itself sets */

static bool sleep_on(struct kp_wait_word *word, uint32_t old, const struct timespec *deadline)
{
    (void)deadline;
    pthread_mutex_lock(&sleep_lock);
    bool sleeps = atomic_load_explicit(&word->value, KP_ORDER_RECHECK) == old;
    if (sleeps)
        atomic_store_explicit(&asleep[sleeper], word, KP_ORDER_NOTE);
    pthread_mutex_unlock(&sleep_lock);
    while (sleeps && atomic_load_explicit(&asleep[sleeper], KP_ORDER_NOTE))
        BETWEEN;
    return true;
}

static void wake_sleepers(struct kp_wait_word *word)
{
    if (!kp_has_sleepers(word))
        return;
    pthread_mutex_lock(&sleep_lock);
    for (int i = 0; i < MOST_ASLEEP; i++) {
        if (atomic_load_explicit(&asleep[i], KP_ORDER_NOTE) == word)
            atomic_store_explicit(&asleep[i], NULL, KP_ORDER_NOTE);
    }
    pthread_mutex_unlock(&sleep_lock);
}

#endif
