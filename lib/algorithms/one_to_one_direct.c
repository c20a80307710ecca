/* One to one over a single link, on machines with a link between every two processors.
 *
 * Source: Saad and Schultz 1986, section 3.1, bus and switch.
 *
 * Cost. C1 = 1, C2 = b. If the target is the root, C1 = C2 = 0. */
#include "lib/algorithms/table.h"

static int build(kp_builder *b, const kp_problem *p)
{
    if (p->root == p->target) {
        if (p->rank == p->root)
            kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
        return KP_OK;
    }
    kp_build_round(b);
    if (p->rank == p->root) {
        kp_build_send(b, 0, p->target);
        kp_build_piece(b, kp_run_of(KP_OUT, 0, 1));
    }
    if (p->rank == p->target) {
        kp_build_receive(b, 0, p->root);
        kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = p->root != p->target;
    *c2 = *c1 * p->b;
}

const kp_algorithm kp_one_to_one_direct = {
    .operation = KP_ONE_TO_ONE,
    .name = "direct",
    .summary = "the block in one message",
    .source = "Saad and Schultz 1986, section 3.1, bus and switch",
    .symmetry = KP_NO_SYMMETRY,
    .build = build,
    .stated_cost = stated_cost,
};
