/* Concatenation over all links of the hypercube at once, in which blocks arrive repeatedly (TEA1).
 *
 * Source: Saad and Schultz 1985, section 4.3, Total Exchange Algorithm (Non-Optimal). The algorithm
 * needs n = 2^d.
 *
 * How it works. Before step i = 1 ... d every processor has the blocks of all processors at a
 * distance of at most i - 1. In step i it sends over each of its d links the blocks of some of
 * these processors: those at distance i - 1 from itself and at distance i from the receiver. For a
 * receiver B, the label of the block of processor T is T xor B. So a message over link j has the
 * blocks whose labels have i bits set, one of which is bit j. Each block arrives over i links. The
 * receiver keeps the copy from the link of the label's lowest set bit. The other copies go to
 * scratch and are never read. k links share a round. Ports above d are not used. A link carries
 * both directions at once.
 *
 * Cost. C1 = d ceil(d / k). C2 = b 2^(d-1) ceil(d / k), because in step i every link carries
 * C(d - 1, i - 1) blocks. */
#include "lib/algorithms/hypercube.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

/* Returns the next label above `label` with `weight` set bits, one of which is `link` = 2^j. */
static int next_label(const kp_problem *p, int label, int weight, int link)
{
    do
        label++;
    while (label < p->n && (!(label & link) || kp_weight(label) != weight));
    return label;
}

static void build_send(kp_builder *b, const kp_problem *p, int weight, int link)
{
    for (int label = next_label(p, 0, weight, link); label < p->n;
         label = next_label(p, label, weight, link))
        kp_build_piece(b, kp_run_of(KP_IN, p->rank ^ link ^ label, 1));
}

/* Adds the pieces of a receive. Earlier receives of this round have put `spare` copies in scratch.
 * Returns the number of copies after this receive. */
static int64_t build_receive(kp_builder *b, const kp_problem *p, int weight, int link,
                             int64_t spare)
{
    for (int label = next_label(p, 0, weight, link); label < p->n;
         label = next_label(p, label, weight, link)) {
        bool kept = (label & (link - 1)) == 0;
        kp_build_piece(b, kept ? kp_run_of(KP_IN, p->rank ^ label, 1)
                               : kp_run_of(KP_SCRATCH, spare++, 1));
    }
    return spare;
}

static void build_step(kp_builder *b, const kp_problem *p, int weight)
{
    int64_t spare = 0;
    for (int i = 0; 1 << i < p->n; i++) {
        int link = 1 << i, port = i % p->k;
        if (port == 0) {
            kp_build_round(b);
            spare = 0;
        }
        kp_build_send(b, port, p->rank ^ link);
        build_send(b, p, weight, link);
        kp_build_receive(b, port, p->rank ^ link);
        spare = build_receive(b, p, weight, link, spare);
        kp_build_scratch(b, spare);
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    int d = kp_hypercube_dimensions(p->n);
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int weight = 1; weight <= d; weight++)
        build_step(b, p, weight);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    uint64_t d = (uint64_t)kp_hypercube_dimensions(p->n);
    uint64_t rounds_of_step = kp_ceil_div(d, (uint64_t)p->k);
    *c1 = d * rounds_of_step;
    *c2 = kp_times(p->b, (uint64_t)(p->n / 2) * rounds_of_step);
}

const kp_algorithm kp_concat_tea1 = {
    .operation = KP_CONCAT,
    .name = "tea1",
    .summary = "over all links of the hypercube, each block over every shortest path",
    .source = "Saad and Schultz 1985, section 4.3, TEA1",
    .symmetry = KP_XOR,
    .restriction = kp_hypercube_restriction,
    .serves = kp_hypercube_serves,
    .build = build,
    .stated_cost = stated_cost,
};
