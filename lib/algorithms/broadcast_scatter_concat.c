/* Broadcast as a scatter and a concatenation.
 *
 * Source: folklore (Barnett et al. 1994, van de Geijn's long broadcast), here of segments.h and of
 * the circulant concatenation of Bruck et al. 1997, section 4.
 *
 * How it works. The block is cut in n parts, byte x in part floor(x n / b): part j begins at byte
 * ceil(j b / n), so any c parts that follow one another, from the last to the first too, have
 * floor(c b / n) or ceil(c b / n) bytes. Parts are scattered as in scatter_tree.c, but all of a
 * piece lies where it belongs, so nothing needs scratch. Then they are concatenated: with d =
 * ceil(log_{k+1} n), n1 = (k+1)^(d-1), in round i < d - 1 every processor sends the (k+1)^i parts
 * up to its own to the processors q (k+1)^i places on, q = 1 ... k; then it has n1 of them, and in
 * the last round port a brings columns a w ... (a + 1) w - 1 of the n - n1 missing ones,
 * w = ceil((n - n1) / k), all of them held by the processor n1 + a w places back.
 *
 * The root, and in part others, are sent what they have already: leaving it out would not make the
 * longest message of a round shorter. With b < n there are empty parts; a message of nothing but
 * empty parts is not sent, and a round without messages costs nothing.
 *
 * Cost. C1 = d + the rounds of the scatter in which a piece has any bytes, 2 d for b >= n.
 * C2 = the sum over the rounds of the scatter of the bytes of the longest piece (found by going
 * through all n - 1 pieces; at most ceil(M_t b / n), M_t as in segments.h)
 *    + the sum over i < d - 1 of ceil((k+1)^i b / n) + ceil(w b / n).
 * Where n divides b this is (b / n) (ceil((n - 1) / k) + (n1 - 1) / k + w), about 2 b / k. */
#include "kport/model.h"
#include "lib/algorithms/segments.h"
#include "lib/algorithms/table.h"
#include "lib/arithmetic.h"

/* The numbers that everything follows from. */
struct frame {
    int64_t n, k, units;
    int64_t before_last; /* n1: parts held before the last round */
    int64_t width;       /* w: most columns on a port in the last round */
    int scatter_rounds;
    int64_t sizes[KP_SEGMENT_ROUNDS];
};

static int splits(const kp_problem *p)
{
    return p->b > 1 && p->n > 1;
}

static struct frame frame_of(const kp_problem *p)
{
    struct frame f = {.n = p->n, .k = p->k, .units = splits(p) ? (int64_t)p->b : 1};
    f.scatter_rounds = kp_segment_sizes(p->n, p->k, f.sizes);
    f.before_last = 1;
    while (f.before_last * (f.k + 1) < f.n)
        f.before_last *= f.k + 1;
    f.width = (int64_t)kp_ceil_div((uint64_t)(f.n - f.before_last), (uint64_t)f.k);
    return f;
}

/* --- Parts --- */

static int64_t rounded_up(const struct frame *f, int64_t parts)
{
    return (int64_t)kp_ceil_div((uint64_t)(parts * f->units), (uint64_t)f->n);
}

/* From part `first` on, below n, those that do not go over the end of the block. */
static kp_piece piece_of(const struct frame *f, int64_t first, int64_t count)
{
    int64_t begin = rounded_up(f, first), end = rounded_up(f, kp_least(first + count, f->n));
    return kp_run_of(KP_IN, begin, end - begin);
}

/* `count` parts from `first` on, after the last one the first; `first` may be negative. */
struct parts {
    kp_piece to_end, from_begin;
};

static struct parts parts_of(const struct frame *f, int64_t first, int64_t count)
{
    int64_t from = kp_mod(first, f->n), over = from + count - f->n;
    return (struct parts){piece_of(f, from, count), piece_of(f, 0, over > 0 ? over : 0)};
}

static void build_message(kp_builder *b, void (*begin)(kp_builder *, int, int), int port,
                          int64_t peer, struct parts parts)
{
    if (parts.to_end.run + parts.from_begin.run == 0)
        return;
    begin(b, port, (int)peer);
    kp_build_piece(b, parts.to_end);
    kp_build_piece(b, parts.from_begin);
}

