/* Scatter on a torus, along the root's row, then along the columns.
 *
 * Source: Saad and Schultz 1986, section 3.4, (3.39), where sqrt(ceil(k / 2)) should be
 * ceil(sqrt(k) / 2); in the paper k is the number of processors. The algorithm needs at least two
 * ports; torus.h says how n processors form a torus.
 *
 * How it works. In the first phase the root sends along its row a bundle for every other column. A
 * bundle has one block for each processor of its column. In the second phase every processor of the
 * root's row scatters its bundle along its column. Both phases are scatters around a ring, in both
 * directions, and the farthest bundle leaves first (ring_scatter.h).
 *
 * Cost. Let R = floor(rows / 2) and S = floor(columns / 2). C1 = S + R, C2 = b (rows S + R). */
#include "lib/algorithms/ring_scatter.h"
#include "lib/algorithms/table.h"
#include "lib/algorithms/torus.h"
#include "lib/schedule/arithmetic.h"

/* The rows and columns of the processor for which the schedule is written, and of the root. */
struct position {
    const kp_problem *problem;
    struct kp_torus torus;
    int row, column, root_row, root_column;
};

/* --- Along the root's row: bundles of a block for every row --- */

static int in_row(const void *context, int64_t position)
{
    const struct position *at = context;
    return kp_torus_at(at->torus, at->root_row, at->root_column + position);
}

static void row_pieces(kp_builder *b, const void *context, int64_t position, int at_root)
{
    const struct position *at = context;
    int64_t column = kp_mod(at->root_column + position, at->torus.columns), own = at->root_row;
    if (at_root) {
        kp_build_piece(b, kp_every(KP_OUT, column, at->torus.rows, at->torus.columns));
        return;
    }
    kp_build_piece(b, kp_run_of(KP_SCRATCH, 0, own));
    kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
    kp_build_piece(b, kp_run_of(KP_SCRATCH, own + 1, at->torus.rows - 1 - own));
}

/* --- Down a column: single blocks --- */

static int in_column(const void *context, int64_t position)
{
    const struct position *at = context;
    return kp_torus_at(at->torus, at->root_row + position, at->column);
}

static void column_pieces(kp_builder *b, const void *context, int64_t position, int at_root)
{
    const struct position *at = context;
    int64_t row = kp_mod(at->root_row + position, at->torus.rows);
    if (!at_root)
        kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
    else if (at->column == at->root_column)
        kp_build_piece(b, kp_run_of(KP_OUT, row * at->torus.columns + at->column, 1));
    else
        kp_build_piece(b, kp_run_of(KP_SCRATCH, row, 1));
}

static void build_phase(kp_builder *b, const struct kp_ring_scatter *ring, int takes_part)
{
    for (int64_t round = 0; round < kp_ring_scatter_rounds(ring); round++) {
        kp_build_round(b);
        if (takes_part)
            kp_ring_scatter_round(b, ring, round);
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_torus torus = kp_torus_of(p->n);
    struct position at = {p,
                          torus,
                          p->rank / torus.columns,
                          p->rank % torus.columns,
                          p->root / torus.columns,
                          p->root % torus.columns};
    struct kp_ring_scatter row = {.length = torus.columns,
                                  .right = torus.columns / 2,
                                  .position = kp_mod(at.column - at.root_column, torus.columns),
                                  .bundle = torus.rows,
                                  .scratch = torus.rows,
                                  .processor = in_row,
                                  .pieces = row_pieces,
                                  .context = &at};
    struct kp_ring_scatter column = {.length = torus.rows,
                                     .right = torus.rows / 2,
                                     .position = kp_mod(at.row - at.root_row, torus.rows),
                                     .bundle = 1,
                                     .scratch = torus.rows,
                                     .processor = in_column,
                                     .pieces = column_pieces,
                                     .context = &at};
    if (p->rank == p->root)
        kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, 0, 1));
    build_phase(b, &row, at.row == at.root_row);
    build_phase(b, &column, 1);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    struct kp_torus torus = kp_torus_of(p->n);
    uint64_t rows = (uint64_t)torus.rows, in_rows = (uint64_t)torus.columns / 2;
    *c1 = in_rows + rows / 2;
    *c2 = kp_times(p->b, rows * in_rows + rows / 2);
}

const kp_algorithm kp_scatter_torus = {
    .operation = KP_SCATTER,
    .name = "torus",
    .summary = "along the root's row of a torus, then down the columns, both ways",
    .source = "Saad and Schultz 1986, section 3.4, grid",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = kp_torus_two_ports_restriction,
    .serves = kp_torus_two_ports_serves,
    .build = build,
    .own_root = 1,
    .stated_cost = stated_cost,
};
