/* The way of a message from its sender to its receiver, if the two share memory. The first message
 * of a sender to a receiver makes a ring (ring.h) between the two, which lasts as long as the
 * group. A short message lies in a slot of the ring, or in the slot's block. The first message for
 * a block makes the blocks of its ring. For a longer message, or if the blocks of a group have
 * KP_BLOCK_BYTES_AT_MOST already, the slot has the address of an object (struct kp_message), which
 * has the message itself, or says where it lies in the sender's memory.
 *
 * A receiver has at most KP_RINGS_AT_MOST rings, and the rings of a group take at most
 * KP_RING_BYTES_AT_MOST. The messages of further senders come as objects in one list, which all of
 * them share. Once a receiver gets no more rings, it never gets one again. So the messages of one
 * sender never come in two ways, and do not overtake each other.
 *
 * A sender may have a limit of bytes under way to one receiver (kp_config, unreceived_bytes). A
 * message beyond it is only offered: it stays in the sender's memory until the receiver takes it.
 *
 * Between members that share no memory, kp_link_post and kp_link_poll go by packets (postbox.h).
 */
#ifndef KPORT_PORTS_MESSAGE_LINKS_H
#define KPORT_PORTS_MESSAGE_LINKS_H

#include "ports/carrier/inbox.h"
#include "ports/carrier/wire.h"
#include "ports/face.h"
#include "ports/machine_data.h"
#include "ports/message/matching.h"
#include "ports/message/ring.h"
#include "ports/message/typed.h"
#include "ports/sync/wired.h"

#define KP_RINGS_AT_MOST       256
#define KP_RING_BYTES_AT_MOST  ((size_t)64 << 20)
#define KP_BLOCK_BYTES_AT_MOST ((size_t)64 << 20)
#define KP_MESSAGE_CLASSES     8 /* the sizes of objects: 64, 256 ... 1 Mi bytes of contents */
/* What a message takes beside its contents, in what is counted against `unreceived_bytes`. */
#define KP_MESSAGE_OVERHEAD 64

/* A message that does not lie in a slot. A sender takes the object from its own spare ones, and the
 * receiver gives it back. A receiver takes one itself to keep a short message. */
struct kp_message {
    struct kp_match match; /* the receiver's line */
    /* Who fills the object writes these; a sender with a ring leaves the site to its slot. */
    alignas(KP_CACHE_LINE) struct kp_site site;
    uint32_t note;            /* the sender's note, with the site */
    struct kp_link *link;     /* the ring by which it has come; NULL: the list */
    struct kp_message *older; /* the owner's object made before this one */
    uint64_t object;          /* not 0: the sender offers the message as this object of its own */
    struct kp_wire *branch;   /* not NULL: the sender sends the contents, which it has offered */
    bool by_packet;           /* it has come by a packet */
    /* the sender's line */
    alignas(KP_CACHE_LINE) struct kp_inbox_item item; /* first in the line */
    kp_group *sender;
    struct kp_messages *owner;
    const void *data;      /* the contents, here or in the sender's memory */
    struct kp_typed typed; /* the sequence of elements; an offered message lies like this, too */
    void *packed;          /* offered by a packet: the data in one piece, or NULL if they lie so */
    uint64_t elements;     /* of a message that has come by a packet: names this sequence */
    size_t bytes, counted;
    _Atomic uint32_t offer; /* an enum kp_offer */
    int size_class;
    alignas(KP_CACHE_LINE) unsigned char contents[];
};

