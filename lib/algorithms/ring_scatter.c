#include "lib/algorithms/ring_scatter.h"

#include "lib/schedule/arithmetic.h"

int64_t kp_ring_scatter_rounds(const struct kp_ring_scatter *ring)
{
    int64_t left = ring->length - 1 - ring->right;
    return ring->right > left ? ring->right : left;
}

static void on_its_way(kp_builder *b, const struct kp_ring_scatter *ring, int64_t number)
{
    kp_build_piece(b,
                   kp_run_of(KP_SCRATCH, ring->scratch + number % 2 * ring->bundle, ring->bundle));
}

/* Writes this processor's messages of a round on one side of the root: side 0 is to the right, side
 * 1 to the left. On that side this processor is `distance` links from the root, and the farthest
 * processor is `reach` links from the root. Bundle i is for the processor at distance reach - i,
 * and is the i-th to leave the root, counted from 0. */
static void one_side(kp_builder *b, const struct kp_ring_scatter *ring, int64_t round, int side,
                     int64_t distance, int64_t reach)
{
    int64_t leaving = round - distance, coming = leaving + 1, step = side == 0 ? 1 : -1;
    if (distance < reach && leaving >= 0 && leaving < reach - distance) {
        kp_build_send(b, side, ring->processor(ring->context, ring->position + step));
        if (distance == 0)
            ring->pieces(b, ring->context, kp_mod(step * (reach - leaving), ring->length), 1);
        else
            on_its_way(b, ring, leaving);
    }
    if (distance > 0 && coming >= 0 && coming <= reach - distance) {
        kp_build_receive(b, side, ring->processor(ring->context, ring->position - step));
        if (coming == reach - distance)
            ring->pieces(b, ring->context, ring->position, 0);
        else
            on_its_way(b, ring, coming);
    }
}

void kp_ring_scatter_round(kp_builder *b, const struct kp_ring_scatter *ring, int64_t round)
{
    int64_t left = ring->length - 1 - ring->right;
    if (ring->position <= ring->right)
        one_side(b, ring, round, 0, ring->position, ring->right);
    if (ring->position == 0 || ring->position > ring->right)
        one_side(b, ring, round, 1, ring->position == 0 ? 0 : ring->length - ring->position, left);
    if (ring->position > 0)
        kp_build_scratch(b, ring->scratch + 2 * ring->bundle);
}
