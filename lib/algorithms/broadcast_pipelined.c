/* Broadcast in packets down a k-ary tree.
 *
 * Source: Saad and Schultz 1985 for the pipelining; the tree is not theirs. Their spanning binomial
 * tree has depth d = log2 n and needs k >= d ports, because a processor sends a packet to all its
 * neighbours in one round. A k-ary tree has a depth of about log_k n, the least depth of all trees
 * in which a processor has at most k children.
 *
 * How it works. The processors are numbered level by level, so the children of processor v are
 * k v + 1 ... k v + k. With one port the tree is a chain. In every round a processor receives a
 * packet from its parent. It sends this packet to all its children in the next round.
 *
 * Cost. Let the depth D be the least number with 1 + k + ... + k^D >= n. Let m be the number of
 * packets (packets.h).
 *   C1 = m - 1 + D,
 *   C2 = (m - 1 + D) floor(b / m) + (0 if m divides b, else b mod m - 1 + D). */
#include "lib/algorithms/packets.h"
#include "lib/algorithms/table.h"

/* Returns the number of links from processor 0 down to processor `rank`. */
static int64_t depth_of(int64_t rank, int64_t k)
{
    int64_t depth = 0;
    if (k == 1)
        return rank;
    for (; rank > 0; rank = (rank - 1) / k)
        depth++;
    return depth;
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_packets packets = kp_packets_of(p);
    int64_t k = p->k, rank = p->rank, level = depth_of(rank, k);
    int64_t rounds = packets.count - 1 + depth_of(p->n - 1, k);
    for (int64_t round = 0; round < rounds; round++) {
        int64_t leaving = round - level, coming = leaving + 1;
        kp_build_round(b);
        for (int port = 0; port < k && k * rank + port + 1 < p->n; port++) {
            if (leaving < 0 || leaving >= packets.count)
                break;
            kp_build_send(b, port, (int)(k * rank + port + 1));
            kp_build_piece(b, kp_packet(&packets, leaving));
        }
        if (rank > 0 && coming >= 0 && coming < packets.count) {
            kp_build_receive(b, 0, (int)((rank - 1) / k));
            kp_build_piece(b, kp_packet(&packets, coming));
        }
    }
    return KP_OK;
}

/* The broadcast down a chain of n processors has at least n - 1 rounds, and the schedule has a list
 * of all rounds for each processor. Longer chains would take too much memory. */
#define LONGEST_CHAIN 4096

static const char restriction[] = "n up to 4096 where k = 1, any n else";

static const char *serves(const kp_problem *p)
{
    return p->k == 1 && p->n > LONGEST_CHAIN ? restriction : NULL;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_packets_cost(p, (uint64_t)depth_of(p->n - 1, p->k), c1, c2);
}

const kp_algorithm kp_broadcast_pipelined = {
    .operation = KP_BROADCAST,
    .name = "pipelined",
    .summary = "packets down a k-ary tree, a chain with one port",
    .source = "Saad and Schultz 1985, pipelined broadcast",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {KP_PACKETS_PARAMETER},
    .restriction = restriction,
    .serves = serves,
    .splits = kp_packets_split,
    .build = build,
    .stated_cost = stated_cost,
};
