/* This header has the two words of the barrier. The arrival word counts the members that have
 * arrived. The generation word tells the waiting members that all have arrived. One use of the
 * barrier is an episode.
 *
 * The low 20 bits of the arrival word are the number of members that have arrived at this episode.
 * The bits above them are the sum of these members' fingerprints. A fingerprint is a hash of a
 * member's call, so the sum shows whether all members make the same call. The last member to arrive
 * has acquired what all others released. It checks the sum, clears the arrival word, and changes
 * the generation word.
 *
 * The generation word has three fields:
 *   bit 31         the group has failed, and the word never changes again
 *   bits 30 ... 1  the number of episodes so far
 *   bit 0          in the last episode the calls differed, or a member refused its call
 *
 * This header includes no header of the library but order.h. */
#ifndef KPORT_PORTS_ARRIVAL_H
#define KPORT_PORTS_ARRIVAL_H

#include "ports/order.h"

#include <stdbool.h>
#include <stdint.h>

/* The count can reach 2^20 - 1 members. The other 44 bits hold the sum of fingerprints. */
#define KP_COUNT_BITS 20
#define KP_COUNT_MASK ((UINT64_C(1) << KP_COUNT_BITS) - 1)

#define KP_GENERATION_FAILED 0x80000000u
#define KP_GENERATION_LOW    0x7fffffffu
#define KP_GENERATION_SPLIT  1u
#define KP_GENERATION_STEP   2u

/* Returns what to add to the arrival word for `members` members that arrive together. */
static inline uint64_t kp_arrival_of(uint64_t sum_of_fingerprints, int members)
{
    return (sum_of_fingerprints << KP_COUNT_BITS) + (uint64_t)members;
}

/* Adds `more` to the arrival word and returns the word's new value. The addition is a release of
 * what the arriving members wrote for the round. The last member to arrive acquires what all
 * members released.
 *
 * A caller must not store the result in the variable that it passes as `more`. GCC 12 compiles `x =
 * kp_arrive(word, x)` with one register, and so adds the old value of the word to itself. */
static inline uint64_t kp_arrive(_Atomic uint64_t *arrivals, uint64_t more)
{
    return atomic_fetch_add_explicit(arrivals, more, KP_ORDER_ARRIVE) + more;
}

static inline bool kp_arrivals_complete(uint64_t all, int size)
{
    return (all & KP_COUNT_MASK) == (uint64_t)size;
}

/* Returns whether all members make the same call. The last member to arrive calls this with its own
 * `fingerprint` and the arrival word `all`. The calls agree if the sum in the word is `size` times
 * `fingerprint`. Both sum and product are compared modulo 2^44. */
static inline bool kp_arrivals_agree(uint64_t all, uint64_t fingerprint, int size)
{
    uint64_t sum = all >> KP_COUNT_BITS;
    uint64_t expected = (uint64_t)size * fingerprint;
    return (sum ^ expected) << KP_COUNT_BITS == 0;
}

/* The last member to arrive clears the arrival word before it publishes the episode. No member
 * arrives again before it has seen this episode. */
static inline void kp_arrivals_clear(_Atomic uint64_t *arrivals)
{
    atomic_store_explicit(arrivals, 0, KP_ORDER_CLEAR);
}

/* Returns the value of the generation word after one more episode in which all members agree. */
static inline uint32_t kp_generation_after(uint32_t seen)
{
    return (seen + KP_GENERATION_STEP) & KP_GENERATION_LOW & ~KP_GENERATION_SPLIT;
}

/* The last member to arrive publishes the episode by changing the generation word from `seen` to
 * `next`. The change is a release, so a member that sees it also sees what all members wrote before
 * they arrived (partner: KP_ORDER_OBSERVE in kp_wait_change). If the function returns true, the
 * caller wakes the members that sleep on the word. False means that a failure has frozen the word,
 * so the episode happens for no member. */
static inline bool kp_generation_publish(_Atomic uint32_t *generation, uint32_t seen, uint32_t next)
{
    return atomic_compare_exchange_strong_explicit(generation, &seen, next, KP_ORDER_PUBLISH,
                                                   KP_ORDER_OBSERVE);
}

/* Freezes the word, so that no further episode happens. The change is a release, so a member that
 * sees it can read the record of the failure. The caller then wakes the members that sleep on the
 * word. */
static inline void kp_generation_freeze(_Atomic uint32_t *generation)
{
    atomic_fetch_or_explicit(generation, KP_GENERATION_FAILED, KP_ORDER_PUBLISH);
}

#endif
