/* Conjugate gradients: solves the Poisson equation on a square grid with zeros around it.
 *
 * Each processor has a block of adjacent rows of the grid. All blocks are equally long, except that
 * the last blocks may be shorter or empty. In each step a processor exchanges its first and last
 * row with its two neighbours, in two rounds (kp_exchange). Two sums over all processors follow
 * (kp_allreduce). */
#include "cg.h"

/* Exchanges the rows at the edges of the blocks. In the first round every processor sends its last
 * row to the next processor, in the second round its first row to the previous processor. A
 * processor without rows takes part in both rounds and sends nothing. */
static int share_edges(kp_group *world, const poisson *e, const share *p)
{
    if (world == NULL)
        return 0;
    size_t bytes = p->side * sizeof *p->direction;
    size_t most = app_deal(e->side, (size_t)kp_size(world), 0).most;
    int me = kp_rank(world), last = (int)((e->side - 1) / most);
    int next = me < last; /* whether a processor after this one has rows */
    int previous = me > 0 && me <= last;
    double *above = p->direction, *first = above + p->side;
    double *bottom = above + p->count * p->side, *below = bottom + p->side;

    kp_outgoing down = {.peer = me + 1, .data = bottom, .bytes = bytes};
    kp_incoming from_above = {.peer = me - 1, .data = above, .bytes = bytes};
    int status = kp_exchange(world, &down, next, &from_above, previous);
    if (status != 0)
        return status;
    kp_outgoing up = {.peer = me - 1, .data = first, .bytes = bytes};
    kp_incoming from_below = {.peer = me + 1, .data = below, .bytes = bytes};
    return kp_exchange(world, &up, previous, &from_below, next);
}

/* Adds the values of all processors. All processors get the same bits, so they all stop in the same
 * step. */
static int sum(kp_group *world, double *value)
{
    if (world == NULL)
        return 0;
    return kp_allreduce(world, KP_IN_PLACE, value, 1, KP_FLOAT64, KP_SUM, NULL);
}

/* Solves the equation by the method of Hestenes and Stiefel 1952. At the start x is zero, and
 * residual and direction equal the right side. If `world` is NULL, the computation is serial and
 * the share is the whole grid. */
static int solve(kp_group *world, const poisson *e, const share *p, int *steps)
{
    double square = product(p, p->residual, p->residual);
    int status = sum(world, &square);
    const double enough = CLOSE * CLOSE * square;
    for (*steps = 0; status == 0 && square > enough && *steps < STEPS; ++*steps) {
        if ((status = share_edges(world, e, p)) != 0)
            return status;
        apply(p, p->direction, p->image);
        double curvature = product(p, p->direction, p->image), before = square;
        if ((status = sum(world, &curvature)) != 0)
            return status;
        combine(p, square / curvature, p->direction, 1, p->x);
        combine(p, -square / curvature, p->image, 1, p->residual);
        square = product(p, p->residual, p->residual);
        status = sum(world, &square);
        combine(p, 1, p->residual, square / before, p->direction);
    }
    return status;
}

static int program(kp_proc *self, void *shared)
{
    poisson *e = shared;
    kp_group *world = kp_world(self);
    app_rows own = app_deal(e->side, (size_t)kp_size(world), (size_t)kp_rank(world));
    size_t first = own.first * e->side;
    share p;
    int steps = 0;
    int status = open_share(&p, e->side, own.count, e->right + first)
                     ? solve(world, e, &p, &steps)
                     : kp_fail(self, "there is not enough memory for the rows");
    if (status == 0)
        memcpy(e->solution + first, p.x + p.side, p.count * p.side * sizeof *p.x);
    if (status == 0 && kp_rank(world) == 0)
        e->steps = steps;
    free(p.x);
    return status;
}

int main(int argc, char **argv)
{
    app a = {.name = "cg", .size_is = "rows and columns of the grid", .size = 50, .most = 500};
    if (app_read(&a, argc, argv) != 0)
        return APP_REFUSED;
    size_t points = a.size * a.size;
    poisson e = {.side = a.size, .right = app_array(&a, 2 * points, sizeof(double))};
    e.solution = e.right + points;
    fill(&e, a.seed);
    share serial;
    if (!open_share(&serial, e.side, e.side, e.right))
        app_no_memory(&a);
    double right = sqrt(product(&serial, serial.residual, serial.residual));
    kp_report report;
    int steps, status = app_run(&a, program, &e, &report);
    if (a.corrupt)
        e.solution[points - 1] += 2 * allowed_distance(e.side, right);
    if (status == 0)
        status = solve(NULL, &e, &serial, &steps);
    if (status == 0)
        status = verify(&a, &e, &serial, right) ? APP_VERIFIED : APP_WRONG;
    if (status == APP_VERIFIED) {
        printf("the Poisson equation on a %zu x %zu grid is solved in %d steps\n", e.side, e.side,
               e.steps);
        app_verified(&a, &report, "as near to the serial solution as the residuals of both allow");
    }
    free(serial.x);
    free(e.right);
    return status;
}
