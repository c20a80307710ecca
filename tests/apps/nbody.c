/* N-body: point masses that attract each other, by the leapfrog method.
 *
 * The bodies are dealt to the processors in equal blocks. To push its own bodies a processor needs
 * where all of them are, so each step has a concatenation (kp_concat) of the positions; the own
 * block lies in its place of the result already (KP_IN_PLACE). */
#include "apps.h"

#define STEPS     50
#define STEP      1e-3 /* time between two of them */
#define SOFTENING 0.05 /* added to every distance, so that nothing is torn apart when two meet */

typedef struct vector {
    double x, y, z;
} vector;

typedef struct bodies {
    size_t count;
    const double *mass;
    const vector *position, *velocity; /* at the beginning */
    vector *end;                       /* the positions at the end, of each processor its own */
    vector *end_velocity;
} bodies;

/* Where an array of `count` positions is, all of them pull at the one at `here`. */
static vector pull(const bodies *b, const vector *position, vector here)
{
    vector sum = {0, 0, 0};
    for (size_t j = 0; j < b->count; j++) {
        vector d = {position[j].x - here.x, position[j].y - here.y, position[j].z - here.z};
        double square = d.x * d.x + d.y * d.y + d.z * d.z + SOFTENING * SOFTENING;
        double strength = b->mass[j] / (square * sqrt(square));
        sum.x += strength * d.x;
        sum.y += strength * d.y;
        sum.z += strength * d.z;
    }
    return sum;
}

static void add(vector *to, double times, vector what)
{
    to->x += times * what.x;
    to->y += times * what.y;
    to->z += times * what.z;
}

/* Half a push, a drift, and (when the new positions of all are known) the other half. */
static void push(const bodies *b, const vector *all, app_rows own, vector *velocity)
{
    for (size_t i = 0; i < own.count; i++)
        add(&velocity[i], STEP / 2, pull(b, all, all[own.first + i]));
}

static void drift(vector *all, app_rows own, const vector *velocity)
{
    for (size_t i = 0; i < own.count; i++)
        add(&all[own.first + i], STEP, velocity[i]);
}

/* The part of one processor: `all` has room for n blocks of own.most positions, and what lies past
 * the last body moves along without a meaning. */
static int simulate(kp_group *world, const bodies *b, app_rows own, vector *all, vector *velocity)
{
    memcpy(all, b->position, b->count * sizeof *all);
    memcpy(velocity, b->velocity + own.first, own.count * sizeof *velocity);
    for (int step = 0; step < STEPS; step++) {
        push(b, all, own, velocity);
        drift(all, own, velocity);
        int status = kp_concat(world, KP_IN_PLACE, all, own.most * sizeof *all, NULL);
        if (status != 0)
            return status;
        push(b, all, own, velocity);
    }
    memcpy(b->end + own.first, all + own.first, own.count * sizeof *all);
    memcpy(b->end_velocity + own.first, velocity, own.count * sizeof *velocity);
    return 0;
}

static int program(kp_proc *self, void *shared)
{
    const bodies *b = shared;
    kp_group *world = kp_world(self);
    size_t n = (size_t)kp_size(world);
    app_rows own = app_deal(b->count, n, (size_t)kp_rank(world));
    vector *all = calloc(n * own.most, sizeof *all);
    vector *velocity = calloc(own.most, sizeof *velocity);
    int status = all && velocity ? simulate(world, b, own, all, velocity)
                                 : kp_fail(self, "there is not enough memory for the bodies");
    free(velocity);
    free(all);
    return status;
}

static void simulate_serially(const bodies *b, vector *all, vector *velocity)
{
    app_rows everything = {0, b->count, b->count};
    memcpy(all, b->position, b->count * sizeof *all);
    memcpy(velocity, b->velocity, b->count * sizeof *velocity);
    for (int step = 0; step < STEPS; step++) {
        push(b, all, everything, velocity);
        drift(all, everything, velocity);
        push(b, all, everything, velocity);
    }
}

static double energy(const bodies *b, const vector *position, const vector *velocity)
{
    double sum = 0;
    for (size_t i = 0; i < b->count; i++) {
        vector p = position[i], v = velocity[i];
        sum += b->mass[i] / 2 * (v.x * v.x + v.y * v.y + v.z * v.z);
        for (size_t j = 0; j < i; j++) {
            vector q = position[j];
            sum -= b->mass[i] * b->mass[j] /
                   sqrt(pow(p.x - q.x, 2) + pow(p.y - q.y, 2) + pow(p.z - q.z, 2) +
                        SOFTENING * SOFTENING);
        }
    }
    return sum;
}
