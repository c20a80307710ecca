/* This header has the barrier of two members. Each member has a word of its own, and waits until
 * the other member's word changes. One use of the barrier is an episode.
 *
 * With an arrival counter and a generation word, three transfers of a cache line between the two
 * cores would follow each other. Here each member writes its own word and looks at the other's, so
 * two transfers happen at the same time. A hash of the call (its fingerprint) and a message of a
 * few bytes travel in the line of the word.
 *
 * A word is twice the number of its member's episodes, modulo 2^31. Bit 31 freezes the word for
 * ever. Episode p has happened when both members have arrived at it, that is, when both words have
 * reached 2p. A failure freezes both words, so an episode happens for both members or for none.
 *
 * A member is at most one episode ahead of the other. So all data that travels with the word exists
 * twice, for even and for odd episodes. A member writes the data of episode p + 2 after it has seen
 * the other member arrive at p + 1. By then the other member has read the data of episode p.
 *
 * This header includes no header of the library but order.h. */
#ifndef KPORT_PORTS_PAIR_H
#define KPORT_PORTS_PAIR_H

#include "ports/order.h"

#include <stdbool.h>
#include <stdint.h>

#define KP_PAIR_FROZEN 0x80000000u
#define KP_PAIR_LOW    0x7fffffffu
#define KP_PAIR_STEP   2u
#define KP_PAIR_BUFFER 16 /* the longest message that travels with the word, in bytes */

/* The data that travels with a member's word. The member writes this data before it arrives. The
 * data begins at byte 8 of a cache line, so that `buffer` is aligned for operands of any type. */
struct kp_pair_note {
    uint64_t fingerprint[2]; /* of the call (kp_pair_number), in even and odd episodes */
    unsigned char bits[2];   /* the bits that the member arrives with, in even and odd episodes */
    unsigned char unused[6];
    unsigned char buffer[2][KP_PAIR_BUFFER];
};

/* Returns the value that a word gets when its member arrives at the next episode. `seen` is the
 * value now. */
static inline uint32_t kp_pair_next(uint32_t seen)
{
    return (seen + KP_PAIR_STEP) & KP_PAIR_LOW;
}

/* Arrives at the next episode by changing the member's own word. The change is a release of what
 * the member wrote (partner: KP_ORDER_OBSERVE in the other member's look). Returns false, and
 * leaves the word as it was, if the barrier has failed. */
static inline bool kp_pair_come(_Atomic uint32_t *own, uint32_t seen)
{
    return atomic_compare_exchange_strong_explicit(own, &seen, kp_pair_next(seen), KP_ORDER_PUBLISH,
                                                   KP_ORDER_OBSERVE);
}

/* Returns whether the other member has arrived at the next episode. `seen` is the value of both
 * words after the last episode, and `now` is the other member's word. */
static inline bool kp_pair_has_come(uint32_t now, uint32_t seen)
{
    return (now & KP_PAIR_LOW) != seen;
}

/* Freezes a word, so that its member arrives at no further episode. */
static inline void kp_pair_freeze(_Atomic uint32_t *word)
{
    atomic_fetch_or_explicit(word, KP_PAIR_FROZEN, KP_ORDER_PUBLISH);
}

/* Freezes a word and returns true. `seen` is the value of both words after the last episode. If the
 * word's member has already arrived at the next episode, returns false and leaves the word
 * alone. */
static inline bool kp_pair_freeze_before(_Atomic uint32_t *word, uint32_t seen)
{
    uint32_t now = seen;
    /* seldom taken: two threads freeze the word */
    return atomic_compare_exchange_strong_explicit(word, &now, seen | KP_PAIR_FROZEN,
                                                   KP_ORDER_PUBLISH, KP_ORDER_OBSERVE) ||
           now == (seen | KP_PAIR_FROZEN);
}

#endif
