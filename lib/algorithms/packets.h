/* A block cut in packets that follow one another, for broadcasts that do not wait for all of it.
 *
 * All packets have floor(b / m) bytes, the last b mod m of them one more. In every round of these
 * broadcasts the root sends the next packet, or, when it has no more, the last one is still on its
 * way; others send earlier ones, which are not longer. With `depth` rounds from the root to the
 * farthest processor
 *   C1 = m - 1 + depth,
 *   C2 = (m - 1 + depth) floor(b / m) + (0 if m divides b, else b mod m - 1 + depth).
 *
 * Saad and Schultz 1985 take the real m for which (m - 1 + depth)(beta + b tau / m) is least,
 * sqrt((depth - 1) b tau / beta), and time (sqrt(b tau) + sqrt((depth - 1) beta))^2. Here m is
 * a parameter: left open, the tuner computes the exact cost of every number there may be and takes
 * the least, so that rounding and the longer packets are taken into account. */
#ifndef KPORT_LIB_ALGORITHMS_PACKETS_H
#define KPORT_LIB_ALGORITHMS_PACKETS_H

#include "kport/schedule.h"

/* The parameter, values[0]. At most as many packets as bytes, and so few that the messages of all
 * processors stay about a million. */
long kp_packets_low(const kp_problem *p);
long kp_packets_high(const kp_problem *p);

#define KP_PACKETS_PARAMETER                                                                       \
    {                                                                                              \
        .name = "packets", .summary = "in how many packets the block is cut",                      \
        .range = "1 ... min(bytes, or elements, of a block, 4096, 2^20 / n)",                      \
        .low = kp_packets_low, .high = kp_packets_high                                             \
    }

/* Bytes are the units unless the whole block is the only packet. */
int kp_packets_split(const kp_problem *p);

struct kp_packets {
    int64_t count, length;
    int64_t longer; /* the first packet that is a unit longer than `length` */
};

struct kp_packets kp_packets_of(const kp_problem *p);

/* Where packet i lies. */
kp_piece kp_packet(const struct kp_packets *packets, int64_t i);

/* The cost as above. */
void kp_packets_cost(const kp_problem *p, uint64_t depth, uint64_t *c1, uint64_t *c2);

#endif
