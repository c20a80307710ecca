/* Index on the optical machine, in which one message enters and one leaves each processor in a
 * round.
 *
 * Source: Gerbessiotis and Valiant 1994; Rao, Suel, Tsantilas and Goudreau 1995, section 2, Fact 1.
 *
 * How it works. There are n phases. In phase j every processor i sends its block for processor
 * (i + j) mod n to that processor. In phase 0 a processor copies its own block, so this phase is
 * not a round.
 *
 * Cost. C1 = n - 1 and C2 = b (n - 1), for any number of ports. */
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

static int build(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int phase = 1; phase < p->n; phase++) {
        int to = (int)kp_mod((int64_t)p->rank + phase, p->n);
        int from = (int)kp_mod((int64_t)p->rank - phase, p->n);
        kp_build_round(b);
        kp_build_send(b, 0, to);
        kp_build_piece(b, kp_run_of(KP_OUT, to, 1));
        kp_build_receive(b, 0, from);
        kp_build_piece(b, kp_run_of(KP_IN, from, 1));
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)p->n - 1;
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_index_phases = {
    .operation = KP_INDEX,
    .name = "phases",
    .summary =
        "phase j: every processor i to i + j; one message out and in, as on an optical machine",
    .source = "Gerbessiotis and Valiant 1994; Rao et al. 1995, section 2, Fact 1",
    .symmetry = KP_CYCLIC,
    .build = build,
    .stated_cost = stated_cost,
};
