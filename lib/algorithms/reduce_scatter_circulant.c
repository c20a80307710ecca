/* Reduce-scatter on a circulant graph.
 *
 * Source: the schedule is that of concat_circulant.c (Bruck et al. 1997, section 4) backwards
 * (mirror_reduction.c). For k = 1 this is the algorithm of J. L. Traeff 2024, "Optimal,
 * Non-pipelined Reduce-scatter and Allreduce Algorithms", arXiv 2410.14234, with ceil(log2 n)
 * rounds and n - 1 blocks for any n.
 *
 * Cost. It is the same as that of the concatenation. Let b count elements.
 * C1 = d = ceil(log_{k+1} n) and C2 = ceil(b (n - 1) / k). Both are the minimum, unless the
 * concatenation's table does not fit. Then `prefer` says which of C1 and C2 is at the minimum, and
 * the other is a little more. */
#include "lib/algorithms/reduce_backwards.h"
#include "lib/algorithms/table.h"

static int splits(const kp_problem *p)
{
    return kp_concat_circulant.splits(p);
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_concat_circulant.stated_cost(p, c1, c2);
}

static const char *const preferences[] = {"c1", "c2", NULL};

const kp_algorithm kp_reduce_scatter_circulant = {
    .operation = KP_REDUCE_SCATTER,
    .name = "circulant",
    .summary = "least rounds and least bytes; the first round splits blocks",
    .source = "Bruck et al. 1997, section 4, backwards; Traeff 2024, arXiv 2410.14234",
    .symmetry = KP_CYCLIC,
    .parameters = {{.name = "prefer",
                    .summary = "what to keep least where both cannot be: rounds or bytes",
                    .words = preferences}},
    .restriction = KP_COMMUTATIVE,
    .serves = kp_serves_commutative,
    .splits = splits,
    .mirror_of = &kp_concat_circulant,
    .stated_cost = stated_cost,
};
