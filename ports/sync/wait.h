/* These functions wait until a word changes, and wake the threads and fibers that wait for a
 * word. */
#ifndef KPORT_PORTS_WAIT_H
#define KPORT_PORTS_WAIT_H

#include "kport/machine.h"
#include "ports/sync/parking.h"
#include "ports/without.h"

#include <stdbool.h>

/* Tells the CPU that the thread waits in a loop. A waiting thread calls this between two looks at a
 * word. */
static inline void kp_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__("yield");
#endif
}

/* Asks for a cache line that the caller will soon write. The caller does not wait for the line. */
static inline void kp_fetch_to_write(const void *line)
{
    if (!KP_HAS(FETCH_TO_WRITE))
        return;
#if defined(__x86_64__)
    /* On plain x86-64 the compilers' builtin fetches the line only for reading. */
    __asm__("prefetchw %0" : : "m"(*(const char *)line));
#elif defined(__GNUC__)
    __builtin_prefetch(line, 1);
#else
    (void)line;
#endif
}

/* Returns how often a thread with this wait policy looks and yields before it parks. `policy` is
 * not KP_WAIT_AUTO. */
struct kp_waiter kp_looks_of(kp_wait_policy policy);

/* How long a waiter has yielded so far. It is {0} at the beginning of a wait. */
struct kp_yielding {
    int done;
    uint64_t until_ns;
};

/* Returns whether the waiter yields once more before it parks. */
bool kp_yields_on(const struct kp_waiter *waiter, struct kp_yielding *so_far);

/* Yields the core. Returns false without doing so if the thread's yields take long because other
 * programs use the cores. The caller then parks. */
bool kp_yield(void);

/* Waits until the word's value is not `old`, and returns the value. Returns `old` if the time limit
 * has passed. Acquires what the thread that changed the word released. */
uint32_t kp_wait_change(struct kp_wait_word *word, uint32_t old, const struct kp_waiter *waiter);

/* Looks at the word again and again, at most 1 + `looks` times. The result may still be `old`. */
static inline uint32_t kp_wait_briefly(const struct kp_wait_word *word, uint32_t old, int looks)
{
    uint32_t value;
    while ((value = atomic_load_explicit(&word->value, KP_ORDER_OBSERVE)) == old && looks-- > 0)
        kp_pause();
    return value;
}

/* Does kp_wait_briefly, then looks again after each of a few yields. The result may still be
 * `old`. */
static inline uint32_t kp_wait_early(const struct kp_wait_word *word, uint32_t old,
                                     const struct kp_waiter *waiter)
{
    uint32_t value = kp_wait_briefly(word, old, waiter->spins);
    for (int i = 0; value == old && i < waiter->early && kp_yield(); i++)
        value = atomic_load_explicit(&word->value, KP_ORDER_OBSERVE);
    return value;
}

/* Waits until `ready` returns true, and returns true. Returns false if the time limit has passed.
 * The waiter sleeps on `bell`, and no other thread sleeps there. The thread that makes `ready` true
 * rings the bell if the waiter sleeps. The waiter calls `sleeping` before its last look at `ready`.
 * When the function returns true, the waiter has acquired what `ready` acquires. */
bool kp_wait_until(struct kp_wait_word *bell, bool (*ready)(const void *context),
                   const void *context, const struct kp_waiter *waiter);

/* Rings a bell: wakes the member that sleeps on the bell, or keeps it from falling asleep. */
void kp_ring(struct kp_wait_word *bell);

/* Wakes all threads and fibers on a word, which the caller has changed with KP_ORDER_PUBLISH. */
void kp_wake_all(struct kp_wait_word *word);

#endif
