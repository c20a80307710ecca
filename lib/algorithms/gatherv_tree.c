/* Gather of blocks with lengths of their own, along a tree.
 *
 * Source: the schedule of gather_tree.c. The length of each block travels with the block, because a
 * processor inside the tree knows only the length of its own block.
 *
 * Cost. Let b be the length of the longest block. C1 = ceil(log_{k+1} n). If all blocks have length
 * b, C2 = (b + 8) ceil((n - 1) / k), because a length takes 8 bytes. */
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
