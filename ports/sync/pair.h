/* The barrier of two: each member has a word of its own, and waits for the other's.
 *
 * With one counter and one generation the second to come fetches the line of the counter, takes the
 * other's away and gives it back: three ways of a line from core to core. Here both tell and look
 * at the same time: one way each, and what goes with the word (the fingerprint of the call, a
 * message of a few bytes) travels in its line.
 *
 * A word is twice the number of its member's passes, modulo 2^31; bit 31 freezes it for ever. Pass
 * p has happened if both words have come to p, and who fails the pair freezes both, so a pass
 * happens for both members or for none. A member is at most one pass ahead, so of each thing that
 * goes with the word there are two, by the pass's parity: a member writes what belongs to pass
 * p + 2 after having seen the other at p + 1, which read what belongs to p before.
 *
 * Nothing but order.h is needed here. */
#ifndef KPORT_PORTS_PAIR_H
#define KPORT_PORTS_PAIR_H

#include "ports/order.h"

#include <stdbool.h>
#include <stdint.h>

#define KP_PAIR_FROZEN 0x80000000u
#define KP_PAIR_LOW    0x7fffffffu
#define KP_PAIR_STEP   2u
#define KP_PAIR_BUFFER 16 /* bytes of a message that goes with the word */

/* What goes with a member's word: written by the member before it comes to a pass. It begins in the
 * middle of 16 bytes, so that buffers lie where operands of any kind may. */
struct kp_pair_note {
    uint64_t fingerprint[2]; /* of the call, by the pass's parity */
    unsigned char bits[2];   /* the member's, the same */
    unsigned char unused[6];
    unsigned char buffer[2][KP_PAIR_BUFFER];
};

/* The words after the pass that follows the one `seen` stands for. */
static inline uint32_t kp_pair_next(uint32_t seen)
{
    return (seen + KP_PAIR_STEP) & KP_PAIR_LOW;
}

/* Comes to the next pass: releases what the member wrote (partner: KP_ORDER_OBSERVE in who looks at
 * the word). False: the pair has failed, and this member has not come. */
static inline bool kp_pair_come(_Atomic uint32_t *own, uint32_t seen)
{
    return atomic_compare_exchange_strong_explicit(own, &seen, kp_pair_next(seen), KP_ORDER_PUBLISH,
                                                   KP_ORDER_OBSERVE);
}

/* Whether the other one, whose word is `now`, has come to the pass after `seen`. */
static inline bool kp_pair_has_come(uint32_t now, uint32_t seen)
{
    return (now & KP_PAIR_LOW) != seen;
}

/* The member comes to no further pass. */
static inline void kp_pair_freeze(_Atomic uint32_t *word)
{
    atomic_fetch_or_explicit(word, KP_PAIR_FROZEN, KP_ORDER_PUBLISH);
}

/* The same unless it has come to the pass after `seen`: then false. */
static inline bool kp_pair_freeze_before(_Atomic uint32_t *word, uint32_t seen)
{
    uint32_t now = seen;
    return atomic_compare_exchange_strong_explicit(word, &now, seen | KP_PAIR_FROZEN,
                                                   KP_ORDER_PUBLISH, KP_ORDER_OBSERVE) ||
           now == (seen | KP_PAIR_FROZEN);
}

#endif
