/* Measures how much of an index is hidden behind other work of the members: a member starts the
 * index, works, and waits for it.
 *
 *   sleeping   the work needs no core, as if a device did it
 *   computing  all members compute, on all cores
 *
 * Both are measured without and with the progress thread. A batch of each kind follows a batch of
 * the next kind, in turns, and every batch is verified:
 *
 *   call      the blocking index
 *   work      the work alone
 *   both      the index, started before the work and waited for after it
 *
 * Each time is from the barrier before a repetition to the barrier after it. `hidden` is the median
 * of (call + work - both) / call: 1 if the index costs nothing, 0 if it costs what the blocking
 * call does. `ratio` is the median of both / (call + work). With the word `judge` the exit status
 * is 1 if sleeping members hide less than 0.8 with the progress thread, or if the ratio of
 * computing members exceeds 1.05 with the thread or without it.
 *
 * usage: overlap [BYTES [PROCESSORS [BATCHES [judge]]]] */
#include "kport.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_BATCHES 1000
#define REPETITIONS  6
#define UNTIMED      5 /* these touch the buffers, make the lanes, and prepare the call on each */
#define SLEEP_NS     4000000 /* about as long as an index of 64 KiB, n = 8, takes three times */
#define COMPUTE_NS   1000000 /* of a core, at every member */

enum what {
    CALL,
    SLEEP,
    SLEEP_AND_CALL,
    COMPUTE,
    COMPUTE_AND_CALL,
    WHATS
};

static struct bench {
    size_t b;
    int n, batches;
    bool judge;
    unsigned long steps; /* of computing, about COMPUTE_NS */
    double us[2][WHATS][MOST_BATCHES];
} bench = {.b = 65536, .n = 8, .batches = 21};

/* A batch: what is done, with or without the progress thread, and where its time goes. */
struct batch {
    enum what what;
    double *us;
};

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double compute(unsigned long steps)
{
    double x = 2;
    for (unsigned long i = 0; i < steps; i++)
        x = (x + 3 / x) / 2;
    return x;
}

static int work(kp_proc *self, enum what what)
{
    if (what == SLEEP || what == SLEEP_AND_CALL)
        nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
    else if (what != CALL && compute(bench.steps) < 1)
        return kp_fail(self, "a root is wrong");
    return 0;
}

static int repeat(kp_proc *self, enum what what, const char *out, char *in)
{
    kp_group *w = kp_world(self);
    kp_request *request = NULL;
    int status = 0;
    if (what == CALL)
        return kp_index(w, out, in, bench.b, NULL);
    if (what == SLEEP_AND_CALL || what == COMPUTE_AND_CALL)
        status = kp_index_start(w, out, in, bench.b, NULL, &request);
    status = status ? status : work(self, what);
    return status || !request ? status : kp_wait(&request);
}

static char byte(int from, int to)
{
    return (char)(1 + from * 31 + to * 7);
}

static int program(kp_proc *self, void *argument)
{
    const struct batch *batch = argument;
    kp_group *w = kp_world(self);
    const size_t bytes = (size_t)bench.n * bench.b;
    char *out = malloc(bytes), *in = calloc(bytes, 1);
    const int me = kp_rank(w);
    int status = out && in ? 0 : kp_fail(self, "there is not enough memory");
    for (int i = 0; i < bench.n && !status; i++)
        memset(out + (size_t)i * bench.b, byte(me, i), bench.b);
    double begin = 0;
    for (int i = 0; i < UNTIMED + REPETITIONS && !status; i++) {
        status = kp_barrier(w);
        begin = i == UNTIMED ? now_us() : begin;
        status = status ? status : repeat(self, batch->what, out, in);
    }
    status = status ? status : kp_barrier(w);
    if (me == 0)
        *batch->us = (now_us() - begin) / REPETITIONS;
    /* Nobody looks at bytes, on a core that processor 0 may need, before this time is taken. */
    status = status ? status : kp_barrier(w);
    const bool moves = batch->what != SLEEP && batch->what != COMPUTE;
    for (size_t i = 0; i < bytes && !status && moves; i++) {
        if (in[i] != byte((int)(i / bench.b), me))
            status = kp_fail(self, "a byte is wrong");
    }
    free(out);
    free(in);
    return status;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *values)
{
    qsort(values, (size_t)bench.batches, sizeof *values, ascending);
    return values[bench.batches / 2];
}

