/* Reduce-scatter by single messages, which combines operands in the order of the ranks. So the
 * operator need not be commutative.
 *
 * Source: folklore. MPICH too uses pairwise exchanges for such operators. The messages go between
 * the same processors as in indexv_direct.c.
 *
 * How it works. In step t = 1 ... n - 1 processor j receives an operand for its result from
 * processor j - t (mod n). A round has k steps, one for each port. First the operands of the lower
 * ranks j - 1 ... 0 arrive. Each of them becomes the left operand of a sum that begins with the
 * processor's own operand. Then the operands of the ranks n - 1 ... j + 1 arrive. Each of them
 * becomes the left operand of a second sum. At the end the second sum becomes the right operand of
 * the first.
 *
 * Cost. C1 = ceil((n - 1) / k), C2 = b C1. */
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static void build_receive(kp_builder *b, const kp_problem *p, int port, int t)
{
    kp_piece below = kp_run_of(KP_IN, 0, 1), above = kp_run_of(KP_SCRATCH, 0, 1);
    int from = (p->rank - t + p->n) % p->n;
    if (from == p->n - 1) {
        kp_build_receive(b, port, from);
        kp_build_piece(b, above);
        return;
    }
    kp_build_combine(b, port, from, KP_LEFT);
    kp_build_piece(b, from < p->rank ? below : above);
    if (t == 1)
        kp_build_operand(b, kp_run_of(KP_OUT, p->rank, 1));
}

static int build(kp_builder *b, const kp_problem *p)
{
    kp_piece result = kp_run_of(KP_IN, 0, 1);
    kp_build_scratch(b, p->rank < p->n - 1);
    for (int t = 1; t < p->n; t++) {
        int port = (t - 1) % p->k, to = (p->rank + t) % p->n;
        if (port == 0)
            kp_build_round(b);
        kp_build_send(b, port, to);
        kp_build_piece(b, kp_run_of(KP_OUT, to, 1));
        build_receive(b, p, port, t);
    }
    if (p->rank == 0)
        kp_build_move(b, kp_run_of(KP_OUT, 0, 1), result);
    if (p->rank < p->n - 1)
        kp_build_fold(b, kp_run_of(KP_SCRATCH, 0, 1), result, KP_RIGHT);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = kp_ceil_div((uint64_t)p->n - 1, (uint64_t)p->k);
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_reduce_scatter_pairwise = {
    .operation = KP_REDUCE_SCATTER,
    .name = "pairwise",
    .summary = "every block straight to its processor; any operator",
    .source = "folklore; the pairwise exchange of MPI libraries",
    .symmetry = KP_NO_SYMMETRY,
    .build = build,
    .stated_cost = stated_cost,
};
