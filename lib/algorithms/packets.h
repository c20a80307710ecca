/* This header is for a block that is cut into packets, so that a processor can send one packet on
 * while it receives the next packet.
 *
 * Let m be the number of packets. The last b mod m packets have floor(b / m) + 1 bytes, and the
 * packets before them have floor(b / m) bytes. In a broadcast the root sends one new packet in
 * every round. After the last packet has left the root, the rounds go on until this packet has
 * reached the farthest processor. So the longest message of a round is the latest packet that has
 * left the root. Let `depth` be the number of rounds that a packet takes to the farthest processor.
 * The cost is
 *   C1 = m - 1 + depth,
 *   C2 = (m - 1 + depth) floor(b / m) + (0 if m divides b, else b mod m - 1 + depth).
 *
 * Saad and Schultz 1985 compute the time as (m - 1 + depth)(beta + b tau / m) and allow any real m.
 * Here beta is the time to start a round, and tau is the time of a byte. The time is least for m =
 * sqrt((depth - 1) b tau / beta), and it is then (sqrt(b tau) + sqrt((depth - 1) beta))^2. In kport
 * m is a parameter. If the call leaves m open, the tuner computes the exact cost of every m and
 * takes the m with the least cost. */
#ifndef KPORT_LIB_ALGORITHMS_PACKETS_H
#define KPORT_LIB_ALGORITHMS_PACKETS_H

#include "kport/schedule.h"

/* The parameter `packets`, values[0], is the number m of packets. `kp_packets_low` returns its
 * lowest value, 1. `kp_packets_high` returns its highest value. There are at most as many packets
 * as the block has bytes (in a reduction, elements), at most 4096, and at most 2^20 / n. The last
 * limit keeps the number of all messages of a schedule below about 2^20. */
long kp_packets_low(const kp_problem *p);
long kp_packets_high(const kp_problem *p);

#define KP_PACKETS_PARAMETER                                                                       \
    {                                                                                              \
        .name = "packets", .summary = "in how many packets the block is cut",                      \
        .range = "1 ... min(bytes, or elements, of a block, 4096, 2^20 / n)",                      \
        .low = kp_packets_low, .high = kp_packets_high                                             \
    }

/* Returns 1 if the unit of the schedule is the byte or, in a reduction, the element. Returns 0 if
 * the unit is the block, because the whole block is one packet. */
int kp_packets_split(const kp_problem *p);

struct kp_packets {
    int64_t count, length;
    int64_t longer; /* the number of the first packet that has length + 1 units */
};

struct kp_packets kp_packets_of(const kp_problem *p);

/* Returns the piece of the incoming buffer that holds packet i. Packets count from 0. */
kp_piece kp_packet(const struct kp_packets *packets, int64_t i);

/* Stores C1 and C2 by the formulas above. */
void kp_packets_cost(const kp_problem *p, uint64_t depth, uint64_t *c1, uint64_t *c2);

#endif
