#include "ports/message/links.h"

#include "ports/carrier/carrier.h"
#include "ports/member.h"
#include "ports/message/messages.h"
#include "ports/message/pool.h"
#include "ports/message/postbox.h"
#include "ports/message/short.h"

#include <stdlib.h>
#include <string.h>

#define MANY_MEMBERS  64 /* more members have shorter rings */
#define USUAL_SLOTS   64
#define SLOTS_OF_MANY 16

/* The blocks of so many bytes get their pages at once. If there are more, each ring has few
 * messages. */
#define TOUCHED_BYTES   ((size_t)4 << 20)
#define FIRST_ENTRIES   8
#define AT_ONCE_BETWEEN 64 /* KP_LOOKS_BETWEEN, for looks that come at once, below */

/* If a receive looks for its message at all, so many looks come at once, about as long as a message
 * and its answer take. Those after them wait for a pause of the CPU, which lasts up to 45 ns
 * (Intel), and find a message half a pause late. */
#define AT_ONCE 600

/* --- Rings by rank --- */

static struct kp_link_entry *entry_of(const struct kp_link_table *table, int rank)
{
    size_t i = (size_t)rank * UINT64_C(0x9e3779b9);
    while (table->entries[i & (table->room - 1)].link &&
           table->entries[i & (table->room - 1)].rank != rank)
        i++;
    return &table->entries[i & (table->room - 1)];
}

struct kp_link *kp_link_seek(struct kp_link_table *table, int rank)
{
    struct kp_link *link = table->room == 0 ? NULL : entry_of(table, rank)->link;
    table->last = (struct kp_link_entry){rank, link};
    return link;
}

/* Makes room for one more entry. Returns false if there is no memory. */
static bool table_reach(struct kp_link_table *table)
{
    if (2 * (table->count + 1) <= table->room)
        return true;
    struct kp_link_table more = {.room = table->room > 0 ? 2 * table->room : FIRST_ENTRIES,
                                 .count = table->count};
    more.entries = calloc(more.room, sizeof *more.entries);
    if (!more.entries)
        return false;
    for (size_t i = 0; i < table->room; i++) {
        if (table->entries[i].link)
            *entry_of(&more, table->entries[i].rank) = table->entries[i];
    }
    free(table->entries);
    *table = more;
    return true;
}

static void table_add(struct kp_link_table *table, int rank, struct kp_link *link)
{
    *entry_of(table, rank) = (struct kp_link_entry){rank, link};
    table->count++;
}

/* --- Sending --- */

struct kp_link *kp_link_make(struct kp_messages *own, struct kp_messages *peer)
{
    const int size = own->member->shared->size;
    const uint32_t slots = size > MANY_MEMBERS ? SLOTS_OF_MANY : USUAL_SLOTS;
    const size_t bytes = sizeof(struct kp_link) + slots * sizeof(struct kp_ring_slot);
    /* Both counts only grow. So once a receiver gets no more rings, it never gets one again. */
    if (own->box || atomic_load_explicit(&peer->ring_count, KP_ORDER_COUNT) >= KP_RINGS_AT_MOST ||
        atomic_load_explicit(&own->group->ring_bytes, KP_ORDER_COUNT) >= KP_RING_BYTES_AT_MOST)
        return NULL;
    struct kp_link *link = table_reach(&own->targets) ? kp_lines_zeroed(1, bytes) : NULL;
    if (!link) {
        atomic_store_explicit(&peer->ring_count, KP_RINGS_AT_MOST, KP_ORDER_COUNT);
        return NULL;
    }
    atomic_fetch_add_explicit(&peer->ring_count, 1, KP_ORDER_COUNT);
    atomic_fetch_add_explicit(&own->group->ring_bytes, bytes, KP_ORDER_COUNT);
    link->from = own->member;
    link->sender = kp_member_carrier(own->member);
    link->receiver = kp_member_carrier(peer->member);
    link->mask = link->sender_mask = slots - 1;
    const struct kp_machine_config *config = &own->member->shared->machine->config;
    link->credit = config->unreceived_bytes;
    /* A request's buffer is checked by the functions for all kinds of messages. */
    if (!config->check_buffers)
        link->short_end = config->message_eager_bytes < KP_RING_BLOCK
                              ? (uint16_t)(config->message_eager_bytes + 1)
                              : KP_RING_BLOCK + 1;
    table_add(&own->targets, peer->member->rank, link);
    kp_inbox_put(&peer->rings, &link->item);
    return link;
}

