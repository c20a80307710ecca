/* The computations of nbody.c: how point masses attract each other and move, and their expected
 * final positions. */
#ifndef KPORT_APPS_NBODY_H
#define KPORT_APPS_NBODY_H

#include "apps.h"

#define STEP      1e-3 /* time between two of them */
#define SOFTENING 0.05 /* no distance is less, so that no force grows without a bound */

typedef struct vector {
    double x, y, z;
} vector;

typedef struct bodies {
    size_t count;
    int steps;
    double *mass;                /* read by all; their sum is at most 1 */
    vector *position, *velocity; /* at the beginning, read by all */
    vector *moved, *pushed;      /* at the end; each processor writes those of its own bodies */
} bodies;

static inline void add(vector *to, double times, vector what)
{
    to->x += times * what.x;
    to->y += times * what.y;
    to->z += times * what.z;
}

/* How all bodies together accelerate one that is `here`. */
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

/* The bodies from `first` on fly on for half a step. */
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

/* Every body is pulled by all others in the same order, whoever computes it, so positions and
 * velocities must be the serial ones bit by bit.
 *
 * That the forces are right in themselves, the momentum says: what one body gets another loses. An
 * acceleration is at most (2 / 27^(1/2)) / SOFTENING^2, times the total mass, at most 1, and the
 * rounding of a sum of `count` terms, each with ten operations, at most (count + 10) epsilon of
 * that. */
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

/* In a cube of side 2, with velocities of at most 1 in each direction. */
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
