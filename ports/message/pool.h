/* The objects of messages (links.h). A member keeps its spare ones by their sizes. */
#ifndef KPORT_PORTS_MESSAGE_POOL_H
#define KPORT_PORTS_MESSAGE_POOL_H

#include "ports/message/links.h"

#include <stddef.h>

/* The number of bytes of contents in the objects of a class. */
static inline size_t kp_message_class_bytes(int size_class)
{
    return (size_t)64 << 2 * size_class;
}

static inline struct kp_message *kp_message_of(struct kp_inbox_item *item)
{
    return (struct kp_message *)((char *)item - offsetof(struct kp_message, item));
}

/* Returns a spare object with room for `bytes` bytes, or a new one. NULL: there is no memory. */
struct kp_message *kp_message_take(struct kp_messages *own, size_t bytes);

/* Gives an object back to its owner, which may be another member. */
void kp_message_give_back(struct kp_messages *own, struct kp_message *message);

#endif
