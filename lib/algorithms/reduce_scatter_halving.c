/* Reduce-scatter by recursive halving, generalized to k ports.
 *
 * Source: the schedule is that of concat_recursive_doubling.c backwards (mirror_reduction.c). The
 * algorithm needs n = (k + 1)^d.
 *
 * How it works. Ranks are written in radix k + 1. The rounds go through the digits t = d - 1 ... 0.
 * In the round of digit t the k + 1 processors whose ranks differ only in digit t send sums to each
 * other. A processor sends to each of the k others the sums for all results that belong to ranks
 * with the digit t of that receiver. The receiver combines these sums with its own. So every round
 * divides by k + 1 the number of results for which a processor has sums.
 *
 * Cost. C1 = log_{k+1} n, C2 = b (n - 1) / k. Both are the minimum. */
#include "lib/algorithms/reduce_backwards.h"
#include "lib/algorithms/table.h"

static const char restriction[] = KP_COMMUTATIVE ", and n a power of k + 1";

static const char *serves(const kp_problem *p)
{
    return kp_is_ordered(p) || kp_concat_recursive_doubling.serves(p) ? restriction : NULL;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_concat_recursive_doubling.stated_cost(p, c1, c2);
}

const kp_algorithm kp_reduce_scatter_halving = {
    .operation = KP_REDUCE_SCATTER,
    .name = "recursive-halving",
    .summary = "k + 1 neighbours in one digit give each other what belongs to the other",
    .source = "Bruck et al. 1997, section 4, references 4 and 20, backwards",
    .symmetry = KP_DIGITS,
    .restriction = restriction,
    .serves = serves,
    .mirror_of = &kp_concat_recursive_doubling,
    .stated_cost = stated_cost,
};
