/* Concatenation as a gather at processor 0 and a broadcast of all n blocks.
 *
 * Source: Bruck et al. 1997, section 4, the "simple folklore algorithm". For k = 1 the paper prints
 * C2 = 2 b (n - 1), but a tree broadcast of all n blocks needs more.
 *
 * How it works. The gather is the scatter of segments.h backwards. The broadcast uses the
 * (k + 1)-ary tree: in round t the processors p = 0 ... (k + 1)^t - 1 send all n blocks to the
 * processors p + q (k + 1)^t, q = 1 ... k, as far as these are below n.
 *
 * Cost. Let d = ceil(log_{k+1} n). C1 = 2 d. C2 = b ceil((n - 1) / k) + b n d. */
#include "kport/model.h"
#include "lib/algorithms/segments.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

/* Writes what processor p->rank does in one round of the gather, which is a round of the scatter
 * backwards. A processor that gives pieces away in the scatter receives these pieces in the gather.
 * The receiver of a piece in the scatter sends this piece in the gather. `held` is the segment that
 * contains block p->rank before this round of the scatter. */
static void build_gather_round(kp_builder *b, const kp_problem *p, struct kp_segment held,
                               int64_t size)
{
    for (int q = 0; held.first == p->rank && q < p->k; q++) {
        struct kp_segment piece = kp_segment_piece(held, size, q);
        if (piece.count == 0)
            break;
        kp_build_receive(b, q, (int)piece.first);
        kp_build_piece(b, kp_run_of(KP_IN, piece.first, piece.count));
    }
    int q = kp_segment_number(held, size, p);
    if (q >= 0) {
        struct kp_segment piece = kp_segment_piece(held, size, q);
        kp_build_send(b, q, (int)held.first);
        kp_build_piece(b, kp_run_of(KP_IN, piece.first, piece.count));
    }
}

static void build_gather(kp_builder *b, const kp_problem *p)
{
    int64_t sizes[KP_SEGMENT_ROUNDS];
    struct kp_segment before[KP_SEGMENT_ROUNDS], held = {0, p->n};
    int d = kp_segment_sizes(p->n, p->k, sizes);
    for (int t = 0; t < d; t++) {
        before[t] = held;
        held = kp_segment_after(held, sizes[t], p);
    }
    for (int t = d - 1; t >= 0; t--) {
        kp_build_round(b);
        build_gather_round(b, p, before[t], sizes[t]);
    }
}

static void build_broadcast(kp_builder *b, const kp_problem *p)
{
    int64_t n = p->n, rank = p->rank;
    for (int64_t reached = 1; reached < n; reached *= p->k + 1) {
        kp_build_round(b);
        for (int q = 1; rank < reached && q <= p->k && rank + q * reached < n; q++) {
            kp_build_send(b, q - 1, (int)(rank + q * reached));
            kp_build_piece(b, kp_run_of(KP_IN, 0, n));
        }
        if (rank >= reached && rank / reached <= p->k) {
            kp_build_receive(b, (int)(rank / reached) - 1, (int)(rank % reached));
            kp_build_piece(b, kp_run_of(KP_IN, 0, n));
        }
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    build_gather(b, p);
    build_broadcast(b, p);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    uint64_t n = (uint64_t)p->n, k = (uint64_t)p->k;
    uint64_t d = (uint64_t)kp_ceil_log(n, k + 1);
    *c1 = 2 * d;
    *c2 = kp_plus(kp_times(p->b, kp_ceil_div(n - 1, k)), kp_times(kp_times(p->b, n), d));
}

const kp_algorithm kp_concat_gather_broadcast = {
    .operation = KP_CONCAT,
    .name = "gather-broadcast",
    .summary = "gather at processor 0, broadcast of the whole result",
    .source = "Bruck et al. 1997, section 4 (folklore)",
    .symmetry = KP_NO_SYMMETRY,
    .build = build,
    .stated_cost = stated_cost,
};
