/* This header builds a scatter around a ring, in both directions. A bundle is all blocks for one
 * position of the ring.
 *
 * Source: Saad and Schultz 1986, section 3.4, (3.38). Positions on the ring count from the root to
 * the right, so the root is at position 0. The root sends the bundles for the positions 1 ...
 * `right` to the right, and the other bundles to the left. The bundle for the farthest position
 * leaves first, so all bundles reach their processors in the last round. The scatter takes
 * max(right, length - 1 - right) rounds. Each message is one bundle. */
#ifndef KPORT_LIB_ALGORITHMS_RING_SCATTER_H
#define KPORT_LIB_ALGORITHMS_RING_SCATTER_H

#include "kport/schedule.h"

struct kp_ring_scatter {
    int64_t length, right; /* `length`: the number of processors on the ring */
    int64_t position;      /* the position of the processor for which the schedule is written */
    int64_t bundle;        /* the number of blocks in a bundle */
    int64_t scratch; /* the number of the scratch block at which room for two bundles in transit
                        begins */
    /* Returns the rank of the processor at `position`. */
    int (*processor)(const void *context, int64_t position);
    /* Adds the pieces of the bundle for `position`. If `at_root` is 1, they say where the
     * bundle lies in the root's memory, otherwise where it lies in the receiver's memory. */
    void (*pieces)(kp_builder *b, const void *context, int64_t position, int at_root);
    const void *context;
};

/* Returns the number of rounds of the scatter. */
int64_t kp_ring_scatter_rounds(const struct kp_ring_scatter *ring);

/* Writes the messages of one round, which the caller has begun (kp_build_round). The function must
 * be called only for a processor of the ring. */
void kp_ring_scatter_round(kp_builder *b, const struct kp_ring_scatter *ring, int64_t round);

#endif
