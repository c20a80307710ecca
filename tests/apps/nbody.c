/* N-body: point masses that attract each other and move, computed by the leapfrog method.
 *
 * Each processor has a block of bodies and moves them. For this it needs the positions of all
 * bodies, so each step has a concatenation (kp_concat). The processor's own block already lies at
 * its place in the result (KP_IN_PLACE). */
#include "nbody.h"

#define STEPS 50

/* The work of one processor: all steps. `all` has room for n blocks of equal length. The
 * concatenation also moves the space after the last body, whose contents do not matter. */
static int simulate(kp_group *world, bodies *b, app_rows own, vector *all, vector *velocity)
{
    memcpy(all, b->position, b->count * sizeof *all);
    memcpy(velocity, b->velocity + own.first, own.count * sizeof *velocity);
    for (int step = 0; step < b->steps; step++) {
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

int main(int argc, char **argv)
{
    app a = {.name = "nbody", .size_is = "bodies", .size = 200, .most = 20000};
    if (app_read(&a, argc, argv) != 0)
        return APP_REFUSED;
    vector *room = app_array(&a, 6 * a.size, sizeof *room);
    bodies b = {.count = a.size,
                .steps = STEPS,
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