/* --- Scatter --- */

static void build_scatter_round(kp_builder *b, const kp_problem *p, const struct frame *f,
                                struct kp_segment held, int64_t size)
{
    for (int q = 0; held.first == p->rank && q < p->k; q++) {
        struct kp_segment piece = kp_segment_piece(held, size, q);
        if (piece.count == 0)
            break;
        build_message(b, kp_build_send, q, piece.first, parts_of(f, piece.first, piece.count));
    }
    int q = kp_segment_number(held, size, p);
    if (q >= 0) {
        struct kp_segment piece = kp_segment_piece(held, size, q);
        build_message(b, kp_build_receive, q, held.first, parts_of(f, piece.first, piece.count));
    }
}

static void build_scatter(kp_builder *b, const kp_problem *p, const struct frame *f)
{
    struct kp_segment held = {0, p->n};
    for (int t = 0; t < f->scatter_rounds; t++) {
        kp_build_round(b);
        build_scatter_round(b, p, f, held, f->sizes[t]);
        held = kp_segment_after(held, f->sizes[t], p);
    }
}

/* --- Concatenation --- */

/* Every processor sends the `count` parts up to its own to the one `distance` places on. */
static void build_shift(kp_builder *b, const kp_problem *p, const struct frame *f, int port,
                        int64_t distance, int64_t count)
{
    int64_t first = p->rank - count + 1;
    build_message(b, kp_build_send, port, (p->rank + distance) % f->n, parts_of(f, first, count));
    build_message(b, kp_build_receive, port, (p->rank + f->n - distance) % f->n,
                  parts_of(f, first - distance, count));
}

static void build_concat(kp_builder *b, const kp_problem *p, const struct frame *f)
{
    for (int64_t held = 1; held < f->before_last; held *= f->k + 1) {
        kp_build_round(b);
        for (int port = 0; port < p->k; port++)
            build_shift(b, p, f, port, (port + 1) * held, held);
    }
    kp_build_round(b);
    for (int port = 0; port < p->k; port++) {
        int64_t first = port * f->width, columns = f->n - f->before_last - first;
        if (columns > 0)
            build_shift(b, p, f, port, f->before_last + first, kp_least(columns, f->width));
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct frame f = frame_of(p);
    if (p->n == 1)
        return KP_OK;
    build_scatter(b, p, &f);
    build_concat(b, p, &f);
    return KP_OK;
}

/* --- Cost --- */

/* The longest piece, in units, that is given away in each round from `round` on by those who hold a
 * part of this segment. */
static void find_longest(const struct frame *f, struct kp_segment held, int round, int64_t *longest)
{
    for (; round < f->scatter_rounds && held.count > 1; round++) {
        struct kp_segment kept = held;
        for (int64_t q = 0; q < f->k; q++) {
            struct kp_segment piece = kp_segment_piece(held, f->sizes[round], q);
            if (piece.count == 0)
                break;
            int64_t units = piece_of(f, piece.first, piece.count).run;
            longest[round] = units > longest[round] ? units : longest[round];
            find_longest(f, piece, round + 1, longest);
            kept.count = piece.first - held.first;
        }
        held = kept;
    }
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    struct frame f = frame_of(p);
    int64_t longest[KP_SEGMENT_ROUNDS] = {0}, units = 0;
    find_longest(&f, (struct kp_segment){0, f.n}, 0, longest);
    *c1 = (uint64_t)f.scatter_rounds;
    for (int t = 0; t < f.scatter_rounds; t++) {
        *c1 += longest[t] > 0;
        units += longest[t];
    }
    for (int64_t held = 1; held < f.before_last; held *= f.k + 1)
        units += rounded_up(&f, held);
    units += rounded_up(&f, f.width);
    *c2 = f.units > 1 ? (uint64_t)units : kp_times((uint64_t)units, p->b);
}

const kp_algorithm kp_broadcast_scatter_concat = {
    .operation = KP_BROADCAST,
    .name = "scatter-concat",
    .summary = "parts scattered, then concatenated; few rounds and few bytes",
    .source = "folklore; segments.h; Bruck et al. 1997, section 4",
    .symmetry = KP_NO_SYMMETRY,
    .splits = splits,
    .build = build,
    .stated_cost = stated_cost,
};
