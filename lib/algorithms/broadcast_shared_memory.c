/* Broadcast through a shared memory.
 *
 * Source: Saad and Schultz 1986, section 3.2, shared memory.
 *
 * How it works. The root writes its block to the memory; then the others read, a at a
 * time.
 *
 * Cost, a processors at once, at most k: C1 = ceil((n - 1) / a), C2 = b C1; the round that writes
 * sends nothing. */
#include "lib/algorithms/memory.h"
#include "lib/algorithms/table.h"

static int build(kp_builder *b, const kp_problem *p)
{
    if (p->n == 1)
        return KP_OK;
    kp_build_scratch(b, 1);
    kp_build_round(b);
    if (p->rank == 0) {
        kp_build_move(b, kp_run_of(KP_IN, 0, 1), kp_run_of(KP_SCRATCH, 0, 1));
    }
    for (int i = 1; i < p->n; i++) {
        int port = (int)((i - 1) % p->values[0]);
        if (port == 0)
            kp_build_round(b);
        if (p->rank == 0) {
            kp_build_send(b, port, i);
            kp_build_piece(b, kp_run_of(KP_SCRATCH, 0, 1));
        } else if (p->rank == i) {
            kp_build_receive(b, port, 0);
            kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
        }
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_memory_cost(p, p->n - 1, c1, c2);
}

const kp_algorithm kp_broadcast_shared_memory = {
    .operation = KP_BROADCAST,
    .name = "shared-memory",
    .summary = "the root writes to a shared memory, the others read, some at a time",
    .source = "Saad and Schultz 1986, section 3.2, shared memory",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {KP_MEMORY_PARAMETER(kp_memory_readers, "k")},
    .build = build,
    .stated_cost = stated_cost,
};
