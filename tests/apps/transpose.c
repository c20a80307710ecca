/* Transposes a matrix with one index (kp_index).
 *
 * Each processor has a block of adjacent rows of the matrix, and in the end a block of rows of the
 * transposed matrix. The element at row r and column c moves from the owner of row r to the owner
 * of column c. So every processor sends a block to every other processor: block j has the elements
 * of its own rows that lie in the columns of processor j. The introduction of Bruck et al. 1997
 * names the transposition as the first use of the index. */
#include "apps.h"

typedef struct transposition {
    size_t rows, columns;
    double *matrix;     /* rows x columns; read by all processors */
    double *transposed; /* columns x rows; each processor writes its own block of rows */
} transposition;

/* Fills `out`. Block j has the elements of this processor's rows that lie in the columns of
 * processor j. The block is already transposed, so the receiver copies whole rows. */
static void pack(const transposition *t, size_t n, app_rows own, double *out)
{
    for (size_t j = 0; j < n; j++) {
        app_rows theirs = app_deal(t->columns, n, j);
        double *block = out + j * own.most * theirs.most;
        for (size_t c = 0; c < theirs.count; c++)
            for (size_t r = 0; r < own.count; r++)
                block[c * own.most + r] =
                    t->matrix[(own.first + r) * t->columns + theirs.first + c];
    }
}

/* Stores the blocks of `in` in this processor's rows of the transposed matrix. Block i comes from
 * processor i. */
static void unpack(const transposition *t, size_t n, app_rows own, const double *in)
{
    for (size_t i = 0; i < n; i++) {
        app_rows theirs = app_deal(t->rows, n, i);
        const double *block = in + i * own.most * theirs.most;
        for (size_t c = 0; c < own.count; c++)
            memcpy(t->transposed + (own.first + c) * t->rows + theirs.first,
                   block + c * theirs.most, theirs.count * sizeof *block);
    }
}

static int program(kp_proc *self, void *shared)
{
    transposition *t = shared;
    kp_group *world = kp_world(self);
    size_t n = (size_t)kp_size(world), me = (size_t)kp_rank(world);
    app_rows rows = app_deal(t->rows, n, me), columns = app_deal(t->columns, n, me);
    size_t block = rows.most * columns.most;
    double *out = calloc(n * block, sizeof *out), *in = calloc(n * block, sizeof *in);
    int status = 0;
    if (out == NULL || in == NULL) {
        status = kp_fail(self, "there is not enough memory for the blocks");
    } else {
        pack(t, n, rows, out);
        status = kp_index(world, out, in, block * sizeof *out, NULL);
        if (status == 0)
            unpack(t, n, columns, in);
    }
    free(in);
    free(out);
    return status;
}

static void transpose_serially(const transposition *t, double *serial)
{
    for (size_t r = 0; r < t->rows; r++)
        for (size_t c = 0; c < t->columns; c++)
            serial[c * t->rows + r] = t->matrix[r * t->columns + c];
}

int main(int argc, char **argv)
{
    app a = {.name = "transpose",
             .size_is = "rows; there are half as many columns again",
             .size = 300,
             .most = 4000};
    if (app_read(&a, argc, argv) != 0)
        return APP_REFUSED;
    transposition t = {.rows = a.size, .columns = a.size + a.size / 2};
    size_t values = t.rows * t.columns;
    t.matrix = app_array(&a, values, sizeof(double));
    t.transposed = app_array(&a, values, sizeof(double));
    double *serial = app_array(&a, values, sizeof *serial);
    uint64_t random = a.seed;
    for (size_t i = 0; i < values; i++)
        t.matrix[i] = app_uniform(&random);

    kp_report report;
    int status = app_run(&a, program, &t, &report);
    app_corrupt(&a, &t.transposed[values - 1]);
    transpose_serially(&t, serial);
    /* The values only move, so every bit must be the same. */
    if (status == 0)
        status = app_same(&a, t.transposed, serial, values) ? APP_VERIFIED : APP_WRONG;
    if (status == APP_VERIFIED) {
        printf("a %zu x %zu matrix is transposed\n", t.rows, t.columns);
        app_verified(&a, &report, "all of it equal to the serial transposition bit by bit");
    }
    free(serial);
    free(t.transposed);
    free(t.matrix);
    return status;
}
