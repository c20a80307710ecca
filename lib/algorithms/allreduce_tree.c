/* Allreduce as a reduction and a broadcast along the same tree.
 *
 * Source: the schedule is that of broadcast_tree.c, first backwards (mirror_reduction.c), then
 * forwards.
 *
 * Cost. Let d = ceil(log_{k+1} n). C1 = 2 d, C2 = 2 b d. */
#include "lib/algorithms/reduce_backwards.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_broadcast_tree.stated_cost(p, c1, c2);
    *c1 *= 2;
    *c2 = kp_times(2, *c2);
}

const kp_algorithm kp_allreduce_tree = {
    .operation = KP_ALLREDUCE,
    .name = "tree",
    .summary = "up a (k + 1)-ary tree and down again",
    .source = "Bruck et al. 1997, Proposition 2.1, backwards and forwards",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = KP_COMMUTATIVE,
    .serves = kp_serves_commutative,
    .mirror_of = &kp_broadcast_tree,
    .and_back = 1,
    .stated_cost = stated_cost,
    .same_order = 1,
};
