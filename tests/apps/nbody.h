/* The computations of nbody.c: how point masses attract each other and move, and how their final
 * positions are verified. */
#ifndef KPORT_APPS_NBODY_H
#define KPORT_APPS_NBODY_H

#include "apps.h"

#define STEP 1e-3 /* the simulated time of a step */
/* No force grows without bound, because SOFTENING^2 is added to the square of every distance. */
#define SOFTENING 0.05

typedef struct vector {
    double x, y, z;
} vector;

typedef struct bodies {
    size_t count;
    int steps;
    double *mass;                /* read by all processors; the sum of the masses is at most 1 */
    vector *position, *velocity; /* the values at the start; read by all processors */
    /* positions and velocities at the end; each processor writes the values of its own bodies */
    vector *moved, *pushed;
} bodies;

static inline void add(vector *to, double times, vector what)
{
    to->x += times * what.x;
    to->y += times * what.y;
    to->z += times * what.z;
}

/* Returns the acceleration that all bodies give to a body at the position `here`. */
static inline vector pull(const bodies *b, const vector *all, vector here)
{
    vector sum = {0, 0, 0};
    for (size_t j = 0; j < b->count; j++) {
        vector way = {all[j].x - here.x, all[j].y - here.y, all[j].z - here.z};
        double square = way.x * way.x + way.y * way.y + way.z * way.z + SOFTENING * SOFTENING;
        add(&sum, b->mass[j] / (square * sqrt(square)), way);
    }
    return sum;
}

/* Moves a processor's own bodies for half a step, with constant velocities. */
static inline void drift(app_rows own, vector *all, const vector *velocity)
{
    for (size_t i = 0; i < own.count; i++)
        add(&all[own.first + i], STEP / 2, velocity[i]);
}

static inline void push(const bodies *b, app_rows own, const vector *all, vector *velocity)
{
    for (size_t i = 0; i < own.count; i++)
        add(&velocity[i], STEP, pull(b, all, all[own.first + i]));
}

static inline void simulate_serially(const bodies *b, vector *all, vector *velocity)
{
    app_rows every = {0, b->count, b->count};
    memcpy(all, b->position, b->count * sizeof *all);
    memcpy(velocity, b->velocity, b->count * sizeof *velocity);
    for (int step = 0; step < b->steps; step++) {
        drift(every, all, velocity);
        push(b, every, all, velocity);
        drift(every, all, velocity);
    }
}

/* Verifies the final positions and velocities in two ways.
 *
 * Positions and velocities must equal the serial result bit by bit, because the forces of all
 * bodies on a body are added in the same order, whichever processor adds them.
 *
 * The total momentum must stay constant apart from rounding errors, because two bodies attract each
 * other with opposite forces. The acceleration of a body is at most (2 / 27^(1/2)) / SOFTENING^2
 * times the total mass, which is at most 1. A sum of `count` terms of ten operations each has a
 * rounding error of at most (count + 10) epsilon times that acceleration. The allowed change of the
 * momentum follows from this error. */
static inline int verify(const app *a, const bodies *b, vector *all, vector *velocity,
                         double *change)
{
    double strongest = 2 / sqrt(27) / (SOFTENING * SOFTENING), terms = (double)b->count + 10;
    vector momentum = {0, 0, 0};
    for (size_t i = 0; i < b->count; i++) {
        add(&momentum, b->mass[i], b->pushed[i]);
        add(&momentum, -b->mass[i], b->velocity[i]);
    }
    *change = fabs(momentum.x) + fabs(momentum.y) + fabs(momentum.z);
    simulate_serially(b, all, velocity);
    return app_same(a, b->moved, all, 3 * b->count) &&
           app_same(a, b->pushed, velocity, 3 * b->count) &&
           app_within(a, "the change of the momentum", *change,
                      3 * b->steps * STEP * strongest * terms * 0x1p-52);
}

/* Draws positions in a cube of side 2, and velocities of at most 1 in each direction. */
static inline void fill(bodies *b, uint64_t seed)
{
    for (size_t i = 0; i < b->count; i++) {
        double *values[] = {&b->position[i].x, &b->position[i].y, &b->position[i].z,
                            &b->velocity[i].x, &b->velocity[i].y, &b->velocity[i].z};
        for (size_t v = 0; v < 6; v++)
            *values[v] = 2 * app_uniform(&seed) - 1;
        b->mass[i] = app_uniform(&seed) / (double)b->count;
    }
}

#endif
