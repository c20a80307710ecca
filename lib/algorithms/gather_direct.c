/* Gather in which every processor sends its block straight to the root.
 *
 * Source: Saad and Schultz 1986, section 3.4: a gather is a scatter with reversed paths. The
 * schedule is that of scatter_direct.c backwards: the last round comes first, and every message
 * goes from its receiver to its sender (mirror.c).
 *
 * Cost. It is the same as that of the scatter. C1 = ceil((n - 1) / k), C2 = b ceil((n - 1) / k). */
#include "lib/algorithms/table.h"

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_scatter_direct.stated_cost(p, c1, c2);
}

const kp_algorithm kp_gather_direct = {
    .operation = KP_GATHER,
    .name = "direct",
    .summary = "every block on its own, k in a round",
    .source = "Saad and Schultz 1986, section 3.4",
    .symmetry = KP_NO_SYMMETRY,
    .mirror_of = &kp_scatter_direct,
    .stated_cost = stated_cost,
};