/* Returns whether the sender may have this much more under way, and if so, counts it. */
static bool may_count(struct kp_messages *own, struct kp_link *link, size_t counted)
{
    const size_t most = own->member->shared->machine->config.unreceived_bytes;
    if (!link) {
        const size_t received = atomic_load_explicit(&own->listed_received, KP_ORDER_COUNT);
        if (own->listed_sent + counted - received > most)
            return false;
        own->listed_sent += counted;
        return true;
    }
    if (counted > link->credit) {
        const size_t received = atomic_load_explicit(&link->received, KP_ORDER_COUNT);
        link->credit = most - (link->sent - received);
        if (counted > link->credit)
            return false;
    }
    kp_link_count(link, counted);
    return true;
}

/* The message that was counted is not sent. */
static void count_back(struct kp_messages *own, struct kp_link *link, size_t counted)
{
    if (link)
        kp_link_count(link, -counted);
    else
        own->listed_sent -= counted;
}

/* Makes the object of a message. If it is not `buffered`, the message stays where it is. */
static struct kp_message *make_object(struct kp_messages *own, struct kp_outgoing_message *send,
                                      bool buffered, size_t counted)
{
    struct kp_message *message = kp_message_take(own, buffered ? send->bytes : 0);
    if (!message)
        return NULL;
    message->sender = own->member;
    message->bytes = send->bytes;
    message->counted = buffered ? counted : 0;
    message->data = buffered ? message->contents : send->data;
    atomic_store_explicit(&message->offer, buffered ? KP_OFFER_NONE : KP_OFFERED, KP_ORDER_RESET);
    message->typed = send->typed;
    kp_typed_hold(&message->typed);
    if (buffered && kp_is_typed(&send->typed))
        kp_typed_pack(&send->typed, send->data, message->contents, send->bytes);
    else if (buffered && send->bytes > 0)
        memcpy(message->contents, send->data, send->bytes);
    send->offered = buffered ? NULL : message;
    return message;
}

/* Makes the blocks of a ring. Returns false if it has none. */
static bool make_blocks(struct kp_messages *own, struct kp_link *link)
{
    const size_t bytes = ((size_t)link->sender_mask + 1) * KP_RING_BLOCK_STEP;
    const size_t others = atomic_load_explicit(&own->group->block_bytes, KP_ORDER_COUNT);
    if (!link->without_blocks &&
        others < KP_BLOCK_BYTES_AT_MOST && /* untaken: no test has so many rings with blocks */
        (link->blocks = kp_lines(1, bytes)))
        atomic_fetch_add_explicit(&own->group->block_bytes, bytes, KP_ORDER_COUNT);
    if (link->blocks && others < TOUCHED_BYTES)
        kp_lines_touch(link->blocks, bytes);
    link->without_blocks = !link->blocks;
    return link->blocks;
}

/* Returns where a message that may be buffered goes. */
static enum kp_ring_kind kind_for(struct kp_messages *own, struct kp_link *link,
                                  const struct kp_outgoing_message *send)
{
    if (kp_is_typed(&send->typed) || send->bytes > KP_RING_BLOCK)
        return KP_RING_OBJECT;
    if (send->bytes <= KP_RING_PAYLOAD)
        return KP_RING_SHORT;
    return link->blocks || make_blocks(own, link) ? KP_RING_BESIDE : KP_RING_OBJECT;
}

/* Sends a message without a ring. */
static void put_in_list(struct kp_messages *own, struct kp_message *message,
                        const struct kp_outgoing_message *send)
{
    message->match.source = own->member->rank;
    message->match.tag = send->tag;
    message->site = send->site;
    message->note = send->note;
    message->link = NULL;
    kp_inbox_put(&own->group->members[send->to].listed, &message->item);
}

