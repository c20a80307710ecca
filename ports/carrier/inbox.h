/* An inbox is a list into which any thread puts items. One thread, the owner, takes all items out
 * at once. This header includes no header of the library but order.h, so tests can compile it
 * alone.
 *
 * If an item comes while the owner sleeps, the owner is always woken. The argument is the same as
 * in parking.h. A thread first puts an item in, and then checks whether the owner sleeps. The owner
 * first announces that it sleeps, and then checks its inbox once more. So at least one of the two
 * threads sees what the other one did. */
#ifndef KPORT_PORTS_INBOX_H
#define KPORT_PORTS_INBOX_H

#include "ports/order.h"

#include <stdbool.h>
#include <stddef.h>

struct kp_inbox_item {
    struct kp_inbox_item *next;
};

typedef _Atomic(struct kp_inbox_item *) kp_inbox;

/* Puts an item into the inbox. The item lies in no inbox yet. The put is a release, so the owner
 * sees what the item contains (partner: kp_inbox_take). */
static inline void kp_inbox_put(kp_inbox *inbox, struct kp_inbox_item *item)
{
    struct kp_inbox_item *first = atomic_load_explicit(inbox, KP_ORDER_NOTE);
    do
        item->next = first;
    /* seldom taken: two threads put an item at the same time */
    while (!atomic_compare_exchange_weak_explicit(inbox, &first, item, KP_ORDER_PUBLISH,
                                                  KP_ORDER_NOTE));
}

static inline bool kp_inbox_has_any(const kp_inbox *inbox)
{
    return atomic_load_explicit(inbox, KP_ORDER_RECHECK) != NULL;
}

/* Takes all items out and returns them as a list, the latest item first. Returns NULL if the inbox
 * is empty. As soon as the owner has read an item's `next`, another thread may put this item in
 * again. */
static inline struct kp_inbox_item *kp_inbox_take(kp_inbox *inbox)
{
    return atomic_exchange_explicit(inbox, NULL, KP_ORDER_EMPTY);
}

#endif
