/* Transposes a matrix TURNS times, alternately there and back. The number is odd, so the result is
 * the transposed matrix. */
#include "turn.h"

#include "../../tests/apps/apps.h"

#define TURNS 21

struct problem {
    size_t rows, columns;
    double *matrix, *transposed;
};

static bool pose(size_t size, struct posed *posed)
{
    struct problem *p = malloc(sizeof *p);
    size_t values = size * (size + size / 2);
    uint64_t random = 1;
    if (!p)
        return false;
    *p = (struct problem){.rows = size,
                          .columns = size + size / 2,
                          .matrix = calloc(values, sizeof(double)),
                          .transposed = calloc(values, sizeof(double))};
    if (!p->matrix || !p->transposed)
        return false;
    for (size_t i = 0; i < values; i++)
        p->matrix[i] = app_uniform(&random);
    *posed = (struct posed){p, p->transposed, values * sizeof(double)};
    return true;
}

enum {
    ROWS,
    COLUMNS,
    OUT,
    IN
};

static struct turn turn_of(const struct problem *p)
{
    return (struct turn){.rows = p->rows, .columns = p->columns, .bytes = sizeof(double)};
}

static void plan(const void *problem, size_t n, bool shared, struct room *rooms)
{
    const struct problem *p = problem;
    struct turn there = turn_of(p);
    size_t bytes = p->rows * p->columns * sizeof(double);
    rooms[ROWS] = rooms[COLUMNS] = (struct room){.bytes = bytes, .common = true};
    if (!shared)
        rooms[OUT].bytes = rooms[IN].bytes = turn_message_bytes(&there, n);
}

static void run(struct talk *t, void *problem)
{
    const struct problem *p = problem;
    app_rows rows = app_deal(p->rows, t->n, t->me), columns = app_deal(p->columns, t->n, t->me);
    struct turn there = turn_of(p), back = there;
    back.rows = p->columns;
    back.columns = p->rows;
    there.from = t->array[ROWS];
    there.to = t->array[COLUMNS];
    back.from = there.to;
    back.to = t->array[ROWS];
    there.out = back.out = t->array[OUT];
    there.in = back.in = t->array[IN];
    memcpy((double *)t->array[ROWS] + rows.first * p->columns, p->matrix + rows.first * p->columns,
           rows.count * p->columns * sizeof(double));
    for (int i = 0; i < TURNS; i++)
        turn(t, i % 2 == 0 ? &there : &back);
    memcpy(p->transposed + columns.first * p->rows,
           (double *)t->array[COLUMNS] + columns.first * p->rows,
           columns.count * p->rows * sizeof(double));
}

static bool right(const void *problem)
{
    const struct problem *p = problem;
    for (size_t r = 0; r < p->rows; r++)
        for (size_t c = 0; c < p->columns; c++)
            if (p->transposed[c * p->rows + r] != p->matrix[r * p->columns + c])
                return false;
    return true;
}

const struct whole transpose = {"transpose", 300, 10, pose, plan, run, right};