int kp_link_post(struct kp_messages *own, struct kp_link *link, struct kp_outgoing_message *send)
{
    if (!link && own->box && send->to != own->member->rank)
        return kp_postbox_send(own, send);
    const size_t counted = send->bytes + KP_MESSAGE_OVERHEAD;
    const bool buffered = !send->synchronous &&
                          send->bytes <= own->member->shared->machine->config.message_eager_bytes &&
                          may_count(own, link, counted);
    const enum kp_ring_kind kind = link && buffered ? kind_for(own, link, send) : KP_RING_OBJECT;
    struct kp_message *message = NULL;
    if (kind == KP_RING_OBJECT && !(message = make_object(own, send, buffered, counted))) {
        if (buffered)
            count_back(own, link, counted);
        return KP_EMEMORY;
    }
    if (!link) {
        put_in_list(own, message, send);
        return KP_OK;
    }
    if (kind != KP_RING_OBJECT) {
        kp_link_post_short(link, send->data, send->bytes, send->tag, send->note, send->site);
        return KP_OK;
    }
    struct kp_ring_slot *slot = kp_link_head(link);
    slot->object = message;
    kp_link_post_filled(link, slot, kind, send->tag, send->note, send->site);
    return KP_OK;
}

void kp_link_recycle(struct kp_messages *own, struct kp_message *message)
{
    kp_message_give_back(own, message);
}

/* --- Receiving --- */

static const struct kp_typed contiguous;

/* Gives a message to a receive, whose `found` is filled in. `sent` is its sequence of elements, and
 * `stored` says how it lies at `data`. A message that does not fit is not copied. */
static inline void deliver(struct kp_receiving *receive, const struct kp_typed *sent,
                           const struct kp_typed *stored, const void *data)
{
    const size_t bytes = receive->found->bytes;
    const bool fits = bytes > 0 && bytes <= receive->room;
    if (fits && (kp_is_typed(sent) || kp_is_typed(&receive->typed)))
        kp_typed_deliver(receive, sent, stored, data, bytes);
    else if (fits)
        memcpy(receive->data, data, bytes);
    receive->done = true;
}

/* Counts a message of a ring as received, or of the list of its sender if `link` is NULL. */
static inline void count_received(struct kp_link *link, struct kp_messages *sender, size_t counted)
{
    if (link)
        kp_link_count_received(link, counted);
    else
        atomic_fetch_add_explicit(&sender->listed_received, counted, KP_ORDER_COUNT);
}

bool kp_link_hand_over(struct kp_messages *own, struct kp_message *message,
                       struct kp_receiving *receive)
{
    if (message->by_packet) {
        kp_postbox_hand_over(own, message, receive);
        return true;
    }
    *receive->found = (struct kp_envelope){.source = message->match.source,
                                           .tag = message->match.tag,
                                           .note = message->note,
                                           .bytes = message->bytes,
                                           .site = message->site};
    if (message->counted > 0)
        count_received(message->link, message->owner, message->counted);
    if (atomic_load_explicit(&message->offer, KP_ORDER_CLAIM) == KP_OFFER_NONE) {
        deliver(receive, &message->typed, &contiguous, message->data);
    } else if (kp_offer_claim(&message->offer)) {
        kp_proc *sender = kp_member_carrier(message->sender);
        deliver(receive, &message->typed, &message->typed, message->data);
        kp_offer_take(&message->offer); /* the object is its sender's again */
        kp_request_notify(sender);
        return true;
    }
    kp_message_give_back(own, message);
    return receive->done;
}

static struct kp_receiving *receiving_of(struct kp_match *match)
{
    return (struct kp_receiving *)match;
}

