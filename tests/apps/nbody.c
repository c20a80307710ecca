/* N-body: point masses that attract each other, moved by the leapfrog method.
 *
 * The bodies are dealt to the processors in equal blocks. To push its own bodies a processor needs
 * the positions of all, so each step has a concatenation (kp_concat); the own block lies in its
 * place among all of them already (KP_IN_PLACE). */
#include "apps.h"

#define STEPS     50
#define STEP      1e-3 /* time between two of them */
#define SOFTENING 0.05 /* no distance is less, so that no force grows without a bound */

typedef struct vector {
    double x, y, z;
} vector;

typedef struct bodies {
    size_t count;
    double *mass;                /* read by all; their sum is at most 1 */
    vector *position, *velocity; /* at the beginning, read by all */
    vector *moved, *pushed;      /* at the end; each processor writes those of its own bodies */
} bodies;

static void add(vector *to, double times, vector what)
{
    to->x += times * what.x;
    to->y += times * what.y;
    to->z += times * what.z;
}

/* How all bodies together accelerate one that is `here`. */
static vector pull(const bodies *b, const vector *all, vector here)
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
static void drift(app_rows own, vector *all, const vector *velocity)
{
    for (size_t i = 0; i < own.count; i++)
        add(&all[own.first + i], STEP / 2, velocity[i]);
}

static void push(const bodies *b, app_rows own, const vector *all, vector *velocity)
{
    for (size_t i = 0; i < own.count; i++)
        add(&velocity[i], STEP, pull(b, all, all[own.first + i]));
}

/* The part of one processor. `all` has room for n whole blocks; nobody looks at what lies past the
 * last body. */
static int simulate(kp_group *world, bodies *b, app_rows own, vector *all, vector *velocity)
{
    memcpy(all, b->position, b->count * sizeof *all);
    memcpy(velocity, b->velocity + own.first, own.count * sizeof *velocity);
    for (int step = 0; step < STEPS; step++) {
        drift(own, all, velocity);
        int status = kp_concat(world, KP_IN_PLACE, all, own.most * sizeof *all, NULL);
        if (status != 0)
            return status;
        push(b, own, all, velocity);
        drift(own, all, velocity);
    }
    memcpy(b->moved + own.first, all + own.first, own.count * sizeof *all);
    memcpy(b->pushed + own.first, velocity, own.count * sizeof *velocity);
    return 0;
}

static int program(kp_proc *self, void *shared)
{
    bodies *b = shared;
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
    app_rows every = {0, b->count, b->count};
    memcpy(all, b->position, b->count * sizeof *all);
    memcpy(velocity, b->velocity, b->count * sizeof *velocity);
    for (int step = 0; step < STEPS; step++) {
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
static int verify(const app *a, const bodies *b, vector *all, vector *velocity, double *change)
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
                      3 * STEPS * STEP * strongest * terms * 0x1p-52);
}

/* In a cube of side 2, with velocities of at most 1 in each direction. */
static void fill(bodies *b, uint64_t seed)
{
    for (size_t i = 0; i < b->count; i++) {
        double *values[] = {&b->position[i].x, &b->position[i].y, &b->position[i].z,
                            &b->velocity[i].x, &b->velocity[i].y, &b->velocity[i].z};
        for (size_t v = 0; v < 6; v++)
            *values[v] = 2 * app_uniform(&seed) - 1;
        b->mass[i] = app_uniform(&seed) / (double)b->count;
    }
}

int main(int argc, char **argv)
{
    app a = {.name = "nbody", .size_is = "bodies", .size = 200, .most = 20000};
    if (app_read(&a, argc, argv) != 0)
        return APP_REFUSED;
    vector *room = app_array(&a, 6 * a.size, sizeof *room);
    bodies b = {.count = a.size,
                .mass = app_array(&a, a.size, sizeof(double)),
                .position = room,
                .velocity = room + a.size,
                .moved = room + 2 * a.size,
                .pushed = room + 3 * a.size};
    fill(&b, a.seed);
    kp_report report;
    double change = 0;
    int status = app_run(&a, program, &b, &report);
    app_corrupt(&a, &b.pushed[b.count - 1].z);
    if (status == 0)
        status = verify(&a, &b, room + 4 * a.size, room + 5 * a.size, &change) ? APP_VERIFIED
                                                                               : APP_WRONG;
    if (status == APP_VERIFIED) {
        printf("%zu bodies moved %d steps, and their momentum changed by %.1g\n", b.count, STEPS,
               change);
        app_verified(&a, &report, "positions and velocities equal to the serial ones bit by bit");
    }
    free(b.mass);
    free(room);
    return status;
}
