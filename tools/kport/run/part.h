/* A processor's part in a problem: buffers with guards around them, the call that carries it out,
 * and whether every byte is then what the operation's definition wants. Shared by `kport run`,
 * trials and tests. */
#ifndef KPORT_TOOLS_PART_H
#define KPORT_TOOLS_PART_H

#include "kport.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct part {
    const kp_problem *problem; /* of the group; stays until the part is freed */
    uint64_t seed;             /* of the data */
    int rank;
    const unsigned char *results; /* the table of the reduction's (reference.h), which is all
                                     processors'; NULL, as part_make leaves it: there is none */
    unsigned char *out, *in;      /* NULL only while there is no part */
    size_t out_bytes, in_bytes;
    size_t *numbers; /* the next four, where every block has a length of its own */
    size_t *out_counts, *out_displacements, *in_counts, *in_displacements;
    bool in_place; /* at this processor */
    bool lent;     /* the buffers' memory is another's */

    /* The arguments of the call, as part_make leaves them. */
    size_t b, count;
    kp_type type;
    const kp_operator *op;
    int root, target;
    kp_how how;
    const kp_how *call_how; /* the one above; NULL: the call leaves open how */
    const void *call_out;
    void *call_in;
};

/* False if there is no memory; part_free in any case. */
bool part_make(struct part *part, const kp_problem *problem, uint64_t seed, int rank);

/* The same in memory of the caller's, part_room bytes of it. */
bool part_make_in(struct part *part, const kp_problem *problem, uint64_t seed, int rank,
                  unsigned char *memory);
size_t part_room(const kp_problem *problem, uint64_t seed, int rank);
void part_free(struct part *part);

/* Makes every byte of the incoming buffer wrong, except what is there before a call in place. */
void part_spoil(struct part *part);

/* Carries it out, by this member of the group: at once, or by the function that does it, which is
 * the same for all parts of a problem. */
typedef int part_function(kp_group *group, const struct part *part);
int part_call(const struct part *part, kp_group *group);
part_function *part_function_of(const kp_problem *problem);

/* The same as the arguments of a persistent plan. */
kp_arguments part_arguments(const struct part *part);

/* After it: what is wrong, as a sentence in `text`; false if nothing is. */
bool part_is_wrong(const struct part *part, char *text, size_t size);

/* Whether a call that moved nothing has left everything but the incoming buffer alone. */
bool part_is_untouched(const struct part *part);

#endif
