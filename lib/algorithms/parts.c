#include "lib/algorithms/parts.h"

#include "kport/model.h"
#include "lib/algorithms/segments.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"
#include "lib/schedule/elements.h"

int kp_parts_split(const kp_problem *p)
{
    return kp_elements(p) > 1 && p->n > 1;
}

struct kp_parts kp_parts_of(const kp_problem *p)
{
    struct kp_parts f = {
        .n = p->n, .k = p->k, .units = kp_parts_split(p) ? kp_elements(p) : 1, .before_last = 1};
    while (f.before_last * (f.k + 1) < f.n)
        f.before_last *= f.k + 1;
    f.width = (int64_t)kp_ceil_div((uint64_t)(f.n - f.before_last), (uint64_t)f.k);
    return f;
}

int64_t kp_parts_most(const struct kp_parts *f, int64_t count)
{
    return (int64_t)kp_ceil_div((uint64_t)(count * f->units), (uint64_t)f->n);
}

kp_piece kp_parts_piece(const struct kp_parts *f, int64_t first, int64_t count)
{
    int64_t begin = kp_parts_most(f, first), end = kp_parts_most(f, kp_least(first + count, f->n));
    return kp_run_of(KP_IN, begin, end - begin);
}

/* The parts first ... end - 1, which a processor already has. `end` is at most n. */
struct range {
    int64_t first, end;
};

/* Returns the parts that processor `rank` has before the concatenation. Without a scatter this is
 * its own part. After a scatter the root has all parts. Each other processor has the piece that the
 * scatter sent to it, which begins with its own part. */
static struct range has_already(const struct kp_parts *f, const kp_problem *p, int64_t rank)
{
    int64_t sizes[KP_SEGMENT_ROUNDS];
    struct kp_segment held = {0, p->n};
    kp_problem receiver = *p;
    receiver.rank = (int)rank;
    int rounds = f->scattered ? kp_segment_sizes(p->n, p->k, sizes) : 0;
    if (rounds == 0)
        return (struct range){rank, rank + 1};
    for (int t = 0; t < rounds && held.first != rank; t++)
        held = kp_segment_after(held, sizes[t], &receiver);
    return (struct range){held.first, held.first + held.count};
}

/* Adds to the message the parts first ... end - 1 without the parts in `has`, and returns the
 * number of units added. If `b` is NULL, the function adds nothing and only counts the units. */
static int64_t name_parts(kp_builder *b, const struct kp_parts *f, int64_t first, int64_t end,
                          struct range has)
{
    int64_t below = kp_least(end, has.first), above = first > has.end ? first : has.end;
    int64_t units = 0;
    const struct range rest[] = {{first, below}, {above, end}};
    for (int i = 0; i < 2; i++) {
        if (rest[i].first >= rest[i].end)
            continue;
        kp_piece piece = kp_parts_piece(f, rest[i].first, rest[i].end - rest[i].first);
        units += piece.run;
        if (b)
            kp_build_piece(b, piece);
    }
    return units;
}

/* Writes a send or a receive; `begin` is kp_build_send or kp_build_receive. The message has `count`
 * parts from part `first` on, cyclically, but leaves out `has`, the parts that the receiver already
 * has. If the message would be empty, the function writes nothing. */
static void build_message(kp_builder *b, const struct kp_parts *f,
                          void (*begin)(kp_builder *, int, int), int port, int64_t peer,
                          struct range has, int64_t first, int64_t count)
{
    int64_t from = kp_mod(first, f->n), to = kp_least(from + count, f->n);
    int64_t over = from + count - to;
    if (name_parts(NULL, f, from, to, has) + name_parts(NULL, f, 0, over, has) == 0)
        return;
    begin(b, port, (int)peer);
    name_parts(b, f, from, to, has);
    name_parts(b, f, 0, over, has);
}

/* Writes one send and one receive of this processor. Every processor p sends the `count` parts that
 * end with part p to processor p + distance. */
static void build_shift(kp_builder *b, const kp_problem *p, const struct kp_parts *f, int port,
                        int64_t distance, int64_t count)
{
    int64_t first = p->rank - count + 1;
    int64_t to = (p->rank + distance) % f->n, from = (p->rank + f->n - distance) % f->n;
    build_message(b, f, kp_build_send, port, to, has_already(f, p, to), first, count);
    build_message(b, f, kp_build_receive, port, from, has_already(f, p, p->rank), first - distance,
                  count);
}

void kp_parts_build(kp_builder *b, const kp_problem *p, const struct kp_parts *f)
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

uint64_t kp_parts_units(const struct kp_parts *f)
{
    int64_t units = kp_parts_most(f, f->width);
    for (int64_t held = 1; held < f->before_last; held *= f->k + 1)
        units += kp_parts_most(f, held);
    return (uint64_t)units;
}

/* --- The concatenation of parts as an algorithm --- */

void kp_parts_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    struct kp_parts f = kp_parts_of(p);
    *c1 = (uint64_t)kp_ceil_log((uint64_t)p->n, (uint64_t)p->k + 1);
    *c2 = p->n > 1 ? kp_times(kp_parts_units(&f), p->b / (uint64_t)f.units) : 0;
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_parts f = kp_parts_of(p);
    if (p->n > 1)
        kp_parts_build(b, p, &f);
    return KP_OK;
}

const kp_algorithm kp_parts_concat = {
    .operation = KP_BROADCAST,
    .name = "parts",
    .summary = "everybody's part of the block to all",
    .source = "Bruck et al. 1997, section 4",
    .symmetry = KP_NO_SYMMETRY,
    .splits = kp_parts_split,
    .build = build,
    .stated_cost = kp_parts_cost,
};
