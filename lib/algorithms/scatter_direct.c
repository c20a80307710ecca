/* Scatter in which the root sends every block straight to its receiver.
 *
 * Source: Saad and Schultz 1986, section 3.4, (3.36), on the bus, which carries one message at a
 * time.
 *
 * How it works. In each round the root sends k blocks, one on each port.
 *
 * Cost. C1 = ceil((n - 1) / k). C2 = b ceil((n - 1) / k). */
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static int build(kp_builder *b, const kp_problem *p)
{
    if (p->rank == 0)
        kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
    for (int i = 1; i < p->n; i++) {
        int port = (i - 1) % p->k;
        if (port == 0)
            kp_build_round(b);
        if (p->rank == 0) {
            kp_build_send(b, port, i);
            kp_build_piece(b, kp_run_of(KP_OUT, i, 1));
        } else if (p->rank == i) {
            kp_build_receive(b, port, 0);
            kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
        }
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = kp_ceil_div((uint64_t)p->n - 1, (uint64_t)p->k);
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_scatter_direct = {
    .operation = KP_SCATTER,
    .name = "direct",
    .summary = "every block on its own, k in a round",
    .source = "Saad and Schultz 1986, section 3.4, bus",
    .symmetry = KP_NO_SYMMETRY,
    .build = build,
    .stated_cost = stated_cost,
};
