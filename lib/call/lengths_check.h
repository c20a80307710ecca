/* What a call with lengths is given: looked at, and laid out as blocks. */
#ifndef KPORT_LIB_LENGTHS_CHECK_H
#define KPORT_LIB_LENGTHS_CHECK_H

#include "kport/lengths.h"
#include "kport/persistent.h"
#include "lib/execute/blocks.h"

#include <stddef.h>

/* A buffer as the caller describes it: one block, or one for every processor. */
struct kp_side {
    char *data;
    const size_t *counts;        /* of a single block: where its length stands */
    const size_t *displacements; /* NULL: one after the other */
    size_t blocks;               /* 0: this processor has no such buffer */
    bool each;                   /* one for every processor */
    const char *name;            /* "out" or "in" */
};

/* The arguments of a call, as they are given and as its two buffers. */
struct kp_lengths_call {
    const kp_arguments *given;
    struct kp_side out, in;
};

/* Looks at everything that a member can know to be wrong by itself, puts what KP_IN_PLACE means in
 * its place, and lays the blocks of both sides out in `own`. 0, or the status of the error that is
 * set at the processor. `in_place` says whether KP_IN_PLACE was given. */
int kp_lengths_lay(kp_group *member, struct kp_lengths_call *call, struct kp_lengths *own,
                   bool *in_place);

#endif
