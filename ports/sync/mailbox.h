/* A mailbox: one cache line for a message on its way from one processor to one other.
 *
 * The flag stands in the line of the payload, so a message costs one line's way to the reader and
 * one back. It is the number of the round that the message belongs to, never 0; 0 is an empty box.
 * One writer, one reader: the writer waits until the box is empty, fills it and posts; the reader
 * waits until it holds the number wanted, reads and releases. A queue is a few of these in a row,
 * used in turn. This header depends on the names of memory orders alone. */
#ifndef KPORT_PORTS_MAILBOX_H
#define KPORT_PORTS_MAILBOX_H

#include "ports/order.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#define KP_MAILBOX_BYTES   64
#define KP_MAILBOX_PAYLOAD 48

struct kp_mailbox {
    alignas(KP_MAILBOX_BYTES) _Atomic uint32_t number;
    int32_t to;    /* rank of its reader; the writer's note */
    uint64_t mark; /* what the reader compares first */
    alignas(16) unsigned char payload[KP_MAILBOX_PAYLOAD];
};

_Static_assert(sizeof(struct kp_mailbox) == KP_MAILBOX_BYTES, "a mailbox is one line");

/* The writer's look. Acquires that the reader is done with the box, and with what it stood for
 * (partner: kp_mailbox_release). */
static inline bool kp_mailbox_is_empty(const struct kp_mailbox *box)
{
    return atomic_load_explicit(&box->number, KP_ORDER_FIND_EMPTY) == 0;
}

/* Releases the payload, the mark and what they describe (partner: kp_mailbox_holds). */
static inline void kp_mailbox_post(struct kp_mailbox *box, uint32_t number)
{
    atomic_store_explicit(&box->number, number, KP_ORDER_FILL);
}

/* The reader's look. Acquires what the writer wrote before it posted (partner: kp_mailbox_post). */
static inline bool kp_mailbox_holds(const struct kp_mailbox *box, uint32_t number)
{
    return atomic_load_explicit(&box->number, KP_ORDER_FIND_FULL) == number;
}

/* Releases the reader's last look at it (partner: kp_mailbox_is_empty). */
static inline void kp_mailbox_release(struct kp_mailbox *box)
{
    atomic_store_explicit(&box->number, 0, KP_ORDER_TAKE);
}

#endif
