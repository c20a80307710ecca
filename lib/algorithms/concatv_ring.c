/* Concatenation of blocks with lengths of their own, around a ring.
 *
 * Source: folklore.
 *
 * How it works. The schedule is that of concat_ring.c. No lengths travel, because all members
 * compare all lengths before the first round.
 *
 * Cost. Let b be the length of the longest block. C1 = n - 1 on one port, and
 * C1 = ceil((n - 1) / 2) on two or more. If all blocks have length b, C2 = b C1. If lengths differ
 * much, C2 is still about b C1, because the longest block travels in every round. */
#include "lib/algorithms/lengths.h"
#include "lib/algorithms/table.h"

const kp_algorithm kp_concatv_ring = {
    .operation = KP_CONCATV,
    .name = "ring",
    .summary = "every block around the ring; both ways where there are two ports",
    .source = "folklore; Saad and Schultz 1985, daisy chain",
    .symmetry = KP_CYCLIC,
    .same_schedule_as = &kp_concat_ring,
    .stated_cost = kp_lengths_stated_cost,
};
