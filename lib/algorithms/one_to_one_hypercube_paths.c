/* One to one along d paths of the hypercube at once, in packets.
 *
 * Source: Saad and Schultz 1985, section 3, Propositions 3.1 and 3.2; 1986, Proposition 3.2. Serves
 * n = 2^d.
 *
 * How it works. Let root and target differ in i bits. There are i paths of length i and d - i paths
 * of length i + 2, which have only root and target in common (hypercube_paths.h). The packets are
 * dealt to them so that all paths end in the same round (paths.h). With k < d ports the k shortest
 * paths are used.
 *
 * Cost. Let L_p be the lengths of those paths, and m the number of packets. C1 = R, the least
 * number for which the sum over p of max(0, R - L_p + 1) is at least m. C2 = R floor(b / m) + (0 if
 * m divides b, else R - s), where s is the round in which packet m - b mod m leaves the root. If
 * the target is the root, both are 0. */
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
