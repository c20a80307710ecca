/* A block that is cut in packets. In a broadcast a processor can send one packet on while it
 * receives the next.
 *
 * All packets have floor(b / m) bytes; the last b mod m of them have one more. In every round of
 * these broadcasts the root sends the next packet, or the last packet is still on its way. The
 * other processors send earlier packets, which are not longer. Let `depth` be the number of rounds
 * from the root to the farthest processor. Then
 *   C1 = m - 1 + depth,
 *   C2 = (m - 1 + depth) floor(b / m) + (0 if m divides b, else b mod m - 1 + depth).
 *
 * Saad and Schultz 1985 minimize (m - 1 + depth)(beta + b tau / m) over real m. The minimum is at
 * m = sqrt((depth - 1) b tau / beta), and its time is (sqrt(b tau) + sqrt((depth - 1) beta))^2.
 * Here m is a parameter. If the call leaves it open, the tuner computes the exact cost of every m
 * and takes the least. So rounding and the longer packets count. */
#ifndef KPORT_LIB_ALGORITHMS_PACKETS_H
#define KPORT_LIB_ALGORITHMS_PACKETS_H

#include "kport/schedule.h"

/* The parameter, values[0], is the number of packets. There are at most as many packets as bytes,
 * and so few that all processors together send about a million messages at most. */
long kp_packets_low(const kp_problem *p);
long kp_packets_high(const kp_problem *p);

#define KP_PACKETS_PARAMETER                                                                       \
    {                                                                                              \
        .name = "packets", .summary = "in how many packets the block is cut",                      \
        .range = "1 ... min(bytes, or elements, of a block, 4096, 2^20 / n)",                      \
        .low = kp_packets_low, .high = kp_packets_high                                             \
    }

/* Returns whether the unit of the schedule is the byte or element. It is the block if the whole
 * block is the only packet. */
int kp_packets_split(const kp_problem *p);

struct kp_packets {
    int64_t count, length;
    int64_t longer; /* index of the first packet that has `length` + 1 units */
};

struct kp_packets kp_packets_of(const kp_problem *p);

/* Returns the place of packet i. */
kp_piece kp_packet(const struct kp_packets *packets, int64_t i);

/* C1 and C2 as in the formulae above. */
void kp_packets_cost(const kp_problem *p, uint64_t depth, uint64_t *c1, uint64_t *c2);

#endif
