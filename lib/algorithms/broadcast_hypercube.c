/* Broadcast in packets down the spanning binomial tree of the hypercube.
 *
 * Source: Saad and Schultz 1985, section 2, with pipelining; 1986, (3.21). The algorithm needs
 * n = 2^d and k >= d, because a processor sends a packet to all its children in one round.
 *
 * How it works. The label of a processor is its rank xor the root's rank. The children of the root
 * are all its neighbours. The children of another processor are its neighbours over the links above
 * the highest set bit of its label. A processor receives a packet in one round and sends it to all
 * its children in the next round.
 *
 * Cost. Let m be the number of packets. C1 = m - 1 + d, C2 = C1 floor(b / m) + (0 if m divides b,
 * else b mod m - 1 + d). If n = 1, C1 = C2 = 0. */
#include "lib/algorithms/hypercube.h"
#include "lib/algorithms/packets.h"
#include "lib/algorithms/table.h"

static const char restriction[] = "n = 2^d, k at least d";

static const char *serves(const kp_problem *p)
{
    return kp_hypercube_serves(p) || p->k < kp_hypercube_dimensions(p->n) ? restriction : NULL;
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_packets packets = kp_packets_of(p);
    int d = kp_hypercube_dimensions(p->n), label = p->rank ^ p->root, above = 0;
    int64_t depth = kp_weight(label);
    while (label >> above)
        above++;
    for (int64_t round = 0; round < packets.count - 1 + d && d > 0; round++) {
        int64_t leaving = round - depth, coming = leaving + 1;
        kp_build_round(b);
        for (int link = above; link < d && leaving >= 0 && leaving < packets.count; link++) {
            kp_build_send(b, link, p->rank ^ 1 << link);
            kp_build_piece(b, kp_packet(&packets, leaving));
        }
        if (above > 0 && coming >= 0 && coming < packets.count) {
            kp_build_receive(b, above - 1, p->rank ^ 1 << (above - 1));
            kp_build_piece(b, kp_packet(&packets, coming));
        }
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = *c2 = 0;
    if (p->n > 1)
        kp_packets_cost(p, (uint64_t)kp_hypercube_dimensions(p->n), c1, c2);
}

const kp_algorithm kp_broadcast_hypercube = {
    .operation = KP_BROADCAST,
    .name = "hypercube",
    .summary = "packets down the spanning binomial tree of the hypercube",
    .source = "Saad and Schultz 1985, section 2, pipelined broadcast",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {KP_PACKETS_PARAMETER},
    .restriction = restriction,
    .serves = serves,
    .splits = kp_packets_split,
    .build = build,
    .own_root = 1,
    .stated_cost = stated_cost,
};
