/* The method of conjugate gradients on a square grid, whose rows are distributed among the members.
 * Each step needs the row above and the row below a member's rows. If memory is shared, all rows
 * lie in one array, so a barrier is enough before a member reads its neighbours' rows. */
#include "../../tests/apps/cg.h"

#include "whole.h"

static bool pose(size_t size, struct posed *posed)
{
    poisson *e = malloc(sizeof *e);
    double *memory = calloc(2 * size * size, sizeof *memory);
    if (!e || !memory)
        return false;
    *e = (poisson){.side = size, .right = memory, .solution = memory + size * size};
    fill(e, 1);
    *posed = (struct posed){e, e->solution, size * size * sizeof *memory};
    return true;
}

enum {
    DIRECTION, /* all rows of the search direction, with a row of zeros before and after them */
    X,
    RESIDUAL,
    IMAGE
};

static void plan(const void *problem, size_t n, bool shared, struct room *rooms)
{
    const poisson *e = problem;
    size_t row = e->side * sizeof(double), own = (app_deal(e->side, n, 0).most + 2) * row;
    (void)shared;
    rooms[DIRECTION] = (struct room){.bytes = (e->side + 2) * row, .common = true};
    rooms[X].bytes = rooms[RESIDUAL].bytes = rooms[IMAGE].bytes = own;
}

/* Sends the member's last row to the next member and its first row to the previous member, and
 * receives their rows. If there are more members than rows, the last members have no rows and send
 * nothing. */
static void share_edges(struct talk *t, const share *p, app_rows own)
{
    size_t bytes = p->side * sizeof *p->direction;
    bool next = own.first + own.count<p->side, previous = own.count> 0 && t->me > 0;
    double *above = p->direction, *bottom = above + p->count * p->side;
    struct edge up = {above + p->side, above, previous ? bytes : 0};
    struct edge down = {bottom, bottom + p->side, next ? bytes : 0};
    if (t->calls->shared)
        t->calls->barrier(t);
    else
        t->calls->swap(t, up, down);
}

static void solve(struct talk *t, const share *p, app_rows own)
{
    double square = product(p, p->residual, p->residual);
    t->calls->sum(t, &square);
    const double enough = CLOSE * CLOSE * square;
    for (int steps = 0; square > enough && steps < STEPS && !t->status; ++steps) {
        share_edges(t, p, own);
        apply(p, p->direction, p->image);
        double curvature = product(p, p->direction, p->image), before = square;
        t->calls->sum(t, &curvature);
        combine(p, square / curvature, p->direction, 1, p->x);
        combine(p, -square / curvature, p->image, 1, p->residual);
        square = product(p, p->residual, p->residual);
        t->calls->sum(t, &square);
        combine(p, 1, p->residual, square / before, p->direction);
    }
}

static void run(struct talk *t, void *problem)
{
    const poisson *e = problem;
    app_rows own = app_deal(e->side, t->n, t->me);
    size_t first = own.first * e->side, bytes = own.count * e->side * sizeof(double);
    share p = {.side = e->side,
               .count = own.count,
               .x = t->array[X],
               .residual = t->array[RESIDUAL],
               .direction = (double *)t->array[DIRECTION] + first,
               .image = t->array[IMAGE]};
    memset(p.x + p.side, 0, bytes);
    memcpy(p.residual + p.side, e->right + first, bytes);
    memcpy(p.direction + p.side, e->right + first, bytes);
    solve(t, &p, own);
    memcpy(e->solution + first, p.x + p.side, bytes);
}

/* --- The serial solution, which is the program with one member --- */

static void alone(struct talk *t)
{
    (void)t;
}

static void sum_alone(struct talk *t, double *value)
{
    (void)t;
    (void)value;
}

static bool right(const void *problem)
{
    static const struct talk_calls calls = {.shared = true, .barrier = alone, .sum = sum_alone};
    const app a = {.name = "cg"};
    const poisson *e = problem;
    struct talk t = {.calls = &calls, .n = 1};
    share serial;
    if (!open_share(&serial, e->side, e->side, e->right))
        return false;
    double length = sqrt(product(&serial, serial.residual, serial.residual));
    solve(&t, &serial, app_deal(e->side, 1, 0));
    bool same = verify(&a, e, &serial, length);
    free(serial.x);
    return same;
}

const struct whole cg = {"cg", 128, 9, pose, plan, run, right};
