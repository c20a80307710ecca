/* Reduction of the whole block along the (k + 1)-ary tree.
 *
 * Source: the schedule is that of broadcast_tree.c backwards (mirror_reduction.c). For k = 1 the
 * tree is the binomial tree.
 *
 * Cost. It is the same as that of the broadcast. Let d = ceil(log_{k+1} n). C1 = d, C2 = b d. */
#include "lib/algorithms/reduce_backwards.h"
#include "lib/algorithms/table.h"

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_broadcast_tree.stated_cost(p, c1, c2);
}

const kp_algorithm kp_reduce_tree = {
    .operation = KP_REDUCE,
    .name = "tree",
    .summary = "the whole block up a (k + 1)-ary tree; least rounds",
    .source = "Bruck et al. 1997, Proposition 2.1, backwards",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = KP_COMMUTATIVE,
    .serves = kp_serves_commutative,
    .mirror_of = &kp_broadcast_tree,
    .stated_cost = stated_cost,
};
