/* Reduce-scatter around a ring.
 *
 * Source: the schedule is that of concat_ring.c backwards (mirror_reduction.c). The sum for a
 * processor travels around the ring to this processor. Every processor on its path combines its own
 * operand with it.
 *
 * Cost. C1 = n - 1 on one port, and C1 = ceil((n - 1) / 2) on two or more. C2 = b C1. */
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
