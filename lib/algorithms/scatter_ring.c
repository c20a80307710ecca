/* Scatter around a ring, in both directions.
 *
 * Source: Saad and Schultz 1986, section 3.4, (3.38).
 *
 * How it works. The root sends the blocks for the next floor(n / 2) processors to the right, and
 * the other blocks to the left. In each direction the block for the farthest processor leaves
 * first, so all blocks reach their receivers in the last round (ring_scatter.h). With one port all
 * blocks go to the right.
 *
 * Cost. Let D = floor(n / 2), or D = n - 1 with one port. C1 = D, C2 = b D. */
#include "lib/algorithms/ring_scatter.h"
#include "lib/algorithms/table.h"
#include "lib/algorithms/torus.h"
#include "lib/schedule/arithmetic.h"

static int processor(const void *context, int64_t position)
{
    const kp_problem *p = context;
    return (int)kp_mod(position, p->n);
}

static void pieces(kp_builder *b, const void *context, int64_t position, int at_root)
{
    (void)context;
    kp_build_piece(b, at_root ? kp_run_of(KP_OUT, position, 1) : kp_run_of(KP_IN, 0, 1));
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_ring_scatter ring = {.length = p->n,
                                   .right = kp_ring_to_the_right(p),
                                   .position = p->rank,
                                   .bundle = 1,
                                   .processor = processor,
                                   .pieces = pieces,
                                   .context = p};
    if (p->rank == 0)
        kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
    for (int64_t round = 0; round < kp_ring_scatter_rounds(&ring); round++) {
        kp_build_round(b);
        kp_ring_scatter_round(b, &ring, round);
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)kp_ring_to_the_right(p);
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_scatter_ring = {
    .operation = KP_SCATTER,
    .name = "ring",
    .summary = "both ways around a ring, the farthest first",
    .source = "Saad and Schultz 1986, section 3.4, ring",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = kp_ring_restriction,
    .serves = kp_ring_serves,
    .build = build,
    .stated_cost = stated_cost,
};
