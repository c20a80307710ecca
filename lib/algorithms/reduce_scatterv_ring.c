/* Reduce-scatter of blocks with lengths of their own, around a ring.
 *
 * Source: folklore.
 *
 * How it works. The schedule is that of concatv_ring.c backwards (mirror_reduction.c). No lengths
 * travel, because all members compare all lengths before the first round.
 *
 * Cost. Let b be the length of the longest block. C1 = n - 1 on one port, and
 * C1 = ceil((n - 1) / 2) on two or more. If all blocks have length b, C2 = b C1. If lengths differ
 * much, C2 is still about b C1, because the sum for the longest block travels in every round. */
#include "lib/algorithms/lengths.h"
#include "lib/algorithms/reduce_backwards.h"
#include "lib/algorithms/table.h"

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_lengths_backwards_cost(&kp_concatv_ring, p, c1, c2);
}

const kp_algorithm kp_reduce_scatterv_ring = {
    .operation = KP_REDUCE_SCATTERV,
    .name = "ring",
    .summary = "every sum around the ring; both ways where there are two ports",
    .source = "folklore; Saad and Schultz 1985, daisy chain, backwards",
    .symmetry = KP_CYCLIC,
    .restriction = KP_COMMUTATIVE,
    .serves = kp_serves_commutative,
    .mirror_of = &kp_concatv_ring,
    .stated_cost = stated_cost,
};
