/* Concatenation around a ring.
 *
 * Source: folklore. Bruck et al. 1997, section 4, compare their algorithm with it. It is the daisy
 * chain of Saad and Schultz 1985.
 *
 * How it works. In the first round every processor sends its own block to its right neighbour, the
 * next higher rank. In every later round it sends the block that it received from its left
 * neighbour in the round before. With two or more ports every block goes in both directions at
 * once, and each direction reaches half of the ring. If n is even, blocks go only to the right in
 * the last round.
 *
 * Cost. C1 = n - 1 on one port, and C1 = ceil((n - 1) / 2) on two or more. C2 = b C1. */
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static int rounds_of(const kp_problem *p)
{
    return p->k == 1 ? p->n - 1 : p->n / 2;
}

/* Writes one send and one receive of round t. The processor at rank p sends the block of processor
 * p - step t to its neighbour p + step. It receives the block of processor p - step (t + 1) from
 * its neighbour p - step. `step` is +1 or -1. */
static void pass_on(kp_builder *b, const kp_problem *p, int port, int step, int t)
{
    int n = p->n;
    kp_build_send(b, port, (p->rank + n + step) % n);
    kp_build_piece(b, kp_run_of(KP_IN, p->rank - (int64_t)step * t, 1));
    kp_build_receive(b, port, (p->rank + n - step) % n);
    kp_build_piece(b, kp_run_of(KP_IN, p->rank - (int64_t)step * (t + 1), 1));
}

static int build(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int t = 0; t < rounds_of(p); t++) {
        kp_build_round(b);
        pass_on(b, p, 0, +1, t);
        if (p->k > 1 && 2 * t + 2 < p->n)
            pass_on(b, p, 1, -1, t);
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)rounds_of(p);
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_concat_ring = {
    .operation = KP_CONCAT,
    .name = "ring",
    .summary = "every block around the ring; both ways where there are two ports",
    .source = "folklore; Saad and Schultz 1985, daisy chain",
    .symmetry = KP_CYCLIC,
    .build = build,
    .stated_cost = stated_cost,
};
