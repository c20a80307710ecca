/* Concatenation through a shared memory.
 *
 * Source: Saad and Schultz 1986, section 3.3, shared memory. Serves k = n - 1.
 *
 * How it works. a processors at a time write their block to the memory; when all have written, a at
 * a time read from it what is for them (memory.h).
 *
 * Cost, a processors at once, n > 1: C1 = ceil(n / a), C2 = b C1; the rounds that write send
 * nothing. 0 for n = 1. */
#include "lib/algorithms/memory.h"
#include "lib/algorithms/table.h"

static int build(kp_builder *b, const kp_problem *p)
{
    kp_memory_exchange(b, p, 0);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_memory_cost(p, p->n > 1 ? p->n : 0, c1, c2);
}

const kp_algorithm kp_concat_shared_memory = {
    .operation = KP_CONCAT,
    .name = "shared-memory",
    .summary = "all write to a shared memory, then read from it, some at a time",
    .source = "Saad and Schultz 1986, section 3.3, shared memory",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {KP_MEMORY_PARAMETER(kp_memory_all, "n")},
    .restriction = kp_memory_restriction,
    .serves = kp_memory_serves,
    .build = build,
    .stated_cost = stated_cost,
};
