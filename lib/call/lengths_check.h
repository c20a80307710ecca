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
    /* If blocks have layouts: the layout of all blocks, or the layout of each block. */
    const kp_layout *layout, *const *layouts;
    const char *name; /* "out" or "in" */
};

/* The arguments of a call as they are given, and the two buffers that they describe. */
struct kp_lengths_call {
    const kp_arguments *given;
    struct kp_side out, in;
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
    return side->counts[i] * (layout ? layout->bytes : 1);
}

/* Returns how far after the buffer's address block i begins. `*end` is where the block before it
 * ends, and becomes the end of this block. */
static inline size_t kp_side_place(const struct kp_side *side, size_t i, size_t *end)
{
    const kp_layout *layout = kp_side_layout(side, i);
    const size_t extent = layout ? (size_t)layout->extent : 1;
    size_t at = *end;
    if (side->displacements)
        at = side->displacements[i] * (side->layouts ? 1 : extent);
    *end = at + side->counts[i] * extent;
    return at;
}

/* If blocks have layouts: checks counts, displacements and what overlaps (lengths_laid.c). Returns
 * 0 or the status of the error that is set at the processor. */
int kp_lengths_check_laid(kp_group *member, const struct kp_side *out, const struct kp_side *in);

/* Adds to the table in `own` what follows from layouts. Returns false if there is no memory. */
bool kp_lengths_lay_laid(const struct kp_lengths_call *call, struct kp_lengths *own);

/* Compares the signature of an incoming block with that of its sender. Returns 0 or a status, as
 * above. */
int kp_lengths_compare_laid(kp_group *member, const struct kp_lengths_call *call,
                            const struct kp_lengths *own, size_t block, int peer);

/* Writes which argument has the length of a block, and where the call is: "in_counts[3], app.c:44".
 * `rank` is the member whose argument it is. */
#define KP_LENGTH_WORDS 128
void kp_lengths_name(const kp_group *member, const struct kp_lengths_call *call, kp_space space,
                     size_t block, int rank, char text[KP_LENGTH_WORDS]);

/* Checks everything that one member can check, replaces KP_IN_PLACE by the buffer that it stands
 * for, and writes the blocks of both buffers to the table of blocks in `own`. Sets `in_place` if
 * KP_IN_PLACE was given. Returns 0, or the status of the error that is set at the processor. */
int kp_lengths_lay(kp_group *member, struct kp_lengths_call *call, struct kp_lengths *own,
                   bool *in_place);

/* The same for a reduction (lengths_operands.c). `asked` is the problem of the arguments. */
int kp_lengths_lay_operands(kp_group *member, const kp_arguments *a, const kp_problem *asked,
                            struct kp_lengths *own);

/* Compares the number of elements of this member's result with what every member gives for it. The
 * members have published their lengths. Returns 0, or KP_EMISMATCH with a sentence about the first
 * member that differs. */
int kp_lengths_compare_operands(kp_group *member, const kp_arguments *a,
                                const struct kp_lengths *own);

#endif
