/* A part is what one processor needs to make a call of a problem and to verify every byte: its
 * buffers, with guard bytes around them, and the arguments of the call. `kport run`, the trials of
 * `kport soak` and the tests share this file. */
#ifndef KPORT_TOOLS_PART_H
#define KPORT_TOOLS_PART_H

#include "kport.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct part {
    const kp_problem *problem; /* the problem, which must exist as long as the part */
    uint64_t seed;             /* the seed of the data */
    int rank;
    const unsigned char *results; /* the table of results (reference.h); NULL: no table */
    unsigned char *out, *in;      /* the buffers; NULL before part_make */
    size_t out_bytes, in_bytes;
    size_t *numbers; /* the arrays of the arguments, for blocks with lengths of their own */
    bool in_place;   /* this processor's call is in place */
    bool lent;       /* the caller of part_make_in owns the buffers' memory */

    /* The arguments of the call, which `operation_call` makes. `arguments.hints` points to the
     * field `hints` below, or is NULL if the library is to choose the algorithm. */
    kp_arguments arguments;
    kp_hints hints;
};

/* Returns the arguments that follow from the problem alone: all arguments except the buffers, the
 * lengths and displacements of blocks, and the hints. */
kp_arguments part_arguments(const kp_problem *problem);

/* Makes the part of processor `rank`, with filled buffers and all arguments. Returns false if there
 * is no memory. The caller must call part_free in any case. */
bool part_make(struct part *part, const kp_problem *problem, uint64_t seed, int rank);

/* `part_make_in` does the same as part_make, but with buffers in the caller's `memory`, which must
 * have `part_room` bytes. */
bool part_make_in(struct part *part, const kp_problem *problem, uint64_t seed, int rank,
                  unsigned char *memory);
size_t part_room(const kp_problem *problem, uint64_t seed, int rank);
void part_free(struct part *part);

/* Makes every byte of the incoming buffer wrong, except the operands of a call in place. */
void part_spoil(struct part *part);

/* Verifies the part after the call. If a byte is wrong, writes a sentence about it to `text` and
 * returns true. */
bool part_is_wrong(const struct part *part, char *text, size_t size);

/* Returns whether the outgoing buffer and all guard bytes are unchanged, as they must be after
 * every call, even after one that failed. */
bool part_is_untouched(const struct part *part);

#endif
