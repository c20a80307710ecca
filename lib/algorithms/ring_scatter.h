/* A scatter around a ring, both ways, of bundles of blocks.
 *
 * Saad and Schultz 1986, section 3.4, (3.38): the bundle for the farthest place goes first, so that
 * all arrive in the last round. Places are counted from the root's, to the right; `right` of them
 * are reached that way, the others to the left. Takes max(right, length - 1 - right) rounds, each
 * with messages of one bundle. */
#ifndef KPORT_LIB_ALGORITHMS_RING_SCATTER_H
#define KPORT_LIB_ALGORITHMS_RING_SCATTER_H

#include "kport/schedule.h"

struct kp_ring_scatter {
    int64_t length, right, place; /* place: of the processor whose part is written; 0: the root */
    int64_t bundle;               /* blocks */
    int64_t scratch;              /* where there is room for two bundles on their way, in blocks */
    int (*processor)(const void *context, int64_t place);
    /* Writes, as pieces, the bundle for a place where the root has it, or, at that place itself,
     * where it belongs. */
    void (*pieces)(kp_builder *b, const void *context, int64_t place, int at_root);
    const void *context;
};

int64_t kp_ring_scatter_rounds(const struct kp_ring_scatter *ring);

/* Messages of one round, within a round that is begun. Not for processors outside the ring. */
void kp_ring_scatter_round(kp_builder *b, const struct kp_ring_scatter *ring, int64_t round);

#endif
