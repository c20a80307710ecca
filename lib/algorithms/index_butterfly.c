/* Index on the circuit-switched butterfly network.
 *
 * Source: Rao, Suel, Tsantilas and Goudreau 1995, section 2, Fact 1. The algorithm needs n = 2^d,
 * and k >= 2 if n > 2.
 *
 * How it works. For each s = 1 ... n - 1 every processor x sends its block for processor x xor s.
 * At level i of the butterfly the path of this block crosses if bit i of s is 1, and goes straight
 * on otherwise. So the paths for s and for its complement n - 1 - s use different edges, and one
 * round carries both. There are n / 2 rounds, s = 0 ... n / 2 - 1. For s = 0 a processor keeps its
 * own block, so the complement n - 1 has a round for itself.
 *
 * Cost. C1 = n / 2 and C2 = b n / 2; if n = 1, C1 = C2 = 0. */
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

#include <stdbool.h>

static const char restriction[] = "n = 2^d, and k at least 2 where n > 2";

static const char *serves(const kp_problem *p)
{
    bool power = (p->n & (p->n - 1)) == 0;
    return power && (p->k >= 2 || p->n <= 2) ? NULL : restriction;
}

static void exchange(kp_builder *b, const kp_problem *p, int port, int difference)
{
    int peer = p->rank ^ difference;
    kp_build_send(b, port, peer);
    kp_build_piece(b, kp_run_of(KP_OUT, peer, 1));
    kp_build_receive(b, port, peer);
    kp_build_piece(b, kp_run_of(KP_IN, peer, 1));
}

static int build(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int s = 0; s < p->n / 2; s++) {
        kp_build_round(b);
        exchange(b, p, 0, p->n - 1 - s);
        if (s > 0)
            exchange(b, p, 1, s);
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)p->n / 2;
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_index_butterfly = {
    .operation = KP_INDEX,
    .name = "butterfly",
    .summary =
        "two permutations a step, of s and its complement, on different edges of a butterfly",
    .source = "Rao et al. 1995, section 2, Fact 1",
    .symmetry = KP_XOR,
    .restriction = restriction,
    .serves = serves,
    .build = build,
    .stated_cost = stated_cost,
};
