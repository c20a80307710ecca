/* This header declares the function that checks the arguments of a call whose blocks have lengths
 * of their own, and lays out these blocks. */
#ifndef KPORT_LIB_LENGTHS_CHECK_H
#define KPORT_LIB_LENGTHS_CHECK_H

#include "kport/lengths.h"
#include "kport/persistent.h"
#include "lib/execute/blocks.h"

#include <stddef.h>

/* A buffer as the caller describes it: one block, or one block for every processor. */
struct kp_side {
    char *data;
    const size_t *counts;        /* the lengths of the blocks */
    const size_t *displacements; /* NULL: each block begins where the one before it ends */
    size_t blocks;               /* the number of blocks; 0 if this processor has no such buffer */
    bool each;                   /* true: the buffer has a block for every processor */
    const char *name;            /* "out" or "in" */
};

/* The arguments of a call as they are given, and the two buffers that they describe. */
struct kp_lengths_call {
    const kp_arguments *given;
    struct kp_side out, in;
};

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
