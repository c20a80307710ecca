/* Concatenation in which the processors send in turn, as on a bus.
 *
 * Source: Saad and Schultz 1986, section 3.3, (3.26), on the bus. The algorithm needs k = n - 1.
 *
 * How it works. In round t processor t sends its block on all ports, to all other processors.
 *
 * Cost. C1 = n and C2 = b n; if n = 1, C1 = C2 = 0. */
#include "lib/algorithms/in_turn.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static int build(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int t = 0; t < p->n && p->n > 1; t++) {
        kp_build_round(b);
        for (int peer = 0, port = 0; peer < p->n && p->rank == t; peer++) {
            if (peer == t)
                continue;
            kp_build_send(b, port++, peer);
            kp_build_piece(b, kp_run_of(KP_IN, t, 1));
        }
        if (p->rank != t) {
            kp_build_receive(b, 0, t);
            kp_build_piece(b, kp_run_of(KP_IN, t, 1));
        }
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = p->n > 1 ? (uint64_t)p->n : 0;
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_concat_in_turn = {
    .operation = KP_CONCAT,
    .name = "in-turn",
    .summary = "one processor after the other sends its block to all",
    .source = "Saad and Schultz 1986, section 3.3, bus",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = kp_in_turn_restriction,
    .serves = kp_in_turn_serves,
    .build = build,
    .stated_cost = stated_cost,
};
