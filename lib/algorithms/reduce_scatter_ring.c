/* Reduce-scatter around a ring. It is the concatenation backwards.
 *
 * Source: concat_ring.c, turned around by mirror_reduction.c. The sum for a processor travels
 * around the ring to it, and every processor on the way adds its operand.
 *
 * Cost. One port: C1 = n - 1. Two or more: C1 = ceil((n - 1) / 2). C2 = b C1. */
#include "lib/algorithms/reduce_backwards.h"
#include "lib/algorithms/table.h"

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_concat_ring.stated_cost(p, c1, c2);
}

const kp_algorithm kp_reduce_scatter_ring = {
    .operation = KP_REDUCE_SCATTER,
    .name = "ring",
    .summary = "every sum around the ring; both ways where there are two ports",
    .source = "folklore; Saad and Schultz 1985, daisy chain, backwards",
    .symmetry = KP_CYCLIC,
    .restriction = KP_COMMUTATIVE,
    .serves = kp_serves_commutative,
    .mirror_of = &kp_concat_ring,
    .stated_cost = stated_cost,
};
