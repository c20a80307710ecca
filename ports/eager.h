/* This header has the eager buffers of a group. A sender packs its messages of a round into its
 * eager buffer, and the receivers copy them out. A message that does not fit stays in the sender's
 * own memory, and the receiver reads it there (zero copy). */
#ifndef KPORT_PORTS_EAGER_H
#define KPORT_PORTS_EAGER_H

#include <stdbool.h>
#include <stddef.h>

struct kp_shared;

/* The two kinds of eager buffers. Every member has a buffer of the kind KP_EAGER_EACH. The whole
 * group has one buffer of the kind KP_EAGER_LONG, for rounds in which only one member packs
 * messages. Each buffer has memory of its own. So members that make different calls by mistake do
 * not overwrite each other's messages, except in the long buffer. */
enum kp_eager_kind {
    KP_EAGER_EACH,
    KP_EAGER_LONG,
    KP_EAGER_KINDS,
};

/* The buffers of one kind. Each buffer exists twice (generations 0 and 1), for alternate rounds.
 * The buffer of rank r and generation g begins at first + r * stride + g * apart. */
struct kp_eager_buffers {
    char *first;
    size_t stride, apart;
};

/* Allocates the eager buffers of a group. The kind of the group's barrier must be chosen before,
 * because the length of a buffer depends on this kind. Returns false if there is no memory. */
bool kp_eager_make(struct kp_shared *shared);
void kp_eager_free(struct kp_shared *shared);

#endif
