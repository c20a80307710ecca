/* The index beside what people write by hand, in one run, interleaved.
 *
 * All variants of a row are carried out by the same threads, in turns: a batch of one, a batch of
 * the next, and so on, repeated. A row's ratio is the median over the repetitions of kport's batch
 * time divided by the peer's batch time of the same repetition. */
#include "hand.h"
#include "kport.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define REPEATS 15

struct bench;
typedef int variant(struct bench *bench, kp_group *world, int rank);

struct row {
    const char *name;
    int n, k;
    size_t b;
    int pin;
    int batch;
    variant *ours, *peer;
    const char *peer_name;
    double at_most; /* the ratio to be reached; 0: none is asked for */
};

struct bench {
    const struct row *row;
    char *out, *in; /* of all processors: n blocks of b bytes each */
    pthread_barrier_t slow;
    struct good_barrier good;
    double ours_us[REPEATS], peer_us[REPEATS];
};

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* --- Variants --- */

static int kport_index(struct bench *bench, kp_group *world, int rank)
{
    size_t part = (size_t)bench->row->n * bench->row->b, mine = (size_t)rank * part;
    return kp_index(world, bench->out + mine, bench->in + mine, bench->row->b, NULL);
}

static void copy_column(struct bench *bench, int rank)
{
    size_t n = (size_t)bench->row->n, b = bench->row->b;
    for (size_t i = 0; i < n; i++)
        memcpy(bench->in + ((size_t)rank * n + i) * b, bench->out + (i * n + (size_t)rank) * b, b);
}

static int slow_by_hand(struct bench *bench, kp_group *world, int rank)
{
    (void)world;
    pthread_barrier_wait(&bench->slow);
    copy_column(bench, rank);
    pthread_barrier_wait(&bench->slow);
    return 0;
}

static int good_barrier_alone(struct bench *bench, kp_group *world, int rank)
{
    (void)world;
    (void)rank;
    good_barrier_wait(&bench->good);
    return 0;
}

static int good_by_hand(struct bench *bench, kp_group *world, int rank)
{
    (void)world;
    good_barrier_wait(&bench->good);
    copy_column(bench, rank);
    good_barrier_wait(&bench->good);
    return 0;
}

/* --- One row --- */

static int time_batch(struct bench *bench, kp_group *world, int rank, variant *v, double *us)
{
    good_barrier_wait(&bench->good);
    double start = now_us();
    for (int i = 0; i < bench->row->batch; i++) {
        int status = v(bench, world, rank);
        if (status)
            return status;
    }
    good_barrier_wait(&bench->good);
    if (rank == 0)
        *us = (now_us() - start) / bench->row->batch;
    return 0;
}

static int program(kp_proc *self, void *argument)
{
    struct bench *bench = argument;
    kp_group *world = kp_world(self);
    int rank = kp_rank(world), status = 0;
    double warm_up;
    status = time_batch(bench, world, rank, bench->row->ours, &warm_up);
    if (!status)
        status = time_batch(bench, world, rank, bench->row->peer, &warm_up);
    for (int i = 0; i < REPEATS && !status; i++) {
        status = time_batch(bench, world, rank, bench->row->ours, &bench->ours_us[i]);
        if (!status)
            status = time_batch(bench, world, rank, bench->row->peer, &bench->peer_us[i]);
    }
    return status;
}

static void fill(struct bench *bench)
{
    size_t bytes = (size_t)bench->row->n * (size_t)bench->row->n * bench->row->b;
    for (size_t i = 0; i < bytes; i++)
        bench->out[i] = (char)(i * 2654435761u >> 13);
    memset(bench->in, 0, bytes);
}

static bool transposed(const struct bench *bench)
{
    size_t n = (size_t)bench->row->n, b = bench->row->b;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (memcmp(bench->in + (i * n + j) * b, bench->out + (j * n + i) * b, b) != 0)
                return false;
        }
    }
    return true;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, REPEATS, sizeof *values, by_value);
    return values[REPEATS / 2];
}

static const char *verdict(const struct row *row, double ratio)
{
    static char text[64];
    text[0] = '\0';
    if (row->at_most > 0)
        snprintf(text, sizeof text, "at most %.2f: %s", row->at_most,
                 ratio <= row->at_most ? "reached" : "NOT reached");
    return text;
}

static int run_row(const struct row *row)
{
    static struct bench bench;
    size_t bytes = (size_t)row->n * (size_t)row->n * row->b;
    double ratios[REPEATS];
    kp_report report;
    kp_config config = {.processors = row->n, .ports = row->k, .pin = row->pin};
    bench.row = row;
    bench.out = malloc(bytes);
    bench.in = malloc(bytes);
    if (!bench.out || !bench.in)
        return 1;
    fill(&bench);
    pthread_barrier_init(&bench.slow, NULL, (unsigned)row->n);
    good_barrier_init(&bench.good, row->n, (int)sysconf(_SC_NPROCESSORS_ONLN));
    int status = kp_run(&config, program, &bench, &report);
    if (status)
        fprintf(stderr, "%s: %s\n", row->name, report.error.sentence);
    else if (!transposed(&bench))
        fprintf(stderr, "%s: wrong data\n", row->name), status = 1;
    for (int i = 0; i < REPEATS; i++)
        ratios[i] = bench.ours_us[i] / bench.peer_us[i];
    double ratio = median(ratios), ours = median(bench.ours_us), peer = median(bench.peer_us);
    if (!status)
        printf("%-26s %9.3f %-34s %9.3f %6.2f %6.2f-%-6.2f %s\n", row->name, ours, row->peer_name,
               peer, ratio, ratios[REPEATS / 4], ratios[REPEATS - 1 - REPEATS / 4],
               verdict(row, ratio));
    pthread_barrier_destroy(&bench.slow);
    free(bench.out);
    free(bench.in);
    return status;
}

static const struct row rows[] = {
    {"index n=2 k=1 b=8", 2, 1, 8, 1, 20000, kport_index, good_barrier_alone, "one good barrier",
     2.5},
    {"index n=2 k=1 b=8", 2, 1, 8, 1, 20000, kport_index, good_by_hand, "two good barriers, memcpy",
     0},
    {"index n=64 k=63 b=8", 64, 63, 8, 0, 200, kport_index, slow_by_hand,
     "two pthread_barrier_wait, memcpy", 0.35},
    {"index n=64 k=63 b=8", 64, 63, 8, 0, 200, kport_index, good_by_hand,
     "two good barriers, memcpy", 0},
    {"index n=8 k=7 b=65536", 8, 7, 65536, 0, 200, kport_index, slow_by_hand,
     "two pthread_barrier_wait, memcpy", 0},
    {"index n=8 k=7 b=65536", 8, 7, 65536, 0, 200, kport_index, good_by_hand,
     "two good barriers, memcpy", 0},
};

int main(void)
{
    int status = 0;
    printf("# us a call, medians of %d interleaved repetitions; ratio: median and quartiles\n",
           REPEATS);
    printf("%-26s %9s %-34s %9s %6s %13s\n", "# kport", "us", "beside", "us", "ratio", "quartiles");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        status |= run_row(&rows[i]);
    return status ? 1 : 0;
}
