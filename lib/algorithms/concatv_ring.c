/* Concatenation of blocks with lengths of their own, around a ring.
 *
 * Source: folklore; the schedule of concat_ring.c.
 *
 * How it works. As in concat_ring.c. All members have compared the lengths before, so no lengths
 * travel.
 *
 * Cost. Let b be the longest block. One port: C1 = n - 1. Two or more: C1 = ceil((n - 1) / 2). If
 * every block is that long, C2 = b C1. If the lengths differ much, the longest block still is in
 * every round. */
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
