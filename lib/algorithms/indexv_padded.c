/* Index of blocks with lengths of their own, all padded to the longest.
 *
 * Source: Fan, Gilray, Pascucci et al., HPDC 2022, padded Bruck. The schedule is that of
 * index_radix.c.
 *
 * How it works. The processors agree on the longest length and copy their blocks into a buffer of n
 * blocks of that length. They do the index of equal blocks, and copy the received blocks to their
 * places. No length travels. The longest length is known from the comparison of lengths before
 * every operation of this kind. That comparison is the library's own and is not counted. On a
 * machine without it the maximum would be an allreduce of 8 bytes.
 *
 * Cost. Let b be the longest block. C1 and C2 are those of index_radix.c, for any lengths of the
 * other blocks. */
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
