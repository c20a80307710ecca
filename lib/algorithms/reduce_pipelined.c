/* Reduction in packets up a k-ary tree.
 *
 * Source: the schedule is that of broadcast_pipelined.c (after Saad and Schultz 1985) backwards
 * (mirror_reduction.c).
 *
 * Cost. It is the same as that of the broadcast. Let D be the depth of the tree, let b count
 * elements, and let m be the number of packets.
 *   C1 = m - 1 + D,
 *   C2 = (m - 1 + D) floor(b / m) + (0 if m divides b, else b mod m - 1 + D). */
#include "lib/algorithms/packets.h"
#include "lib/algorithms/reduce_backwards.h"
#include "lib/algorithms/table.h"

static const char restriction[] = KP_COMMUTATIVE ", and n up to 4096 where k = 1";

static const char *serves(const kp_problem *p)
{
    return kp_is_ordered(p) || kp_broadcast_pipelined.serves(p) ? restriction : NULL;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_broadcast_pipelined.stated_cost(p, c1, c2);
}

const kp_algorithm kp_reduce_pipelined = {
    .operation = KP_REDUCE,
    .name = "pipelined",
    .summary = "packets up a k-ary tree, a chain with one port",
    .source = "Saad and Schultz 1985, pipelined broadcast, backwards",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {KP_PACKETS_PARAMETER},
    .restriction = restriction,
    .serves = serves,
    .splits = kp_packets_split,
    .mirror_of = &kp_broadcast_pipelined,
    .stated_cost = stated_cost,
};
