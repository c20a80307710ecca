/* A barrier by dissemination with k ports.
 *
 * Source: Hensgen, Finkel, Manber 1988, "Two algorithms for barrier synchronization", for k = 1.
 * With k ports it is the concatenation of Bruck et al. 1997, section 4, with blocks of no bytes.
 *
 * How it works. A block is the news that its processor has come. Before round t = 0, 1, ... a
 * processor p has heard of the w = (k + 1)^t processors p - w + 1 ... p; ranks count modulo n. In
 * the round it sends a message to each of the processors p + q w, q = 1 ... k, q w < n. This
 * message says that all these w processors have come, or, in the last round, those of them of which
 * its receiver has not heard yet. A message has no bytes: that it comes is the news. So a message
 * counts in C1, and adds 0 to C2.
 *
 * Cost. C1 = ceil(log_{k+1} n), the lower bound. C2 = 0. */
#include "kport/model.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static int build(kp_builder *b, const kp_problem *p)
{
    const int64_t n = p->n;
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int64_t held = 1; held < n; held *= p->k + 1) {
        kp_build_round(b);
        for (int64_t port = 0; port < p->k && (port + 1) * held < n; port++) {
            const int64_t distance = (port + 1) * held, news = kp_least(held, n - distance);
            const int64_t first = p->rank - (news - 1);
            kp_build_send(b, (int)port, (int)((p->rank + distance) % n));
            kp_build_piece(b, kp_run_of(KP_IN, first, news));
            kp_build_receive(b, (int)port, (int)((p->rank + n - distance) % n));
            kp_build_piece(b, kp_run_of(KP_IN, first - distance, news));
        }
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)kp_ceil_log((uint64_t)p->n, (uint64_t)p->k + 1);
    *c2 = 0;
}

const kp_algorithm kp_barrier_dissemination = {
    .operation = KP_BARRIER,
    .name = "dissemination",
    .summary = "each round tells k processors of all that have come",
    .source = "Hensgen, Finkel, Manber 1988; Bruck et al. 1997, section 4",
    .symmetry = KP_CYCLIC,
    .build = build,
    .stated_cost = stated_cost,
};
