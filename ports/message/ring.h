/* A ring carries messages from one member to another. It is an array of slots that are used in
 * turn. Only the sender fills slots, and only the receiver empties them. Each keeps the number of
 * its next slot to itself, so neither reads a line of the other's numbers.
 *
 * A slot is one cache line, which has the flag and a short message. So a message costs one transfer
 * of this line to the receiver, and one back when the sender comes to the slot again. The sender
 * waits until the slot's flag is 0, fills the slot, and sets the flag to the kind of the message.
 * The receiver looks at the flag, reads the slot, and clears the flag. A longer message lies in a
 * block of memory that belongs to the slot, and is used only between the same two steps.
 *
 * A sender that finds its next slot full may sleep until the receiver has emptied it. Before it
 * sleeps, it says so (kp_ring_want_room) and looks at the slot once more. The receiver empties
 * slots, and then looks whether the sender has said so (kp_ring_room_is_wanted). One of the two
 * sees the other's step (request/handshake.h). This header includes no header of the library but
 * that one and order.h. */
#ifndef KPORT_PORTS_MESSAGE_RING_H
#define KPORT_PORTS_MESSAGE_RING_H

#include "ports/order.h"
#include "ports/request/handshake.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KP_RING_SLOT_BYTES 64
#define KP_RING_PAYLOAD    40
#define KP_RING_BLOCK      4096
/* The distance from one block to the next. The lines of blocks at multiples of 4 KiB would displace
 * each other in the first cache. */
#define KP_RING_BLOCK_STEP (KP_RING_BLOCK + KP_RING_SLOT_BYTES)

enum kp_ring_kind {
    KP_RING_EMPTY,
    KP_RING_SHORT,  /* the payload is the message */
    KP_RING_BESIDE, /* the message lies in the slot's block */
    KP_RING_OBJECT, /* the payload is the address of an object that describes the message */
};

struct kp_ring_slot {
    alignas(KP_RING_SLOT_BYTES) _Atomic uint32_t kind; /* the flag, an enum kp_ring_kind */
    int32_t tag;
    const char *file; /* the site of the sender's call */
    int32_t line;
    uint32_t bytes : 8; /* the length of a short message */
    uint32_t note : 24; /* the sender's note (ports/face.h) */
    union {
        unsigned char payload[KP_RING_PAYLOAD];
        struct {
            const unsigned char *block; /* KP_RING_BLOCK bytes */
            size_t block_bytes;         /* the length of the message there */
        };
        void *object;
    };
};

_Static_assert(sizeof(struct kp_ring_slot) == KP_RING_SLOT_BYTES, "a slot is one line");

/* Called by the sender. Returns whether the slot is empty. If it is, the sender's later writes come
 * after the receiver's last read of the slot (partner: kp_ring_clear). */
static inline bool kp_ring_has_room(const struct kp_ring_slot *slot)
{
    return atomic_load_explicit(&slot->kind, KP_ORDER_FIND_ROOM) == KP_RING_EMPTY;
}

/* The sender sets the flag of a slot that it has filled. The store is a release of the slot's
 * contents, and of the object and the memory that they name (partner: kp_ring_look). */
static inline void kp_ring_post(struct kp_ring_slot *slot, enum kp_ring_kind kind)
{
    atomic_store_explicit(&slot->kind, (uint32_t)kind, KP_ORDER_SEND);
}

/* Called by the receiver. Returns the kind of message in the slot. If there is one, the receiver
 * has acquired what the sender wrote before it posted the slot (partner: kp_ring_post). */
static inline enum kp_ring_kind kp_ring_look(const struct kp_ring_slot *slot)
{
    return (enum kp_ring_kind)atomic_load_explicit(&slot->kind, KP_ORDER_FIND_SENT);
}

/* A message that is short, or lies beside its slot. */
struct kp_ring_message {
    const unsigned char *data;
    size_t bytes;
};

