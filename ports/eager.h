/* The eager buffers that members pack messages into, of each kind. */
#ifndef KPORT_PORTS_EAGER_H
#define KPORT_PORTS_EAGER_H

#include <stdbool.h>
#include <stddef.h>

struct kp_shared;

/* What a member packs for the others goes into its buffer for that round. Eager buffers of each
 * kind have memory of their own, and so has each member's buffer, so those who mean different calls
 * do not write the same places; but for the long buffer, which one member alone packs, for all. */
enum kp_eager_kind {
    KP_EAGER_EACH,
    KP_EAGER_LONG,
    KP_EAGER_KINDS,
};

/* That of a rank and a generation begins at first + rank * stride + generation * apart. */
struct kp_eager_buffers {
    char *first;
    size_t stride, apart;
};

/* For a group whose barrier has its place. False: no memory. */
bool kp_eager_make(struct kp_shared *shared);
void kp_eager_free(struct kp_shared *shared);

#endif
