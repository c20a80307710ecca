/* One to one around a ring, in both directions, in packets.
 *
 * Source: Saad and Schultz 1986, section 3.1, (3.5) and (3.6). The paper sends half of the data in
 * each direction, and omits the best division because it is complicated. Here the packets are
 * spread over both directions so that both end in the same round (paths.h).
 *
 * How it works. Let the target be i ranks above the root, mod n. The path to the right has i links,
 * the path to the left n - i links. With one port all packets take the shorter path.
 *
 * Cost. The head of paths.h has the formulas for C1 and C2. With one port C1 = m - 1 + L, for m
 * packets and a shorter path of L links. If the target is the root, C1 = C2 = 0. */
#include "lib/algorithms/paths.h"
#include "lib/algorithms/table.h"
#include "lib/algorithms/torus.h"
#include "lib/schedule/arithmetic.h"

enum {
    TO_THE_RIGHT,
    TO_THE_LEFT
};

static int at(const struct kp_paths *paths, int shape, int64_t hop)
{
    const kp_problem *p = paths->problem;
    return (int)kp_mod(p->root + (shape == TO_THE_LEFT ? -hop : hop), p->n);
}

static struct kp_paths paths_of(const kp_problem *p)
{
    struct kp_paths paths = {.at = at, .problem = p};
    int64_t right = kp_mod((int64_t)p->target - p->root, p->n);
    if (right > 0) {
        kp_paths_add(&paths, TO_THE_RIGHT, right);
        kp_paths_add(&paths, TO_THE_LEFT, p->n - right);
    }
    /* If n = 2, each of the two paths is a single link from the root to the target. A round may
     * have only one message between them, so only one path is used. */
    kp_paths_keep(&paths, p->n == 2 ? 1 : p->k);
    return paths;
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_paths paths = paths_of(p);
    return kp_paths_build(b, &paths);
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    struct kp_paths paths = paths_of(p);
    kp_paths_cost(&paths, c1, c2);
}

const kp_algorithm kp_one_to_one_ring = {
    .operation = KP_ONE_TO_ONE,
    .name = "ring",
    .summary = "packets both ways around a ring",
    .source = "Saad and Schultz 1986, section 3.1, ring",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {KP_PACKETS_PARAMETER},
    .restriction = kp_ring_restriction,
    .serves = kp_ring_serves,
    .splits = kp_packets_split,
    .build = build,
    .stated_cost = stated_cost,
};
