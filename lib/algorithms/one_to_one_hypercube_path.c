/* One to one along a shortest path of the hypercube, in packets.
 *
 * Source: Saad and Schultz 1985, section 3, (3.1); 1986, (3.14). They give the best number of
 * packets as sqrt(i tau / beta). It is sqrt((i - 1) b tau / beta), at least 1 and at most b. If the
 * call leaves the number open, the tuner tries all. Serves n = 2^d.
 *
 * How it works. The path changes the bits in which root and target differ, the lowest first. Each
 * packet is one link behind the packet before it (paths.h).
 *
 * Cost. Let i be the number of bits that differ, and m the number of packets. For i > 0,
 * C1 = m - 1 + i, C2 = C1 floor(b / m) + (0 if m divides b, else b mod m - 1 + i). For i = 0 both
 * are 0. */
#include "lib/algorithms/hypercube_paths.h"
#include "lib/algorithms/table.h"

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_hypercube_paths all;
    kp_hypercube_paths_make(&all, p, 1);
    return kp_paths_build(b, &all.paths);
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = *c2 = 0;
    if (p->root != p->target)
        kp_packets_cost(p, (uint64_t)kp_weight(p->root ^ p->target), c1, c2);
}

const kp_algorithm kp_one_to_one_hypercube_path = {
    .operation = KP_ONE_TO_ONE,
    .name = "hypercube-path",
    .summary = "packets along a shortest path of the hypercube",
    .source = "Saad and Schultz 1985, section 3, single path",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {KP_PACKETS_PARAMETER},
    .restriction = kp_hypercube_restriction,
    .serves = kp_hypercube_serves,
    .splits = kp_packets_split,
    .build = build,
    .own_root = 1,
    .stated_cost = stated_cost,
};
