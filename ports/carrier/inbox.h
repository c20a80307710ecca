/* An inbox: any thread puts items into it, and one thread takes them all out. This header needs
 * order.h alone.
 *
 * It is part of a handshake like that of parking.h. A thread that puts an item in then looks
 * whether the owner sleeps. The owner notes that it sleeps, then looks into its inbox once more. */
#ifndef KPORT_PORTS_INBOX_H
#define KPORT_PORTS_INBOX_H

#include "ports/order.h"

#include <stdbool.h>
#include <stddef.h>

struct kp_inbox_item {
    struct kp_inbox_item *next;
};

typedef _Atomic(struct kp_inbox_item *) kp_inbox;

/* Puts an item in that is in no inbox, and releases it (partner: kp_inbox_take). */
static inline void kp_inbox_put(kp_inbox *inbox, struct kp_inbox_item *item)
{
    struct kp_inbox_item *first = atomic_load_explicit(inbox, KP_ORDER_NOTE);
    do
        item->next = first;
    while (!atomic_compare_exchange_weak_explicit(inbox, &first, item, KP_ORDER_PUBLISH,
                                                  KP_ORDER_NOTE));
}

static inline bool kp_inbox_has_any(const kp_inbox *inbox)
{
    return atomic_load_explicit(inbox, KP_ORDER_RECHECK) != NULL;
}

/* Takes all items out and returns them, the latest first, or NULL. An item may be put in again as
 * soon as its `next` has been read. */
static inline struct kp_inbox_item *kp_inbox_take(kp_inbox *inbox)
{
    return atomic_exchange_explicit(inbox, NULL, KP_ORDER_EMPTY);
}

#endif
