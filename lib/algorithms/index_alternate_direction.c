/* Index by alternate directions on the hypercube (MTADEA).
 *
 * Source: Saad and Schultz 1985, section 6, matrix transposition by alternate direction exchange.
 * In the printed algorithm a processor sends away the blocks that are already in the correct half.
 * Here a processor whose rank has bit i set sends the blocks for the processors whose ranks have
 * bit i clear. Its neighbour sends the blocks for the processors whose ranks have bit i set. The
 * algorithm needs n = 2^d.
 *
 * How it works. The block of processor X for processor Y has the label X xor Y. In round
 * t = 0 ... d - 1 every processor sends n / 2 blocks to its neighbour whose rank differs in bit t:
 * all its blocks whose label has bit t set. So a block makes one hop for each set bit of its label,
 * the lowest bit first, and is then at Y. A link carries both directions at once.
 *
 * No processor copies a block from one of its buffers to another. The first hop reads the block
 * from the outgoing buffer. After a hop the block lies at a processor p. If it has an even number
 * of hops left, it lies at position p xor label of the incoming buffer. If it has an odd number of
 * hops left, it lies in the scratch slot of its label. So a round reads and writes different
 * positions. Labels 1 and 2 make one hop only, so the slots begin with label 3.
 *
 * More ports do not save rounds, because a processor needs all blocks of round t - 1 for round t.
 * So one port is used.
 *
 * Cost. C1 = d. C2 = b d n / 2. For k = 1 this is the minimum for d rounds (Bruck et al. 1997,
 * Theorem 2.5). */
#include "lib/algorithms/hypercube.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

#define LEAST_TWO_HOPS 3 /* the lowest label with two bits set */

/* Returns where the block with this label lies at this processor before its last `left` hops. */
static kp_piece landing(const kp_problem *p, int label, int left)
{
    return left % 2 == 0 ? kp_run_of(KP_IN, p->rank ^ label, 1)
                         : kp_run_of(KP_SCRATCH, label - LEAST_TWO_HOPS, 1);
}

static void build_exchange(kp_builder *b, const kp_problem *p, int dimension)
{
    int bit = 1 << dimension;
    kp_build_send(b, 0, p->rank ^ bit);
    for (int label = bit; label < p->n; label = (label + 1) | bit) {
        bool first_hop = (label & (bit - 1)) == 0;
        kp_build_piece(b, first_hop ? kp_run_of(KP_OUT, p->rank ^ label, 1)
                                    : landing(p, label, kp_weight(label >> dimension)));
    }
    kp_build_receive(b, 0, p->rank ^ bit);
    for (int label = bit; label < p->n; label = (label + 1) | bit)
        kp_build_piece(b, landing(p, label, kp_weight(label >> dimension) - 1));
}

static int build(kp_builder *b, const kp_problem *p)
{
    kp_build_scratch(b, p->n > LEAST_TWO_HOPS ? p->n - LEAST_TWO_HOPS : 0);
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int dimension = 0; 1 << dimension < p->n; dimension++) {
        kp_build_round(b);
        build_exchange(b, p, dimension);
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)kp_hypercube_dimensions(p->n);
    *c2 = kp_times(p->b, *c1 * (uint64_t)(p->n / 2));
}

const kp_algorithm kp_index_alternate_direction = {
    .operation = KP_INDEX,
    .name = "alternate-direction",
    .summary = "half of all blocks to the neighbour in every dimension of the hypercube in turn",
    .source = "Saad and Schultz 1985, section 6, MTADEA",
    .symmetry = KP_XOR,
    .restriction = kp_hypercube_restriction,
    .serves = kp_hypercube_serves,
    .build = build,
    .stated_cost = stated_cost,
};
