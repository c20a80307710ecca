/* g and l, by h-relations. */
#include "lib/bsp/measure.h"

#include "lib/bsp/process.h"

#include <stdlib.h>

#define WORD    8
#define LONG    4096
#define POINTS  9  /* h = 0, 1, ... 8 steps */
#define STEP    32 /* words */
#define REPEATS 21 /* of each point; their median counts */
#define MOST_H  ((POINTS - 1) * STEP)

struct measurement {
    double times[2][POINTS]; /* of words, and of long messages */
    double samples[REPEATS];
};

static int by_value(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* One h-relation: each process sends `count` messages to the others in turn. */
static void relate(int count, size_t bytes, const char *from, char *to)
{
    const int size = bsp_nprocs(), pid = kp_bsp_pid(NULL, 0);
    for (int i = 0; i < count; i++) {
        const int other = size > 1 ? (pid + 1 + i % (size - 1)) % size : 0;
        kp_bsp_put(__FILE__, __LINE__, other, from, to,
                   ((size_t)pid * MOST_H + (size_t)i) * WORD % ((size_t)MOST_H * WORD), bytes);
    }
    kp_bsp_sync(__FILE__, __LINE__);
}

static double time_of(struct measurement *measured, int count, size_t bytes, const char *from,
                      char *to)
{
    for (int i = 0; i < REPEATS; i++) {
        const double begin = kp_bsp_clock();
        relate(count, bytes, from, to);
        measured->samples[i] = kp_bsp_clock() - begin;
    }
    qsort(measured->samples, REPEATS, sizeof measured->samples[0], by_value);
    return measured->samples[REPEATS / 2];
}

static int measure_here(int number, void *argument)
{
    static const size_t room = (size_t)MOST_H * WORD + LONG;
    struct measurement own, *measured = number == 0 ? argument : &own;
    char *memory = calloc(2, room);
    if (!memory)
        return 1;
    kp_bsp_begin(__FILE__, __LINE__, bsp_nprocs());
    kp_bsp_push_reg(__FILE__, __LINE__, memory, room);
    kp_bsp_sync(__FILE__, __LINE__);
    for (int warm = 0; warm < 2; warm++) {
        for (int i = 0; i < POINTS; i++) {
            measured->times[0][i] = time_of(measured, i * STEP, WORD, memory + room, memory);
            measured->times[1][i] = time_of(measured, i, LONG, memory + room, memory);
        }
    }
    kp_bsp_end(__FILE__, __LINE__);
    free(memory);
    return 0;
}

/* The straight line through the points (i * step, times[i]) by least squares. */
static void fit(const double *times, double step, double *slope, double *intercept)
{
    double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
    for (int i = 0; i < POINTS; i++) {
        const double x = i * step;
        sum_x += x;
        sum_y += times[i];
        sum_xx += x * x;
        sum_xy += x * times[i];
    }
    *slope = (POINTS * sum_xy - sum_x * sum_y) / (POINTS * sum_xx - sum_x * sum_x);
    *intercept = (sum_y - *slope * sum_x) / POINTS;
    *slope = *slope > 0 ? *slope : 0;
}

int kp_bsp_measure(const kp_config *config, struct kp_bsp_parameters *parameters)
{
    struct measurement measured;
    double intercept;
    int exit_status = 0;
    const struct kp_bsp_job job = {.config = *config};
    const int status = kp_bsp_run(&job, measure_here, &measured, NULL, &exit_status);
    if (status || exit_status)
        return status ? status : KP_EMEMORY;
    fit(measured.times[0], STEP, &parameters->g, &intercept);
    fit(measured.times[1], LONG / WORD, &parameters->g_long, &intercept);
    parameters->l = measured.times[0][0];
    return KP_OK;
}

double kp_bsp_g_of(const struct kp_bsp_parameters *parameters, double bytes)
{
    const double more = parameters->g - parameters->g_long;
    return parameters->g_long + (more > 0 && bytes > 0 ? more * WORD / bytes : 0);
}
