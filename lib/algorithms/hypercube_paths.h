/* This header declares the d paths from the root to the target on a hypercube. Any two of these
 * paths have only the root and the target in common.
 *
 * Source: Saad and Schultz 1985, section 3, Proposition 3.1. Each link of a path changes one bit of
 * the rank. Let the ranks of root and target differ in i bits. For each of these bits there is a
 * path of length i, which changes this bit first and then the other i - 1 bits in cyclic order. For
 * each of the remaining d - i bits there is a path of length i + 2. It changes this bit first, then
 * the i bits that differ, and then this bit back. */
#ifndef KPORT_LIB_ALGORITHMS_HYPERCUBE_PATHS_H
#define KPORT_LIB_ALGORITHMS_HYPERCUBE_PATHS_H

#include "lib/algorithms/hypercube.h"
#include "lib/algorithms/paths.h"

struct kp_hypercube_paths {
    int distance, bits[KP_MOST_DIMENSIONS]; /* `distance` is i; `bits` has the numbers of the i bits
                                               that differ, then those of the other bits */
    struct kp_paths paths;
};

/* Makes the `most` shortest of the d paths. The caller must not move `all`, because it has pointers
 * to itself. */
void kp_hypercube_paths_make(struct kp_hypercube_paths *all, const kp_problem *problem, int most);

#endif
