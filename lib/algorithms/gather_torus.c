/* Gather on a torus, along the columns, then along the root's row.
 *
 * Source: Saad and Schultz 1986, section 3.4: a gather is a scatter with reversed paths. The
 * schedule is that of scatter_torus.c backwards: the last round comes first, and every message goes
 * from its receiver to its sender (mirror.c).
 *
 * Cost. It is the same as that of the scatter. Let R = floor(rows / 2) and S = floor(columns / 2).
 * C1 = S + R, C2 = b (rows S + R). */
#include "lib/algorithms/table.h"
#include "lib/algorithms/torus.h"

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_scatter_torus.stated_cost(p, c1, c2);
}

const kp_algorithm kp_gather_torus = {
    .operation = KP_GATHER,
    .name = "torus",
    .summary = "up the columns of a torus, then along the root's row, both ways",
    .source = "Saad and Schultz 1986, section 3.4",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = kp_torus_two_ports_restriction,
    .serves = kp_torus_two_ports_serves,
    .own_root = 1,
    .mirror_of = &kp_scatter_torus,
    .stated_cost = stated_cost,
};
