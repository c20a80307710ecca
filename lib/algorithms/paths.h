/* A block that goes from one processor to another along several paths at once, in packets.
 *
 * Source: Saad and Schultz 1985, section 3, and 1986, section 3.1. They cut the block in as many
 * equal parts as there are paths and send each part in packets along its path. They do not treat
 * unequal parts, which are better for paths of unequal lengths. Here the m packets are dealt to the
 * paths so that all paths end in the same round. A path p of length L_p carries a packet that
 * leaves the root in each of the first R - L_p + 1 rounds. If these are more than m packets in all,
 * each of the longest paths carries one less. Packets are numbered by the round in which they leave
 * the root, and within a round from the shortest path to the longest. The last b mod m packets have
 * one byte more. The paths share no link, so a link carries one packet at a time.
 *
 *   C1 = R, the least number for which the sum over p of max(0, R - L_p + 1) is at least m;
 *   C2 = R floor(b / m) + (0 if m divides b, else R - s), where s is the round in which packet
 *        m - b mod m leaves the root (packets count from 0). */
#ifndef KPORT_LIB_ALGORITHMS_PATHS_H
#define KPORT_LIB_ALGORITHMS_PATHS_H

#include "kport/schedule.h"
#include "lib/algorithms/packets.h"

#define KP_MOST_PATHS 19

struct kp_paths {
    int count;
    int64_t length[KP_MOST_PATHS]; /* number of links, ascending */
    int shape[KP_MOST_PATHS];      /* number of the path in its family, for `at` */
    /* Returns the processor that path `shape` reaches after `hop` links. After 0 links it is the
     * root. */
    int (*at)(const struct kp_paths *paths, int shape, int64_t hop);
    const kp_problem *problem;
    const void *family; /* the data that `at` needs */
};

/* Adds a path. The lengths stay sorted. */
void kp_paths_add(struct kp_paths *paths, int shape, int64_t length);

/* Keeps the `most` shortest paths. A processor cannot use more paths than it has ports. */
void kp_paths_keep(struct kp_paths *paths, int most);

/* Writes the part of problem->rank. If there are no paths, root and target are the same processor,
 * and it copies the block. */
int kp_paths_build(kp_builder *b, const struct kp_paths *paths);

/* C1 and C2 as in the formulae above. */
void kp_paths_cost(const struct kp_paths *paths, uint64_t *c1, uint64_t *c2);

#endif
