/* Scan by windows that grow by a factor of k + 1 in each round.
 *
 * Source: Hillis and Steele 1986, "Data parallel algorithms", for k = 1; here for k ports.
 *
 * How it works. The window of processor r is a range of ranks that ends with r. Before round t it
 * has (k + 1)^t ranks, or r + 1 if this is less. The processor has the sum of the window, which is
 * the combination of the operands of these ranks. In round t it sends this sum to the processors
 * r + q (k + 1)^t, q = 1 ... k. It combines each received sum, as the left operand, with its own
 * sum, beginning with the sum of the nearest sender. A round must not overwrite data that it sends,
 * so the sum alternates between the incoming buffer and scratch.
 *
 * Cost. Let d = ceil(log_{k+1} n). C1 = d, the minimum. C2 = b d. */
#include "kport/model.h"
#include "lib/algorithms/table.h"
#include "lib/algorithms/windows.h"
#include "lib/schedule/arithmetic.h"

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_window w = {.b = b, .p = p, .lowest = 0, .sum = kp_run_of(KP_OUT, 0, 1)};
    for (int64_t width = 1; width <= p->rank; width *= p->k + 1)
        w.changes++;
    kp_build_scratch(b, 1);
    if (p->rank == 0)
        kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
    for (int64_t width = 1; width < p->n; width *= p->k + 1)
        kp_window_round(&w, width);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)kp_ceil_log((uint64_t)p->n, (uint64_t)p->k + 1);
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_scan_doubling = {
    .operation = KP_SCAN,
    .name = "doubling",
    .summary = "windows that grow by a factor of k + 1; least rounds",
    .source = "Hillis and Steele 1986, with k ports",
    .symmetry = KP_NO_SYMMETRY,
    .build = build,
    .stated_cost = stated_cost,
};
