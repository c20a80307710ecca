/* Exclusive scan by a shift, and then by windows that grow by a factor of k + 1 in each round.
 *
 * Source: Hillis and Steele 1986, for k ports; the shift is folklore.
 *
 * How it works. In the first round every processor r sends its operand to the processors
 * r + 1 ... r + k, and combines the operands that it receives. So it has the sum of a window of at
 * most k ranks that ends with rank r - 1. The other rounds are those of scan_doubling.c, except
 * that processor 0 sends nothing, because its window is empty.
 *
 * Cost. C1 = 1 + t, where t is the least number with k (k + 1)^t >= n - 1. C2 = b C1. If n = 1,
 * C1 = C2 = 0. */
#include "lib/algorithms/table.h"
#include "lib/algorithms/windows.h"
#include "lib/schedule/arithmetic.h"

static void build_shift(struct kp_window *w)
{
    const kp_problem *p = w->p;
    kp_piece first = kp_window_next(w);
    kp_build_round(w->b);
    for (int q = 1; q <= p->k && p->rank + q < p->n; q++) {
        kp_build_send(w->b, q - 1, p->rank + q);
        kp_build_piece(w->b, kp_run_of(KP_OUT, 0, 1));
    }
    for (int q = 1; q <= p->k && q <= p->rank; q++) {
        if (q == 1)
            kp_build_receive(w->b, 0, p->rank - 1);
        else
            kp_build_combine(w->b, q - 1, p->rank - q, KP_LEFT);
        kp_build_piece(w->b, first);
    }
    w->sum = first;
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_window w = {.b = b, .p = p, .lowest = 1};
    if (p->n == 1)
        return KP_OK;
    w.changes = 1;
    for (int64_t width = p->k; width < p->rank; width *= p->k + 1)
        w.changes++;
    kp_build_scratch(b, 1);
    build_shift(&w);
    for (int64_t width = p->k; width < p->n - 1; width *= p->k + 1)
        kp_window_round(&w, width);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = p->n > 1;
    for (uint64_t width = (uint64_t)p->k; width < (uint64_t)p->n - 1; width *= (uint64_t)p->k + 1)
        ++*c1;
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_scan_exclusive_doubling = {
    .operation = KP_SCAN_EXCLUSIVE,
    .name = "doubling",
    .summary = "a shift, then windows that grow by a factor of k + 1",
    .source = "Hillis and Steele 1986, with k ports",
    .symmetry = KP_NO_SYMMETRY,
    .build = build,
    .stated_cost = stated_cost,
};
