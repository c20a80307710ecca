/* Reduction as a reduce-scatter of parts and a gather. It is the broadcast by scatter and
 * concatenation backwards.
 *
 * Source: broadcast_scatter_concat.c, turned around by mirror_reduction.c; known as Rabenseifner's
 * algorithm (2004).
 *
 * Cost. C1 and C2 of that broadcast. For long blocks C2 is about 2 b / k in 2 ceil(log_{k+1} n)
 * rounds. */
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
