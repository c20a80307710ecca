/* The way of a short message through a ring, inline: most calls send or receive one, and take
 * hardly longer than it takes from core to core. What is not as usual here goes by links.c. */
#ifndef KPORT_PORTS_MESSAGE_SHORT_H
#define KPORT_PORTS_MESSAGE_SHORT_H

#include "ports/member.h"
#include "ports/message/links.h"

#include <string.h>

/* So many slots ahead a sender fetches the line that it is to write, so that the lines of several
 * messages are on their way at the same time. */
#define KP_FETCHED_AHEAD 7

/* Most short messages are a word. */
static inline void kp_copy_short(void *to, const void *from, size_t bytes)
{
    if (bytes == sizeof(uint64_t))
        memcpy(to, from, sizeof(uint64_t));
    else if (bytes > 0)
        memcpy(to, from, bytes);
}

/* --- Sending --- */

static inline struct kp_ring_slot *kp_link_head(struct kp_link *link)
{
    return &link->slots[link->head & link->sender_mask];
}

/* Returns the block of the slot with this number. */
static inline unsigned char *kp_link_block(const struct kp_link *link, uint32_t number)
{
    return link->blocks + (size_t)(number & link->sender_mask) * KP_RING_BLOCK_STEP;
}

/* Counts what is sent; `counted` may be negative. */
static inline void kp_link_count(struct kp_link *link, size_t counted)
{
    link->sent += counted;
    link->credit -= counted;
}

/* Sends the message whose contents the caller has put into the slot, the next one. */
static inline void kp_link_post_filled(struct kp_link *link, struct kp_ring_slot *slot,
                                       enum kp_ring_kind kind, int tag, uint32_t note,
                                       struct kp_site site)
{
    slot->tag = tag;
    slot->file = site.file;
    slot->line = site.line;
    slot->note = note & 0xffffff;
    link->head++;
    kp_ring_post(slot, kind);
    /* The receiver has written to the slots of the round before. */
    kp_fetch_to_write(&link->slots[(link->head + KP_FETCHED_AHEAD) & link->sender_mask]);
}

/* Sends a message that the slot has room for, or its block, which the ring then has. */
static inline void kp_link_post_short(struct kp_link *link, const void *data, size_t bytes, int tag,
                                      uint32_t note, struct kp_site site)
{
    struct kp_ring_slot *slot = kp_link_head(link);
    const bool beside = bytes > KP_RING_PAYLOAD;
    if (beside) {
        unsigned char *block = kp_link_block(link, link->head);
        const unsigned char *next = kp_link_block(link, link->head + 1);
        /* The receiver has read these lines in the round before. While they come back, this message
         * is copied. */
        for (size_t i = 0; i < bytes; i += KP_CACHE_LINE)
            kp_fetch_to_write(next + i);
        slot->block = block;
        slot->block_bytes = bytes;
        memcpy(block, data, bytes);
    } else {
        slot->bytes = (uint32_t)bytes & 0xff;
        kp_copy_short(slot->payload, data, bytes);
    }
    kp_link_post_filled(link, slot, beside ? KP_RING_BESIDE : KP_RING_SHORT, tag, note, site);
}

/* Returns the ring to `to` if a message of so many bytes can go through it at once, and no earlier
 * one waits for room. Otherwise returns NULL. */
static inline struct kp_link *kp_link_for_short(struct kp_messages *own, int to, size_t bytes)
{
    struct kp_link *link = kp_link_known(&own->targets, to);
    return link && bytes < link->short_end && (bytes <= KP_RING_PAYLOAD || link->blocks) &&
                   bytes + KP_MESSAGE_OVERHEAD <= link->credit && !link->waiting &&
                   kp_ring_has_room(kp_link_head(link))
               ? link
               : NULL;
}

/* --- Receiving --- */

static inline struct kp_ring_slot *kp_link_tail(const struct kp_link *link)
{
    return (struct kp_ring_slot *)&link->slots[link->tail & link->mask];
}

/* Looks at a slot. If `looks` is not 0, looks again and again for a while, and then `looks` times
 * with a pause between. Returns what it finds at last. */
enum kp_ring_kind kp_link_look_on(const struct kp_messages *own, const struct kp_ring_slot *slot,
                                  int looks);

static inline enum kp_ring_kind kp_link_look(const struct kp_messages *own,
                                             const struct kp_ring_slot *slot, int looks)
{
    const enum kp_ring_kind kind = kp_ring_look(slot);
    return kind != KP_RING_EMPTY || looks == 0 ? kind : kp_link_look_on(own, slot, looks);
}

/* Counts a message of a ring as received. Its sender may now send as much more. */
static inline void kp_link_count_received(struct kp_link *link, size_t counted)
{
    size_t received = atomic_load_explicit(&link->received, KP_ORDER_COUNT);
    atomic_store_explicit(&link->received, received + counted, KP_ORDER_COUNT);
}

/* Empties the slot, the next one, whose message has been read. */
static inline void kp_link_empty(struct kp_link *link, struct kp_ring_slot *slot)
{
    kp_ring_clear(slot);
    link->tail++;
}

/* Wakes the sender if it waits for the slots that this member has emptied. */
static inline void kp_link_announce_room(struct kp_link *link)
{
    if (kp_ring_room_is_wanted(&link->wanted, link->sender->asymmetric))
        kp_request_notify(link->sender);
}

/* --- Calls --- */

/* Returns the member's data, or NULL if there are none or a member has ended. */
static inline struct kp_messages *kp_messages_unless_ended(const kp_group *member)
{
    struct kp_messages *own = member->messages;
    return own && atomic_load_explicit(&own->group->ends, KP_ORDER_OBSERVE) == 0 ? own : NULL;
}

/* Returns the member's data if a call for a message can begin with nothing else to do: the member
 * is usable, its processor has no requests, and no member has ended. Otherwise returns NULL. */
static inline struct kp_messages *kp_messages_at_hand(kp_group *member)
{
    kp_proc *self = kp_carried();
    const bool usable = kp_member_is_usable(self, member) && !self->failed && !self->unusual;
    return usable ? kp_messages_unless_ended(member) : NULL;
}

/* Returns whether all requests of the processor are receives of this member, and need not go on in
 * this call. Then the one that polls is the only one that does not rest. A progress thread may use
 * the requests at this moment, so nothing of them is read if there is one. */
static inline bool kp_receives_can_rest(kp_proc *self, const struct kp_messages *own)
{
    return !self->machine->progress && own->poller &&
           self->requests.under_way - self->requests.resting == 1 &&
           kp_requests_may_be_passed_over(self);
}

/* The same as kp_messages_at_hand for a send. Receives may be under way: programs start the
 * receives of a window or of a halo first, and then the sends. */
static inline struct kp_messages *kp_messages_for_short(kp_group *member)
{
    kp_proc *self = kp_carried();
    struct kp_messages *own = kp_member_is_usable(self, member) && !self->failed
                                  ? kp_messages_unless_ended(member)
                                  : NULL;
    return own && (!self->unusual || kp_receives_can_rest(self, own)) ? own : NULL;
}

/* Ends such a call. */
static inline void kp_messages_leave_short(kp_proc *self)
{
    atomic_store_explicit(&self->calling, KP_CALLS_NOTHING, KP_ORDER_NOTE);
}

#endif
