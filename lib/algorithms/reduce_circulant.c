/* Reduction in packets on a circulant graph. With one port no algorithm in packets has fewer
 * rounds.
 *
 * Source: the schedule is that of broadcast_circulant.c (after Traeff 2023) backwards
 * (mirror_reduction.c).
 *
 * Cost. It is the same as that of the broadcast. Let q = ceil(log2 n), let b count elements, and
 * let m be the number of packets. The algorithm uses one port.
 *   C1 = m - 1 + q,
 *   C2 = (m - 1 + q) floor(b / m) + (0 if m divides b, else b mod m - 1 + q). */
#include "lib/algorithms/packets.h"
#include "lib/algorithms/reduce_backwards.h"
#include "lib/algorithms/table.h"

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_broadcast_circulant.stated_cost(p, c1, c2);
}

const kp_algorithm kp_reduce_circulant = {
    .operation = KP_REDUCE,
    .name = "circulant",
    .summary = "packets on a circulant graph; least rounds on one port",
    .source = "Traeff 2023, arXiv 2205.10072 and 2312.11236, backwards",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {KP_PACKETS_PARAMETER},
    .restriction = KP_COMMUTATIVE,
    .serves = kp_serves_commutative,
    .splits = kp_packets_split,
    .mirror_of = &kp_broadcast_circulant,
    .stated_cost = stated_cost,
};
