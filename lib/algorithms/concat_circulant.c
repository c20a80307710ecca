/* Concatenation on a circulant graph. For nearly every n, k and b it has the minimum of both rounds
 * and bytes.
 *
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997, section 4, Theorems 4.1 and 4.3, Table 1.
 *
 * How it works. Let d = ceil(log_{k+1} n), n1 = (k+1)^(d-1) and n2 = n - n1. Ranks count mod n. In
 * round i = 0 ... d - 2 every processor p sends all its (k+1)^i blocks to the processors
 * p + q (k+1)^i, q = 1 ... k. So data move to higher ranks, as in the paper's text; in its Fig. 9
 * and Appendix B they move to lower ranks. After these rounds processor j has the blocks of the n1
 * processors j - n1 + 1 ... j. The n2 blocks that processor j lacks form a table of n2 columns of b
 * bytes. Column c is the block of processor j - n1 - c.
 *
 * In the last round the table is cut in column-major order into at most k areas. Each area is one
 * message. An area has at most alpha = ceil(b n2 / k) bytes. It lies in at most n1 columns, because
 * its sender has only n1 blocks. The sender is processor j - s, where s = n1 + (the leftmost column
 * of the area). If two areas have the same leftmost column, the first of them takes a smaller s,
 * because a processor may send only one message to j. If k divides n2, areas are whole columns, and
 * the unit of the schedule is the block. Otherwise the unit is the byte.
 *
 * In the first round a processor sends its own block from the outgoing buffer, although it has also
 * copied the block to the incoming buffer. The reason is that the receiver would have to fetch this
 * new copy from the cache of the sender's core.
 *
 * If k >= 3, b >= 3 and (k+1)^d - k < n < (k+1)^d, the table may not fit into k areas. Then the
 * parameter `prefer` decides:
 *   prefer=c1  takes the smallest alpha' > alpha for which the table fits;
 *   prefer=c2  takes two rounds. In the first, port a carries the whole columns a (n1 - 1) ...
 *              (a + 1)(n1 - 1) - 1. The second cuts the remaining columns, of which there are
 *              at most k - 1.
 *
 * Cost. C1 = d and C2 = b (n1 - 1) / k + alpha = ceil(b (n - 1) / k). Both are the lower bounds. If
 * the table does not fit, prefer=c1 costs alpha' - alpha <= b - 1 bytes more, and prefer=c2 costs
 * one round more. */
#include "lib/algorithms/concat_circulant.h"

#include "kport/model.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"
#include "lib/schedule/elements.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
    PREFER_C1 = 1,
    PREFER_C2 = 2
};

/* --- The table --- */

int64_t kp_area_end(const struct kp_table *table, int64_t first)
{
    int64_t all = table->b * table->columns;
    int64_t widest = first / table->b + table->span;
    int64_t end = widest < table->columns ? widest * table->b : all;
    return table->length < end - first ? first + table->length : end;
}

int kp_table_fits(const struct kp_table *table, int64_t k)
{
    int64_t first = 0, all = table->b * table->columns;
    for (int64_t a = 0; a < k && first < all; a++)
        first = kp_area_end(table, first);
    return first == all;
}

int64_t kp_table_cut(const struct kp_table *table, int64_t first_column, struct kp_area *areas)
{
    int64_t count = 0, all = table->b * table->columns;
    for (int64_t first = 0; first < all; first = areas[count++].end)
        areas[count] = (struct kp_area){.first = first, .end = kp_area_end(table, first)};
    int64_t above = INT64_MAX;
    for (int64_t a = count - 1; a >= 0; a--) {
        int64_t leftmost = table->span + first_column + areas[a].first / table->b;
        areas[a].offset = kp_least(leftmost, above - 1);
        above = areas[a].offset;
    }
    return count;
}

/* Returns the smallest `length` above table.length for which the table fits into k areas. The table
 * fits for length = b * span. An area with a greater `length` never ends earlier. So if the table
 * fits for one length, it fits for all greater lengths. */
static int64_t least_length_that_fits(struct kp_table table, int64_t k)
{
    int64_t fails = table.length, fits = table.b * table.span;
    while (fits - fails > 1) {
        table.length = fails + (fits - fails) / 2;
        if (kp_table_fits(&table, k))
            fits = table.length;
        else
            fails = table.length;
    }
    return fits;
}

/* --- The numbers that define the schedule --- */

struct frame {
    int64_t d, n1, n2;
    int64_t b; /* the number of units in a block */
    struct kp_table table;
    bool fits;
};

static int splits(const kp_problem *p)
{
    int64_t n1 = 1;
    while (n1 * (p->k + 1) < p->n)
        n1 *= p->k + 1;
    return kp_elements(p) > 1 && (p->n - n1) % p->k != 0;
}

static struct frame frame_of(const kp_problem *p)
{
    struct frame f = {.d = kp_ceil_log((uint64_t)p->n, (uint64_t)p->k + 1), .n1 = 1};
    for (int64_t i = 1; i < f.d; i++)
        f.n1 *= p->k + 1;
    f.n2 = p->n - f.n1;
    f.b = splits(p) ? kp_elements(p) : 1;
    f.table =
        (struct kp_table){.b = f.b,
                          .columns = f.n2,
                          .span = f.n1,
                          .length = (int64_t)kp_ceil_div((uint64_t)(f.b * f.n2), (uint64_t)p->k)};
    f.fits = kp_table_fits(&f.table, p->k);
    return f;
}

