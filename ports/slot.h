/* The slots of kp_exchange: they lie at the sender, one a port, in generations.
 *
 * One writer for ever, one reader a round. The slot of a port is a cache line with the round's pass
 * number, so a message of another round is never taken for one of this. Two generations are enough
 * under the barrier: a slot of pass t is written again for pass t + 2, and who writes it has seen
 * pass t + 1, at which its reader had arrived with its reading done. No field is atomic: the writer
 * fills the slot before it arrives, the reader looks after the pass; `taken` goes the other way,
 * one pass later. This header depends on nothing else in the library. */
#ifndef KPORT_PORTS_SLOT_H
#define KPORT_PORTS_SLOT_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define KP_GENERATIONS  2 /* a power of two */
#define KP_SLOT_BYTES   64
#define KP_SLOT_PAYLOAD 28

struct kp_slot {
    alignas(KP_SLOT_BYTES) const void *data; /* where the message lies */
    uint64_t bytes;
    uint64_t pass;  /* the pass it was written for */
    uint64_t taken; /* the pass for which its receiver took it; written by the receiver */
    int32_t to;     /* rank of its receiver */
    unsigned char payload[KP_SLOT_PAYLOAD];
};

_Static_assert(sizeof(struct kp_slot) == KP_SLOT_BYTES, "a slot is one line");

static inline unsigned kp_generation_of(uint64_t pass)
{
    return (unsigned)(pass & (KP_GENERATIONS - 1));
}

/* Fills the slot. The message is copied into the line if it fits, else to `room` if that is not
 * NULL, else only described. True if it was described. */
static inline bool kp_slot_post(struct kp_slot *slot, uint64_t pass, int to, const void *data,
                                size_t bytes, void *room)
{
    void *copy = bytes <= KP_SLOT_PAYLOAD ? slot->payload : room;
    slot->data = copy ? copy : data;
    slot->bytes = bytes;
    slot->pass = pass;
    slot->to = to;
    slot->taken = pass - 1;
    if (copy && bytes > 0)
        memcpy(copy, data, bytes);
    return copy == NULL;
}

/* Whether a message of this pass lies there for that receiver. */
static inline bool kp_slot_holds(const struct kp_slot *slot, uint64_t pass, int receiver)
{
    return slot->pass == pass && slot->to == receiver;
}

#endif
