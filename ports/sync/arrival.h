/* The two words of the barrier: one counts arrivals, and the generation word opens an episode for
 * all.
 *
 * The low 20 bits of the arrival word count the members that have arrived at the current episode.
 * The bits above hold the sum of their fingerprints. The member that completes the count has
 * acquired what all others released. It judges the sum, clears the arrival word and publishes the
 * next generation.
 *
 * The generation word has three fields:
 *   bit 31         the group has failed, and the word never changes again
 *   bits 30 ... 1  the number of episodes so far
 *   bit 0          the last episode found that the members disagree
 * This header needs order.h alone. */
#ifndef KPORT_PORTS_ARRIVAL_H
#define KPORT_PORTS_ARRIVAL_H

#include "ports/order.h"

#include <stdbool.h>
#include <stdint.h>

/* The count has room for 2^20 - 1 members. The sum of fingerprints has the other 44 bits. */
#define KP_COUNT_BITS 20
#define KP_COUNT_MASK ((UINT64_C(1) << KP_COUNT_BITS) - 1)

#define KP_GENERATION_FAILED 0x80000000u
#define KP_GENERATION_LOW    0x7fffffffu
#define KP_GENERATION_SPLIT  1u
#define KP_GENERATION_STEP   2u

/* Returns what `members` members that arrive together add to the arrival word. */
static inline uint64_t kp_arrival_of(uint64_t sum_of_fingerprints, int members)
{
    return (sum_of_fingerprints << KP_COUNT_BITS) + (uint64_t)members;
}

/* Adds `more` to the arrival word and returns the new value. Releases what the arriving members
 * wrote for the round. The last to arrive acquires what all others released.
 *
 * A caller keeps the result in another variable than `more`, because GCC 12 compiles `x =
 * kp_arrive(word, x)` with one register and adds the old word to itself. */
static inline uint64_t kp_arrive(_Atomic uint64_t *arrivals, uint64_t more)
{
    return atomic_fetch_add_explicit(arrivals, more, KP_ORDER_ARRIVE) + more;
}

static inline bool kp_arrivals_complete(uint64_t all, int size)
{
    return (all & KP_COUNT_MASK) == (uint64_t)size;
}

/* The last to arrive calls this. Returns whether the sum of all fingerprints is `size` times its
 * own `fingerprint`. Sum and product lose the bits above the 44th alike. */
static inline bool kp_arrivals_agree(uint64_t all, uint64_t fingerprint, int size)
{
    uint64_t sum = all >> KP_COUNT_BITS;
    uint64_t expected = (uint64_t)size * fingerprint;
    return (sum ^ expected) << KP_COUNT_BITS == 0;
}

/* The last to arrive clears the word before it publishes the episode. No member arrives again
 * before it has seen that episode. */
static inline void kp_arrivals_clear(_Atomic uint64_t *arrivals)
{
    atomic_store_explicit(arrivals, 0, KP_ORDER_CLEAR);
}

/* Returns the generation word after one more episode in which all members agreed. */
static inline uint32_t kp_generation_after(uint32_t seen)
{
    return (seen + KP_GENERATION_STEP) & KP_GENERATION_LOW & ~KP_GENERATION_SPLIT;
}

/* The last to arrive opens the episode and releases what all members released (partner:
 * KP_ORDER_OBSERVE in kp_wait_change). If this returns true, the caller next wakes the members that
 * sleep on the word. False means that an earlier failure has frozen the word. Then the episode
 * happens for no member. */
static inline bool kp_generation_publish(_Atomic uint32_t *generation, uint32_t seen, uint32_t next)
{
    return atomic_compare_exchange_strong_explicit(generation, &seen, next, KP_ORDER_PUBLISH,
                                                   KP_ORDER_OBSERVE);
}

/* Freezes the word, so that no episode happens any more. Releases the reason of the failure. The
 * caller next wakes the members that sleep on the word. */
static inline void kp_generation_freeze(_Atomic uint32_t *generation)
{
    atomic_fetch_or_explicit(generation, KP_GENERATION_FAILED, KP_ORDER_PUBLISH);
}

#endif
