/* Messages whose data have a layout (kport/layout.h). The functions for layouts are those of lib/
 * (lib/layout/message.c): here a layout is an address. */
#ifndef KPORT_PORTS_MESSAGE_TYPED_H
#define KPORT_PORTS_MESSAGE_TYPED_H

#include "ports/port.h"

struct kp_receiving;

static inline bool kp_is_typed(const struct kp_typed *typed)
{
    return typed->row;
}

/* Adds a holder of the layout, or takes one away. Without a layout they do nothing. */
static inline void kp_typed_hold(const struct kp_typed *typed)
{
    if (typed->row)
        typed->row->hold(typed);
}

static inline void kp_typed_let_go(struct kp_typed *typed)
{
    if (typed->row)
        typed->row->let_go(typed);
    typed->row = NULL;
}

/* Copies a message of `bytes` bytes to a receive. `sent` says in which sequence of elements it was
 * sent; `stored` says how it lies at `data`. One of sender and receiver has a layout. If the
 * sequences differ, nothing is copied, and the receive learns what was sent. */
void kp_typed_deliver(struct kp_receiving *receive, const struct kp_typed *sent,
                      const struct kp_typed *stored, const void *data, size_t bytes);

/* Copies data of `bytes` bytes into one piece. */
void kp_typed_pack(const struct kp_typed *typed, const void *data, void *to, size_t bytes);

#endif
