/* Broadcast in packets around a ring, in both directions.
 *
 * Source: Saad and Schultz 1986, section 3.2, (3.16) and (3.17).
 *
 * How it works. The root sends every packet to both neighbours. Every other processor receives a
 * packet in one round and passes it on in the next round. To the right a packet travels over
 * floor(n / 2) links. To the left it reaches the other processors. With one port all packets go to
 * the right.
 *
 * Cost. Let D = floor(n / 2), or D = n - 1 with one port, and let m be the number of packets.
 * C1 = m - 1 + D, C2 = C1 floor(b / m) + (0 if m divides b, else b mod m - 1 + D). If n = 1,
 * C1 = C2 = 0. */
#include "lib/algorithms/packets.h"
#include "lib/algorithms/table.h"
#include "lib/algorithms/torus.h"

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_packets packets = kp_packets_of(p);
    int right = kp_ring_to_the_right(p), n = p->n;
    for (int64_t round = 0; round < packets.count - 1 + right && n > 1; round++) {
        kp_build_round(b);
        for (int side = 0; side < 2; side++) {
            int reach = side == 0 ? right : n - 1 - right, step = side == 0 ? 1 : n - 1;
            int distance = side == 0 || p->rank == 0 ? p->rank : n - p->rank;
            int64_t leaving = round - distance, coming = leaving + 1;
            if (distance < reach && leaving >= 0 && leaving < packets.count) {
                kp_build_send(b, side, (p->rank + step) % n);
                kp_build_piece(b, kp_packet(&packets, leaving));
            }
            if (distance > 0 && distance <= reach && coming >= 0 && coming < packets.count) {
                kp_build_receive(b, side, (p->rank + n - step) % n);
                kp_build_piece(b, kp_packet(&packets, coming));
            }
        }
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = *c2 = 0;
    if (p->n > 1)
        kp_packets_cost(p, (uint64_t)kp_ring_to_the_right(p), c1, c2);
}

const kp_algorithm kp_broadcast_ring = {
    .operation = KP_BROADCAST,
    .name = "ring",
    .summary = "packets both ways around a ring",
    .source = "Saad and Schultz 1986, section 3.2, ring",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {KP_PACKETS_PARAMETER},
    .restriction = kp_ring_restriction,
    .serves = kp_ring_serves,
    .splits = kp_packets_split,
    .build = build,
    .stated_cost = stated_cost,
};
