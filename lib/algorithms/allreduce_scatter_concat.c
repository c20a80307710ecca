/* Allreduce as a reduce-scatter of n parts of the block, and a concatenation of the combined parts.
 *
 * Source: the schedule is that of the concatenation of parts.h, first backwards
 * (mirror_reduction.c), then forwards. For k = 1 this is the circulant allreduce of J. L. Traeff
 * 2024, arXiv 2410.14234, which serves any n.
 *
 * Cost. C1 = 2 ceil(log_{k+1} n). C2 is twice the C2 of parts.h. If k = 1 and n divides the number
 * of elements of the block, C2 = 2 (b / n) (n - 1), which is the minimum. */
#include "lib/algorithms/parts.h"
#include "lib/algorithms/reduce_backwards.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_parts_cost(p, c1, c2);
    *c1 *= 2;
    *c2 = kp_times(2, *c2);
}

const kp_algorithm kp_allreduce_scatter_concat = {
    .operation = KP_ALLREDUCE,
    .name = "reduce-scatter-concat",
    .summary = "parts combined at their processors, then concatenated; few rounds and few bytes",
    .source = "Bruck et al. 1997, section 4, both ways; Traeff 2024, arXiv 2410.14234",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = KP_COMMUTATIVE,
    .serves = kp_serves_commutative,
    .splits = kp_parts_split,
    .mirror_of = &kp_parts_concat,
    .and_back = 1,
    .stated_cost = stated_cost,
    .same_order = 1,
};
