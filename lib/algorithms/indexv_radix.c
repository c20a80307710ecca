/* Index in radix r of blocks with lengths of their own.
 *
 * Source: Fan, Gilray, Pascucci et al., HPDC 2022, where Bruck's index is made to serve lengths
 * that differ, in two phases a round: first the lengths of a message's blocks, then the blocks,
 * each as long as it is. The schedule is that of index_radix.c, block for block.
 *
 * How it works. A processor knows how long the blocks are that it sends and those that are for it,
 * but not those that pass through it; so the length travels with the block, in the same round. A
 * block's last hop ends at its displacement in the incoming buffer; before that it lies where
 * another block belongs, or, if it is longer than that one, in memory taken for it.
 *
 * Cost, with b the longest block. C1 as in index_radix.c. C2 = (b + 8) times the blocks of
 * index_radix.c where every block is that long: 8 bytes a hop for the length. */
#include "lib/algorithms/index_steps.h"
#include "lib/algorithms/lengths.h"
#include "lib/algorithms/table.h"

const kp_algorithm kp_indexv_radix = {
    .operation = KP_INDEXV,
    .name = "radix",
    .summary = "one hop for every non-zero digit of the distance; lengths travel with the blocks",
    .source = "Fan et al., HPDC 2022, two-phase Bruck; Bruck et al. 1997, section 3",
    .symmetry = KP_CYCLIC,
    .parameters = {KP_INDEX_RADIX_PARAMETER},
    .same_schedule_as = &kp_index_radix,
    .length_bytes = KP_LENGTH_BYTES,
    .stated_cost = kp_lengths_stated_cost,
};
