/* The computations of gauss.c: how a processor eliminates unknowns from its rows, and how the
 * solution is verified. */
#ifndef KPORT_APPS_GAUSS_H
#define KPORT_APPS_GAUSS_H

#include "apps.h"

/* A system of linear equations. A row has `size` coefficients and the right side. */
typedef struct equations {
    size_t size;
    double *rows;     /* the rows as they are given; all processors read them */
    double *solution; /* written by processor 0 */
} equations;

/* The rows of processor `me` of n. Row i of the equations belongs to processor i mod n, where it is
 * row floor(i / n) of `rows`. */
typedef struct share {
    size_t size, n, me;
    double *rows;  /* the processor's rows, each with size + 1 values */
    double *pivot; /* room for the pivot row of one step, from another processor */
    double *x;
    size_t *unknown; /* unknown[k] is the unknown that step k eliminates */
} share;

static inline double *row_of(const share *p, size_t i)
{
    return p->rows + i / p->n * (p->size + 1);
}

/* Of the rows i, i + 1, ..., returns the first one that belongs to this processor. */
static inline size_t own_from(const share *p, size_t i)
{
    return i + (p->me + p->n - i % p->n) % p->n;
}

static inline size_t largest(const double *row, size_t size)
{
    size_t found = 0;
    for (size_t j = 1; j < size; j++)
        if (fabs(row[j]) > fabs(row[found]))
            found = j;
    return found;
}

/* Makes step k of the elimination: subtracts a multiple of the pivot row from each of this
 * processor's rows below row k. The eliminated coefficients become exactly zero, so no later step
 * chooses the same unknown. */
static inline void eliminate(const share *p, size_t k, const double *pivot)
{
    size_t column = p->unknown[k] = largest(pivot, p->size);
    for (size_t i = own_from(p, k + 1); i < p->size; i += p->n) {
        double *row = row_of(p, i), factor = row[column] / pivot[column];
        for (size_t j = 0; j <= p->size; j++)
            row[j] -= factor * pivot[j];
        row[column] = 0;
    }
}

/* Returns the value of the unknown that step k eliminates. The unknowns of all later steps must be
 * known, and moved to the right side. */
static inline double solve(const share *p, size_t k)
{
    const double *row = row_of(p, k);
    return row[p->size] / row[p->unknown[k]];
}

static inline void substitute(const share *p, size_t k)
{
    size_t column = p->unknown[k];
    for (size_t i = own_from(p, 0); i < k; i += p->n)
        row_of(p, i)[p->size] -= row_of(p, i)[column] * p->x[column];
}

static inline void work_serially(const share *p)
{
    for (size_t k = 0; k < p->size; k++)
        eliminate(p, k, row_of(p, k));
    for (size_t k = p->size; k-- > 0;) {
        p->x[p->unknown[k]] = solve(p, k);
        substitute(p, k);
    }
}

/* Copies this processor's rows from the equations. */
static inline void take_rows(const share *p, const equations *e)
{
    size_t width = e->size + 1;
    for (size_t i = p->me; i < e->size; i += p->n)
        memcpy(row_of(p, i), e->rows + i * width, width * sizeof *p->rows);
}

/* Allocates a share and copies its rows from the equations. Returns whether there was enough
 * memory. */
static inline int open_share(share *p, const equations *e, size_t n, size_t me)
{
    size_t width = e->size + 1, most = e->size / n + 1;
    *p = (share){.size = e->size, .n = n, .me = me};
    p->rows = calloc((most + 2) * width, sizeof *p->rows);
    p->unknown = calloc(width, sizeof *p->unknown);
    if (p->rows == NULL || p->unknown == NULL)
        return 0;
    p->pivot = p->rows + most * width;
    p->x = p->pivot + width;
    take_rows(p, e);
    return 1;
}

static inline void close_share(share *p)
{
    free(p->unknown);
    free(p->rows);
}

/* Verifies the solution x in two ways.
 *
 * x must equal the serial solution bit by bit, because every row meets the same pivots in the same
 * order, whichever processor owns the row.
 *
 * x must solve the equations A x = b. Every component of the residual A x - b must be at most 10
 * size^2 epsilon max(1, max|x_j|). With coefficients of at most 1 the rounding error is about size
 * epsilon max|x_j|, times the growth of the coefficients. That growth is less than size for all but
 * contrived matrices (Wilkinson 1961). */
static inline int verify(const app *a, const equations *e)
{
    share serial;
    if (!open_share(&serial, e, 1, 0))
        app_no_memory(a);
    work_serially(&serial);
    int right = app_same(a, e->solution, serial.x, e->size);
    close_share(&serial);
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

static inline void fill(const equations *e, uint64_t seed)
{
    for (size_t i = 0; i < e->size * (e->size + 1); i++)
        e->rows[i] = 2 * app_uniform(&seed) - 1;
}

#endif
