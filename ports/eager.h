/* The eager buffers into which members pack messages, of two kinds. */
#ifndef KPORT_PORTS_EAGER_H
#define KPORT_PORTS_EAGER_H

#include <stdbool.h>
#include <stddef.h>

struct kp_shared;

/* A member packs its messages of a round into its buffer for that round. Each kind of buffer has
 * its own memory, and so has each member's buffer of a kind. So members that make different calls
 * by mistake do not write to the same place. The long buffer is the exception: one member alone
 * packs into it, for all. */
enum kp_eager_kind {
    KP_EAGER_EACH,
    KP_EAGER_LONG,
    KP_EAGER_KINDS,
};

/* The buffer of a rank and a generation begins at first + rank * stride + generation * apart. */
struct kp_eager_buffers {
    char *first;
    size_t stride, apart;
};

/* Makes the buffers of a group whose barrier already has its memory. False: no memory. */
bool kp_eager_make(struct kp_shared *shared);
void kp_eager_free(struct kp_shared *shared);

#endif
