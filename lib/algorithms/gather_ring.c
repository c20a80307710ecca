/* Gather around a ring, from both directions.
 *
 * Source: Saad and Schultz 1986, section 3.4: a gather is a scatter with reversed paths. The
 * schedule is that of scatter_ring.c backwards: the last round comes first, and every message goes
 * from its receiver to its sender (mirror.c).
 *
 * Cost. It is the same as that of the scatter. C1 = floor(n / 2), or C1 = n - 1 on one port. C2 = b
 * C1. */
#include "lib/algorithms/table.h"
#include "lib/algorithms/torus.h"

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_scatter_ring.stated_cost(p, c1, c2);
}

const kp_algorithm kp_gather_ring = {
    .operation = KP_GATHER,
    .name = "ring",
    .summary = "both ways around a ring, the nearest first",
    .source = "Saad and Schultz 1986, section 3.4",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = kp_ring_restriction,
    .serves = kp_ring_serves,
    .mirror_of = &kp_scatter_ring,
    .stated_cost = stated_cost,
};
