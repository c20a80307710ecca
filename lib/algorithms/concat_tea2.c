/* Concatenation over all links of the hypercube at once, in which each block enters each processor
 * once (TEA2).
 *
 * Source: Saad and Schultz 1985, section 4.3, Total Exchange Algorithm (Optimal). The printed
 * algorithm sends a block several times if the block's label (see below) equals one of its own
 * rotations. Here such a label gets one link like every other label (hypercube.c). The algorithm
 * needs n = 2^d.
 *
 * How it works. For a receiver B, the label of the block of processor T is T xor B. In step
 * i = 1 ... d every processor B receives the blocks of all processors at distance i, whose labels
 * have i bits set. Each label is assigned to one of its set bits, j. The block with this label
 * comes over link j from processor B xor 2^j, which received the block in step i - 1.
 *
 * Labels that are rotations of each other form a class. A class with c labels is assigned to c
 * consecutive links: link j gets the class's least label rotated by j positions. The next class of
 * the same weight begins at the link after these. Let q_i and m_i be the quotient and the remainder
 * of C(d, i) / d. In step i the first m_i links carry q_i + 1 blocks, and the others carry q_i. k
 * consecutive links share a round. Ports above d are not used. A link carries both directions at
 * once.
 *
 * Cost. For n > 1, C1 = (d - 1) ceil(d / k) + 1, because the last step has a single block.
 *   C2 = b times the sum over i = 1 ... d of (q_i ceil(d / k) + ceil(m_i / k)).
 * For k >= d each term of the sum is ceil(C(d, i) / d). For d = 1 ... 10 the sums are then 1, 2, 3,
 * 5, 7, 13, 19, 34, 59, 105. */
#include "lib/algorithms/hypercube.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static void build_step(kp_builder *b, const kp_problem *p, const struct kp_shares *shares,
                       int weight)
{
    for (int link = 0; link < shares->d && kp_shares_any(shares, weight, weight, link); link++) {
        int port = link % p->k, peer = p->rank ^ 1 << link;
        if (port == 0)
            kp_build_round(b);
        kp_build_send(b, port, peer);
        kp_shares_build_pieces(b, shares, weight, weight, link, peer);
        kp_build_receive(b, port, peer);
        kp_shares_build_pieces(b, shares, weight, weight, link, p->rank);
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_shares shares;
    if (!kp_shares_make(&shares, kp_hypercube_dimensions(p->n)))
        return KP_EMEMORY;
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int weight = 1; weight <= shares.d; weight++)
        build_step(b, p, &shares, weight);
    kp_shares_free(&shares);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    int d = kp_hypercube_dimensions(p->n);
    uint64_t blocks = 0;
    *c1 = 0;
    for (int weight = 1; weight <= d; weight++)
        kp_shares_add_step(d, p->k, weight, weight, c1, &blocks);
    *c2 = kp_times(p->b, blocks);
}

const kp_algorithm kp_concat_tea2 = {
    .operation = KP_CONCAT,
    .name = "tea2",
    .summary = "over all links of the hypercube, each block once into each processor",
    .source = "Saad and Schultz 1985, section 4.3, TEA2",
    .symmetry = KP_XOR,
    .restriction = kp_hypercube_restriction,
    .serves = kp_hypercube_serves,
    .build = build,
    .stated_cost = stated_cost,
};
