/* One to one along d paths of the hypercube at once, in packets.
 *
 * Source: Saad and Schultz 1985, section 3, Propositions 3.1 and 3.2; 1986, Proposition 3.2. The
 * algorithm needs n = 2^d.
 *
 * How it works. Let the ranks of root and target differ in i bits. Then i paths of length i and
 * d - i paths of length i + 2 lead from the root to the target (hypercube_paths.h). Any two of
 * these d paths have only the root and the target in common. The packets are spread over the paths
 * so that all paths end in the same round (paths.h). With k < d ports only the k shortest paths are
 * used.
 *
 * Cost. The head of paths.h has the formulas for C1 and C2, where p counts the paths that are used.
 * If the target is the root, C1 = C2 = 0. */
#include "lib/algorithms/hypercube_paths.h"
#include "lib/algorithms/table.h"

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_hypercube_paths all;
    kp_hypercube_paths_make(&all, p, p->k);
    return kp_paths_build(b, &all.paths);
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    struct kp_hypercube_paths all;
    kp_hypercube_paths_make(&all, p, p->k);
    kp_paths_cost(&all.paths, c1, c2);
}

const kp_algorithm kp_one_to_one_hypercube_paths = {
    .operation = KP_ONE_TO_ONE,
    .name = "hypercube-paths",
    .summary = "packets along d paths of the hypercube that meet nowhere",
    .source = "Saad and Schultz 1985, section 3, Proposition 3.2",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {KP_PACKETS_PARAMETER},
    .restriction = kp_hypercube_restriction,
    .serves = kp_hypercube_serves,
    .splits = kp_packets_split,
    .build = build,
    .own_root = 1,
    .stated_cost = stated_cost,
};
