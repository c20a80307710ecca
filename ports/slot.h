/* The slots of kp_exchange. They lie at the sender, one for each port and generation.
 *
 * A slot has one writer for ever and one reader a round. It is a cache line with the number of its
 * episode, so a receiver cannot take a message of another round for one of this. With the barrier
 * two generations are enough. The slot of episode t is rewritten for episode t + 2, after its
 * writer has seen episode t + 1; the reader arrived at t + 1 after reading. No field is atomic: the
 * writer fills the slot before it arrives, and the reader reads after the episode; `taken` goes
 * back one episode later. This header depends on no other part of the library. */
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
    uint64_t episode; /* the episode for which it was written */
    uint64_t taken;   /* the episode for which the receiver took it; written by the receiver */
    int32_t to;       /* the receiver's rank */
    unsigned char payload[KP_SLOT_PAYLOAD];
};

_Static_assert(sizeof(struct kp_slot) == KP_SLOT_BYTES, "a slot is one line");

static inline unsigned kp_generation_of(uint64_t episode)
{
    return (unsigned)(episode & (KP_GENERATIONS - 1));
}

/* Fills the slot. Copies the message into the line if it fits, else to `room` if that is not NULL;
 * otherwise only publishes its address. Returns whether it is lent. */
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

/* Returns whether the slot has a message of this episode for that receiver. */
static inline bool kp_slot_holds(const struct kp_slot *slot, uint64_t episode, int receiver)
{
    return slot->episode == episode && slot->to == receiver;
}

#endif
