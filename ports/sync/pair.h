/* The barrier of two members. Each member has a word of its own, and waits for the other member's
 * word.
 *
 * With a counter and a generation word, the second member to arrive fetches the counter's line,
 * then takes the generation word's line from the first member, which fetches it back: three
 * transfers between cores. Here both members write and look at the same time: one transfer each.
 * The fingerprint of the call and a message of a few bytes travel in the line of the word.
 *
 * A word is twice the number of its member's episodes, modulo 2^31. Bit 31 freezes the word for
 * ever. Episode p has happened if both words have reached p. A failure freezes both words, so an
 * episode happens for both members or for none.
 *
 * A member is at most one episode ahead. So everything that travels with the word exists twice,
 * indexed by the episode's parity. A member writes the data of episode p + 2 after it has seen the
 * other member at p + 1. By then the other member has read the data of episode p.
 *
 * This header needs order.h alone. */
#ifndef KPORT_PORTS_PAIR_H
#define KPORT_PORTS_PAIR_H

#include "ports/order.h"

#include <stdbool.h>
#include <stdint.h>

#define KP_PAIR_FROZEN 0x80000000u
#define KP_PAIR_LOW    0x7fffffffu
#define KP_PAIR_STEP   2u
#define KP_PAIR_BUFFER 16 /* the longest message that travels with the word, in bytes */

/* The data that travels with a member's word. The member writes it before it arrives at an episode.
 * The note begins at byte 8 of a line, which puts `buffer` where operands of any type may lie. */
struct kp_pair_note {
    uint64_t fingerprint[2]; /* the fingerprint of the call, by the episode's parity */
    unsigned char bits[2];   /* the member's bits, by the episode's parity */
    unsigned char unused[6];
    unsigned char buffer[2][KP_PAIR_BUFFER];
};

/* Returns the value of a word after the episode that follows the episode of `seen`. */
static inline uint32_t kp_pair_next(uint32_t seen)
{
    return (seen + KP_PAIR_STEP) & KP_PAIR_LOW;
}

/* Arrives at the next episode, and releases what the member wrote (partner: KP_ORDER_OBSERVE where
 * the other member looks). Returns false if the pair has failed. Then this member has not arrived.
 */
static inline bool kp_pair_come(_Atomic uint32_t *own, uint32_t seen)
{
    return atomic_compare_exchange_strong_explicit(own, &seen, kp_pair_next(seen), KP_ORDER_PUBLISH,
                                                   KP_ORDER_OBSERVE);
}

/* Returns whether the other member, whose word is `now`, has arrived at the episode after `seen`.
 */
static inline bool kp_pair_has_come(uint32_t now, uint32_t seen)
{
    return (now & KP_PAIR_LOW) != seen;
}

/* Freezes the word, so that its member arrives at no further episode. */
static inline void kp_pair_freeze(_Atomic uint32_t *word)
{
    atomic_fetch_or_explicit(word, KP_PAIR_FROZEN, KP_ORDER_PUBLISH);
}

/* Freezes the word unless its member has arrived at the episode after `seen`. Then returns false.
 */
static inline bool kp_pair_freeze_before(_Atomic uint32_t *word, uint32_t seen)
{
    uint32_t now = seen;
    return atomic_compare_exchange_strong_explicit(word, &now, seen | KP_PAIR_FROZEN,
                                                   KP_ORDER_PUBLISH, KP_ORDER_OBSERVE) ||
           now == (seen | KP_PAIR_FROZEN);
}

#endif
