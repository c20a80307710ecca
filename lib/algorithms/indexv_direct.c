/* Index of blocks with lengths of their own, in which each block goes straight to its receiver.
 *
 * Source: folklore. MPI libraries do this for long messages of MPI_Alltoallv. It is like
 * index_pairwise.c, with the sum of ranks modulo n in place of the exclusive or, so it serves every
 * n.
 *
 * How it works. For i = 1 ... n - 1 every processor p sends to processor p + i (mod n) its block
 * for that processor. A round has k values of i, one for each port. No lengths travel, because the
 * receiver of a block knows the block's length.
 *
 * Cost. Let b be the length of the longest block. C1 = ceil((n - 1) / k). If all blocks have length
 * b, C2 = b ceil((n - 1) / k). */
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static int build(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int i = 1; i < p->n; i++) {
        int port = (i - 1) % p->k, to = (p->rank + i) % p->n, from = (p->rank + p->n - i) % p->n;
        if (port == 0)
            kp_build_round(b);
        kp_build_send(b, port, to);
        kp_build_piece(b, kp_run_of(KP_OUT, to, 1));
        kp_build_receive(b, port, from);
        kp_build_piece(b, kp_run_of(KP_IN, from, 1));
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = kp_ceil_div((uint64_t)p->n - 1, (uint64_t)p->k);
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_indexv_direct = {
    .operation = KP_INDEXV,
    .name = "direct",
    .summary = "every block straight to its place, k of them in a round",
    .source = "folklore",
    .symmetry = KP_CYCLIC,
    .build = build,
    .stated_cost = stated_cost,
};
