/* Index in radix r of blocks with lengths of their own.
 *
 * Source: Fan, Gilray, Pascucci et al., HPDC 2022. They extend Bruck's index to lengths that
 * differ, with two phases in a round: first the lengths of a message's blocks, then the blocks,
 * each in its own length. The schedule is that of index_radix.c, block for block.
 *
 * How it works. A processor knows the lengths of its own blocks and of the blocks for it, but not
 * of the blocks that episode through it. So the length travels with the block, in the same round.
 * The last hop of a block ends at its displacement in the incoming buffer. Before that it lies
 * where another block belongs, or, if it is longer than that block, in memory that the processor
 * allocates.
 *
 * Cost. Let b be the longest block. C1 is as in index_radix.c. If every block is that long,
 * C2 = (b + 8) times the blocks of index_radix.c, because each hop carries 8 bytes for the length.
 */
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
