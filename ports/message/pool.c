#include "ports/message/pool.h"

static void spare(struct kp_messages *own, struct kp_message *message)
{
    struct kp_message **spare = &own->spare[message->size_class];
    message->item.next = *spare ? &(*spare)->item : NULL;
    *spare = message;
}

/* Takes back what receivers have given back. */
static void collect(struct kp_messages *own)
{
    struct kp_inbox_item *next,
        *item = kp_inbox_has_any(&own->returned) ? kp_inbox_take(&own->returned) : NULL;
    for (; item; item = next) {
        next = item->next;
        spare(own, kp_message_of(item));
    }
}

static struct kp_message *make(struct kp_messages *own, int size_class)
{
    struct kp_message *made =
        kp_lines(1, sizeof(struct kp_message) + kp_message_class_bytes(size_class));
    if (!made)
        return NULL;
    made->owner = own;
    made->typed.row = NULL;
    atomic_store_explicit(&made->offer, KP_OFFER_NONE, KP_ORDER_RESET);
    made->size_class = size_class;
    made->older = own->made;
    own->made = made;
    return made;
}

struct kp_message *kp_message_take(struct kp_messages *own, size_t bytes)
{
    int size_class = 0;
    while (kp_message_class_bytes(size_class) < bytes)
        size_class++;
    if (!own->spare[size_class])
        collect(own);
    struct kp_message *taken = own->spare[size_class];
    if (!taken)
        return make(own, size_class);
    own->spare[size_class] = taken->item.next ? kp_message_of(taken->item.next) : NULL;
    return taken;
}

void kp_message_give_back(struct kp_messages *own, struct kp_message *message)
{
    kp_typed_let_go(&message->typed);
    if (message->owner == own)
        spare(own, message);
    else
        kp_inbox_put(&message->owner->returned, &message->item);
}
