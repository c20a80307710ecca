/* Power iteration: computes the largest eigenvalue of a symmetric matrix and its eigenvector.
 *
 * Each processor has a block of adjacent rows of the matrix. In each step it multiplies its rows by
 * the vector. A concatenation (kp_concat) then gives the whole new vector to all processors. */
#include "power_iteration.h"

/* The work of one processor. After each concatenation all processors have the same vector, so they
 * all stop in the same step. */
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
    /* The part after the last component stays zero. */
    double *whole = calloc(n * own.most, sizeof *whole);
    int status = x && mine && whole ? iterate(world, p, own, x, mine, whole)
                                    : kp_fail(self, "there is not enough memory for the vectors");
    free(whole);
    free(mine);
    free(x);
    return status;
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
