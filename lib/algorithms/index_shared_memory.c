/* Index through a shared memory.
 *
 * Source: Saad and Schultz 1986, section 3.5, shared memory. Serves k = n - 1.
 *
 * How it works. All processors, a at a time, write their blocks to the memory. Then all, a at a
 * time, read the blocks that are for them (memory.h).
 *
 * Cost. For n > 1, C1 = ceil(n / a) and C2 = b C1. The rounds that write do not count, because they
 * send nothing. For n = 1 both are 0. */
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
