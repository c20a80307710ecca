/* Concatenation by gathering at processor 0 and broadcasting the whole result.
 *
 * Source: Bruck et al. 1997, section 4, the "simple folklore algorithm"; the paper prints
 * C2 = 2 b (n - 1) for k = 1, which no tree broadcast of the whole result reaches.
 *
 * How it works. The gather is a scatter backwards. In the scatter a holder of blocks lo ... lo + m
 * - 1 is processor lo; in round t it gives away k contiguous pieces from its end, each of M_t
 * blocks as long as it keeps its own; who gets a piece is the piece's first processor. The sizes
 *   S = ceil((n - 1) / k), for t from d down to 1:
 *   M_t = min(1 + k (M_d + ... + M_{t+1}), S - (M_d + ... + M_{t+1}) - (t - 1))
 * make both C1 and C2 of the gather least. The broadcast is the (k + 1)-ary tree: in round t
 * processors 0 ... (k + 1)^t - 1 send all n blocks to those q (k + 1)^t above, q = 1 ... k.
 *
 * Cost, d = ceil(log_{k+1} n): C1 = 2 d. C2 = b ceil((n - 1) / k) + b n d. */
#include "kport/model.h"
#include "lib/algorithms/table.h"
#include "lib/arithmetic.h"

#define MOST_ROUNDS 20 /* n < 2^20 */

/* sizes[t - 1] = M_t. Returns d. */
static int piece_sizes(int n, int k, int64_t sizes[MOST_ROUNDS])
{
    int d = kp_ceil_log((uint64_t)n, (uint64_t)k + 1);
    int64_t least = (int64_t)kp_ceil_div((uint64_t)n - 1, (uint64_t)k), sum = 0;
    for (int t = d; t >= 1; t--) {
        sizes[t - 1] = kp_least(1 + k * sum, least - sum - (t - 1));
        sum += sizes[t - 1];
    }
    return d;
}

/* Neighbouring blocks that one processor holds, and from the point of view of the gather has to
 * send on. */
struct segment {
    int64_t first, count;
};

/* The q-th piece from the end that a holder gives away; count 0 if there is none. */
static struct segment piece_of(struct segment held, int64_t size, int64_t q)
{
    int64_t end = held.first + held.count - q * size;
    int64_t count = kp_least(size, end - held.first - 1);
    return count > 0 ? (struct segment){end - count, count} : (struct segment){end, 0};
}

static int64_t given_away(struct segment held, int64_t size, int k)
{
    return kp_least(held.count - 1, size * k);
}

/* What processor `rank` does in a round of the scatter, backwards: as the holder it receives its
 * pieces; as who got a piece it sends it. `held` is the segment around the rank before that round
 * of the scatter. */
static void build_gather_round(kp_builder *b, const kp_problem *p, struct segment held,
                               int64_t size)
{
    int64_t away = given_away(held, size, p->k), kept = held.count - away;
    if (held.first == p->rank) {
        for (int q = 0; q < p->k; q++) {
            struct segment piece = piece_of(held, size, q);
            if (piece.count == 0)
                break;
            kp_build_receive(b, q, (int)piece.first);
            kp_build_piece(b, kp_run_of(KP_IN, piece.first, piece.count));
        }
    } else if (p->rank >= held.first + kept) {
        int64_t q = (held.first + held.count - 1 - p->rank) / size;
        struct segment piece = piece_of(held, size, q);
        if (piece.first == p->rank) {
            kp_build_send(b, (int)q, (int)held.first);
            kp_build_piece(b, kp_run_of(KP_IN, piece.first, piece.count));
        }
    }
}

/* The segment around the rank after that round of the scatter. */
static struct segment after(struct segment held, int64_t size, const kp_problem *p)
{
    int64_t kept = held.count - given_away(held, size, p->k);
    if (p->rank < held.first + kept)
        return (struct segment){held.first, kept};
    return piece_of(held, size, (held.first + held.count - 1 - p->rank) / size);
}

static void build_gather(kp_builder *b, const kp_problem *p)
{
    int64_t sizes[MOST_ROUNDS];
    struct segment before[MOST_ROUNDS], held = {0, p->n};
    int d = piece_sizes(p->n, p->k, sizes);
    for (int t = 0; t < d; t++) {
        before[t] = held;
        held = after(held, sizes[t], p);
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
