/* Concatenation by recursive doubling, generalized to k ports.
 *
 * Source: Bruck et al. 1997, section 4, its references 20 (hypercube, k = 1) and 4 (generalized
 * hypercube). The algorithm needs n = (k + 1)^d.
 *
 * How it works. Ranks are written in radix k + 1. Before round t = 0 ... d - 1 a processor has
 * (k + 1)^t blocks: those of the processors whose ranks agree with its own rank in digit t and all
 * higher digits. In round t the k + 1 processors whose ranks differ only in digit t send each other
 * all their blocks. The schedule is written for rank 0. For another rank, the rank is added to each
 * peer and position, digit by digit without carries. For k = 1 this sum is the exclusive or.
 *
 * Cost. C1 = d = log_{k+1} n. C2 = b (n - 1) / k. Both are the lower bounds. */
#include "kport/model.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"
#include "lib/schedule/symmetry.h"

static const char restriction[] = "n a power of k + 1";

static const char *serves(const kp_problem *p)
{
    int64_t power = 1;
    while (power < p->n)
        power *= p->k + 1;
    return power == p->n ? NULL : restriction;
}

/* Adds the blocks of the processors p->rank + i, i = first ... first + count - 1. The sum is made
 * digit by digit without carries. */
static void build_blocks(kp_builder *b, const kp_problem *p, int64_t first, int64_t count)
{
    for (int64_t i = first; i < first + count; i++)
        kp_build_piece(b, kp_run_of(KP_IN, kp_digit_sum(p->rank, i, p->k + 1), 1));
}

static int build(kp_builder *b, const kp_problem *p)
{
    int64_t radix = p->k + 1;
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int64_t held = 1; held < p->n; held *= radix) {
        kp_build_round(b);
        for (int port = 0; port < p->k; port++) {
            int64_t distance = (port + 1) * held, back = (p->k - port) * held;
            kp_build_send(b, port, (int)kp_digit_sum(p->rank, distance, radix));
            build_blocks(b, p, 0, held);
            kp_build_receive(b, port, (int)kp_digit_sum(p->rank, back, radix));
            build_blocks(b, p, back, held);
        }
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)kp_ceil_log((uint64_t)p->n, (uint64_t)p->k + 1);
    *c2 = kp_times(p->b, (uint64_t)(p->n - 1) / (uint64_t)p->k);
}

const kp_algorithm kp_concat_recursive_doubling = {
    .operation = KP_CONCAT,
    .name = "recursive-doubling",
    .summary = "k + 1 neighbours in one digit exchange all they hold",
    .source = "Bruck et al. 1997, section 4, references 4 and 20",
    .symmetry = KP_DIGITS,
    .restriction = restriction,
    .serves = serves,
    .build = build,
    .stated_cost = stated_cost,
};
