/* A block from one processor to another along several paths at once, in packets.
 *
 * Saad and Schultz 1985, section 3, and 1986, section 3.1, cut the block in as many equal parts as
 * there are paths and pipeline each part; they leave aside that unequal parts are better where the
 * paths are. Here the m packets are dealt out to the paths so that all end together: path p of
 * length L_p carries a packet that sets out in each of the first rounds, R - L_p + 1 of them, one
 * less on the longest ones where that is more than m in all. Packets are numbered by the round in
 * which they set out, in it from the shortest path to the longest; the last b mod m of them have a
 * byte more. The paths share no link, so a link carries one packet at a time.
 *
 *   C1 = R, the least number with the sum over p of max(0, R - L_p + 1) >= m;
 *   C2 = R floor(b / m) + (0 if m divides b, else R - s), s the round in which packet
 *        m - b mod m (numbers from 0) sets out. */
#ifndef KPORT_LIB_ALGORITHMS_PATHS_H
#define KPORT_LIB_ALGORITHMS_PATHS_H

#include "kport/schedule.h"
#include "lib/algorithms/packets.h"

#define KP_MOST_PATHS 19

struct kp_paths {
    int count;
    int64_t length[KP_MOST_PATHS]; /* links, ascending */
    int shape[KP_MOST_PATHS];      /* which of its family a path is, for `at` */
    /* The processor that path `shape` reaches after `hop` links; 0: the root. */
    int (*at)(const struct kp_paths *paths, int shape, int64_t hop);
    const kp_problem *problem;
    const void *family; /* what else `at` needs */
};

/* Adds a path, keeping the order of the lengths. */
void kp_paths_add(struct kp_paths *paths, int shape, int64_t length);

/* Leaves the `most` shortest: as many as there are ports. */
void kp_paths_keep(struct kp_paths *paths, int most);

/* Writes the part of problem->rank. Without paths root and target are one processor, which copies
 * the block. */
int kp_paths_build(kp_builder *b, const struct kp_paths *paths);

/* The cost as above. */
void kp_paths_cost(const struct kp_paths *paths, uint64_t *c1, uint64_t *c2);

#endif
