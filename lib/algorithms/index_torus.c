/* Index on a torus, around the rows, then around the columns.
 *
 * Source: a replacement for Saad and Schultz 1986, section 3.5, (3.44). In the printed algorithm a
 * gather on the diagonal and a scatter down the columns bring blocks only to the column of each
 * diagonal processor. Here the paper's index on the ring, (3.43), is done twice. The algorithm
 * serves every n up to 4096; torus.h says how n processors form a torus.
 *
 * How it works. First every row is a ring. Every processor makes a bundle for each other column:
 * its blocks for the processors of that column, one block for each row. In the first round it sends
 * all bundles to the next column. In every round a processor keeps the arriving bundle for its own
 * column, and passes the other bundles on in the next round. At the end the processor has the
 * blocks of all processors of its row for all processors of its column.
 *
 * Now every column is a ring. Every processor makes a bundle for each other row. The bundle has one
 * block from each processor of the sender's row. All these blocks are for the processor in that
 * other row of the sender's column. The bundles go around the column in the same manner. The blocks
 * for a processor itself are already in its incoming buffer.
 *
 * Cost. C1 = rows - 1 + columns - 1. C2 = b n (rows + columns - 2) / 2. */
#include "lib/algorithms/table.h"
#include "lib/algorithms/torus.h"
#include "lib/schedule/arithmetic.h"

/* The position of a processor on the torus, and how it uses its scratch. */
struct position {
    struct kp_torus torus;
    int64_t row, column;
    int64_t waiting; /* where two areas of `half` blocks begin in scratch, for bundles in transit in
                        alternate rounds; the kept bundles lie before them */
    int64_t half;
};

/* --- Around the row --- */

/* Adds the pieces of a bundle that this processor keeps. The bundle comes from column `from` of
 * this row. Its block for this processor goes to the incoming buffer, the others to scratch. */
static void build_dropped(kp_builder *b, const struct position *at, int64_t from)
{
    int64_t rows = at->torus.rows;
    kp_build_piece(b, kp_run_of(KP_SCRATCH, from * rows, at->row));
    kp_build_piece(b, kp_run_of(KP_IN, at->row * at->torus.columns + from, 1));
    kp_build_piece(b, kp_run_of(KP_SCRATCH, from * rows + at->row + 1, rows - 1 - at->row));
}

static kp_piece on_its_way(const struct position *at, int64_t round, int64_t blocks)
{
    return kp_run_of(KP_SCRATCH, at->waiting + round % 2 * at->half, blocks);
}

static void around_row(kp_builder *b, const struct position *at)
{
    int64_t columns = at->torus.columns, rows = at->torus.rows;
    for (int64_t t = 0; t < columns - 1; t++) {
        kp_build_round(b);
        kp_build_send(b, 0, kp_torus_at(at->torus, at->row, at->column + 1));
        for (int64_t i = 1; i < columns && t == 0; i++)
            kp_build_piece(b, kp_every(KP_OUT, (at->column + i) % columns, rows, columns));
        if (t > 0)
            kp_build_piece(b, on_its_way(at, t - 1, (columns - 1 - t) * rows));
        kp_build_receive(b, 0, kp_torus_at(at->torus, at->row, at->column - 1));
        build_dropped(b, at, kp_mod(at->column - t - 1, columns));
        kp_build_piece(b, on_its_way(at, t, (columns - 2 - t) * rows));
    }
}

/* --- Around the column --- */

/* Adds the pieces of the bundle for the processor in row `row` of this column: one block from each
 * processor of this row. This processor's own block is still in the outgoing buffer. */
static void build_bundle(kp_builder *b, const struct position *at, int64_t row)
{
    int64_t columns = at->torus.columns, rows = at->torus.rows, own = at->column;
    kp_build_piece(b, kp_every(KP_SCRATCH, row, own, rows));
    kp_build_piece(b, kp_run_of(KP_OUT, row * columns + own, 1));
    kp_build_piece(b, kp_every(KP_SCRATCH, (own + 1) * rows + row, columns - 1 - own, rows));
}

static void around_column(kp_builder *b, const struct position *at)
{
    int64_t columns = at->torus.columns, rows = at->torus.rows;
    for (int64_t t = 0; t < rows - 1; t++) {
        kp_build_round(b);
        kp_build_send(b, 0, kp_torus_at(at->torus, at->row + 1, at->column));
        for (int64_t i = 1; i < rows && t == 0; i++)
            build_bundle(b, at, (at->row + i) % rows);
        if (t > 0)
            kp_build_piece(b, on_its_way(at, t - 1, (rows - 1 - t) * columns));
        kp_build_receive(b, 0, kp_torus_at(at->torus, at->row - 1, at->column));
        kp_build_piece(b, kp_run_of(KP_IN, kp_mod(at->row - t - 1, rows) * columns, columns));
        kp_build_piece(b, on_its_way(at, t, (rows - 2 - t) * columns));
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_torus torus = kp_torus_of(p->n);
    struct position at = {torus, p->rank / torus.columns, p->rank % torus.columns, p->n, p->n};
    kp_build_scratch(b, p->n > 1 ? 3 * (int64_t)p->n : 0);
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    around_row(b, &at);
    around_column(b, &at);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    struct kp_torus torus = kp_torus_of(p->n);
    *c1 = (uint64_t)(torus.rows - 1 + torus.columns - 1);
    *c2 = kp_times(p->b, *c1 * (uint64_t)p->n / 2);
}

const kp_algorithm kp_index_torus = {
    .operation = KP_INDEX,
    .name = "torus",
    .summary =
        "around the rows of a torus, then around its columns, each block dropped at its stop",
    .source = "Saad and Schultz 1986, section 3.5, ring, for both directions of a grid",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = kp_ring_restriction,
    .serves = kp_ring_serves,
    .build = build,
    .stated_cost = stated_cost,
};
