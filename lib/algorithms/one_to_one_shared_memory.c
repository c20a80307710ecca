/* One to one through a shared memory.
 *
 * Source: Saad and Schultz 1986, section 3.1, (3.2).
 *
 * How it works. In the first round the root writes its block to the memory, which is the root's
 * scratch (memory.h). In the second round the target reads the block from there.
 *
 * Cost. C1 = 1, C2 = b. C1 does not count the first round, because it has no message. If the target
 * is the root, C1 = C2 = 0. */
#include "lib/algorithms/table.h"

static int build(kp_builder *b, const kp_problem *p)
{
    kp_piece block = kp_run_of(KP_OUT, 0, 1), memory = kp_run_of(KP_SCRATCH, 0, 1);
    if (p->root == p->target) {
        if (p->rank == p->root)
            kp_build_move(b, block, kp_run_of(KP_IN, 0, 1));
        return KP_OK;
    }
    kp_build_scratch(b, 1);
    kp_build_round(b);
    if (p->rank == p->root)
        kp_build_move(b, block, memory);
    kp_build_round(b);
    if (p->rank == p->root) {
        kp_build_send(b, 0, p->target);
        kp_build_piece(b, memory);
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

const kp_algorithm kp_one_to_one_shared_memory = {
    .operation = KP_ONE_TO_ONE,
    .name = "shared-memory",
    .summary = "the root writes to a shared memory, the target reads",
    .source = "Saad and Schultz 1986, section 3.1, shared memory",
    .symmetry = KP_NO_SYMMETRY,
    .build = build,
    .stated_cost = stated_cost,
};
