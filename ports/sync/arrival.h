/* The two words of the barrier: arrivals, and the generation that opens a pass for all.
 *
 * The arrival word counts the members that have arrived at the current pass and, above the count,
 * sums up their fingerprints. Who completes the count has acquired what all others released; it
 * judges the sum, clears the word and publishes the next generation. The generation word: bit 31,
 * the group has failed and the word never changes again; bits 30 ... 1, passes so far; bit 0, the
 * last pass found that the members disagree. This header depends on the names of memory orders
 * alone. */
#ifndef KPORT_PORTS_ARRIVAL_H
#define KPORT_PORTS_ARRIVAL_H

#include "ports/order.h"

#include <stdbool.h>
#include <stdint.h>

/* A count of at most 2^20 - 1 members, and 44 bits of fingerprints' sum. */
#define KP_COUNT_BITS 20
#define KP_COUNT_MASK ((UINT64_C(1) << KP_COUNT_BITS) - 1)

#define KP_GENERATION_FAILED 0x80000000u
#define KP_GENERATION_LOW    0x7fffffffu
#define KP_GENERATION_SPLIT  1u
#define KP_GENERATION_STEP   2u

/* What `members` that arrive together add to the word. */
static inline uint64_t kp_arrival_of(uint64_t sum_of_fingerprints, int members)
{
    return (sum_of_fingerprints << KP_COUNT_BITS) + (uint64_t)members;
}

/* Adds that; the word as it is then. Releases what they wrote for the round; who is the last
 * acquires what all others released.
 *
 * The result has a variable of its own: GCC 12 takes `x = kp_arrive(word, x)` for one register, and
 * adds the old word to itself. */
static inline uint64_t kp_arrive(_Atomic uint64_t *arrivals, uint64_t more)
{
    return atomic_fetch_add_explicit(arrivals, more, KP_ORDER_ARRIVE) + more;
}

static inline bool kp_arrivals_complete(uint64_t all, int size)
{
    return (all & KP_COUNT_MASK) == (uint64_t)size;
}

/* The last to arrive judges: the sum of all fingerprints against `size` times its own. Both
 * overflow out of the top alike. */
static inline bool kp_arrivals_agree(uint64_t all, uint64_t fingerprint, int size)
{
    uint64_t sum = all >> KP_COUNT_BITS;
    uint64_t expected = (uint64_t)size * fingerprint;
    return (sum ^ expected) << KP_COUNT_BITS == 0;
}

/* The last to arrive, before it publishes: nobody arrives again before having seen that. */
static inline void kp_arrivals_clear(_Atomic uint64_t *arrivals)
{
    atomic_store_explicit(arrivals, 0, KP_ORDER_CLEAR);
}

/* The word after one more pass, at which all agreed. */
static inline uint32_t kp_generation_after(uint32_t seen)
{
    return (seen + KP_GENERATION_STEP) & KP_GENERATION_LOW & ~KP_GENERATION_SPLIT;
}

/* The last to arrive opens the pass, unless a failure that came first has frozen the word: then it
 * never happens, for anybody. Releases what all members released (partner: KP_ORDER_OBSERVE in
 * kp_wait_change). If true, who sleeps on the word is to be woken next. */
static inline bool kp_generation_publish(_Atomic uint32_t *generation, uint32_t seen, uint32_t next)
{
    return atomic_compare_exchange_strong_explicit(generation, &seen, next, KP_ORDER_PUBLISH,
                                                   KP_ORDER_OBSERVE);
}

/* No pass happens any more. Releases the reason; to be followed by waking, as above. */
static inline void kp_generation_freeze(_Atomic uint32_t *generation)
{
    atomic_fetch_or_explicit(generation, KP_GENERATION_FAILED, KP_ORDER_PUBLISH);
}

#endif
