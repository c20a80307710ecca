/* Waiting for a word to change, and waking the threads and fibers that wait for it. */
#ifndef KPORT_PORTS_WAIT_H
#define KPORT_PORTS_WAIT_H

#include "kport/machine.h"
#include "ports/sync/parking.h"
#include "ports/without.h"

#include <sched.h>

/* To be called between two looks. */
static inline void kp_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__("yield");
#endif
}

/* Fetches a line that the caller will write next. The line comes while the caller works on. */
static inline void kp_fetch_to_write(const void *line)
{
    if (!KP_HAS(FETCH_TO_WRITE))
        return;
#if defined(__x86_64__)
    /* For plain x86-64 the compilers' builtin fetches the line only to read it. */
    __asm__("prefetchw %0" : : "m"(*(const char *)line));
#elif defined(__GNUC__)
    __builtin_prefetch(line, 1);
#else
    (void)line;
#endif
}

/* Returns how a policy looks before it parks. `policy` is not KP_WAIT_AUTO. */
struct kp_waiter kp_looks_of(kp_wait_policy policy);

/* Returns whether the waiter yields once more before it parks. `so_far` begins as {0}. */
struct kp_yielding {
    int done;
    uint64_t until_ns;
};
bool kp_yields_on(const struct kp_waiter *waiter, struct kp_yielding *so_far);

/* Returns the word's value as soon as it is not `old`. Returns `old` after the time limit. Acquires
 * what the thread released that changed the word. */
uint32_t kp_wait_change(struct kp_wait_word *word, uint32_t old, const struct kp_waiter *waiter);

/* The first looks of kp_wait_change, inline. The value returned may still be `old`. */
static inline uint32_t kp_wait_briefly(const struct kp_wait_word *word, uint32_t old, int looks)
{
    uint32_t value;
    while ((value = atomic_load_explicit(&word->value, KP_ORDER_OBSERVE)) == old && looks-- > 0)
        kp_pause();
    return value;
}

/* The same, with the first yields after them. */
static inline uint32_t kp_wait_early(const struct kp_wait_word *word, uint32_t old,
                                     const struct kp_waiter *waiter)
{
    uint32_t value = kp_wait_briefly(word, old, waiter->spins);
    for (int i = 0; value == old && i < waiter->early; i++) {
        sched_yield();
        value = atomic_load_explicit(&word->value, KP_ORDER_OBSERVE);
    }
    return value;
}

/* Returns true as soon as `ready` does, false after the time limit. The waiter sleeps on `bell`, on
 * which no other sleeps. The member that makes it ready rings the bell if the waiter sleeps. The
 * waiter calls `sleeping` before its last look at `ready`. What `ready` acquires is acquired. */
bool kp_wait_until(struct kp_wait_word *bell, bool (*ready)(const void *context),
                   const void *context, const struct kp_waiter *waiter);

/* Wakes the member that sleeps on the bell. A member about to sleep on it then does not. */
void kp_ring(struct kp_wait_word *bell);

/* Wakes all that are parked on the word. To be called after a change with KP_ORDER_PUBLISH. */
void kp_wake_all(struct kp_wait_word *word);

#endif