/* A message has come as an object. */
static void arrive(struct kp_messages *own, struct kp_message *message)
{
    struct kp_match *match =
        kp_matching_receive_for(&own->matching, message->match.source, message->match.tag);
    if (!match)
        kp_matching_keep(&own->matching, &message->match);
    else if (kp_link_hand_over(own, message, receiving_of(match))) {
        kp_matching_unpost(&own->matching, match);
        kp_receive_got(receiving_of(match));
    }
}

/* Keeps a message for which no receive is posted, and which the slot will not hold. */
static bool keep_short(struct kp_messages *own, struct kp_link *link,
                       const struct kp_ring_slot *slot, enum kp_ring_kind kind)
{
    const struct kp_ring_message it = kp_ring_message(slot, kind);
    struct kp_message *message = kp_message_take(own, it.bytes);
    if (!message)
        return false;
    message->match.source = link->from->rank;
    message->match.tag = slot->tag;
    message->site = (struct kp_site){slot->file, slot->line};
    message->note = slot->note;
    message->link = link;
    message->sender = link->from;
    message->data = message->contents;
    message->bytes = it.bytes;
    message->counted = it.bytes + KP_MESSAGE_OVERHEAD;
    atomic_store_explicit(&message->offer, KP_OFFER_NONE, KP_ORDER_RESET);
    memcpy(message->contents, it.data, it.bytes);
    kp_matching_keep(&own->matching, &message->match);
    return true;
}

/* Returns the object that a slot names, with what only the slot has. */
static struct kp_message *object_of(struct kp_link *link, const struct kp_ring_slot *slot)
{
    struct kp_message *message = slot->object;
    message->match.source = link->from->rank;
    message->match.tag = slot->tag;
    message->site = (struct kp_site){slot->file, slot->line};
    message->note = slot->note;
    message->link = link;
    return message;
}

static inline void deliver_short(struct kp_link *link, const struct kp_ring_slot *slot,
                                 enum kp_ring_kind kind, struct kp_receiving *receive)
{
    const struct kp_ring_message it = kp_ring_message(slot, kind);
    *receive->found = (struct kp_envelope){.source = link->from->rank,
                                           .tag = slot->tag,
                                           .note = slot->note,
                                           .bytes = it.bytes,
                                           .site = {slot->file, slot->line}};
    deliver(receive, &contiguous, &contiguous, it.data);
    kp_link_count_received(link, it.bytes + KP_MESSAGE_OVERHEAD);
}

static bool has_message(const struct kp_link *link)
{
    return kp_ring_look(kp_link_tail(link)) != KP_RING_EMPTY;
}

/* Takes the message in the ring's next slot, which is not empty. Returns false if there is no
 * memory to keep it. */
static inline bool take(struct kp_messages *own, struct kp_link *link, struct kp_ring_slot *slot,
                        enum kp_ring_kind kind)
{
    struct kp_match *match;
    if (kind == KP_RING_OBJECT) {
        arrive(own, object_of(link, slot));
    } else if ((match = kp_matching_take_receive(&own->matching, link->from->rank, slot->tag))) {
        deliver_short(link, slot, kind, receiving_of(match));
        kp_receive_got(receiving_of(match));
    } else if (!keep_short(own, link, slot, kind)) {
        return false;
    }
    kp_link_empty(link, slot);
    return true;
}

/* Returns whether a poll for `until` may stop. It serves the other posted receives, too. */
static bool is_enough(const struct kp_messages *own, const struct kp_receiving *until)
{
    return until && until->done && own->matching.posted_count == 0;
}

/* Takes what lies in the ring, at most as much as it has slots. */
static int drain(struct kp_messages *own, struct kp_link *link, const struct kp_receiving *until)
{
    const uint32_t begin = link->tail;
    bool has_memory = true;
    while (has_memory && !is_enough(own, until) && link->tail - begin <= link->mask) {
        struct kp_ring_slot *slot = kp_link_tail(link);
        const enum kp_ring_kind kind = kp_ring_look(slot);
        if (kind == KP_RING_EMPTY)
            break;
        has_memory = take(own, link, slot, kind);
    }
    if (link->tail != begin)
        kp_link_announce_room(link);
    return has_memory ? KP_OK : KP_EMEMORY;
}