/* A ring from one member to another. */
struct kp_link {
    /* the receiver's line; the sender sets the first fields before the receiver knows the ring */
    alignas(KP_LINES_APART) struct kp_inbox_item item;
    kp_group *from;
    kp_proc *sender;
    uint32_t mask; /* the number of slots - 1 */
    uint32_t tail; /* the number of the next slot to empty */
    struct kp_link *next;
    _Atomic size_t received; /* what the messages received so far have counted */
    _Atomic uint32_t wanted; /* the sender waits for room */
    /* the sender's line */
    alignas(KP_CACHE_LINE) kp_proc *receiver;
    uint32_t sender_mask;
    uint32_t head;                  /* the number of the next slot to fill */
    size_t sent, credit;            /* what its messages have counted; what more may, as is known */
    struct kp_send *waiting, *last; /* the sends that wait for room, in their order */
    bool wants;                     /* `wanted` is set */
    bool without_blocks;            /* there was no memory for blocks, or there were too many */
    uint16_t short_end;    /* a message of fewer bytes needs no more than a slot and its block */
    unsigned char *blocks; /* one for each slot; NULL: none yet */
    alignas(KP_LINES_APART) struct kp_ring_slot slots[];
};

/* The rings of a member by the rank at their other end: a table with open addressing. */
struct kp_link_table {
    struct kp_link_entry {
        int rank;
        struct kp_link *link; /* NULL: the entry is free */
    } last, *entries;         /* `last`: the one looked for last; not valid if its `link` is NULL */
    size_t room, count;       /* room: 0 or a power of two */
};

/* What a member has for its messages. */
struct kp_messages {
    /* Senders write this line: rings that are new to the receiver, and messages without a ring. */
    alignas(KP_LINES_APART) kp_inbox rings;
    kp_inbox listed;
    /* Receivers write this line: objects of this member that they give back, and what messages
     * without a ring have counted. */
    alignas(KP_CACHE_LINE) kp_inbox returned;
    _Atomic size_t listed_received;
    /* Others read this line for every message, and it seldom changes. */
    alignas(KP_CACHE_LINE) _Atomic uint32_t gone; /* 1: the member receives and sends no more */
    _Atomic uint32_t ring_count;                  /* the number of rings that lead here */
    kp_group *member;
    struct kp_messages_group *group;
    /* Only the member's own thread uses the rest. */
    alignas(KP_CACHE_LINE) struct kp_link *first; /* the rings that lead here */
    struct kp_link_table sources, targets;
    size_t listed_sent;
    struct kp_message *spare[KP_MESSAGE_CLASSES], *made;
    struct kp_matching matching;
    struct kp_postbox *box; /* NULL: the members share memory */
    struct kp_flow *flows;  /* by rank, with a postbox */
    struct kp_messages *next_in_box;
    struct kp_receive *poller; /* the receive that polls for all that are posted, or NULL */
    uint32_t ends_known;       /* how many of `ends` the posted receives know of */
    kp_error_record why;       /* why `gone` is 1; written before it */
};

/* What the members of a group have for their messages, in one piece of memory. */
struct kp_messages_group {
    _Atomic uint32_t broken; /* 1: no member waits for a message any more, because of a failure */
    kp_error_record why;     /* why `broken` is 1; written before it */
    /* How often a member has gone, or the group broken. Without a wire, 0 says that no wait is
     * over, and a change that one may be. */
    _Atomic uint32_t ends;
    _Atomic size_t ring_bytes, block_bytes;
    struct kp_messages members[];
};

/* A receive, as far as messages know it. */
struct kp_receiving {
    struct kp_match match; /* first; its source and tag */
    void *data;
    size_t room;
    struct kp_envelope *found; /* where the message is described */
    /* Not NULL: a message is found, and its contents are on their way by this branch, to `unpacked`
     * if the data do not lie in one piece. */
    struct kp_wire *arrives;
    struct kp_typed typed;
    bool done;            /* a message has come, which `found` describes */
    bool differs;         /* it has the sequence of elements `sent`, and was not copied */
    bool memory_is_short; /* there was no memory to receive it */
    /* Most messages do not need the rest. */
    struct kp_typed sent;
    struct kp_wire_message contents;
    void *unpacked;
};

/* Returns the member's data. Returns NULL, with an error set at the processor, if there is no
 * memory. The first function makes or opens the data (messages.c). */