/* Returns, for prefer=c2, the table of the columns that remain for the second of the two rounds. */
static struct kp_table second_table(const struct frame *f, int64_t k)
{
    struct kp_table table = f->table;
    table.columns = f->n2 - k * (f->n1 - 1);
    table.length = (int64_t)kp_ceil_div((uint64_t)(f->b * table.columns), (uint64_t)k);
    return table;
}

/* --- Building --- */

/* Returns the piece of the own block in the outgoing buffer: `units` units from unit `first` on. */
static kp_piece own_block(int64_t first, int64_t units)
{
    return kp_run_of(KP_OUT, first, units);
}

static void build_first_rounds(kp_builder *b, const kp_problem *p, const struct frame *f)
{
    int64_t n = p->n, held = 1;
    for (int64_t i = 0; i + 1 < f->d; i++, held *= p->k + 1) {
        kp_build_round(b);
        for (int port = 0; port < p->k; port++) {
            int64_t distance = (port + 1) * held, lowest = p->rank - (held - 1);
            kp_build_send(b, port, (int)((p->rank + distance) % n));
            kp_build_piece(b, i == 0 ? own_block(0, f->b)
                                     : kp_run_of(KP_IN, lowest * f->b, held * f->b));
            kp_build_receive(b, port, (int)((p->rank + n - distance) % n));
            kp_build_piece(b, kp_run_of(KP_IN, (lowest - distance) * f->b, held * f->b));
        }
    }
}

/* Adds the pieces of the bytes of an area to a message, column by column. Column c is the block of
 * processor origin - c. The highest column comes first, so that consecutive columns are consecutive
 * in memory. If `own` is true, all bytes belong to the processor's own block, and the pieces lie in
 * the outgoing buffer. */
static void build_columns(kp_builder *b, const struct kp_table *table, const struct kp_area *area,
                          int64_t origin, bool own)
{
    for (int64_t c = (area->end - 1) / table->b; c >= area->first / table->b; c--) {
        int64_t first = area->first > c * table->b ? area->first - c * table->b : 0;
        int64_t end = kp_least(area->end - c * table->b, table->b);
        kp_build_piece(b, own ? own_block(first, end - first)
                              : kp_run_of(KP_IN, (origin - c) * table->b + first, end - first));
    }
}

/* Writes a round in which every processor sends one message for each area. The message of an area
 * goes to the processor `offset` ranks above, and has the bytes that this receiver lacks. */
static void build_areas(kp_builder *b, const kp_problem *p, const struct kp_table *table,
                        int64_t first_column, const struct kp_area *areas, int64_t count)
{
    int64_t n = p->n, lacks = p->rank - table->span - first_column;
    kp_build_round(b);
    for (int64_t a = 0; a < count; a++) {
        int64_t offset = areas[a].offset;
        kp_build_send(b, (int)a, (int)((p->rank + offset) % n));
        build_columns(b, table, &areas[a], lacks + offset, table->span == 1);
        kp_build_receive(b, (int)a, (int)((p->rank + n - offset) % n));
        build_columns(b, table, &areas[a], lacks, false);
    }
}

static void build_last_rounds(kp_builder *b, const kp_problem *p, const struct frame *f,
                              struct kp_area *areas)
{
    struct kp_table table = f->table;
    int64_t first_column = 0;
    if (!f->fits && p->values[0] == PREFER_C1)
        table.length = least_length_that_fits(table, p->k);
    if (!f->fits && p->values[0] == PREFER_C2) {
        first_column = p->k * (f->n1 - 1);
        struct kp_table whole = {
            .b = f->b, .columns = first_column, .span = f->n1, .length = f->b * (f->n1 - 1)};
        build_areas(b, p, &whole, 0, areas, kp_table_cut(&whole, 0, areas));
        table = second_table(f, p->k);
    }
    build_areas(b, p, &table, first_column, areas, kp_table_cut(&table, first_column, areas));
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct frame f = frame_of(p);
    kp_build_move(b, kp_run_of(KP_OUT, 0, f.b), kp_run_of(KP_IN, p->rank * f.b, f.b));
    if (p->n == 1)
        return KP_OK;
    struct kp_area *areas = malloc((size_t)p->k * sizeof *areas);
    if (!areas)
        return KP_EMEMORY;
    build_first_rounds(b, p, &f);
    build_last_rounds(b, p, &f, areas);
    free(areas);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    struct frame f = frame_of(p);
    int64_t last = f.table.length;
    *c1 = (uint64_t)f.d;
    if (!f.fits && p->values[0] == PREFER_C1)
        last = least_length_that_fits(f.table, p->k);
    if (!f.fits && p->values[0] == PREFER_C2)
        ++*c1;
    /* The cost in units. A unit is a byte if blocks are split, else a block of b bytes. */
    uint64_t units = (uint64_t)((f.n1 - 1) / p->k * f.b + last);
    *c2 = kp_times(units, p->b / (uint64_t)f.b);
}

static const char *const preferences[] = {"c1", "c2", NULL};

const kp_algorithm kp_concat_circulant = {
    .operation = KP_CONCAT,
    .name = "circulant",
    .summary = "least rounds and least bytes; the last round splits blocks",
    .source = "Bruck et al. 1997, section 4, Theorem 4.3",
    .symmetry = KP_CYCLIC,
    .parameters = {{.name = "prefer",
                    .summary = "what to keep least where both cannot be: rounds or bytes",
                    .words = preferences}},
    .splits = splits,
    .build = build,
    .stated_cost = stated_cost,
};
