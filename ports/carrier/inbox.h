/* An inbox: anybody puts items into it, one takes them all out. It depends on the names of memory
 * orders alone.
 *
 * It is part of a handshake like parking's: who puts something in looks afterwards whether the one
 * sleeps; the one says that it sleeps, then looks into its inbox once more (parking.h). */
#ifndef KPORT_PORTS_INBOX_H
#define KPORT_PORTS_INBOX_H

#include "ports/order.h"

#include <stdbool.h>
#include <stddef.h>

struct kp_inbox_item {
    struct kp_inbox_item *next;
};

typedef _Atomic(struct kp_inbox_item *) kp_inbox;

/* The item is in no inbox. Releases it (partner: kp_inbox_take). */
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

/* The latest one comes first, NULL if there is none. Each may be put in again as soon as its `next`
 * has been read. */
static inline struct kp_inbox_item *kp_inbox_take(kp_inbox *inbox)
{
    return atomic_exchange_explicit(inbox, NULL, KP_ORDER_EMPTY);
}

#endif
