/* A participant is what one processor needs to make a call of a problem and to verify every byte:
 * its buffers, with guard bytes around them, and the arguments of the call. `kport run`, the trials
 * of `kport soak` and the tests share this file. */
#ifndef KPORT_TOOLS_PARTICIPANT_H
#define KPORT_TOOLS_PARTICIPANT_H

#include "kport.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct participant {
    const kp_problem *problem; /* the problem, which must exist as long as the participant */
    uint64_t seed;             /* the seed of the data */
    int rank;
    const unsigned char *results; /* the table of results (reference.h); NULL: no table */
    unsigned char *out, *in;      /* the buffers; NULL before participant_make */
    size_t out_bytes, in_bytes;
    size_t *numbers; /* the arrays of the arguments, for blocks with lengths of their own */
    bool in_place;   /* this processor's call is in place */
    bool lent;       /* the caller of participant_make_in owns the buffers' memory */

    /* The arguments of the call, which `operation_call` makes. `arguments.hints` points to the
     * field `hints` below, or is NULL if the library is to choose the algorithm. */
    kp_arguments arguments;
    kp_hints hints;
};

/* Returns the arguments that follow from the problem alone: all arguments except the buffers, the
 * lengths and displacements of blocks, and the hints. */
kp_arguments participant_arguments(const kp_problem *problem);

/* Makes the participant for processor `rank`, with filled buffers and all arguments. Returns false
 * if there is no memory. The caller must call participant_free in any case. */
bool participant_make(struct participant *participant, const kp_problem *problem, uint64_t seed,
                      int rank);

/* `participant_make_in` does the same as participant_make, but with buffers in the caller's
 * `memory`, which must have `participant_room` bytes. */
bool participant_make_in(struct participant *participant, const kp_problem *problem, uint64_t seed,
                         int rank, unsigned char *memory);
size_t participant_room(const kp_problem *problem, uint64_t seed, int rank);
void participant_free(struct participant *participant);

/* Makes every byte of the incoming buffer wrong, except the operands of a call in place. */
void participant_spoil(struct participant *participant);

/* Verifies the participant after the call. If a byte is wrong, writes a sentence about it to `text`
 * and returns true. */
bool participant_is_wrong(const struct participant *participant, char *text, size_t size);

/* Returns whether the outgoing buffer and all guard bytes are unchanged, as they must be after
 * every call, even after one that failed. */
bool participant_is_untouched(const struct participant *participant);

#endif
