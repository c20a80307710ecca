/* Whose operands a symbol of a reduction stands for.
 *
 * A symbol is either one processor's original cell (replay.h) or a set that was made by combining:
 * which processors' cells, which cell of them all, and whether they were combined in the order of
 * the processors without a gap. Sets are numbered as they are made and stay until the end. */
#ifndef KPORT_LIB_CONTRIBUTIONS_H
#define KPORT_LIB_CONTRIBUTIONS_H

#include "lib/schedule/vector.h"

#include <stdbool.h>

struct kp_contributions {
    int n;         /* processors */
    int64_t cells; /* of an outgoing buffer; symbols up to n * cells are single ones */
    struct kp_vector sets;
    struct kp_vector members; /* uint64_t: so many for each set, bit i for processor i */
};

/* What is known of a symbol. */
struct kp_contribution {
    int64_t cell;
    int first, end; /* processors; all of those between only if `ordered` */
    bool ordered;   /* first ... end - 1, each once, in that order */
    int count;
};

void kp_contributions_begin(struct kp_contributions *c, int n, int64_t cells);
void kp_contributions_end(struct kp_contributions *c);

struct kp_contribution kp_contribution_of(const struct kp_contributions *c, uint64_t symbol);
bool kp_contribution_has(const struct kp_contributions *c, uint64_t symbol, int rank);

/* Why two symbols cannot be combined. */
enum kp_clash {
    KP_NO_CLASH,
    KP_CLASH_CELLS,  /* of different blocks, or parts of a block */
    KP_CLASH_MEMBER, /* a processor is in both */
    KP_CLASH_MEMORY, /* none left */
};

/* The symbol of left op right. With KP_CLASH_MEMBER, `member` becomes the processor. */
enum kp_clash kp_contributions_combine(struct kp_contributions *c, uint64_t left, uint64_t right,
                                       uint64_t *result, int *member);

#endif
