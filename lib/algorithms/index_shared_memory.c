/* Index through a shared memory.
 *
 * Source: Saad and Schultz 1986, section 3.5, shared memory. Serves k = n - 1.
 *
 * How it works. a processors at a time write their blocks to the memory; when all have written, a
 * at a time read from it what is for them (memory.h).
 *
 * Cost, a processors at once, n > 1: C1 = ceil(n / a), C2 = b C1; the rounds that write send
 * nothing. 0 for n = 1. */
#include "lib/algorithms/memory.h"
#include "lib/algorithms/table.h"

const kp_algorithm kp_index_shared_memory = {
    .operation = KP_INDEX,
    .name = "shared-memory",
    .summary = "all write to a shared memory, then read from it, some at a time",
    .source = "Saad and Schultz 1986, section 3.5, shared memory",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {KP_MEMORY_PARAMETER(kp_memory_all, "n")},
    .restriction = kp_memory_restriction,
    .serves = kp_memory_serves,
    .build = kp_memory_exchange,
    .stated_cost = kp_memory_cost,
};
