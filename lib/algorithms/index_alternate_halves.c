/* Index by alternate directions on the hypercube, in which a link carries one direction at a time.
 *
 * Source: Saad and Schultz 1985, section 6, MTADEA, where a link carries one direction at a time;
 * 1986, section 2 (E). The algorithm needs n = 2^d.
 *
 * How it works. The algorithm is that of index_alternate_direction.c, but every exchange over bit t
 * takes two rounds. In the first of them the processors whose ranks have bit t clear send. In the
 * second the other processors send. The first round writes no position from which the second round
 * sends.
 *
 * Cost. C1 = 2 d. C2 = b d n. */
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

static void build_half(kp_builder *b, const kp_problem *p, int dimension, bool sends)
{
    int bit = 1 << dimension;
    if (sends)
        kp_build_send(b, 0, p->rank ^ bit);
    else
        kp_build_receive(b, 0, p->rank ^ bit);
    for (int label = bit; label < p->n; label = (label + 1) | bit) {
        bool first_hop = (label & (bit - 1)) == 0;
        int left = kp_weight(label >> dimension);
        if (sends)
            kp_build_piece(b, first_hop ? kp_run_of(KP_OUT, p->rank ^ label, 1)
                                        : landing(p, label, left));
        else
            kp_build_piece(b, landing(p, label, left - 1));
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    kp_build_scratch(b, p->n > LEAST_TWO_HOPS ? p->n - LEAST_TWO_HOPS : 0);
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int half = 0; 1 << half / 2 < p->n; half++) {
        kp_build_round(b);
        build_half(b, p, half / 2, (p->rank >> half / 2 & 1) == half % 2);
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    uint64_t d = (uint64_t)kp_hypercube_dimensions(p->n);
    *c1 = 2 * d;
    *c2 = kp_times(p->b, d * (uint64_t)p->n);
}

const kp_algorithm kp_index_alternate_halves = {
    .operation = KP_INDEX,
    .name = "alternate-halves",
    .summary = "as alternate-direction, one direction of every link at a time",
    .source = "Saad and Schultz 1985, section 6, MTADEA in two passes",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = kp_hypercube_restriction,
    .serves = kp_hypercube_serves,
    .build = build,
    .stated_cost = stated_cost,
};
