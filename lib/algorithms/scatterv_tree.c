/* Scatter of blocks with lengths of their own, along a tree.
 *
 * Source: the schedule of scatter_tree.c. The length of each block travels with the block, because
 * only the root knows the lengths of the blocks that a processor passes on. Fan, Gilray, Pascucci
 * et al., HPDC 2022, do this too.
 *
 * Cost. Let b be the length of the longest block. C1 = ceil(log_{k+1} n). If all blocks have length
 * b, C2 = (b + 8) ceil((n - 1) / k), because a length takes 8 bytes. */
#include "lib/algorithms/lengths.h"
#include "lib/algorithms/table.h"

const kp_algorithm kp_scatterv_tree = {
    .operation = KP_SCATTERV,
    .name = "tree",
    .summary = "contiguous pieces down a (k + 1)-ary tree; lengths travel with the blocks",
    .source = "Saad and Schultz 1985, scatter, with sizes for any n and k",
    .symmetry = KP_NO_SYMMETRY,
    .same_schedule_as = &kp_scatter_tree,
    .length_bytes = KP_LENGTH_BYTES,
    .stated_cost = kp_lengths_stated_cost,
};
