/* Gaussian elimination with partial pivoting: solves A x = b.
 *
 * Row i belongs to processor i mod n, so all processors have work until the end. In step k the
 * owner of row k broadcasts this row (kp_broadcast). The row's largest coefficient is the pivot.
 * Each processor eliminates the pivot's column from its rows below row k. Afterwards the unknowns
 * are computed from the last step to the first: the owner of row k computes the unknown of step k
 * and broadcasts it.
 *
 * The usual method takes the largest coefficient of a column as the pivot, and exchanges rows. Here
 * the pivot is the largest coefficient of a row, and columns are exchanged. This is the usual
 * method for the transposed matrix, so it is as accurate. */
#include "gauss.h"

/* The work of one processor. */
static int work(kp_group *world, const share *p)
{
    size_t width = (p->size + 1) * sizeof *p->pivot;
    int status = 0;
    for (size_t k = 0; k < p->size && status == 0; k++) {
        int owner = (int)(k % p->n);
        double *pivot = owner == kp_rank(world) ? row_of(p, k) : p->pivot;
        status = kp_broadcast(world, pivot, width, owner, NULL);
        if (status == 0)
            eliminate(p, k, pivot);
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

static int program(kp_proc *self, void *shared)
{
    equations *e = shared;
    kp_group *world = kp_world(self);
    share p;
    int status = open_share(&p, e, (size_t)kp_size(world), (size_t)kp_rank(world))
                     ? work(world, &p)
                     : kp_fail(self, "there is not enough memory for the rows");
    if (status == 0 && kp_rank(world) == 0)
        memcpy(e->solution, p.x, e->size * sizeof *p.x);
    close_share(&p);
    return status;
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
    fill(&e, a.seed);
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
