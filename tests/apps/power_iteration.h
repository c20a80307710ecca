/* The computations of power_iteration.c: products of a matrix's rows with a vector, and how the
 * eigenvector is verified. */
#ifndef KPORT_APPS_POWER_ITERATION_H
#define KPORT_APPS_POWER_ITERATION_H

#include "apps.h"

#define CLOSE 1e-12 /* the iteration ends when a step changes no component by more than this */
#define STEPS 1000

typedef struct power {
    size_t size;
    double *matrix; /* size x size; read by all processors */
    /* `vector` is the eigenvector. Processor 0 writes `vector`, `eigenvalue` and `steps`. */
    double *vector;
    double eigenvalue;
    int steps;
} power;

/* Computes y[i] = (row first + i of the matrix) * x, for 0 <= i < count. */
static inline void multiply(const power *p, size_t first, size_t count, const double *x, double *y)
{
    for (size_t i = 0; i < count; i++) {
        y[i] = 0;
        for (size_t j = 0; j < p->size; j++)
            y[i] += p->matrix[(first + i) * p->size + j] * x[j];
    }
}

/* Stores y / |y| in x. Returns the length |y|. *moved is the largest change of a component of x. */
static inline double settle(size_t size, const double *y, double *x, double *moved)
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

static inline void start(size_t size, double *x)
{
    for (size_t i = 0; i < size; i++)
        x[i] = 1 / sqrt((double)size);
}

static inline void iterate_serially(const power *p, double *x, double *y)
{
    double moved = 1;
    start(p->size, x);
    for (int steps = 0; moved > CLOSE && steps < STEPS; steps++) {
        multiply(p, 0, p->size, x, y);
        settle(p->size, y, x, &moved);
    }
}

/* Verifies the eigenvector x and the eigenvalue lambda in two ways.
 *
 * x must equal the serial result bit by bit. Every component is a sum of the same products in the
 * same order, whichever processor computes it.
 *
 * The residual A x - lambda x must be short. The last step changed no component of x by more than
 * CLOSE, so the length of the residual is at most lambda CLOSE sqrt(size). Rounding adds about
 * lambda size epsilon. The test allows twice the sum of both bounds. */
static inline int verify(const app *a, power *p, double *x, double *y)
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

/* Fills the symmetric matrix with positive numbers. One eigenvalue is then larger than all others
 * (Perron and Frobenius), so the iteration converges. */
static inline void fill(power *p, uint64_t seed)
{
    for (size_t i = 0; i < p->size; i++)
        for (size_t j = 0; j <= i; j++)
            p->matrix[i * p->size + j] = p->matrix[j * p->size + i] = 1 - app_uniform(&seed);
}

#endif
