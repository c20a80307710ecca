/* Concatenation around a ring of neighbours in the hypercube (daisy chain).
 *
 * Source: Saad and Schultz 1985, section 4.1, where a Gray code puts the ring into the hypercube.
 * The algorithm needs n = 2^d.
 *
 * How it works. Position g of the ring is processor g xor floor(g / 2). So the processors at
 * consecutive positions are neighbours in the hypercube. The processors at the last and the first
 * position are neighbours, too. In the first round each processor sends its own block to the next
 * position. In every later round it sends the block that it received in the round before. It uses
 * one port. Each link of the ring carries one direction only.
 *
 * Cost. C1 = n - 1. C2 = b (n - 1). */
#include "lib/algorithms/hypercube.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static int processor_at(int64_t position, int n)
{
    int on_ring = (int)kp_mod(position, n);
    return on_ring ^ on_ring >> 1;
}

/* Returns the position of a processor on the ring, which is the inverse of the Gray code. Bit i of
 * the position is the exclusive or of bit i and all higher bits of the rank. */
static int position_of(int processor)
{
    int position = 0;
    for (; processor > 0; processor >>= 1)
        position ^= processor;
    return position;
}

static int build(kp_builder *b, const kp_problem *p)
{
    int n = p->n, position = position_of(p->rank);
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int t = 0; t < n - 1; t++) {
        kp_build_round(b);
        kp_build_send(b, 0, processor_at(position + 1, n));
        kp_build_piece(b, kp_run_of(KP_IN, processor_at(position - t, n), 1));
        kp_build_receive(b, 0, processor_at(position - 1, n));
        kp_build_piece(b, kp_run_of(KP_IN, processor_at(position - t - 1, n), 1));
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)p->n - 1;
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_concat_gray_ring = {
    .operation = KP_CONCAT,
    .name = "gray-ring",
    .summary = "every block around a ring of neighbours in the hypercube",
    .source = "Saad and Schultz 1985, section 4.1, daisy chain",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = kp_hypercube_restriction,
    .serves = kp_hypercube_serves,
    .build = build,
    .stated_cost = stated_cost,
};
