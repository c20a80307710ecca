/* Gather of blocks with lengths of their own, in which every block goes straight to the root.
 *
 * Source: the schedule of gather_direct.c. No lengths travel, because both ends of a block know its
 * length.
 *
 * Cost. Let b be the length of the longest block. C1 = ceil((n - 1) / k). If all blocks have length
 * b, C2 = b ceil((n - 1) / k). */
#include "lib/algorithms/lengths.h"
#include "lib/algorithms/table.h"

const kp_algorithm kp_gatherv_direct = {
    .operation = KP_GATHERV,
    .name = "direct",
    .summary = "every block on its own, k in a round",
    .source = "Saad and Schultz 1986, section 3.4, with sizes",
    .symmetry = KP_NO_SYMMETRY,
    .same_schedule_as = &kp_gather_direct,
    .stated_cost = kp_lengths_stated_cost,
};
