/* Index around a ring.
 *
 * Source: Saad and Schultz 1986, section 3.5, (3.43).
 *
 * How it works. In round 0 every processor sends all blocks for other processors to its right
 * neighbour, the next higher rank. In every later round it sends the blocks that it received in the
 * round before, except the block for itself, which it keeps. Blocks in transit lie in scratch,
 * which has two parts for alternate rounds.
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
