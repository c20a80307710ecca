/* Broadcast through a shared memory.
 *
 * Source: Saad and Schultz 1986, section 3.2, shared memory.
 *
 * How it works. The root writes its block to the memory; then the others read, a at a time
 * (memory.h).
 *
 * Cost, a processors at once, at most k: C1 = ceil((n - 1) / a), C2 = b C1; the round that writes
 * sends nothing. */
#include "lib/algorithms/memory.h"
#include "lib/algorithms/table.h"

static int build(kp_builder *b, const kp_problem *p)
{
    kp_memory_from_root(b, p, 0);
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
