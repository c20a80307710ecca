/* Paths between two processors of a hypercube that meet nowhere in between.
 *
 * Saad and Schultz 1985, section 3, Proposition 3.1. With i bits that differ, one path for each of
 * them sets them right in turn, beginning with that one and going around: length i. One path for
 * each of the other d - i bits changes that bit first, then all that differ, then that bit back:
 * length i + 2. */
#ifndef KPORT_LIB_ALGORITHMS_HYPERCUBE_PATHS_H
#define KPORT_LIB_ALGORITHMS_HYPERCUBE_PATHS_H

#include "lib/algorithms/hypercube.h"
#include "lib/algorithms/paths.h"

struct kp_hypercube_paths {
    int distance, bits[KP_MOST_DIMENSIONS]; /* those that differ, then the others */
    struct kp_paths paths;
};

/* The `most` shortest of the d paths. `all->paths` refers to `all`, which may not be moved. */
void kp_hypercube_paths_make(struct kp_hypercube_paths *all, const kp_problem *problem, int most);

#endif
