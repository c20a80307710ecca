/* Gather along a tree.
 *
 * Source: Saad and Schultz 1985: scatter and gather are duals. The schedule is that of
 * scatter_tree.c backwards: the last round comes first, and every message goes from its receiver to
 * its sender (mirror.c).
 *
 * Cost. It is the same as that of the scatter. C1 = ceil(log_{k+1} n), C2 = b ceil((n - 1) / k). */
#include "lib/algorithms/table.h"

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_scatter_tree.stated_cost(p, c1, c2);
}

const kp_algorithm kp_gather_tree = {
    .operation = KP_GATHER,
    .name = "tree",
    .summary = "the tree of the scatter, upwards",
    .source = "Saad and Schultz 1985, gather, with sizes for any n and k",
    .symmetry = KP_NO_SYMMETRY,
    .mirror_of = &kp_scatter_tree,
    .stated_cost = stated_cost,
};
