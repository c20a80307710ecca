/* This header declares the function that checks the arguments of a call whose blocks have lengths
 * of their own, and lays out these blocks. */
#ifndef KPORT_LIB_LENGTHS_CHECK_H
#define KPORT_LIB_LENGTHS_CHECK_H

#include "kport/lengths.h"
#include "kport/persistent.h"
#include "lib/execute/blocks.h"
#include "lib/layout/layout.h"

#include <stddef.h>

/* A buffer as the caller describes it: one block, or one block for every processor. */
struct kp_side {
    char *data;
    const size_t *counts;        /* the lengths of the blocks */
    const size_t *displacements; /* NULL: each block begins where the one before it ends */
    size_t blocks;               /* the number of blocks; 0 if this processor has no such buffer */
    bool each;                   /* true: the buffer has a block for every processor */
    size_t unit; /* the bytes of a unit of counts and displacements, without layouts */
    /* If blocks have layouts: the layout of all blocks, or the layout of each block. */
    const kp_layout *layout, *const *layouts;
    const char *name; /* "out" or "in" */
};

/* The arguments of a call as they are given, and the two buffers that they describe. */
struct kp_lengths_call {
    const kp_arguments *given;
    struct kp_side out, in;
    bool in_place; /* KP_IN_PLACE was given for one of the buffers */
};

/* Returns the layout of block i, or NULL if blocks have no layouts. */
static inline const kp_layout *kp_side_layout(const struct kp_side *side, size_t i)
{
    return side->layouts ? kp_layout_or_byte(side->layouts[i]) : side->layout;
}

/* Returns the bytes of block i. */
static inline size_t kp_side_bytes(const struct kp_side *side, size_t i)
{
    const kp_layout *layout = kp_side_layout(side, i);
    return side->counts[i] * (layout ? layout->bytes : side->unit);
}

/* Returns how far after the buffer's address block i begins. `*end` is where the block before it
 * ends, and becomes the end of this block. */
static inline size_t kp_side_place(const struct kp_side *side, size_t i, size_t *end)
{
    const kp_layout *layout = kp_side_layout(side, i);
    const size_t extent = layout ? (size_t)layout->extent : side->unit;
    size_t at = *end;
    if (side->displacements)
        at = side->displacements[i] * (side->layouts ? 1 : extent);
    *end = at + side->counts[i] * extent;
    return at;
}

/* Where a buffer's blocks lie, in bytes behind the buffer's address. Both are 0 if there are none.
 */
struct kp_span {
    size_t begin, end;
};

/* Returns whether a buffer needs no closer look: its blocks lie like bytes, and far within what
 * memory can hold. With `apart` they also lie in ascending order and do not overlap. Stores where
 * they lie. */
bool kp_side_span(const struct kp_side *side, bool apart, struct kp_span *span);

/* Returns whether two such buffers at these addresses lie in memory and do not overlap. */
bool kp_spans_fit(const void *out, struct kp_span sent, const void *in, struct kp_span received);

/* If blocks have layouts: checks counts, displacements and what overlaps (laid.c). Returns
 * 0 or the status of the error that is set at the processor. */
int kp_lengths_check_laid(kp_group *member, const struct kp_side *out, const struct kp_side *in);

/* Adds to the table in `own` what follows from layouts. Returns false if there is no memory. */
bool kp_lengths_lay_laid(const struct kp_lengths_call *call, struct kp_lengths *own);

/* Checks everything that one member can check of the arguments `a`, describes their buffers in
 * `call`, and replaces KP_IN_PLACE by the buffer that it stands for. Uses memory of `own`. Returns
 * 0, or the status of the error that is set at the processor. `call` keeps `a`. */
int kp_lengths_resolve(kp_group *member, const kp_arguments *a, struct kp_lengths *own,
                       struct kp_lengths_call *call);

/* Writes the blocks of both buffers to the table of blocks in `own`. Returns 0 or KP_EMEMORY; the
 * error is set at the processor. */
int kp_lengths_lay(kp_group *member, const struct kp_lengths_call *call, struct kp_lengths *own);

/* The same two for a reduction (operands.c). */
int kp_lengths_resolve_operands(kp_group *member, struct kp_lengths_call *call);
int kp_lengths_lay_operands(kp_group *member, const struct kp_lengths_call *call,
                            struct kp_lengths *own);

/* --- Comparing (compare.c) --- */

/* Compare what this member expects with what the others have told: the blocks of an operation, or
 * the count of a reduction's result. Return 0, or KP_EMISMATCH with a sentence about the first
 * difference. */
int kp_lengths_compare(kp_group *member, const struct kp_lengths_call *call,
                       const struct kp_lengths *own);

/* One end of a block: the arguments of its member, the member's rank, and the block's place. */
struct kp_lengths_end {
    const struct kp_lengths_call *call;
    int rank;
    size_t block;
};

/* Compares what the two ends say of a block. Returns 0, or KP_EMISMATCH as above. */
int kp_lengths_compare_ends(kp_group *member, struct kp_lengths_end sender,
                            struct kp_lengths_end receiver);

#endif