struct kp_messages *kp_messages_make(kp_group *member);

static inline struct kp_messages *kp_messages_of(kp_group *member)
{
    return member->messages ? member->messages : kp_messages_make(member);
}

/* Returns why a wait for messages of the member with rank `source` is over. With KP_ANY_SOURCE it
 * is over when all other members are gone. Returns NULL if the wait goes on. What a member had sent
 * before it was gone is found by a poll after this call. The first function does so when some
 * member is gone, or may be (messages.c). */
const kp_error_record *kp_messages_look_for_end_of(const struct kp_messages *own, int source);

static inline const kp_error_record *kp_messages_end_of(const struct kp_messages *own, int source)
{
    if (!own->box && atomic_load_explicit(&own->group->ends, KP_ORDER_OBSERVE) == 0)
        return NULL;
    return kp_messages_look_for_end_of(own, source);
}

/* Returns the ring to, or from, a member, or NULL if there is none yet. Most messages go to, or
 * come from, the member of the message before. The first function looks for others. */
struct kp_link *kp_link_seek(struct kp_link_table *table, int rank);

static inline struct kp_link *kp_link_known(struct kp_link_table *table, int rank)
{
    const struct kp_link_entry *last = &table->last;
    return last->link && last->rank == rank ? last->link : kp_link_seek(table, rank);
}

/* Returns the ring to a member. Makes it, if this is the first message to the member. Returns NULL
 * if the messages to this member go without a ring. */
struct kp_link *kp_link_make(struct kp_messages *own, struct kp_messages *peer);

static inline struct kp_link *kp_link_to(struct kp_messages *own, int rank)
{
    struct kp_link *link = kp_link_known(&own->targets, rank);
    return link ? link : kp_link_make(own, &own->group->members[rank]);
}

/* Returns whether kp_link_post would find room. */
static inline bool kp_link_has_room(const struct kp_link *link)
{
    return !link || kp_ring_has_room(&link->slots[link->head & link->sender_mask]);
}

/* Puts a message on its way, through the ring `link`, which has room, or without a ring. Returns 0
 * or KP_EMEMORY, with no error set. */
int kp_link_post(struct kp_messages *own, struct kp_link *link, struct kp_outgoing_message *send);

/* Takes what has come, until `until` has its message and no other receive is posted, or nothing
 * more is there: first from the ring of the source that `until` names, then from all others.
 * Messages that nobody waits for are kept. `until` may be NULL. Returns 0 or KP_EMEMORY, with no
 * error set. */
int kp_link_poll(struct kp_messages *own, struct kp_receiving *until);

/* Called for a posted receive that has got its message without a packet (receive.c). */
void kp_receive_got(struct kp_receiving *receiving);

/* Returns whether kp_link_poll would find anything, at first from `source` (or KP_ANY). */
bool kp_link_has_come(struct kp_messages *own, int source);

/* Takes one message for a receive that is not posted. The receive names its source, no receive is
 * posted and the source has a ring. Looks at most `looks` times. Returns whether the message has
 * come. */
bool kp_link_take_next(struct kp_messages *own, struct kp_receiving *receive, int looks);

/* Gives a kept message to a receive. Returns false if its sender has withdrawn it. */
bool kp_link_hand_over(struct kp_messages *own, struct kp_message *message,
                       struct kp_receiving *receive);

/* Gives back an object that this member has taken for a message that it sends. */
void kp_link_recycle(struct kp_messages *own, struct kp_message *message);

/* Withdraws all messages that this member offers. Waits until no receiver copies one. */
void kp_link_withdraw_all(struct kp_messages *own);

/* Finds a message to this member that nobody has received, and takes none. The member's thread
 * calls this, or one that knows that no thread uses the member. */
bool kp_link_find_left(const struct kp_messages *own, struct kp_envelope *left);

/* Frees a member's rings and objects. */
void kp_link_free_all(struct kp_messages *own);

#endif
