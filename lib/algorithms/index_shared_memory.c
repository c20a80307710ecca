/* Index through a shared memory.
 *
 * Source: Saad and Schultz 1986, section 3.5, shared memory. The algorithm needs k = n - 1.
 *
 * How it works. First all processors write their blocks to the memory. Then all of them read the
 * blocks for themselves (memory.h). At most `a` processors write or read in a round, where `a` is
 * the parameter at_once.
 *
 * Cost. C1 = ceil(n / a) and C2 = b C1; if n = 1, C1 = C2 = 0. C1 does not count the rounds in
 * which processors write, because they have no messages. */
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
