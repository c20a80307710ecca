/* Concatenation by alternate directions on the hypercube (ADEA).
 *
 * Source: Saad and Schultz 1985, section 4.2, Alternate Direction Exchange Algorithm. Serves
 * n = 2^d.
 *
 * How it works. In round t every processor exchanges all its blocks with its neighbour in dimension
 * t. It has 2^t blocks then, from the processors whose ranks have the same bits t and up. For k = 1
 * this is `recursive-doubling`. With more ports this algorithm still uses one port, while
 * `recursive-doubling` uses all and needs n to be a power of k + 1. A link carries both directions
 * at once.
 *
 * Cost. C1 = d. C2 = b (n - 1). */
#include "lib/algorithms/hypercube.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

/* Adds the pieces of the blocks that `rank` has before the round over `link`. */
static void build_blocks(kp_builder *b, int rank, int link)
{
    for (int i = 0; i < link; i++)
        kp_build_piece(b, kp_run_of(KP_IN, rank ^ i, 1));
}

static int build(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int link = 1; link < p->n; link *= 2) {
        kp_build_round(b);
        kp_build_send(b, 0, p->rank ^ link);
        build_blocks(b, p->rank, link);
        kp_build_receive(b, 0, p->rank ^ link);
        build_blocks(b, p->rank ^ link, link);
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)kp_hypercube_dimensions(p->n);
    *c2 = kp_times(p->b, (uint64_t)p->n - 1);
}

const kp_algorithm kp_concat_alternate_direction = {
    .operation = KP_CONCAT,
    .name = "alternate-direction",
    .summary = "all blocks to the neighbour in every dimension of the hypercube in turn",
    .source = "Saad and Schultz 1985, section 4.2, ADEA",
    .symmetry = KP_XOR,
    .restriction = kp_hypercube_restriction,
    .serves = kp_hypercube_serves,
    .build = build,
    .stated_cost = stated_cost,
};
