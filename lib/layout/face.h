/* What the library of MPI's functions (lib/mpi/) needs of layouts beyond include/kport/layout.h.
 * libkport exports these functions (ports/face.h says why). */
#ifndef KPORT_LIB_LAYOUT_FACE_H
#define KPORT_LIB_LAYOUT_FACE_H

#include "kport/layout.h"
#include "ports/port.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef KP_FACE
#define KP_FACE __attribute__((visibility("default")))
#endif

/* Makes a layout of the same data with other bounds, and with `text` as its description. The extent
 * may be negative: then each block begins before the block before it. Otherwise like
 * kp_layout_resized. */
KP_FACE int kp_face_layout_bounded(const kp_layout *of, ptrdiff_t lower, ptrdiff_t extent,
                                   const char *text, kp_layout **made);

/* Adds a holder. Each holder calls kp_layout_free. */
KP_FACE void kp_face_layout_hold(const kp_layout *layout);

/* Returns whether the layout's blocks lie like bytes: without gaps, in one piece. */
KP_FACE bool kp_face_layout_is_plain(const kp_layout *layout);

/* Returns a number by which data of equal length are compared: a hash of the sequence of the
 * elements' types in `count` blocks. 0: all elements are bytes. */
KP_FACE uint64_t kp_face_layout_signature(const kp_layout *layout, size_t count);

/* A position in the data of blocks with a layout, one extent apart. */
struct kp_face_position {
    const void *data;        /* the address of the first block */
    const kp_layout *layout; /* NULL: the data are contiguous */
    uint64_t at;             /* the bytes of data before the position */
};

/* Copies `bytes` bytes of data from one position to another. */
KP_FACE void kp_face_layout_copy(struct kp_face_position to, struct kp_face_position from,
                                 size_t bytes);

/* Returns whether two data share memory. Each is `count` blocks from an address on. */
KP_FACE bool kp_face_layouts_share(const void *a, const kp_layout *a_layout, size_t a_count,
                                   const void *b, const kp_layout *b_layout, size_t b_count);

/* Says to a message (ports/face.h) that its data are `count` blocks with a layout. The message
 * holds the layout as long as it needs it. What is sent and what is received are not compared: the
 * caller does this by signatures. */
KP_FACE struct kp_typed kp_face_typed(const kp_layout *layout, size_t count);

#endif
