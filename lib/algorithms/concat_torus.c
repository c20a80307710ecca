/* Concatenation on a torus, around the columns, then around the rows.
 *
 * Source: Saad and Schultz 1986, section 3.3, (3.31). The algorithm serves every n up to 4096;
 * torus.h says how n processors form a torus.
 *
 * How it works. First every column is a ring. In the first round a processor sends its own block to
 * the next row. In every later round it sends to the next row the block that it received in the
 * round before. Now every processor has the blocks of its column, and every row is a ring. In the
 * first round around the rows a processor sends the blocks of its column to the next column. In
 * every later round it sends to the next column the blocks that it received in the round before.
 * One port is used, in one direction.
 *
 * Cost. C1 = rows - 1 + columns - 1. C2 = b (n - 1), the minimum on one port. */
#include "lib/algorithms/table.h"
#include "lib/algorithms/torus.h"
#include "lib/schedule/arithmetic.h"

static kp_piece column_of(struct kp_torus torus, int64_t column)
{
    return kp_every(KP_IN, kp_mod(column, torus.columns), torus.rows, torus.columns);
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct kp_torus torus = kp_torus_of(p->n);
    int row = p->rank / torus.columns, column = p->rank % torus.columns;
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int t = 0; t < torus.rows - 1; t++) {
        kp_build_round(b);
        kp_build_send(b, 0, kp_torus_at(torus, row + 1, column));
        kp_build_piece(b, kp_run_of(KP_IN, kp_torus_at(torus, row - t, column), 1));
        kp_build_receive(b, 0, kp_torus_at(torus, row - 1, column));
        kp_build_piece(b, kp_run_of(KP_IN, kp_torus_at(torus, row - t - 1, column), 1));
    }
    for (int t = 0; t < torus.columns - 1; t++) {
        kp_build_round(b);
        kp_build_send(b, 0, kp_torus_at(torus, row, column + 1));
        kp_build_piece(b, column_of(torus, column - t));
        kp_build_receive(b, 0, kp_torus_at(torus, row, column - 1));
        kp_build_piece(b, column_of(torus, column - t - 1));
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    struct kp_torus torus = kp_torus_of(p->n);
    *c1 = (uint64_t)(torus.rows - 1 + torus.columns - 1);
    *c2 = kp_times(p->b, (uint64_t)p->n - 1);
}

const kp_algorithm kp_concat_torus = {
    .operation = KP_CONCAT,
    .name = "torus",
    .summary = "around the columns of a torus, then around its rows",
    .source = "Saad and Schultz 1986, section 3.3, grid",
    .symmetry = KP_NO_SYMMETRY,
    .restriction = kp_ring_restriction,
    .serves = kp_ring_serves,
    .build = build,
    .stated_cost = stated_cost,
};
