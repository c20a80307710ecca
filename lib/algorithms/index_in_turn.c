/* Index in which the processors send in turn, as on a bus.
 *
 * Source: Saad and Schultz 1986, section 3.5, on the bus: each processor in turn broadcasts all its
 * data. The algorithm needs k = n - 1.
 *
 * How it works. In round t processor t sends the same message to all other processors: all its
 * blocks except the block for itself. On a bus this is one transfer. A receiver stores the block
 * for itself in the incoming buffer, and the other blocks in scratch, where they are never read.
 *
 * Cost. C1 = n and C2 = b n (n - 1); if n = 1, C1 = C2 = 0. */
#include "lib/algorithms/in_turn.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static void hear(kp_builder *b, const kp_problem *p, int speaker)
{
    int64_t before = kp_mod((int64_t)p->rank - speaker - 1, p->n);
    kp_build_receive(b, 0, speaker);
    kp_build_piece(b, kp_run_of(KP_SCRATCH, 0, before));
    kp_build_piece(b, kp_run_of(KP_IN, speaker, 1));
    kp_build_piece(b, kp_run_of(KP_SCRATCH, before, p->n - 2 - before));
}

static int build(kp_builder *b, const kp_problem *p)
{
    kp_build_scratch(b, p->n > 2 ? p->n - 2 : 0);
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int t = 0; t < p->n && p->n > 1; t++) {
        kp_build_round(b);
        for (int peer = 0, port = 0; peer < p->n && p->rank == t; peer++) {
            if (peer == t)
                continue;
            kp_build_send(b, port++, peer);
            kp_build_piece(b, kp_run_of(KP_OUT, t + 1, p->n - 1));
        }
        if (p->rank != t)
            hear(b, p, t);
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = p->n > 1 ? (uint64_t)p->n : 0;
    *c2 = kp_times(p->b, *c1 * ((uint64_t)p->n - 1));
}

const kp_algorithm kp_index_in_turn = {
    .operation = KP_INDEX,
    .name = "in-turn",
    .summary = "one processor after the other sends all its blocks to all",
    .source = "Saad and Schultz 1986, section 3.5, bus",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = kp_in_turn_restriction,
    .serves = kp_in_turn_serves,
    .build = build,
    .stated_cost = stated_cost,
};
