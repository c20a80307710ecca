/* Gather of blocks with lengths of their own, along a tree.
 *
 * Source: the schedule of gather_tree.c, the scatter backwards. The lengths travel with the blocks,
 * because a processor within a subtree knows only its own length.
 *
 * Cost. Let b be the longest block. C1 = ceil(log_{k+1} n). If every block is that long,
 * C2 = (b + 8) ceil((n - 1) / k). */
#include "lib/algorithms/lengths.h"
#include "lib/algorithms/table.h"

const kp_algorithm kp_gatherv_tree = {
    .operation = KP_GATHERV,
    .name = "tree",
    .summary = "the tree of the scatter, upwards; lengths travel with the blocks",
    .source = "Saad and Schultz 1985, gather, with sizes for any n and k",
    .symmetry = KP_NO_SYMMETRY,
    .same_schedule_as = &kp_gather_tree,
    .length_bytes = KP_LENGTH_BYTES,
    .stated_cost = kp_lengths_stated_cost,
};
