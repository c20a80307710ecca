/* Concatenation over all links of the hypercube, in which a link carries one direction at a time
 * (TEA2 with grouped half-steps).
 *
 * Source: Saad and Schultz 1985, section 4.3, the improvement for links that carry one direction at
 * a time. The printed loop stops one half-step early if d is even. The algorithm needs n = 2^d.
 *
 * How it works. There are d + 1 half-steps. In half-steps 1, 3, 5, ... the senders are the
 * processors whose ranks have an even number of set bits. In half-steps 2, 4, ... the other
 * processors send. No processor sends and receives in the same half-step, so no link carries both
 * directions. A block enters a processor over the same link as in `tea2`. In half-step h a receiver
 * gets the blocks of the processors at distances h - 1 and h. Its senders received in half-step
 * h - 1, so they have all blocks up to distance h - 1. k consecutive links share a round. Ports
 * above d are not used.
 *
 * Cost. For n > 1, C1 = d ceil(d / k) + 1, because the last half-step has a single block for each
 * receiver. C2 is twice the C2 of `tea2`, because at every distance the lower links carry the most
 * blocks. Let q_i and m_i be the quotient and the remainder of C(d, i) / d.
 *   C2 = 2 b times the sum over i = 1 ... d of (q_i ceil(d / k) + ceil(m_i / k)).
 * For k >= d, C1 = d + 1, and each term of the sum is ceil(C(d, i) / d). */
#include "lib/algorithms/hypercube.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

/* A half-step, in which processors send the blocks at the distances low ... high from the receiver.
 */
struct half_step {
    int number; /* 1 ... d + 1 */
    int low, high;
};

static struct half_step half_step(int number, int d)
{
    return (struct half_step){number, number > 1 ? number - 1 : 1, number < d ? number : d};
}

static void build_half_step(kp_builder *b, const kp_problem *p, const struct kp_shares *shares,
                            struct half_step h)
{
    bool sends = (kp_weight(p->rank) + h.number) % 2 == 1;
    for (int link = 0; link < shares->d && kp_shares_any(shares, h.low, h.high, link); link++) {
        int port = link % p->k, peer = p->rank ^ 1 << link;
        if (port == 0)
            kp_build_round(b);
        if (sends)
            kp_build_send(b, port, peer);
        else
            kp_build_receive(b, port, peer);
        kp_shares_build_pieces(b, shares, h.low, h.high, link, sends ? peer : p->rank);
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_shares shares;
    if (!kp_shares_make(&shares, kp_hypercube_dimensions(p->n)))
        return KP_EMEMORY;
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int number = 1; shares.d > 0 && number <= shares.d + 1; number++)
        build_half_step(b, p, &shares, half_step(number, shares.d));
    kp_shares_free(&shares);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    int d = kp_hypercube_dimensions(p->n);
    uint64_t blocks = 0;
    *c1 = 0;
    for (int number = 1; d > 0 && number <= d + 1; number++) {
        struct half_step h = half_step(number, d);
        kp_shares_add_step(d, p->k, h.low, h.high, c1, &blocks);
    }
    *c2 = kp_times(p->b, blocks);
}

const kp_algorithm kp_concat_tea2_grouped = {
    .operation = KP_CONCAT,
    .name = "tea2-grouped",
    .summary = "over all links of the hypercube, even and odd processors sending in turn",
    .source = "Saad and Schultz 1985, section 4.3, TEA2 with grouped half-steps",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = kp_hypercube_restriction,
    .serves = kp_hypercube_serves,
    .build = build,
    .stated_cost = stated_cost,
};
