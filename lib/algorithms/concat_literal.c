/* Concatenation on one port, as the paper's pseudocode prints it. It serves as an independent check
 * of `circulant`, and its rounds are those of the paper's Fig. 9.
 *
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997, Appendix B and Fig. 9. One mistake is
 * corrected: line 6 runs its loop d times. By the text above line 6 and by C1, the loop has to run
 * d - 1 times, and then the last round follows.
 *
 * How it works. Every processor p has an array temp of n blocks in scratch, and temp[0] is its own
 * block. In each round a processor that has h blocks sends all of them to processor p - h (mod n).
 * It receives h blocks from processor p + h and puts them behind its own blocks. In the last round
 * a processor sends only the n - 2^(d-1) blocks that the receiver lacks. Then temp[j] of processor
 * p is the block of processor (p + j) mod n. At the end the processor copies the blocks to their
 * positions in the incoming buffer. Unlike this algorithm, `circulant` sends to higher ranks, needs
 * no copy at the end and serves any k.
 *
 * Cost. C1 = d = ceil(log2 n), C2 = b (n - 1). Both are the lower bounds. */
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
