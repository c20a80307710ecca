/* Reduce-scatter of blocks with lengths of their own by single messages. The operands are combined
 * in the order of the ranks, so the operator need not be commutative.
 *
 * Source: folklore. The schedule is that of reduce_scatter_pairwise.c.
 *
 * How it works. Every operand goes straight to the processor whose result it is for. No lengths
 * travel, because every receiver knows the length of its result.
 *
 * Cost. Let b be the length of the longest block. C1 = ceil((n - 1) / k). If all blocks have length
 * b, C2 = b C1. */
#include "lib/algorithms/lengths.h"
#include "lib/algorithms/table.h"

const kp_algorithm kp_reduce_scatterv_pairwise = {
    .operation = KP_REDUCE_SCATTERV,
    .name = "pairwise",
    .summary = "every block straight to its processor; any operator",
    .source = "folklore; the pairwise exchange of MPI libraries",
    .symmetry = KP_NO_SYMMETRY,
    .same_schedule_as = &kp_reduce_scatter_pairwise,
    .stated_cost = kp_lengths_stated_cost,
};
