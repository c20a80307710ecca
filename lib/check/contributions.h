/* Which operands a symbol of a reduction stands for.
 *
 * A symbol stands for one processor's original cell (replay.h), or for a set of combined cells. A
 * set records the processors, the cell that all of them have given, and whether they were combined
 * in the order of the processors without a gap. Sets have numbers in the order in which they are
 * made, and stay until the end. */
#ifndef KPORT_LIB_CONTRIBUTIONS_H
#define KPORT_LIB_CONTRIBUTIONS_H

#include "lib/schedule/vector.h"

#include <stdbool.h>

struct kp_contributions {
    int n;         /* the number of processors */
    int64_t cells; /* the cells of an outgoing buffer; symbols up to n * cells are single cells */
    struct kp_vector sets;
    struct kp_vector members; /* uint64_t: ceil(n / 64) words a set, bit i for processor i */
};

/* What is known of a symbol. */
struct kp_contribution {
    int64_t cell;
    int first, end; /* all processors lie in first ... end - 1 */
    bool ordered;   /* true for the operands of first ... end - 1, each once, in that order */
    int count;
};

void kp_contributions_begin(struct kp_contributions *c, int n, int64_t cells);
void kp_contributions_end(struct kp_contributions *c);

struct kp_contribution kp_contribution_of(const struct kp_contributions *c, uint64_t symbol);
bool kp_contribution_has(const struct kp_contributions *c, uint64_t symbol, int rank);

/* Why two symbols cannot be combined. */
enum kp_clash {
    KP_NO_CLASH,
    KP_CLASH_CELLS,  /* they belong to different blocks, or to different cells of a block */
    KP_CLASH_MEMBER, /* both have the operand of one processor */
    KP_CLASH_MEMORY, /* there is no memory */
};

/* Computes the symbol of "left op right". With KP_CLASH_MEMBER, `member` becomes the processor that
 * both have. */
enum kp_clash kp_contributions_combine(struct kp_contributions *c, uint64_t left, uint64_t right,
                                       uint64_t *result, int *member);

#endif
