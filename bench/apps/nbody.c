/* Computes the motion of point masses that attract each other. Successive steps write the positions
 * to two arrays in turn. So a member may write its new positions while other members still read the
 * old ones. If the arrays are shared, one barrier for each step is enough. */
#include "../../tests/apps/nbody.h"

#include "whole.h"

static bool pose(size_t size, struct posed *posed)
{
    bodies *b = malloc(sizeof *b);
    double *mass = calloc(size, sizeof *mass);
    vector *room = calloc(4 * size, sizeof *room);
    if (!b || !mass || !room)
        return false;
    *b = (bodies){.count = size,
                  .steps = (int)(size + size / 2),
                  .mass = mass,
                  .position = room,
                  .velocity = room + size,
                  .moved = room + 2 * size,
                  .pushed = room + 3 * size};
    fill(b, 1);
    *posed = (struct posed){b, b->moved, 2 * size * sizeof *room};
    return true;
}

enum {
    EVEN,
    ODD,
    VELOCITY
};

static void plan(const void *problem, size_t n, bool shared, struct room *rooms)
{
    const bodies *b = problem;
    size_t most = app_deal(b->count, n, 0).most;
    (void)shared;
    rooms[EVEN] = rooms[ODD] = (struct room){.bytes = n * most * sizeof(vector), .common = true};
    rooms[VELOCITY].bytes = most * sizeof(vector);
}

/* Copies the member's own positions to the other array, where the step will change them. Other
 * members may still read the old positions. */
static void take_over(app_rows own, const vector *from, vector *to)
{
    memcpy(to + own.first, from + own.first, own.count * sizeof *to);
}

static void run(struct talk *t, void *problem)
{
    bodies *b = problem;
    app_rows own = app_deal(b->count, t->n, t->me);
    vector *velocity = t->array[VELOCITY], *all = t->array[EVEN], *next = t->array[ODD];
    take_over(own, b->position, all);
    memcpy(velocity, b->velocity + own.first, own.count * sizeof *velocity);
    for (int step = 0; step < b->steps; step++) {
        drift(own, all, velocity);
        t->calls->concat(t, all, own.most * sizeof *all);
        push(b, own, all, velocity);
        take_over(own, all, next);
        drift(own, next, velocity);
        vector *last = all;
        all = next;
        next = last;
    }
    take_over(own, all, b->moved);
    memcpy(b->pushed + own.first, velocity, own.count * sizeof *velocity);
}

static bool right(const void *problem)
{
    const app a = {.name = "nbody"};
    const bodies *b = problem;
    double change;
    vector *room = calloc(2 * b->count, sizeof *room);
    bool same = room && verify(&a, b, room, room + b->count, &change);
    free(room);
    return same;
}

const struct whole nbody = {"nbody", 128, 9, pose, plan, run, right};