/* The medians of `hidden` and `ratio`. */
static void summarize(double us[WHATS][MOST_BATCHES], enum what alone, double *hidden,
                      double *ratio)
{
    static double h[MOST_BATCHES], r[MOST_BATCHES];
    for (int i = 0; i < bench.batches; i++) {
        const double call = us[CALL][i], one = us[alone][i], both = us[alone + 1][i];
        h[i] = (call + one - both) / call;
        r[i] = both / (call + one);
    }
    *hidden = median(h);
    *ratio = median(r);
}

static int report_times(void)
{
    static const char *const threads[] = {"without the thread", "with the thread"};
    bool kept = true;
    printf("overlap: index of %zu bytes, n = %d, %d batches\n", bench.b, bench.n, bench.batches);
    printf("%-20s%-10s %10s %10s %10s %8s %8s\n", "", "", "call us", "work us", "both us", "hidden",
           "ratio");
    for (int thread = 0; thread < 2; thread++) {
        for (enum what alone = SLEEP; alone <= COMPUTE; alone += 2) {
            double(*us)[MOST_BATCHES] = bench.us[thread], hidden, ratio;
            summarize(us, alone, &hidden, &ratio);
            kept = kept && (alone == SLEEP ? thread == 0 || hidden >= 0.8 : ratio <= 1.05);
            double call[MOST_BATCHES]; /* the batches of CALL are compared twice, in their order */
            memcpy(call, us[CALL], sizeof call);
            printf("%-20s%-10s %10.1f %10.1f %10.1f %8.2f %8.3f\n", threads[thread],
                   alone == SLEEP ? "sleeping" : "computing", median(call), median(us[alone]),
                   median(us[alone + 1]), hidden, ratio);
        }
    }
    if (bench.judge)
        printf("limits: hidden at least 0.8 of sleeping members with the thread, ratio at most "
               "1.05 of computing ones: %s\n",
               kept ? "kept" : "exceeded");
    return bench.judge && !kept;
}

static void calibrate(void)
{
    double least = 1e9;
    const unsigned long steps = 100000;
    for (int i = 0; i < 5; i++) {
        const double begin = now_us();
        if (compute(steps) < 1)
            exit(1);
        const double us = now_us() - begin;
        least = us < least ? us : least;
    }
    bench.steps = (unsigned long)((double)steps * (COMPUTE_NS / 1e3) / least);
}

static int run(void)
{
    kp_machine *machines[2] = {NULL, NULL};
    int status = 0;
    for (int thread = 0; thread < 2 && !status; thread++)
        status = kp_machine_create(&(kp_config){.processors = bench.n, .progress = thread},
                                   &machines[thread]);
    for (int i = 0; i < bench.batches && !status; i++) {
        for (enum what what = CALL; what < WHATS && !status; what++) {
            for (int thread = 0; thread < 2 && !status; thread++) {
                struct batch batch = {what, &bench.us[thread][what][i]};
                status = kp_machine_run(machines[thread], program, &batch, NULL);
            }
        }
    }
    if (status)
        fprintf(stderr, "%s\n", kp_last_error()->sentence);
    for (int thread = 0; thread < 2; thread++)
        (void)kp_machine_destroy(machines[thread]);
    return status;
}

int main(int argc, char **argv)
{
    bench.b = argc > 1 ? strtoul(argv[1], NULL, 10) : bench.b;
    bench.n = argc > 2 ? atoi(argv[2]) : bench.n;
    bench.batches = argc > 3 ? atoi(argv[3]) : bench.batches;
    bench.judge = argc > 4 && strcmp(argv[4], "judge") == 0;
    if (bench.b < 1 || bench.n < 1 || bench.batches < 1 || bench.batches > MOST_BATCHES ||
        (argc > 4 && !bench.judge)) {
        fprintf(stderr,
                "usage: overlap [BYTES [PROCESSORS [BATCHES [judge]]]]\nBATCHES may be 1 ... %d\n",
                MOST_BATCHES);
        return 2;
    }
    calibrate();
    return run() ? 1 : report_times();
}
