/* One to one along one shortest path of the hypercube, in packets.
 *
 * Source: Saad and Schultz 1985, section 3, (3.1); 1986, (3.14). The papers print
 * sqrt(i tau / beta) as the best number of packets. The best number is sqrt((i - 1) b tau / beta),
 * limited to 1 ... b. If the call leaves the number open, the tuner tries all numbers. The
 * algorithm needs n = 2^d.
 *
 * How it works. Each link of the path changes one of the bits in which the ranks of root and target
 * differ, the lowest bit first. In each round a packet is one link behind the packet before it
 * (paths.h).
 *
 * Cost. Let i be the number of bits that differ, and m the number of packets. If i > 0,
 * C1 = m - 1 + i, C2 = C1 floor(b / m) + (0 if m divides b, else b mod m - 1 + i). If i = 0,
 * C1 = C2 = 0. */
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
