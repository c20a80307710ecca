/* The computations of cg.c, the same for all owners of rows: conjugate gradients for the Poisson
 * equation on a square grid with zeros around it, and the allowed error of the result. */
#ifndef KPORT_APPS_CG_H
#define KPORT_APPS_CG_H

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
static inline double product(const part *p, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = p->side; i < (p->count + 1) * p->side; i++)
        sum += a[i] * b[i];
    return sum;
}

/* to = A from: four times a point less its four neighbours. */
static inline void apply(const part *p, const double *from, double *to)
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
static inline void combine(const part *p, double a, const double *x, double b, double *y)
{
    for (size_t i = p->side; i < (p->count + 1) * p->side; i++)
        y[i] = a * x[i] + b * y[i];
}

/* Takes room for `count` rows of `right`. Returns whether there was memory. */
static inline int open_part(part *p, size_t side, size_t count, const double *right)
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

/* Sums over processors add in another order than the serial ones, so the solutions differ. But
 * neither leaves more than CLOSE |right|, twice that with the rounding in it, of the right side;
 * so they are no further apart than both together, divided by the least eigenvalue of A, which is
 * 8 sin^2(pi / (2 side + 2)). */
static inline double allowed_distance(size_t side, double right)
{
    return 4 * CLOSE * right / (8 * pow(sin(acos(-1) / (2 * (double)side + 2)), 2));
}

/* `serial` is solved; `right` is the length of the right side. */
static inline int verify(const app *a, const poisson *e, part *serial, double right)
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
