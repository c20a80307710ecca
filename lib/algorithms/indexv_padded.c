/* Index of blocks with lengths of their own, in which every block is padded to the longest length.
 *
 * Source: Fan, Gilray, Pascucci et al., HPDC 2022, padded Bruck. The schedule is that of
 * index_radix.c.
 *
 * How it works. A processor copies its blocks into a buffer of n blocks that all have the longest
 * length. The processors do the index of equal blocks on these buffers. Then a processor copies the
 * received blocks to their final positions. No lengths travel, because before every operation of
 * this kind the library compares all lengths, and so every processor knows the longest length. C1
 * and C2 do not count this comparison. A machine without this comparison would need an allreduce of
 * 8 bytes.
 *
 * Cost. Let b be the length of the longest block. C1 and C2 are those of index_radix.c for blocks
 * of b bytes, whatever the lengths of the other blocks are. */
#include "lib/algorithms/index_steps.h"
#include "lib/algorithms/lengths.h"
#include "lib/algorithms/table.h"

const kp_algorithm kp_indexv_padded = {
    .operation = KP_INDEXV,
    .name = "padded",
    .summary = "the radix algorithm on blocks padded to the longest",
    .source = "Fan et al., HPDC 2022, padded Bruck; Bruck et al. 1997, section 3",
    .symmetry = KP_CYCLIC,
    .parameters = {KP_INDEX_RADIX_PARAMETER},
    .same_schedule_as = &kp_index_radix,
    .pads = 1,
    .stated_cost = kp_lengths_stated_cost,
};
