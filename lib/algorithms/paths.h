/* One to one: a block goes from the root to the target along several paths at once, in packets.
 *
 * Source: Saad and Schultz 1985, section 3, and 1986, section 3.1. In these papers every path
 * carries an equal part of the block. That is not best if the paths have different lengths. Here
 * the block is cut into m packets, which are spread over the paths so that all paths end in the
 * same round.
 *
 * How it works. A packet moves over one link of its path in each round. Let R be the number of
 * rounds, and let path p have L_p links. A packet on path p reaches the target in time if it leaves
 * the root in one of the first R - L_p + 1 rounds. In each of these rounds the root sends one
 * packet on path p. If all paths together would carry more than m packets, some of the longest
 * paths carry one packet less. Packets are numbered in the order in which they leave the root. Of
 * the packets that leave in the same round, the packet on the shorter path has the lower number.
 * The last b mod m packets have one byte more than the others. The paths share no link, so a link
 * carries at most one packet in a round.
 *
 * Cost. Rounds and packets count from 0. If m does not divide b, let s be the round in which packet
 * m - b mod m, the first longer one, leaves the root.
 *   C1 = R, the least number for which the sum over p of max(0, R - L_p + 1) is at least m;
 *   C2 = R floor(b / m) + (0 if m divides b, else R - s). */
#ifndef KPORT_LIB_ALGORITHMS_PATHS_H
#define KPORT_LIB_ALGORITHMS_PATHS_H

#include "kport/schedule.h"
#include "lib/algorithms/packets.h"

#define KP_MOST_PATHS 19

struct kp_paths {
    int count;
    int64_t length[KP_MOST_PATHS]; /* the number of links of each path, in ascending order */
    int shape[KP_MOST_PATHS];      /* the number of the path in `family`, by which `at` finds it */
    /* Returns the rank of the processor that path `shape` reaches after `hop` links. For hop = 0
     * this is the root. */
    int (*at)(const struct kp_paths *paths, int shape, int64_t hop);
    const kp_problem *problem;
    const void *family; /* the data that `at` reads */
};

/* Adds a path of `length` links. The paths stay in ascending order of their lengths. */
void kp_paths_add(struct kp_paths *paths, int shape, int64_t length);

/* Keeps the `most` shortest paths and drops the others. A processor cannot use more paths than it
 * has ports. */
void kp_paths_keep(struct kp_paths *paths, int most);

/* Writes the rounds of processor problem->rank. If there is no path, root and target
 * are the same processor, and that processor only copies the block. */
int kp_paths_build(kp_builder *b, const struct kp_paths *paths);

/* Stores C1 and C2 by the formulas above. */
void kp_paths_cost(const struct kp_paths *paths, uint64_t *c1, uint64_t *c2);

#endif
