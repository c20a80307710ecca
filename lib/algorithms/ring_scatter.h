/* A scatter of bundles of blocks around a ring, in both directions.
 *
 * Source: Saad and Schultz 1986, section 3.4, (3.38). The bundle for the farthest place leaves
 * first, so that all bundles arrive in the last round. Places count from the root to the right.
 * Bundles for the places 1 ... `right` go to the right, the others to the left. The scatter takes
 * max(right, length - 1 - right) rounds, and each message is one bundle. */
#ifndef KPORT_LIB_ALGORITHMS_RING_SCATTER_H
#define KPORT_LIB_ALGORITHMS_RING_SCATTER_H

#include "kport/schedule.h"

struct kp_ring_scatter {
    int64_t length, right, place; /* place: of the processor whose part is written; 0 is the root */
    int64_t bundle;               /* length of a bundle in blocks */
    int64_t scratch;              /* where scratch has room for two bundles on their way, in blocks
                                   */
    int (*processor)(const void *context, int64_t place);
    /* Adds the pieces of the bundle for `place`. If `at_root` is 1, they are the bundle's place at
     * the root, else its place at the processor that receives it. */
    void (*pieces)(kp_builder *b, const void *context, int64_t place, int at_root);
    const void *context;
};

int64_t kp_ring_scatter_rounds(const struct kp_ring_scatter *ring);

/* Writes the messages of one round; the caller has begun the round. Only processors of the ring may
 * call it. */
void kp_ring_scatter_round(kp_builder *b, const struct kp_ring_scatter *ring, int64_t round);

#endif
