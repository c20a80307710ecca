/* Reduction as a reduce-scatter of n parts of the block, and a gather of the combined parts.
 *
 * Source: the schedule is that of broadcast_scatter_concat.c backwards (mirror_reduction.c). It is
 * known as Rabenseifner's algorithm (2004).
 *
 * Cost. It is the same as that of the broadcast. For long blocks C1 = 2 ceil(log_{k+1} n), C2 is
 * some 2 b / k. */
#include "lib/algorithms/parts.h"
#include "lib/algorithms/reduce_backwards.h"
#include "lib/algorithms/table.h"

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_broadcast_scatter_concat.stated_cost(p, c1, c2);
}

const kp_algorithm kp_reduce_scatter_gather = {
    .operation = KP_REDUCE,
    .name = "reduce-scatter-gather",
    .summary = "parts combined at their processors, then gathered; few rounds and few bytes",
    .source = "folklore, Rabenseifner 2004; Bruck et al. 1997, section 4, backwards",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = KP_COMMUTATIVE,
    .serves = kp_serves_commutative,
    .splits = kp_parts_split,
    .mirror_of = &kp_broadcast_scatter_concat,
    .stated_cost = stated_cost,
};
