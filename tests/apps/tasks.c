/* A pool of tasks: processor 0 hands them out, and the others do them.
 *
 * The tasks take very different times, so none is dealt out beforehand. Who has done a task sends
 * the result, and gets the next task as the answer. Processor 0 does not know who comes next: it
 * looks for a message from any source with any tag (kp_probe), and the tag says what it is. If it
 * is alone, it does all tasks itself. */
#include "apps.h"

/* A task is a row of the Mandelbrot set: how many steps each point stays within the circle. */
#define POINTS     64
#define MOST_STEPS 400

enum tag {
    READY,  /* to processor 0, without data: a worker has no task yet */
    RESULT, /* to processor 0: struct result */
    TASK,   /* from processor 0: the number of a row */
    DONE    /* from processor 0, without data: there are no more tasks */
};

typedef struct result {
    size_t row;
    double steps[POINTS];
} result;

typedef struct picture {
    size_t rows;
    double shift;  /* of the picture, drawn by the seed */
    double *steps; /* rows x POINTS; written by processor 0 only */
} picture;

static void compute(const picture *p, size_t row, double *steps)
{
    const double y = -1.2 + 2.4 * ((double)row + p->shift) / (double)p->rows;
    for (size_t i = 0; i < POINTS; i++) {
        const double x = -2.2 + 3.2 * (double)i / POINTS;
        double a = 0, b = 0;
        int done = 0;
        while (done < MOST_STEPS && a * a + b * b <= 4) {
            const double next = a * a - b * b + x;
            b = 2 * a * b + y;
            a = next;
            done++;
        }
        steps[i] = done + a * a + b * b;
    }
}

/* Processor 0: hands out all rows, and stores their results. */
static int hand_out(kp_group *world, picture *p)
{
    const int workers = kp_size(world) - 1;
    size_t next = 0;
    result r;
    for (int dismissed = 0; dismissed < workers;) {
        kp_message_status who;
        int status = kp_probe(world, KP_ANY_SOURCE, KP_ANY_TAG, &who);
        status = status ? status : kp_receive(world, &r, sizeof r, who.source, who.tag, NULL);
        if (status != 0)
            return status;
        if (who.tag == RESULT)
            memcpy(p->steps + r.row * POINTS, r.steps, sizeof r.steps);
        if (next < p->rows) {
            status = kp_send(world, &next, sizeof next, who.source, TASK);
            next++;
        } else {
            status = kp_send(world, NULL, 0, who.source, DONE);
            dismissed++;
        }
        if (status != 0)
            return status;
    }
    for (; next < p->rows; next++) /* only if there are no workers */
        compute(p, next, p->steps + next * POINTS);
    return 0;
}

static int work(kp_group *world, const picture *p)
{
    result r = {0};
    kp_message_status answer = {.tag = TASK};
    int status = kp_send(world, NULL, 0, 0, READY);
    while (status == 0) {
        status = kp_receive(world, &r.row, sizeof r.row, 0, KP_ANY_TAG, &answer);
        if (status != 0 || answer.tag == DONE)
            return status;
        compute(p, r.row, r.steps);
        status = kp_send(world, &r, sizeof r, 0, RESULT);
    }
    return status;
}

static int program(kp_proc *self, void *shared)
{
    kp_group *world = kp_world(self);
    return kp_rank(world) == 0 ? hand_out(world, shared) : work(world, shared);
}

int main(int argc, char **argv)
{
    app a = {.name = "tasks", .size_is = "rows, each a task", .size = 200, .most = 100000};
    if (app_read(&a, argc, argv) != 0)
        return APP_REFUSED;
    uint64_t random = a.seed;
    picture p = {.rows = a.size,
                 .shift = app_uniform(&random),
                 .steps = app_array(&a, a.size * POINTS, sizeof(double))};
    double *serial = app_array(&a, a.size * POINTS, sizeof *serial);
    kp_report report;
    int status = app_run(&a, program, &p, &report);
    app_corrupt(&a, &p.steps[a.size * POINTS - 1]);
    for (size_t row = 0; row < p.rows; row++)
        compute(&p, row, serial + row * POINTS);
    if (status == 0)
        status = app_same(&a, p.steps, serial, a.size * POINTS) ? APP_VERIFIED : APP_WRONG;
    if (status == APP_VERIFIED) {
        printf("%zu tasks are done, each by whoever was ready\n", a.size);
        app_verified(&a, &report, "all results equal to the serial ones bit by bit");
    }
    free(serial);
    free(p.steps);
    return status;
}
