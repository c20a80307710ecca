/* Gaussian elimination with partial pivoting: solves A x = b.
 *
 * The rows are dealt like cards, row i to processor i mod n, so that all have work until the end.
 * In step k the owner of row k broadcasts it (kp_broadcast); all choose its largest coefficient as
 * the pivot and eliminate that column from their rows below. Then the unknowns come out from the
 * last step to the first, each broadcast by the processor that has its row.
 *
 * A pivot that is the largest of its row, with columns exchanged, is as good as the usual one that
 * is the largest of its column: it is the elimination of the transposed matrix. */
#include "apps.h"

/* A row is `size` coefficients and the right side. */
typedef struct equations {
    size_t size;
    double *rows;     /* as given, read by all */
    double *solution; /* processor 0 writes it */
} equations;

/* The rows of one of n processors: row i of the equations is rows[i / n]. */
typedef struct part {
    size_t size, n, me;
    double *rows;  /* of size + 1 values each */
    double *pivot; /* the row of this step */
    double *x;
    size_t *unknown; /* which one step k eliminates */
} part;

static double *row_of(const part *p, size_t i)
{
    return p->rows + i / p->n * (p->size + 1);
}

/* The first row from row i on that is this processor's. */
static size_t own_from(const part *p, size_t i)
{
    return i + (p->me + p->n - i % p->n) % p->n;
}

static size_t largest(const double *row, size_t size)
{
    size_t found = 0;
    for (size_t j = 1; j < size; j++)
        if (fabs(row[j]) > fabs(row[found]))
            found = j;
    return found;
}

/* Subtracts a multiple of the pivot row of step k from each row below. What was eliminated becomes
 * exactly zero, so that no later step chooses it again. */
static void eliminate(const part *p, size_t k)
{
    size_t column = p->unknown[k] = largest(p->pivot, p->size);
    for (size_t i = own_from(p, k + 1); i < p->size; i += p->n) {
        double *row = row_of(p, i), factor = row[column] / p->pivot[column];
        for (size_t j = 0; j <= p->size; j++)
            row[j] -= factor * p->pivot[j];
        row[column] = 0;
    }
}

/* The unknown of step k, when those of later steps have been moved to the right side. */
static double solve(const part *p, size_t k)
{
    const double *row = row_of(p, k);
    return row[p->size] / row[p->unknown[k]];
}

static void substitute(const part *p, size_t k)
{
    size_t column = p->unknown[k];
    for (size_t i = own_from(p, 0); i < k; i += p->n)
        row_of(p, i)[p->size] -= row_of(p, i)[column] * p->x[column];
}

/* The part of one processor. */
static int work(kp_group *world, const part *p)
{
    size_t width = (p->size + 1) * sizeof *p->pivot;
    int status = 0;
    for (size_t k = 0; k < p->size && status == 0; k++) {
        int owner = (int)(k % p->n);
        if (owner == kp_rank(world))
            memcpy(p->pivot, row_of(p, k), width);
        status = kp_broadcast(world, p->pivot, width, owner, NULL);
        if (status == 0)
            eliminate(p, k);
    }
    for (size_t k = p->size; k-- > 0 && status == 0;) {
        int owner = (int)(k % p->n);
        double *x = &p->x[p->unknown[k]];
        if (owner == kp_rank(world))
            *x = solve(p, k);
        status = kp_broadcast(world, x, sizeof *x, owner, NULL);
        if (status == 0)
            substitute(p, k);
    }
    return status;
}

static void work_serially(const part *p)
{
    for (size_t k = 0; k < p->size; k++) {
        memcpy(p->pivot, row_of(p, k), (p->size + 1) * sizeof *p->pivot);
        eliminate(p, k);
    }
    for (size_t k = p->size; k-- > 0;) {
        p->x[p->unknown[k]] = solve(p, k);
        substitute(p, k);
    }
}

/* Takes room for a part, and its rows from the equations. Returns whether there was memory. */
static int open_part(part *p, const equations *e, size_t n, size_t me)
{
    size_t width = e->size + 1, most = e->size / n + 1;
    *p = (part){.size = e->size, .n = n, .me = me};
    p->rows = calloc((most + 2) * width, sizeof *p->rows);
    p->unknown = calloc(width, sizeof *p->unknown);
    if (p->rows == NULL || p->unknown == NULL)
        return 0;
    p->pivot = p->rows + most * width;
    p->x = p->pivot + width;
    for (size_t i = me; i < e->size; i += n)
        memcpy(row_of(p, i), e->rows + i * width, width * sizeof *p->rows);
    return 1;
}

static void close_part(part *p)
{
    free(p->unknown);
    free(p->rows);
}

static int program(kp_proc *self, void *shared)
{
    equations *e = shared;
    kp_group *world = kp_world(self);
    part p;
    int status = open_part(&p, e, (size_t)kp_size(world), (size_t)kp_rank(world))
                     ? work(world, &p)
                     : kp_fail(self, "there is not enough memory for the rows");
    if (status == 0 && kp_rank(world) == 0)
        memcpy(e->solution, p.x, e->size * sizeof *p.x);
    close_part(&p);
    return status;
}

/* A row meets the same pivots in the same order wherever it is, so the solution must be the serial
 * one bit by bit. That it solves the equations, what is left of A x - b says: with coefficients of
 * at most 1 about size epsilon times the largest unknown, times the growth of the coefficients
 * (Wilkinson 1961), which is less than size for all but contrived matrices. */
static int verify(const app *a, const equations *e)
{
    part serial;
    if (!open_part(&serial, e, 1, 0))
        app_no_memory(a);
    work_serially(&serial);
    int right = app_same(a, e->solution, serial.x, e->size);
    close_part(&serial);
    double most = 1, size = (double)e->size;
    for (size_t j = 0; j < e->size; j++)
        most = fmax(most, fabs(e->solution[j]));
    for (size_t i = 0; i < e->size && right; i++) {
        const double *row = e->rows + i * (e->size + 1);
        double left = -row[e->size];
        for (size_t j = 0; j < e->size; j++)
            left += row[j] * e->solution[j];
        right = app_within(a, "the residual", fabs(left), 10 * size * size * 0x1p-52 * most);
    }
    return right;
}

int main(int argc, char **argv)
{
    app a = {.name = "gauss", .size_is = "equations", .size = 200, .most = 3000};
    if (app_read(&a, argc, argv) != 0)
        return APP_REFUSED;
    size_t values = a.size * (a.size + 1);
    equations e = {.size = a.size,
                   .rows = app_array(&a, values, sizeof(double)),
                   .solution = app_array(&a, a.size, sizeof(double))};
    uint64_t random = a.seed;
    for (size_t i = 0; i < values; i++)
        e.rows[i] = 2 * app_uniform(&random) - 1;
    kp_report report;
    int status = app_run(&a, program, &e, &report);
    app_corrupt(&a, &e.solution[e.size - 1]);
    if (status == 0)
        status = verify(&a, &e) ? APP_VERIFIED : APP_WRONG;
    if (status == APP_VERIFIED) {
        printf("%zu equations are solved\n", e.size);
        app_verified(&a, &report,
                     "solution equal to the serial one bit by bit, residual that of rounding");
    }
    free(e.solution);
    free(e.rows);
    return status;
}
