/* Concatenation (all-gather) by exchanges between neighbours, an algorithm that kport does not
 * have.
 *
 * Source: Chen, Zhang, Zhang and Yuan 2005, "Performance Evaluation of Allgather Algorithms on
 * Terascale Linux Cluster with Fast Ethernet" (HPC Asia), the algorithm Neighbor Exchange.
 *
 * How it works. The processors 2q and 2q + 1 are pair q. In round 0 the two of each pair exchange
 * their blocks. From then on blocks travel in pairs. In every later round each processor exchanges
 * with its other neighbour than in the round before, and sends the two blocks that it got last. So
 * it takes half of the rounds of a ring, for the same bytes.
 *
 * Cost. n is even. C1 = n / 2, C2 = b (n - 1).
 *
 * Against an installed kport:
 *
 *   cc -shared -fPIC $(pkg-config --cflags kport) neighbor_exchange.c -o neighbor_exchange.so
 *   kport check concat:n=8,k=1,b=16,alg=neighbor-exchange --load neighbor_exchange.so */
#include <kport/schedule.h>

/* Returns the pair whose blocks the processor gets in round t >= 1. In round 0 it has its own. */
static int pair_got(int rank, int t)
{
    const int side = rank % 2 == t % 2 ? 1 : -1;
    return rank / 2 + side * ((t + 1) / 2);
}

static int build(kp_builder *b, const kp_problem *p)
{
    const int n = p->n, rank = p->rank;
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, rank, 1));
    for (int t = 0; t < n / 2; t++) {
        const int peer = (rank + (rank % 2 == t % 2 ? 1 : n - 1)) % n;
        kp_build_round(b);
        kp_build_send(b, 0, peer);
        kp_build_piece(b, t == 0 ? kp_run_of(KP_IN, rank, 1)
                                 : kp_run_of(KP_IN, 2 * pair_got(rank, t - 1), 2));
        kp_build_receive(b, 0, peer);
        kp_build_piece(b, t == 0 ? kp_run_of(KP_IN, peer, 1)
                                 : kp_run_of(KP_IN, 2 * pair_got(rank, t), 2));
    }
    return KP_OK;
}

static const char restriction[] = "even n";

static const char *serves(const kp_problem *p)
{
    return p->n % 2 == 0 ? NULL : restriction;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)p->n / 2;
    *c2 = ((uint64_t)p->n - 1) * p->b;
}

static const kp_algorithm neighbor_exchange = {
    .operation = KP_CONCAT,
    .name = "neighbor-exchange",
    .summary = "pairs of blocks between neighbours, to the left and to the right in turns",
    .source = "Chen et al. 2005, HPC Asia, Neighbor Exchange",
    .restriction = restriction,
    .serves = serves,
    .build = build,
    .stated_cost = stated_cost,
};

KP_ENTRY int kport_load(void)
{
    return kp_algorithm_register(&neighbor_exchange, KP_HEADERS, sizeof neighbor_exchange);
}
