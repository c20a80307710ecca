/* Reduce-scatter of blocks with lengths of their own, on a circulant graph.
 *
 * Source: Bruck et al. 1997, section 4, backwards; for k = 1 Traeff 2024, arXiv 2410.14234.
 *
 * How it works. The schedule is that of concatv_circulant.c backwards (mirror_reduction.c). A
 * message carries each sum in the length of its block, and no sum is padded. No lengths travel,
 * because all members compare all lengths before the first round.
 *
 * Cost. Let b be the length of the longest block, d = ceil(log_{k+1} n) and n1 = (k+1)^(d-1).
 * C1 = d. If all blocks have length b, C2 = b ((n1 - 1) / k + ceil((n - n1) / k)). */
#include "lib/algorithms/lengths.h"
#include "lib/algorithms/reduce_backwards.h"
#include "lib/algorithms/table.h"

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_lengths_backwards_cost(&kp_concatv_circulant, p, c1, c2);
}

const kp_algorithm kp_reduce_scatterv_circulant = {
    .operation = KP_REDUCE_SCATTERV,
    .name = "circulant",
    .summary = "least rounds; the first round carries whole blocks",
    .source = "Bruck et al. 1997, section 4, backwards; Traeff 2024, arXiv 2410.14234",
    .symmetry = KP_CYCLIC,
    .restriction = KP_COMMUTATIVE,
    .serves = kp_serves_commutative,
    .mirror_of = &kp_concatv_circulant,
    .stated_cost = stated_cost,
};
