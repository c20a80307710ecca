/* Index of blocks with lengths of their own, all padded to the longest.
 *
 * Source: Fan, Gilray, Pascucci et al., HPDC 2022, padded Bruck. The schedule is that of
 * index_radix.c.
 *
 * How it works. The processors agree on the longest block, copy their blocks into a buffer of n
 * blocks of that length, do the index of equal blocks, and copy what has come to where it belongs.
 * No length travels. The longest block is known from the comparison of lengths that comes before
 * every operation of this kind; that comparison is not counted, as it is the library's own. On a
 * machine without it the maximum would be an allreduce of 8 bytes.
 *
 * Cost, with b the longest block: C1 and C2 of index_radix.c, whatever the other blocks' lengths.
 */
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
