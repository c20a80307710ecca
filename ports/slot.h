/* A slot is a cache line in which a member publishes one message of kp_exchange. A sender has slots
 * of its own, one for each port and generation (0 and 1, for alternate rounds).
 *
 * A slot is always written by the same member, and in a round at most one member reads it. The slot
 * contains the number of its episode, that is, of the use of the barrier that separates writing
 * from reading. So a receiver never takes a message of another round for one of this round. No
 * field is atomic, because the barrier orders the accesses. The sender fills the slot before it
 * arrives, and the receiver reads the slot after the barrier. The receiver writes `taken`, which
 * the sender reads after the next episode.
 *
 * Two generations are enough. The sender writes the slot of episode t again for episode t + 2,
 * after it has seen episode t + 1. The receiver arrives at episode t + 1 only after it has read the
 * slot. This header depends on no other part of the library. */
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
    alignas(KP_SLOT_BYTES) const void *data; /* the address of the message */
    uint64_t bytes;
    uint64_t episode; /* the episode for which the sender filled the slot */
    uint64_t taken;   /* the episode in which the receiver took it; the receiver writes it */
    int32_t to;       /* the receiver's rank */
    unsigned char payload[KP_SLOT_PAYLOAD]; /* the message itself, if it is short */
};

_Static_assert(sizeof(struct kp_slot) == KP_SLOT_BYTES, "a slot is one line");

static inline unsigned kp_generation_of(uint64_t episode)
{
    return (unsigned)(episode & (KP_GENERATIONS - 1));
}

/* Fills the slot with a message for rank `to`. A short message is copied into the slot. A longer
 * message is copied to `room`. If `room` is NULL, a longer message is lent: the slot gets only the
 * message's address. Returns whether the message is lent. */
static inline bool kp_slot_post(struct kp_slot *slot, uint64_t episode, int to, const void *data,
                                size_t bytes, void *room)
{
    void *copy = bytes <= KP_SLOT_PAYLOAD ? slot->payload : room;
    slot->data = copy ? copy : data;
    slot->bytes = bytes;
    slot->episode = episode;
    slot->to = to;
    slot->taken = episode - 1;
    if (copy && bytes > 0)
        memcpy(copy, data, bytes);
    return copy == NULL;
}

/* Returns whether the slot has a message of this episode for the member with rank `receiver`. */
static inline bool kp_slot_holds(const struct kp_slot *slot, uint64_t episode, int receiver)
{
    return slot->episode == episode && slot->to == receiver;
}

#endif
