/* Gather in both directions around a ring. It is the scatter backwards.
 *
 * Source: Saad and Schultz 1986, section 3.4: a gather is a scatter with reversed paths. The
 * schedule is that of scatter_ring.c with the rounds in reverse order and every message reversed
 * (mirror.c).
 *
 * Cost, as the scatter. C1 = floor(n / 2), with one port n - 1. C2 = b C1. */
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
