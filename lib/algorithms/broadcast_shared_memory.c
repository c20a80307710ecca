/* Broadcast through a shared memory.
 *
 * Source: Saad and Schultz 1986, section 3.2, shared memory.
 *
 * How it works. The root writes its block to the memory. Then the other processors read the block,
 * at most `a` of them in a round (memory.h). `a` is the parameter at_once.
 *
 * Cost. C1 = ceil((n - 1) / a) and C2 = b C1, where a <= k. C1 does not count the round in which
 * the root writes, because it has no messages. */
#include "lib/algorithms/memory.h"
#include "lib/algorithms/table.h"

const kp_algorithm kp_broadcast_shared_memory = {
    .operation = KP_BROADCAST,
    .name = "shared-memory",
    .summary = "the root writes to a shared memory, the others read, some at a time",
    .source = "Saad and Schultz 1986, section 3.2, shared memory",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {KP_MEMORY_PARAMETER(kp_memory_readers, "k")},
    .build = kp_memory_from_root,
    .stated_cost = kp_memory_cost,
};
