/* Conjugate gradients: solves the Poisson equation on a square grid with zeros around it.
 *
 * The rows of the grid are dealt to the processors in equal blocks, and the last ones may be
 * shorter. A step needs the rows next to the own ones from the neighbours, which are two rounds
 * written by hand (kp_exchange), and two sums over all processors (kp_allreduce). */
#include "apps.h"

#define CLOSE 1e-10 /* the residual at the end, as a part of the right side */
#define STEPS 20000

typedef struct poisson {
    size_t side;
    double *right;    /* side x side, read by all */
    double *solution; /* each processor writes its rows */
    int steps;        /* processor 0 writes it */
} poisson;

/* Some rows of the grid. All four arrays have a row more on both ends, for the neighbours' in
 * `direction`; around the whole grid they stay zero. */
typedef struct part {
    size_t side, count;
    double *x, *residual, *direction, *image;
} part;

/* The sum of a[i] b[i] over the own rows. */
static double product(const part *p, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = p->side; i < (p->count + 1) * p->side; i++)
        sum += a[i] * b[i];
    return sum;
}

/* to = A from: four times a point less its four neighbours. */
static void apply(const part *p, const double *from, double *to)
{
    size_t side = p->side;
    for (size_t row = 1; row <= p->count; row++)
        for (size_t column = 0; column < side; column++) {
            size_t i = row * side + column;
            double west = column > 0 ? from[i - 1] : 0, east = column + 1 < side ? from[i + 1] : 0;
            to[i] = 4 * from[i] - west - east - from[i - side] - from[i + side];
        }
}

/* y = a x + b y on the own rows. */
static void combine(const part *p, double a, const double *x, double b, double *y)
{
    for (size_t i = p->side; i < (p->count + 1) * p->side; i++)
        y[i] = a * x[i] + b * y[i];
}

/* Every processor's last row goes down to the next one, then every first row up to the one before.
 * Those behind the last row of the grid have none, and take part in the rounds with nothing. */
static int share_edges(kp_group *world, const poisson *e, const part *p)
{
    if (world == NULL)
        return 0;
    size_t bytes = p->side * sizeof *p->direction;
    size_t most = app_deal(e->side, (size_t)kp_size(world), 0).most;
    int me = kp_rank(world), last = (int)((e->side - 1) / most);
    int next = me < last; /* whether there is one */
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

/* The sum over all processors, which get the same bits of it and so stop in the same step. */
static int sum(kp_group *world, double *value)
{
    if (world == NULL)
        return 0;
    return kp_allreduce(world, KP_IN_PLACE, value, 1, KP_FLOAT64, KP_SUM, NULL);
}

/* Hestenes and Stiefel 1952. x is zero at the beginning, residual and direction the right side.
 * Without a world the part is the whole grid, and nobody is there to talk to. */
static int solve(kp_group *world, const poisson *e, const part *p, int *steps)
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

/* Takes room for `count` rows of `right`. Returns whether there was memory. */
static int open_part(part *p, size_t side, size_t count, const double *right)
{
    size_t room = (count + 2) * side, rows = count * side;
    *p = (part){.side = side, .count = count, .x = calloc(4 * room, sizeof(double))};
    if (p->x == NULL)
        return 0;
    p->residual = p->x + room;
    p->direction = p->residual + room;
    p->image = p->direction + room;
    memcpy(p->residual + side, right, rows * sizeof *right);
    memcpy(p->direction + side, right, rows * sizeof *right);
    return 1;
}

static int program(kp_proc *self, void *shared)
{
    poisson *e = shared;
    kp_group *world = kp_world(self);
    app_rows own = app_deal(e->side, (size_t)kp_size(world), (size_t)kp_rank(world));
    size_t first = own.first * e->side;
    part p;
    int steps = 0;
    int status = open_part(&p, e->side, own.count, e->right + first)
                     ? solve(world, e, &p, &steps)
                     : kp_fail(self, "there is not enough memory for the rows");
    if (status == 0)
        memcpy(e->solution + first, p.x + p.side, p.count * p.side * sizeof *p.x);
    if (status == 0 && kp_rank(world) == 0)
        e->steps = steps;
    free(p.x);
    return status;
}

/* Sums over processors add in another order than the serial ones, so the solutions differ. But
 * neither leaves more than CLOSE |right|, twice that with the rounding in it, of the right side;
 * so they are no further apart than both together, divided by the least eigenvalue of A, which is
 * 8 sin^2(pi / (2 side + 2)). */
static int verify(const app *a, const poisson *e, part *serial, double right, double allowed)
{
    int steps;
    size_t points = e->side * e->side;
    double apart = 0, left = 0, *x = serial->direction;
    if (solve(NULL, e, serial, &steps) != 0)
        return 0;
    memcpy(x + e->side, e->solution, points * sizeof *x);
    apply(serial, x, serial->image);
    for (size_t i = 0; i < points; i++) {
        apart += pow(e->solution[i] - serial->x[e->side + i], 2);
        left += pow(e->right[i] - serial->image[e->side + i], 2);
    }
    return app_within(a, "the distance to the serial solution", sqrt(apart), allowed) &&
           app_within(a, "the residual", sqrt(left), 2 * CLOSE * right);
}

int main(int argc, char **argv)
{
    app a = {.name = "cg", .size_is = "rows and columns of the grid", .size = 50, .most = 500};
    if (app_read(&a, argc, argv) != 0)
        return APP_REFUSED;
    size_t points = a.size * a.size;
    poisson e = {.side = a.size, .right = app_array(&a, 2 * points, sizeof(double))};
    e.solution = e.right + points;
    uint64_t random = a.seed;
    for (size_t i = 0; i < points; i++)
        e.right[i] = 2 * app_uniform(&random) - 1;
    part serial;
    if (!open_part(&serial, e.side, e.side, e.right))
        app_no_memory(&a);
    double right = sqrt(product(&serial, serial.residual, serial.residual));
    double allowed = 4 * CLOSE * right / (8 * pow(sin(acos(-1) / (2 * (double)a.size + 2)), 2));
    kp_report report;
    int status = app_run(&a, program, &e, &report);
    if (a.corrupt)
        e.solution[points - 1] += 2 * allowed;
    if (status == 0)
        status = verify(&a, &e, &serial, right, allowed) ? APP_VERIFIED : APP_WRONG;
    if (status == APP_VERIFIED) {
        printf("the Poisson equation on a %zu x %zu grid is solved in %d steps\n", e.side, e.side,
               e.steps);
        app_verified(&a, &report, "as near to the serial solution as the residuals of both allow");
    }
    free(serial.x);
    free(e.right);
    return status;
}
