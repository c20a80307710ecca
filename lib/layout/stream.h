/* The data of a buffer whose blocks have a layout are a stream of bytes: the data of one block
 * after the other, in the order of the layout. The positions of a schedule are positions in this
 * stream. The function here copies between two streams. */
#ifndef KPORT_LIB_LAYOUT_STREAM_H
#define KPORT_LIB_LAYOUT_STREAM_H

#include "lib/layout/layout.h"

/* A position in a stream. */
struct kp_position {
    char *data;              /* the address of the buffer */
    const kp_layout *layout; /* NULL: the buffer is contiguous */
    uint64_t at;             /* the bytes of the stream before the position */
};

/* Copies `bytes` bytes from one stream to another, without a copy in between. If source and
 * destination are the same bytes of the same layout, it does nothing. Apart from that, source and
 * destination do not overlap. */
void kp_stream_copy(const struct kp_position *to, const struct kp_position *from, size_t bytes);

#endif
