/* Broadcast of the whole block along the (k + 1)-ary tree.
 *
 * Source: Bruck et al. 1997, Proposition 2.1, whose proof describes this tree. For k = 1 and
 * n = 2^d it is the broadcast on the spanning binomial tree of Saad and Schultz 1985.
 *
 * How it works. Before round t the processors 0 ... (k + 1)^t - 1 have the block. In round t each
 * such processor p sends the block to the processors p + q (k + 1)^t, q = 1 ... k, as far as these
 * ranks are below n.
 *
 * Cost. Let d = ceil(log_{k+1} n). C1 = d, the minimum. C2 = b d. */
#include "kport/model.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static int build(kp_builder *b, const kp_problem *p)
{
    int64_t n = p->n, rank = p->rank;
    for (int64_t reached = 1; reached < n; reached *= p->k + 1) {
        kp_build_round(b);
        for (int q = 1; rank < reached && q <= p->k && rank + q * reached < n; q++) {
            kp_build_send(b, q - 1, (int)(rank + q * reached));
            kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
        }
        if (rank >= reached && rank / reached <= p->k) {
            kp_build_receive(b, (int)(rank / reached) - 1, (int)(rank % reached));
            kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
        }
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)kp_ceil_log((uint64_t)p->n, (uint64_t)p->k + 1);
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_broadcast_tree = {
    .operation = KP_BROADCAST,
    .name = "tree",
    .summary = "the whole block down a (k + 1)-ary tree; least rounds",
    .source = "Bruck et al. 1997, Proposition 2.1; Saad and Schultz 1985, broadcast",
    .symmetry = KP_NO_SYMMETRY,
    .build = build,
    .stated_cost = stated_cost,
};
