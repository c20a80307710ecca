/* Index as n gathers on the hypercube, one after the other. It is the naive algorithm, for
 * comparison.
 *
 * Source: Saad and Schultz 1985, sections 5 and 6, the Sequential Multi-Gather Algorithm. The
 * algorithm needs n = 2^d.
 *
 * How it works. Processor 0 is the root of the first gather, processor 1 of the second, and so on.
 * A gather sends the blocks for its root up the spanning binomial tree of this root. The label of a
 * processor is its rank xor the root's rank. In round t of a gather the senders are the processors
 * whose label has bit t as its lowest set bit. A sender sends 2^t blocks over link t, to the
 * neighbour whose rank differs in bit t. They are the blocks of all processors whose ranks agree
 * with its own rank in bit t and all higher bits. In transit the block of processor p lies in
 * scratch slot p mod (n / 2), because no processor except the root collects more than n / 2 blocks.
 * One port is used.
 *
 * Cost. C1 = n d. C2 = b n (n - 1). */
#include "lib/algorithms/hypercube.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

/* The blocks for `root` from the processors first ... first + count - 1. `count` is a power of 2,
 * and `first` is a multiple of `count`. */
struct group {
    int root, first, count;
};

static struct group group_around(int rank, int root, int round)
{
    return (struct group){root, rank >> round << round, 1 << round};
}

static void build_scratch_run(kp_builder *b, const kp_problem *p, int first, int end)
{
    kp_build_piece(b, kp_run_of(KP_SCRATCH, first % (p->n / 2), end - first));
}

/* Adds the pieces of a message with the blocks of `group`. The sender's own block lies in the
 * outgoing buffer, and the other blocks lie in scratch. */
static void build_send(kp_builder *b, const kp_problem *p, struct group group)
{
    build_scratch_run(b, p, group.first, p->rank);
    kp_build_piece(b, kp_run_of(KP_OUT, group.root, 1));
    build_scratch_run(b, p, p->rank + 1, group.first + group.count);
}

static void build_receive(kp_builder *b, const kp_problem *p, struct group group)
{
    if (p->rank == group.root)
        kp_build_piece(b, kp_run_of(KP_IN, group.first, group.count));
    else
        build_scratch_run(b, p, group.first, group.first + group.count);
}

static void build_gather(kp_builder *b, const kp_problem *p, int root)
{
    for (int round = 0; 1 << round < p->n; round++) {
        int link = 1 << round, away = p->rank ^ root, peer = p->rank ^ link;
        kp_build_round(b);
        if ((away & (link - 1)) != 0)
            continue;
        if (away & link) {
            kp_build_send(b, 0, peer);
            build_send(b, p, group_around(p->rank, root, round));
        } else {
            kp_build_receive(b, 0, peer);
            build_receive(b, p, group_around(peer, root, round));
        }
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    kp_build_scratch(b, p->n / 2);
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int root = 0; root < p->n; root++)
        build_gather(b, p, root);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    uint64_t n = (uint64_t)p->n;
    *c1 = n * (uint64_t)kp_hypercube_dimensions(p->n);
    *c2 = kp_times(p->b, n * (n - 1));
}

const kp_algorithm kp_index_sequential_multi_gather = {
    .operation = KP_INDEX,
    .name = "sequential-multi-gather",
    .summary = "a gather on a binomial tree at every processor in turn",
    .source = "Saad and Schultz 1985, sections 5 and 6",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = kp_hypercube_restriction,
    .serves = kp_hypercube_serves,
    .build = build,
    .stated_cost = stated_cost,
};
