/* Computes the largest eigenvalue of a matrix by power iteration. Successive steps write their
 * products to two arrays in turn. So a member may write the next product while other members still
 * read the previous one. If the arrays are shared, one barrier for each step is enough. */
#include "../../tests/apps/power_iteration.h"

#include "whole.h"

static bool pose(size_t size, struct posed *posed)
{
    power *p = malloc(sizeof *p);
    if (!p)
        return false;
    *p = (power){.size = size,
                 .matrix = calloc(size * size, sizeof(double)),
                 .vector = calloc(size, sizeof(double))};
    if (!p->matrix || !p->vector)
        return false;
    fill(p, 1);
    /* The diagonal enlarges the other eigenvalues. Without it the iteration would converge in ten
     * steps, which is too little work to measure. */
    for (size_t i = 0; i < size; i++)
        p->matrix[i * size + i] += 0.45 * (double)i;
    *posed = (struct posed){p, p->vector, size * sizeof(double)};
    return true;
}

enum {
    EVEN,
    ODD,
    VECTOR
};

static void plan(const void *problem, size_t n, bool shared, struct room *rooms)
{
    const power *p = problem;
    size_t most = app_deal(p->size, n, 0).most;
    (void)shared;
    rooms[EVEN] = rooms[ODD] = (struct room){.bytes = n * most * sizeof(double), .common = true};
    rooms[VECTOR].bytes = p->size * sizeof(double);
}

static void run(struct talk *t, void *problem)
{
    power *p = problem;
    app_rows own = app_deal(p->size, t->n, t->me);
    double length = 0, moved = 1, *x = t->array[VECTOR];
    int steps = 0;
    start(p->size, x);
    while (moved > CLOSE && steps++ < STEPS) {
        double *product = t->array[steps % 2 == 0 ? EVEN : ODD];
        multiply(p, own.first, own.count, x, product + own.first);
        t->calls->concat(t, product, own.most * sizeof *product);
        length = settle(p->size, product, x, &moved);
    }
    if (t->me == 0) {
        memcpy(p->vector, x, p->size * sizeof *x);
        p->eigenvalue = length;
        p->steps = steps;
    }
}

static bool right(const void *problem)
{
    const app a = {.name = "power_iteration"};
    power p = *(const power *)problem;
    double *room = calloc(2 * p.size, sizeof *room);
    bool same = room && verify(&a, &p, room, room + p.size);
    free(room);
    return same;
}

const struct whole power_iteration = {"power_iteration", 300, 9, pose, plan, run, right};
