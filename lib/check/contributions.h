/* This file records which operands a symbol of a reduction stands for.
 *
 * A symbol is a number. It stands for the original contents of one cell of one processor
 * (replay.h), or for a combination of several operands. For a combination this file stores the set
 * of processors that gave an operand, and the cell of their outgoing buffers that the operands came
 * from. It also stores whether these processors have consecutive numbers and their operands were
 * combined in the order of these numbers, and which two symbols were combined. The sets are
 * numbered in the order in which they are made. No set is removed before kp_contributions_end. */
#ifndef KPORT_LIB_CONTRIBUTIONS_H
#define KPORT_LIB_CONTRIBUTIONS_H

#include "lib/schedule/vector.h"

#include <stdbool.h>

struct kp_contributions {
    int n; /* the number of processors */
    /* The number of cells in an outgoing buffer; symbols up to n * cells stand for one operand. */
    int64_t cells;
    struct kp_vector sets;
    /* A bit set for each set, of ceil(n / 64) words (uint64_t), in which bit i stands for processor
     * i. */
    struct kp_vector members;
};

/* The operands that a symbol stands for. */
struct kp_contribution {
    int64_t cell;   /* the cell of the outgoing buffers that the operands come from */
    int first, end; /* all processors that gave an operand lie in first ... end - 1 */
    /* true: processors first ... end - 1 gave one operand each, combined in this order */
    bool ordered;
    int count; /* the number of operands */
};

void kp_contributions_begin(struct kp_contributions *c, int n, int64_t cells);
void kp_contributions_end(struct kp_contributions *c);

struct kp_contribution kp_contribution_of(const struct kp_contributions *c, uint64_t symbol);
bool kp_contribution_has(const struct kp_contributions *c, uint64_t symbol, int rank);

/* Returns whether the symbol stands for a combination "left op right", and sets `left` and `right`.
 * Both have smaller numbers than the symbol. */
bool kp_contribution_parts(const struct kp_contributions *c, uint64_t symbol, uint64_t *left,
                           uint64_t *right);

/* The reason why two symbols cannot be combined. */
enum kp_clash {
    KP_NO_CLASH,
    /* The operands of the two symbols come from different blocks, or from different cells of a
     * block. */
    KP_CLASH_CELLS,
    KP_CLASH_MEMBER, /* both symbols contain the operand of the same processor */
    KP_CLASH_MEMORY, /* there is no memory */
};

/* Makes the symbol of "left op right" and writes it to `result`. If the function returns
 * KP_CLASH_MEMBER, `member` is a processor whose operand is in both symbols. */
enum kp_clash kp_contributions_combine(struct kp_contributions *c, uint64_t left, uint64_t right,
                                       uint64_t *result, int *member);

#endif
