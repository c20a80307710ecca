/* One to one along four paths of a torus at once, in packets.
 *
 * Source: Saad and Schultz 1986, section 3.1, Proposition 3.1, (3.11). Serves n = rows times
 * columns, as near to each other as n allows, both at least 3.
 *
 * How it works. The four paths share no link (torus_paths.h). The packets are dealt to them so that
 * all paths end in the same round (paths.h). With fewer than four ports the shortest paths are
 * used.
 *
 * Cost. Let L_p be the lengths of those paths, and m the number of packets. C1 = R, the least
 * number for which the sum over p of max(0, R - L_p + 1) is at least m. C2 = R floor(b / m) + (0 if
 * m divides b, else R - s), where s is the round in which packet m - b mod m leaves the root. If
 * the target is the root, both are 0. */
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
