/* Concatenation on one port, as the paper prints it.
 *
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997, Appendix B and Fig. 9. One slip is corrected:
 * line 6 counts d rounds, but the text above it and C1 want d - 1 rounds and then the last one.
 *
 * How it works. temp[0] is the own block. A processor that has h blocks sends all of them to the
 * processor h places to its left, and puts the blocks from the right behind its own. The last round
 * brings the n - 2^(d-1) missing blocks. Then temp[j] of processor p is block p + j mod n, and a
 * rotation brings the blocks to their places. `circulant` grows to the right, needs no rotation and
 * serves any k. This algorithm is kept as the oracle for it, and as the picture of Fig. 9.
 *
 * Cost. C1 = d = ceil(log2 n), C2 = b (n - 1), both the lower bounds. */
#include "kport/model.h"

#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static const char only_one_port[] = "k = 1";

static const char *serves(const kp_problem *p)
{
    return p->k == 1 ? NULL : only_one_port;
}

static int build(kp_builder *b, const kp_problem *p)
{
    int n = p->n;
    kp_build_scratch(b, n);
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_SCRATCH, 0, 1));
    for (int held = 1; held < n; held *= 2) {
        int64_t count = kp_least(held, n - held);
        kp_build_round(b);
        kp_build_send(b, 0, (p->rank + n - held) % n);
        kp_build_piece(b, kp_run_of(KP_SCRATCH, 0, count));
        kp_build_receive(b, 0, (p->rank + held) % n);
        kp_build_piece(b, kp_run_of(KP_SCRATCH, held, count));
    }
    kp_build_move(b, kp_run_of(KP_SCRATCH, 0, n), kp_run_of(KP_IN, p->rank, n));
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)kp_ceil_log((uint64_t)p->n, 2);
    *c2 = kp_times(p->b, (uint64_t)p->n - 1);
}

const kp_algorithm kp_concat_literal = {
    .operation = KP_CONCAT,
    .name = "literal",
    .summary = "the paper's pseudocode for one port, to the left, with a rotation at the end",
    .source = "Bruck et al. 1997, Appendix B",
    .symmetry = KP_CYCLIC,
    .restriction = only_one_port,
    .serves = serves,
    .build = build,
    .stated_cost = stated_cost,
};
