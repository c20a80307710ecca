/* Index by exchanges between pairs of processors.
 *
 * Source: folklore. It is the direct exchange (indexv_direct.c) with the exclusive or of ranks in
 * place of their sum. The algorithm needs n = 2^d.
 *
 * How it works. For i = 1 ... n - 1 the processors p and p xor i form a pair and send each other
 * the block that the other processor needs. So each i makes n / 2 pairs. A round has k values of i,
 * one for each port. Every block goes straight from the outgoing buffer of its sender to the
 * incoming buffer of its receiver.
 *
 * Cost. C1 = ceil((n - 1) / k). C2 = b ceil((n - 1) / k). */
#include "lib/algorithms/hypercube.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static int build(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int i = 1; i < p->n; i++) {
        int port = (i - 1) % p->k, peer = p->rank ^ i;
        if (port == 0)
            kp_build_round(b);
        kp_build_send(b, port, peer);
        kp_build_piece(b, kp_run_of(KP_OUT, peer, 1));
        kp_build_receive(b, port, peer);
        kp_build_piece(b, kp_run_of(KP_IN, peer, 1));
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = kp_ceil_div((uint64_t)p->n - 1, (uint64_t)p->k);
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_index_pairwise = {
    .operation = KP_INDEX,
    .name = "pairwise",
    .summary = "every pair exchanges its two blocks, k pairs of a processor in a round",
    .source = "folklore",
    .symmetry = KP_XOR,
    .restriction = kp_hypercube_restriction,
    .serves = kp_hypercube_serves,
    .build = build,
    .stated_cost = stated_cost,
};
