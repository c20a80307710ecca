/* Concatenation by alternate directions on the hypercube (ADEA).
 *
 * Source: Saad and Schultz 1985, section 4.2, Alternate Direction Exchange Algorithm. The algorithm
 * needs n = 2^d.
 *
 * How it works. Before round t = 0 ... d - 1 a processor has 2^t blocks: those of the processors
 * whose ranks agree with its own rank in bit t and all higher bits. In round t it sends all these
 * blocks to its neighbour whose rank differs in bit t, and receives this neighbour's blocks. A link
 * carries both directions at once. For k = 1 this is `recursive-doubling`. With more ports this
 * algorithm still uses one port, while `recursive-doubling` uses all ports and needs n to be a
 * power of k + 1.
 *
 * Cost. C1 = d. C2 = b (n - 1). */
#include "lib/algorithms/hypercube.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

/* Adds the pieces of the blocks that processor `rank` has before round t, where link = 2^t. */
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