/* Adds the rings that senders have made. Without memory a ring is not in the table, and its
 * messages are found a little later. */
static void meet_rings(struct kp_messages *own)
{
    struct kp_inbox_item *next, *item = kp_inbox_take(&own->rings);
    for (; item; item = next) {
        struct kp_link *link = (struct kp_link *)item;
        next = item->next;
        link->next = own->first ? own->first->next : link;
        *(own->first ? &own->first->next : &own->first) = link;
        if (table_reach(&own->sources))
            table_add(&own->sources, link->from->rank, link);
    }
}

/* Takes the messages that come without a ring, the first one first. */
static void take_listed(struct kp_messages *own)
{
    struct kp_inbox_item *next, *item = kp_inbox_take(&own->listed), *first = NULL;
    for (; item; item = next) {
        next = item->next;
        item->next = first;
        first = item;
    }
    for (item = first; item; item = next) {
        next = item->next;
        arrive(own, kp_message_of(item));
    }
}

int kp_link_poll(struct kp_messages *own, struct kp_receiving *until)
{
    if (own->box && kp_postbox_poll(own))
        return KP_EMEMORY;
    if (is_enough(own, until))
        return KP_OK;
    struct kp_link *link = until ? kp_link_known(&own->sources, until->match.source) : NULL,
                   *const drained = link;
    int status = link ? drain(own, link, until) : KP_OK;
    if (status || is_enough(own, until))
        return status;
    if (kp_inbox_has_any(&own->rings))
        meet_rings(own);
    if (kp_inbox_has_any(&own->listed))
        take_listed(own);
    link = own->first;
    if (!link)
        return KP_OK;
    do {
        status = link == drained || is_enough(own, until) ? KP_OK : drain(own, link, until);
        link = link->next;
    } while (!status && !is_enough(own, until) && link != own->first);
    own->first = link; /* the next time another sender comes first */
    return status;
}

bool kp_link_has_come(struct kp_messages *own, int source)
{
    struct kp_link *link = kp_link_known(&own->sources, source);
    if ((link && has_message(link)) || kp_inbox_has_any(&own->rings) ||
        kp_inbox_has_any(&own->listed))
        return true;
    link = own->first;
    if (!link)
        return false;
    do {
        if (has_message(link))
            return true;
        link = link->next;
    } while (link != own->first);
    return false;
}

bool kp_link_take_next(struct kp_messages *own, struct kp_receiving *receive, int looks)
{
    struct kp_link *link = kp_link_known(&own->sources, receive->match.source);
    if (!link && kp_inbox_has_any(&own->rings)) {
        meet_rings(own);
        link = kp_link_known(&own->sources, receive->match.source);
    }
    if (!link)
        return false;
    struct kp_ring_slot *slot = kp_link_tail(link);
    const enum kp_ring_kind kind = kp_link_look(own, slot, looks);
    if (kind == KP_RING_EMPTY || (receive->match.tag != KP_ANY && receive->match.tag != slot->tag))
        return false;
    if (kind == KP_RING_OBJECT)
        (void)kp_link_hand_over(own, object_of(link, slot), receive);
    else
        deliver_short(link, slot, kind, receive);
    kp_link_empty(link, slot);
    kp_link_announce_room(link);
    return receive->done;
}

enum kp_ring_kind kp_link_look_on(const struct kp_messages *own, const struct kp_ring_slot *slot,
                                  int looks)
{
    const kp_proc *self = own->member->self;
    bool (*const looks_on)(const kp_proc *self) = self->machine->carrier->looks_on;
    const int most = looks > 0 ? AT_ONCE + looks : 0;
    enum kp_ring_kind kind;
    for (int i = 0; (kind = kp_ring_look(slot)) == KP_RING_EMPTY && i < most; i++) {
        if (i >= AT_ONCE)
            kp_pause();
        const int between = i < AT_ONCE ? AT_ONCE_BETWEEN : KP_LOOKS_BETWEEN;
        if (i % between == between - 1 && looks_on && !looks_on(self))
            break;
    }
    return kind;
}
