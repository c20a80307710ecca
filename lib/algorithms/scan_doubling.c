/* Scan by windows that grow by a factor of k + 1.
 *
 * Source: Hillis and Steele 1986, "Data parallel algorithms", for k = 1; here with k ports.
 *
 * How it works. Before round t processor r has the sum of a window: the operands of the (k + 1)^t
 * processors up to r, or of all up to r if these are fewer. It sends the sum to the processors
 * q (k + 1)^t above, q = 1 ... k. It combines the sums that it receives on the left, the nearest
 * first. A round must not overwrite what it sends, so sums alternate between the incoming buffer
 * and scratch.
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