static inline struct kp_ring_message kp_ring_message(const struct kp_ring_slot *slot,
                                                     enum kp_ring_kind kind)
{
    return kind == KP_RING_BESIDE ? (struct kp_ring_message){slot->block, slot->block_bytes}
                                  : (struct kp_ring_message){slot->payload, slot->bytes};
}

/* The receiver empties the slot. The store is a release, so it comes after the receiver's last read
 * of the slot (partner: kp_ring_has_room). */
static inline void kp_ring_clear(struct kp_ring_slot *slot)
{
    atomic_store_explicit(&slot->kind, KP_RING_EMPTY, KP_ORDER_EMPTY_SLOT);
}

/* The sender says that it wants room, before it looks at its slot for the last time (partner:
 * kp_ring_room_is_wanted). It says later that it sleeps, before a look that is later still
 * (kp_say_sleeper), so no barrier is needed here. */
static inline void kp_ring_want_room(_Atomic uint32_t *wanted)
{
    atomic_fetch_or_explicit(wanted, 1, KP_ORDER_AWAITED);
}

/* Called by the receiver after it has emptied slots. Returns whether the sender may sleep until
 * there is room. If so, the receiver wakes it (partner: kp_ring_want_room). The word stays as it
 * is: the sender may have filled the emptied slots already, and want the next one. */
static inline bool kp_ring_room_is_wanted(_Atomic uint32_t *wanted, bool asymmetric)
{
    return kp_look_for_sleeper(wanted, asymmetric) != 0;
}

/* The sender does not wait for room any more. A receiver that has not seen this wakes it once too
 * often. */
static inline void kp_ring_have_room(_Atomic uint32_t *wanted)
{
    atomic_store_explicit(wanted, 0, KP_ORDER_HAVE_ROOM);
}

/* --- A long message, which stays in the sender's memory until the receiver has copied it. The
 * sender may withdraw it, as long as the receiver has not begun. --- */

enum kp_offer {
    KP_OFFER_NONE,      /* the message lies in the object itself */
    KP_OFFERED,         /* the receiver may begin to copy */
    KP_OFFER_CLAIMED,   /* the receiver copies */
    KP_OFFER_TAKEN,     /* the receiver has copied, and uses neither memory nor object any more */
    KP_OFFER_WITHDRAWN, /* the memory may not be read; the receiver gives the object back */
};

/* These two functions are called by the receiver before it copies, and by the sender. At most one
 * of them succeeds. The change orders nothing, because posting has released the memory, and a
 * sender that withdraws its message waits for no access. */
static inline bool kp_offer_claim(_Atomic uint32_t *offer)
{
    uint32_t offered = KP_OFFERED;
    return atomic_compare_exchange_strong_explicit(offer, &offered, KP_OFFER_CLAIMED,
                                                   KP_ORDER_CLAIM, KP_ORDER_CLAIM);
}

static inline bool kp_offer_withdraw(_Atomic uint32_t *offer)
{
    uint32_t offered = KP_OFFERED;
    return atomic_compare_exchange_strong_explicit(offer, &offered, KP_OFFER_WITHDRAWN,
                                                   KP_ORDER_CLAIM, KP_ORDER_CLAIM);
}

/* The receiver has copied the message. The store is a release, so it comes after the copying
 * (partner: kp_offer_is_taken). */
static inline void kp_offer_take(_Atomic uint32_t *offer)
{
    atomic_store_explicit(offer, KP_OFFER_TAKEN, KP_ORDER_TAKE_OFFER);
}

static inline bool kp_offer_is_withdrawn(const _Atomic uint32_t *offer)
{
    return atomic_load_explicit(offer, KP_ORDER_CLAIM) == KP_OFFER_WITHDRAWN;
}

static inline bool kp_offer_is_claimed(const _Atomic uint32_t *offer)
{
    return atomic_load_explicit(offer, KP_ORDER_SEE_TAKEN) == KP_OFFER_CLAIMED;
}

static inline bool kp_offer_is_taken(const _Atomic uint32_t *offer)
{
    return atomic_load_explicit(offer, KP_ORDER_SEE_TAKEN) == KP_OFFER_TAKEN;
}

#endif
