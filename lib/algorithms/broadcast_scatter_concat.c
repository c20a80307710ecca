/* Broadcast of a long block as a scatter and a concatenation.
 *
 * Source: folklore (Barnett et al. 1994, van de Geijn's long broadcast), with the tree of
 * segments.h and the concatenation of parts.h.
 *
 * How it works. The block is cut into n parts. The parts are scattered as in scatter_tree.c. But
 * here each part lies at its offset in the block, so no processor needs scratch. Then the parts are
 * concatenated. If b < n, some parts are empty, and a round may have no messages. C1 does not count
 * such a round.
 *
 * Cost. Let d = ceil(log_{k+1} n). C1 = d + (the number of rounds of the scatter in which some
 * piece is not empty). If b >= n, C1 = 2 d. C2 = (the sum over the rounds of the scatter of the
 * longest piece) + (the C2 of parts.h). The longest piece of round t has at most ceil(M_t b / n)
 * bytes, where segments.h defines M_t. To find its exact length, `find_longest` goes through all
 * n - 1 pieces. If n divides b, C2 = (b / n) (ceil((n - 1) / k) + (n1 - 1) / k + w), where parts.h
 * defines n1 and w. This is about 2 b / k. */
#include "lib/algorithms/parts.h"
#include "lib/algorithms/segments.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

/* --- Scatter --- */

static void build_piece(kp_builder *b, const struct kp_parts *f,
                        void (*begin)(kp_builder *, int, int), int port, int64_t peer,
                        struct kp_segment segment)
{
    kp_piece piece = kp_parts_piece(f, segment.first, segment.count);
    if (piece.run == 0)
        return;
    begin(b, port, (int)peer);
    kp_build_piece(b, piece);
}

static void build_scatter_round(kp_builder *b, const kp_problem *p, const struct kp_parts *f,
                                struct kp_segment held, int64_t size)
{
    for (int q = 0; held.first == p->rank && q < p->k; q++) {
        struct kp_segment piece = kp_segment_piece(held, size, q);
        if (piece.count == 0)
            break;
        build_piece(b, f, kp_build_send, q, piece.first, piece);
    }
    int q = kp_segment_number(held, size, p);
    if (q >= 0) {
        build_piece(b, f, kp_build_receive, q, held.first, kp_segment_piece(held, size, q));
    }
}

static void build_scatter(kp_builder *b, const kp_problem *p, const struct kp_parts *f)
{
    int64_t sizes[KP_SEGMENT_ROUNDS];
    struct kp_segment held = {0, p->n};
    int rounds = kp_segment_sizes(p->n, p->k, sizes);
    for (int t = 0; t < rounds; t++) {
        kp_build_round(b);
        build_scatter_round(b, p, f, held, sizes[t]);
        held = kp_segment_after(held, sizes[t], p);
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_parts f = kp_parts_of(p);
    f.scattered = 1;
    if (p->n == 1)
        return KP_OK;
    build_scatter(b, p, &f);
    kp_parts_build(b, p, &f);
    return KP_OK;
}

/* --- Cost --- */

struct scatter {
    int rounds;
    int64_t sizes[KP_SEGMENT_ROUNDS];
    int64_t longest[KP_SEGMENT_ROUNDS]; /* longest[t]: the units of the longest piece of round t */
};

/* Updates s->longest for the rounds from `round` on. The function goes through the pieces that the
 * holder of `held` gives away, and then through the pieces that the new holders give away. */
static void find_longest(const struct kp_parts *f, struct scatter *s, struct kp_segment held,
                         int round)
{
    for (; round < s->rounds && held.count > 1; round++) {
        struct kp_segment kept = held;
        for (int64_t q = 0; q < f->k; q++) {
            struct kp_segment piece = kp_segment_piece(held, s->sizes[round], q);
            if (piece.count == 0)
                break;
            int64_t units = kp_parts_piece(f, piece.first, piece.count).run;
            s->longest[round] = units > s->longest[round] ? units : s->longest[round];
            find_longest(f, s, piece, round + 1);
            kept.count = piece.first - held.first;
        }
        held = kept;
    }
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    struct kp_parts f = kp_parts_of(p);
    struct scatter s = {.rounds = 0};
    s.rounds = kp_segment_sizes(p->n, p->k, s.sizes);
    find_longest(&f, &s, (struct kp_segment){0, f.n}, 0);
    uint64_t units = kp_parts_units(&f);
    *c1 = (uint64_t)s.rounds;
    for (int t = 0; t < s.rounds; t++) {
        *c1 += s.longest[t] > 0;
        units += (uint64_t)s.longest[t];
    }
    *c2 = kp_times(units, p->b / (uint64_t)f.units);
}

const kp_algorithm kp_broadcast_scatter_concat = {
    .operation = KP_BROADCAST,
    .name = "scatter-concat",
    .summary = "parts scattered, then concatenated; few rounds and few bytes",
    .source = "folklore (Barnett et al. 1994); Bruck et al. 1997, section 4",
    .symmetry = KP_NO_SYMMETRY,
    .splits = kp_parts_split,
    .build = build,
    .stated_cost = stated_cost,
};
