/* Waiting, in one place: a word, those who wait for it to change, and those who change it. */
#ifndef KPORT_PORTS_WAIT_H
#define KPORT_PORTS_WAIT_H

#include "kport/machine.h"
#include "ports/sync/parking.h"
#include "ports/without.h"

#include <sched.h>

/* What one does between two looks. */
static inline void kp_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__("yield");
#endif
}

/* Asks for a line that will be written next, while other things are done. */
static inline void kp_fetch_to_write(const void *line)
{
    if (!KP_HAS(FETCH_TO_WRITE))
        return;
#if defined(__x86_64__)
    /* For plain x86-64 the compilers' builtin asks for a line that may be read. */
    __asm__("prefetchw %0" : : "m"(*(const char *)line));
#elif defined(__GNUC__)
    __builtin_prefetch(line, 1);
#else
    (void)line;
#endif
}

/* The looks of a policy before parking; KP_WAIT_AUTO is not one. */
struct kp_waiter kp_looks_of(kp_wait_policy policy);

/* Whether who looks yields once more before it parks. Begins as {0}. */
struct kp_yielding {
    int done;
    uint64_t until_ns;
};
bool kp_yields_on(const struct kp_waiter *waiter, struct kp_yielding *so_far);

/* Returns the word's value as soon as it is not `old`; after the time limit, `old`. Acquires what
 * the changer released. */
uint32_t kp_wait_change(struct kp_wait_word *word, uint32_t old, const struct kp_waiter *waiter);

/* The first looks of kp_wait_change, inline; the value may be `old` still. */
static inline uint32_t kp_wait_briefly(const struct kp_wait_word *word, uint32_t old, int looks)
{
    uint32_t value;
    while ((value = atomic_load_explicit(&word->value, KP_ORDER_OBSERVE)) == old && looks-- > 0)
        kp_pause();
    return value;
}

/* The same, and the first yields. */
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

/* Returns true as soon as `ready` says so, false after the time limit. `bell` is what the waiter
 * sleeps on, and its alone: who makes it ready rings it, if the waiter sleeps. `parking` is called
 * before the last look at `ready`. What `ready` acquires is acquired. */
bool kp_wait_until(struct kp_wait_word *bell, bool (*ready)(const void *context),
                   const void *context, const struct kp_waiter *waiter);

/* Wakes the one who sleeps on a bell, and keeps who is about to from it. */
void kp_ring(struct kp_wait_word *bell);

/* To be called after a change with KP_ORDER_PUBLISH: wakes all who are parked on the word. */
void kp_wake_all(struct kp_wait_word *word);

#endif
