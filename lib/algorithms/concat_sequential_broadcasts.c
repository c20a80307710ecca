/* Concatenation as n broadcasts on the hypercube, one after the other (SBA). It is the naive
 * algorithm, for comparison.
 *
 * Source: Saad and Schultz 1985, section 4.1, the Sequential Broadcasting Algorithm. In the paper a
 * broadcast may be pipelined in packets, but here a block is one message. The algorithm needs
 * n = 2^d.
 *
 * How it works. Processors 0, 1, ..., n - 1 broadcast in turn, each down the spanning binomial tree
 * of which it is the root. The label of a processor is its rank xor the root's rank. Before round t
 * of a broadcast the 2^t processors with a label below 2^t have the root's block. In round t these
 * processors send the block over link t, to the neighbours whose ranks differ in bit t. One port is
 * used.
 *
 * Cost. C1 = n d. C2 = b n d. */
#include "lib/algorithms/hypercube.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static void build_broadcast(kp_builder *b, const kp_problem *p, int root)
{
    int away = p->rank ^ root;
    for (int link = 1; link < p->n; link *= 2) {
        kp_build_round(b);
        if (away >= 2 * link)
            continue;
        if (away < link)
            kp_build_send(b, 0, p->rank ^ link);
        else
            kp_build_receive(b, 0, p->rank ^ link);
        kp_build_piece(b, kp_run_of(KP_IN, root, 1));
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int root = 0; root < p->n; root++)
        build_broadcast(b, p, root);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)p->n * (uint64_t)kp_hypercube_dimensions(p->n);
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_concat_sequential_broadcasts = {
    .operation = KP_CONCAT,
    .name = "sequential-broadcasts",
    .summary = "a broadcast on a binomial tree from every processor in turn",
    .source = "Saad and Schultz 1985, section 4.1, SBA",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = kp_hypercube_restriction,
    .serves = kp_hypercube_serves,
    .build = build,
    .stated_cost = stated_cost,
};
