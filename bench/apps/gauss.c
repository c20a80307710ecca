/* Gaussian elimination with partial pivoting. The rows are distributed cyclically: row i belongs to
 * member i mod n. */
#include "../../tests/apps/gauss.h"

#include "whole.h"

static bool pose(size_t size, struct posed *posed)
{
    equations *e = malloc(sizeof *e);
    if (!e)
        return false;
    *e = (equations){.size = size,
                     .rows = calloc(size * (size + 1), sizeof(double)),
                     .solution = calloc(size, sizeof(double))};
    if (!e->rows || !e->solution)
        return false;
    fill(e, 1);
    *posed = (struct posed){e, e->solution, size * sizeof(double)};
    return true;
}

enum {
    ROWS,
    PIVOT,
    SOLUTION,
    UNKNOWN
};

static void plan(const void *problem, size_t n, bool shared, struct room *rooms)
{
    const equations *e = problem;
    size_t width = (e->size + 1) * sizeof(double);
    (void)shared;
    rooms[ROWS].bytes = (e->size / n + 1) * width;
    rooms[PIVOT].bytes = rooms[SOLUTION].bytes = width;
    rooms[UNKNOWN].bytes = e->size * sizeof(size_t);
}

/* Solves the equations. A member may read a broadcast row or unknown in the root's memory, because
 * the root never changes it afterwards. */
static void run(struct talk *t, void *problem)
{
    const equations *e = problem;
    share p = {.size = e->size,
               .n = t->n,
               .me = t->me,
               .rows = t->array[ROWS],
               .x = t->array[SOLUTION],
               .unknown = t->array[UNKNOWN]};
    take_rows(&p, e);
    for (size_t k = 0; k < p.size; k++) {
        size_t owner = k % p.n;
        void *row = owner == p.me ? row_of(&p, k) : t->array[PIVOT];
        eliminate(&p, k, t->calls->broadcast(t, owner, row, (p.size + 1) * sizeof(double)));
    }
    for (size_t k = p.size; k-- > 0;) {
        size_t owner = k % p.n;
        double *x = &p.x[p.unknown[k]];
        if (owner == p.me)
            *x = solve(&p, k);
        const double *told = t->calls->broadcast(t, owner, x, sizeof *x);
        if (owner != p.me)
            *x = *told;
        substitute(&p, k);
    }
    if (p.me == 0)
        memcpy(e->solution, p.x, p.size * sizeof(double));
}

static bool right(const void *problem)
{
    const app a = {.name = "gauss"};
    return verify(&a, problem);
}

const struct whole gauss = {"gauss", 300, 9, pose, plan, run, right};
