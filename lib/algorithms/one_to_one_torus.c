/* One to one along four paths of a torus at once, in packets.
 *
 * Source: Saad and Schultz 1986, section 3.1, Proposition 3.1, (3.11). The algorithm needs a torus
 * whose sides are both at least 3; torus.h says how n processors form a torus.
 *
 * How it works. Four paths lead from the root to the target, and no link belongs to two of them
 * (torus_paths.h). The packets are spread over the paths so that all paths end in the same round
 * (paths.h). With k < 4 ports only the k shortest paths are used.
 *
 * Cost. The head of paths.h has the formulas for C1 and C2, where p counts the paths that are used.
 * If the target is the root, C1 = C2 = 0. */
#include "lib/algorithms/table.h"
#include "lib/algorithms/torus_paths.h"

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_torus_paths all;
    kp_torus_paths_make(&all, p, p->k);
    return kp_paths_build(b, &all.paths);
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    struct kp_torus_paths all;
    kp_torus_paths_make(&all, p, p->k);
    kp_paths_cost(&all.paths, c1, c2);
}

const kp_algorithm kp_one_to_one_torus = {
    .operation = KP_ONE_TO_ONE,
    .name = "torus",
    .summary = "packets along four paths of a torus that share no link",
    .source = "Saad and Schultz 1986, section 3.1, Proposition 3.1",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {KP_PACKETS_PARAMETER},
    .restriction = kp_torus_restriction,
    .serves = kp_torus_serves,
    .splits = kp_packets_split,
    .build = build,
    .own_root = 1,
    .stated_cost = stated_cost,
};
