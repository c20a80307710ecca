/* Power iteration: the largest eigenvalue of a symmetric matrix and its eigenvector.
 *
 * The rows of the matrix are dealt to the processors in equal blocks. In each step a processor
 * multiplies its rows with the vector, and a concatenation (kp_concat) brings the whole new vector
 * to all of them. */
#include "apps.h"

#define CLOSE 1e-12 /* the vector stands still when no step moves a component by more */
#define STEPS 1000

typedef struct power {
    size_t size;
    double *matrix; /* size x size, read by all */
    double *vector; /* the result, and the eigenvalue; processor 0 writes them */
    double eigenvalue;
    int steps;
} power;

/* y[i] = row first + i of the matrix times x. */
static void multiply(const power *p, size_t first, size_t count, const double *x, double *y)
{
    for (size_t i = 0; i < count; i++) {
        y[i] = 0;
        for (size_t j = 0; j < p->size; j++)
            y[i] += p->matrix[(first + i) * p->size + j] * x[j];
    }
}

/* Scales y to length 1 and moves it to x. Returns the length it had; *moved is the largest change
 * of a component of x. */
static double settle(size_t size, const double *y, double *x, double *moved)
{
    double squares = 0, length;
    for (size_t i = 0; i < size; i++)
        squares += y[i] * y[i];
    length = sqrt(squares);
    *moved = 0;
    for (size_t i = 0; i < size; i++) {
        *moved = fmax(*moved, fabs(y[i] / length - x[i]));
        x[i] = y[i] / length;
    }
    return length;
}

static void start(size_t size, double *x)
{
    for (size_t i = 0; i < size; i++)
        x[i] = 1 / sqrt((double)size);
}

/* The part of one processor. All hold the same vector after the concatenation, so all of them find
 * it standing still in the same step. */
static int iterate(kp_group *world, power *p, app_rows own, double *x, double *mine, double *whole)
{
    double length = 0, moved = 1;
    int steps = 0;
    start(p->size, x);
    while (moved > CLOSE && steps++ < STEPS) {
        multiply(p, own.first, own.count, x, mine);
        int status = kp_concat(world, mine, whole, own.most * sizeof *mine, NULL);
        if (status != 0)
            return status;
        length = settle(p->size, whole, x, &moved);
    }
    if (kp_rank(world) == 0) {
        memcpy(p->vector, x, p->size * sizeof *x);
        p->eigenvalue = length;
        p->steps = steps;
    }
    return 0;
}

static int program(kp_proc *self, void *shared)
{
    power *p = shared;
    kp_group *world = kp_world(self);
    size_t n = (size_t)kp_size(world);
    app_rows own = app_deal(p->size, n, (size_t)kp_rank(world));
    double *x = calloc(p->size, sizeof *x), *mine = calloc(own.most, sizeof *mine);
    double *whole = calloc(n * own.most, sizeof *whole); /* what lies past the end stays zero */
    int status = x && mine && whole ? iterate(world, p, own, x, mine, whole)
                                    : kp_fail(self, "there is not enough memory for the vectors");
    free(whole);
    free(mine);
    free(x);
    return status;
}

static void iterate_serially(const power *p, double *x, double *y)
{
    double moved = 1;
    start(p->size, x);
    for (int steps = 0; moved > CLOSE && steps < STEPS; steps++) {
        multiply(p, 0, p->size, x, y);
        settle(p->size, y, x, &moved);
    }
}

/* Every component is a sum of the same products in the same order, whoever computes it, so the
 * vector must be the serial one bit by bit. That it is an eigenvector at all, the length of
 * A x - lambda x says: when the vector moves by at most CLOSE a component, it is at most
 * lambda CLOSE sqrt(size), and rounding adds about lambda size epsilon. */
static int verify(const app *a, power *p, double *x, double *y)
{
    iterate_serially(p, x, y);
    if (!app_same(a, p->vector, x, p->size))
        return 0;
    double squares = 0, size = (double)p->size;
    multiply(p, 0, p->size, p->vector, y);
    for (size_t i = 0; i < p->size; i++)
        squares += pow(y[i] - p->eigenvalue * p->vector[i], 2);
    return app_within(a, "the residual of the eigenvector", sqrt(squares) / p->eigenvalue,
                      2 * (CLOSE * sqrt(size) + size * 0x1p-52));
}

/* Positive entries: one eigenvalue is larger than all others (Perron and Frobenius). */
static void fill(power *p, uint64_t seed)
{
    for (size_t i = 0; i < p->size; i++)
        for (size_t j = 0; j <= i; j++)
            p->matrix[i * p->size + j] = p->matrix[j * p->size + i] = 1 - app_uniform(&seed);
}

int main(int argc, char **argv)
{
    app a = {.name = "power_iteration", .size_is = "rows of the matrix", .size = 200, .most = 5000};
    if (app_read(&a, argc, argv) != 0)
        return APP_REFUSED;
    power p = {.size = a.size,
               .matrix = app_array(&a, a.size * a.size, sizeof(double)),
               .vector = app_array(&a, a.size, sizeof(double))};
    double *x = app_array(&a, a.size, sizeof *x), *y = app_array(&a, a.size, sizeof *y);
    fill(&p, a.seed);
    kp_report report;
    int status = app_run(&a, program, &p, &report);
    app_corrupt(&a, &p.vector[p.size - 1]);
    if (status == 0)
        status = verify(&a, &p, x, y) ? APP_VERIFIED : APP_WRONG;
    if (status == APP_VERIFIED) {
        printf("the largest eigenvalue of a %zu x %zu matrix is %.12g, after %d steps\n", p.size,
               p.size, p.eigenvalue, p.steps);
        app_verified(&a, &report,
                     "eigenvector equal to the serial one bit by bit, residual that of rounding");
    }
    free(y);
    free(x);
    free(p.vector);
    free(p.matrix);
    return status;
}
