/* Paths between two processors of a hypercube. No two paths have an inner processor in common.
 *
 * Source: Saad and Schultz 1985, section 3, Proposition 3.1. Let the ranks differ in i bits. For
 * each of these bits there is a path of length i. It changes the i bits in cyclic order and begins
 * with this bit. For each of the other d - i bits there is a path of length i + 2. It changes this
 * bit first, then the i bits that differ, then this bit back. */
#ifndef KPORT_LIB_ALGORITHMS_HYPERCUBE_PATHS_H
#define KPORT_LIB_ALGORITHMS_HYPERCUBE_PATHS_H

#include "lib/algorithms/hypercube.h"
#include "lib/algorithms/paths.h"

struct kp_hypercube_paths {
    int distance, bits[KP_MOST_DIMENSIONS]; /* first the bits that differ, then the others */
    struct kp_paths paths;
};

/* Makes the `most` shortest of the d paths. `all->paths` points to `all`, so `all` must not be
 * moved. */
void kp_hypercube_paths_make(struct kp_hypercube_paths *all, const kp_problem *problem, int most);

#endif
