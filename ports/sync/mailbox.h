/* A box of a mailbox: one cache line for a message from one processor to another.
 *
 * The flag and the payload share the line. So a message costs one transfer of the line to the
 * reader and one back. The flag is the number of the message's round, which is never 0. The flag of
 * an empty box is 0. A box has one writer and one reader. The writer waits until the box is empty,
 * fills it and posts. The reader waits until the box holds the wanted number, reads and releases. A
 * few boxes in a row, used in turn, form a queue. This header needs order.h alone. */
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
    int32_t to;    /* the rank of the reader, which only the writer reads */
    uint64_t mark; /* the writer's hash of its calls, which the reader compares first */
    alignas(16) unsigned char payload[KP_MAILBOX_PAYLOAD];
};

_Static_assert(sizeof(struct kp_mailbox) == KP_MAILBOX_BYTES, "a mailbox is one line");

/* The writer's look. If the box is empty, acquires that the reader is done with the box and with
 * the memory that its message lent (partner: kp_mailbox_release). */
static inline bool kp_mailbox_is_empty(const struct kp_mailbox *box)
{
    return atomic_load_explicit(&box->number, KP_ORDER_FIND_EMPTY) == 0;
}

/* Releases the payload, the mark and the memory that they lend (partner: kp_mailbox_holds). */
static inline void kp_mailbox_post(struct kp_mailbox *box, uint32_t number)
{
    atomic_store_explicit(&box->number, number, KP_ORDER_FILL);
}

/* The reader's look. Acquires what the writer wrote before it posted (partner: kp_mailbox_post). */
static inline bool kp_mailbox_holds(const struct kp_mailbox *box, uint32_t number)
{
    return atomic_load_explicit(&box->number, KP_ORDER_FIND_FULL) == number;
}

/* Releases the reader's last look at the message (partner: kp_mailbox_is_empty). */
static inline void kp_mailbox_release(struct kp_mailbox *box)
{
    atomic_store_explicit(&box->number, 0, KP_ORDER_TAKE);
}

#endif
