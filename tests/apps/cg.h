/* The computations of cg.c: the steps of the method of conjugate gradients on some rows of a grid,
 * and how the solution is verified. The equation A x = b is the Poisson equation on a square grid
 * with zeros around it. */
#ifndef KPORT_APPS_CG_H
#define KPORT_APPS_CG_H

#include "apps.h"

#define CLOSE 1e-10 /* at the end |b - A x| <= CLOSE |b| */
#define STEPS 20000

typedef struct poisson {
    size_t side;
    double *right;    /* b: side x side values; read by all processors */
    double *solution; /* x: each processor writes its own rows */
    int steps;        /* the number of steps that were made; processor 0 writes it */
} poisson;

/* Some rows of the grid: all rows, or those of one processor. Each array has one extra row before
 * its first row and one after its last row. In `direction` the extra rows are copies of the
 * neighbouring processors' rows. At the border of the grid an extra row stays zero. */
typedef struct share {
    size_t side, count;
    double *x, *residual, *direction, *image;
} share;

/* Returns the sum of a[i] b[i] over the share's rows, without the extra rows. */
static inline double product(const share *p, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = p->side; i < (p->count + 1) * p->side; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Computes to = A * from. Each value of `to` is 4 times the value of a point minus the values of
 * its four neighbours. */
static inline void apply(const share *p, const double *from, double *to)
{
    size_t side = p->side;
    for (size_t row = 1; row <= p->count; row++)
        for (size_t column = 0; column < side; column++) {
            size_t i = row * side + column;
            double west = column > 0 ? from[i - 1] : 0, east = column + 1 < side ? from[i + 1] : 0;
            to[i] = 4 * from[i] - west - east - from[i - side] - from[i + side];
        }
}

/* Replaces y by a x + b y on the share's rows. */
static inline void combine(const share *p, double a, const double *x, double b, double *y)
{
    for (size_t i = p->side; i < (p->count + 1) * p->side; i++)
        y[i] = a * x[i] + b * y[i];
}

/* Allocates arrays for `count` rows of `right`, and starts the iteration with x = 0. Returns
 * whether there was enough memory. */
static inline int open_share(share *p, size_t side, size_t count, const double *right)
{
    size_t room = (count + 2) * side, rows = count * side;
    *p = (share){.side = side, .count = count, .x = calloc(4 * room, sizeof(double))};
    if (p->x == NULL)
        return 0;
    p->residual = p->x + room;
    p->direction = p->residual + room;
    p->image = p->direction + room;
    memcpy(p->residual + side, right, rows * sizeof *right);
    memcpy(p->direction + side, right, rows * sizeof *right);
    return 1;
}

/* Returns the greatest allowed distance between the parallel and the serial solution. The two
 * solutions differ because their sums are added in different orders. The iteration ends when the
 * residual that it computes is at most CLOSE |b|. Because of rounding errors the true residual |b -
 * A x| of each solution may be greater, but it is at most 2 CLOSE |b|. So the distance of the two
 * solutions is at most 4 CLOSE |b| / lambda, where lambda = 8 sin^2(pi / (2 side + 2)) is the least
 * eigenvalue of A. */
static inline double allowed_distance(size_t side, double right)
{
    return 4 * CLOSE * right / (8 * pow(sin(acos(-1) / (2 * (double)side + 2)), 2));
}

/* Verifies the parallel solution in two ways: by its distance from the solution in `serial`, and by
 * its residual. `right` is the length |b|. */
static inline int verify(const app *a, const poisson *e, share *serial, double right)
{
    size_t points = e->side * e->side;
    double apart = 0, left = 0, *x = serial->direction;
    memcpy(x + e->side, e->solution, points * sizeof *x);
    apply(serial, x, serial->image);
    for (size_t i = 0; i < points; i++) {
        apart += pow(e->solution[i] - serial->x[e->side + i], 2);
        left += pow(e->right[i] - serial->image[e->side + i], 2);
    }
    return app_within(a, "the distance to the serial solution", sqrt(apart),
                      allowed_distance(e->side, right)) &&
           app_within(a, "the residual", sqrt(left), 2 * CLOSE * right);
}

static inline void fill(const poisson *e, uint64_t seed)
{
    for (size_t i = 0; i < e->side * e->side; i++)
        e->right[i] = 2 * app_uniform(&seed) - 1;
}

#endif
