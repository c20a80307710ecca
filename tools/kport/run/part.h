/* A processor's part in a problem: its buffers with guard bytes around them, the arguments of the
 * call, and the test that every byte is as the operation defines it. `kport run`, the
 * trials and the tests share this file. */
#ifndef KPORT_TOOLS_PART_H
#define KPORT_TOOLS_PART_H

#include "kport.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct part {
    const kp_problem *problem; /* the group's problem; must outlive the part */
    uint64_t seed;             /* the seed of the data */
    int rank;
    const unsigned char *results; /* the table of results (reference.h); NULL after part_make */
    unsigned char *out, *in;      /* the buffers; NULL only in a part that has not been made */
    size_t out_bytes, in_bytes;
    size_t *numbers; /* the memory of the arguments' arrays, for blocks with lengths of their own */
    bool in_place;   /* this processor calls in place */
    bool lent;       /* the caller of part_make_in owns the buffers' memory */

    /* The call's arguments. `operation_call` makes the call from them. Their `hints` points to the
     * field `hints`, or is NULL, if the library chooses the algorithm. */
    kp_arguments arguments;
    kp_hints hints;
};

/* Returns the arguments that follow from the problem: all but the buffers, the blocks' lengths and
 * the hints. */
kp_arguments part_arguments(const kp_problem *problem);

/* Returns false if there is no memory. part_free must be called in any case. */
bool part_make(struct part *part, const kp_problem *problem, uint64_t seed, int rank);

/* `part_make_in` does the same in the caller's memory of `part_room` bytes. */
bool part_make_in(struct part *part, const kp_problem *problem, uint64_t seed, int rank,
                  unsigned char *memory);
size_t part_room(const kp_problem *problem, uint64_t seed, int rank);
void part_free(struct part *part);

/* Makes every byte of the incoming buffer wrong, except the operands of a call in place. */
void part_spoil(struct part *part);

/* Verifies the part after the call. Returns true, with a sentence in `text`, if something is
 * wrong. */
bool part_is_wrong(const struct part *part, char *text, size_t size);

/* Returns whether everything except the incoming buffer is unchanged, as it must be after a call
 * that moved no data. */
bool part_is_untouched(const struct part *part);

#endif
