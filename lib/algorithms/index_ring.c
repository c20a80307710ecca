/* Index around a ring. The data rotate, and every processor keeps its piece.
 *
 * Source: Saad and Schultz 1986, section 3.5, (3.43).
 *
 * How it works. In round 0 every processor sends its blocks for all others to the right. A
 * processor keeps the block that is for it and sends the other blocks on in the next round. Blocks
 * on their way lie in one of two parts of scratch, which alternate.
 *
 * Cost. C1 = n - 1. C2 = b n (n - 1) / 2. */
#include "lib/algorithms/table.h"
#include "lib/algorithms/torus.h"
#include "lib/schedule/arithmetic.h"

static int build(kp_builder *b, const kp_problem *p)
{
    int64_t n = p->n, room = n > 2 ? n - 2 : 0;
    kp_build_scratch(b, 2 * room);
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int64_t t = 0; t < n - 1; t++) {
        kp_build_round(b);
        kp_build_send(b, 0, (int)((p->rank + 1) % n));
        kp_build_piece(b, t == 0 ? kp_run_of(KP_OUT, p->rank + 1, n - 1)
                                 : kp_run_of(KP_SCRATCH, (t - 1) % 2 * room, n - 1 - t));
        kp_build_receive(b, 0, (int)((p->rank + n - 1) % n));
        kp_build_piece(b, kp_run_of(KP_IN, p->rank - t - 1, 1));
        kp_build_piece(b, kp_run_of(KP_SCRATCH, t % 2 * room, n - 2 - t));
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)p->n - 1;
    *c2 = kp_times(p->b, *c1 * (uint64_t)p->n / 2);
}

const kp_algorithm kp_index_ring = {
    .operation = KP_INDEX,
    .name = "ring",
    .summary = "all blocks around a ring, each dropped at its stop",
    .source = "Saad and Schultz 1986, section 3.5, ring",
    .symmetry = KP_CYCLIC,
    .restriction = kp_ring_restriction,
    .serves = kp_ring_serves,
    .build = build,
    .stated_cost = stated_cost,
};
