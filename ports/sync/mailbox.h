/* A box is one cache line that carries a message from one processor to another. A mailbox is a few
 * boxes that are used in turn.
 *
 * The box's flag and its message share the cache line. So a message costs one transfer of this line
 * to the receiver and one back to the sender. The flag is the number of the message's round, which
 * is never 0. The flag of an empty box is 0. A box has one writer and one reader. The writer waits
 * until the box is empty, fills it, and posts it by setting the flag. The reader waits until the
 * flag is the number of its round, reads the message, and clears the flag. This header includes no
 * header of the library but order.h. */
#ifndef KPORT_PORTS_MAILBOX_H
#define KPORT_PORTS_MAILBOX_H

#include "ports/order.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#define KP_MAILBOX_BYTES   64
#define KP_MAILBOX_PAYLOAD 48

struct kp_mailbox {
    alignas(KP_MAILBOX_BYTES) _Atomic uint32_t number; /* the flag */
    int32_t to;    /* the rank of the reader; only the writer reads this field */
    uint64_t mark; /* the hash of the writer's calls; the reader compares it with its own */
    alignas(16) unsigned char payload[KP_MAILBOX_PAYLOAD];
};

_Static_assert(sizeof(struct kp_mailbox) == KP_MAILBOX_BYTES, "a mailbox is one line");

/* Called by the writer. Returns whether the box is empty. If it is, the reader no longer uses the
 * box, nor the memory that the last message lent. The look is an acquire, so the writer's later
 * writes come after the reader's last access (partner: kp_mailbox_release). */
static inline bool kp_mailbox_is_empty(const struct kp_mailbox *box)
{
    return atomic_load_explicit(&box->number, KP_ORDER_FIND_EMPTY) == 0;
}

/* The writer posts the box, for round `number`. The store is a release of the box's contents and of
 * the memory that the message lends (partner: kp_mailbox_holds). */
static inline void kp_mailbox_post(struct kp_mailbox *box, uint32_t number)
{
    atomic_store_explicit(&box->number, number, KP_ORDER_FILL);
}

/* Called by the reader. Returns whether the box holds the message of round `number`. If so, the
 * reader acquires what the writer wrote before it posted the box (partner: kp_mailbox_post). */
static inline bool kp_mailbox_holds(const struct kp_mailbox *box, uint32_t number)
{
    return atomic_load_explicit(&box->number, KP_ORDER_FIND_FULL) == number;
}

/* Empties the box. The store is a release, so it comes after the reader's last access to the
 * message (partner: kp_mailbox_is_empty). */
static inline void kp_mailbox_release(struct kp_mailbox *box)
{
    atomic_store_explicit(&box->number, 0, KP_ORDER_TAKE);
}

#endif
