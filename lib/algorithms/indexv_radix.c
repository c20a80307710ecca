/* Index in radix r of blocks with lengths of their own.
 *
 * Source: Fan, Gilray, Pascucci et al., HPDC 2022. They extend Bruck's index to different lengths.
 * In their algorithm a round has two phases: first come the lengths of a message's blocks, then the
 * blocks. The schedule is that of index_radix.c, block for block.
 *
 * How it works. A processor knows the lengths of its own blocks and of the blocks for it, but not
 * of blocks that it only passes on. So each block travels together with its length, in the same
 * round. The last hop brings a block to its displacement in the incoming buffer of its receiver. A
 * processor that passes a block on stores it where another block will arrive later. If the block is
 * longer than that space, the processor allocates memory for it.
 *
 * Cost. Let b be the length of the longest block. C1 is that of index_radix.c. If all blocks have
 * length b, C2 = (b + 8) B. B is the C2 of index_radix.c in blocks, and a length takes 8 bytes. */
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
