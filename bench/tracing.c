/* Measures what a trace costs: the time of an index with blocks of 1 KiB, with and without a trace.
 * One process has two machines, of which one is traced, and runs them in turns.
 *
 * Usage: tracing N K CARRIER CALLS PAIRS. CARRIER is threads or fibers. For every pair of turns the
 * program prints the microseconds per call without a trace and with a trace. */
#include <kport.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCK 1024

static long calls;
static char *buffers;
static double start_ns[4096], end_ns[4096];

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int program(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    size_t n = (size_t)kp_size(world), me = (size_t)kp_processor(self);
    char *out = buffers + 2 * me * n * BLOCK;
    int status = 0;
    (void)argument;
    for (long i = 0; i < calls / 5 + 1 && !status; i++)
        status = kp_index(world, out, out + n * BLOCK, BLOCK, NULL);
    start_ns[me] = now_ns();
    for (long i = 0; i < calls && !status; i++)
        status = kp_index(world, out, out + n * BLOCK, BLOCK, NULL);
    end_ns[me] = now_ns();
    return status;
}

/* Runs the machine once. Returns the microseconds per call, or -1 after an error. The time is from
 * the last processor's start to the last processor's end. */
static double microseconds(kp_machine *machine, int n)
{
    double start = 0, end = 0;
    if (kp_machine_run(machine, program, NULL, NULL))
        return -1;
    for (int i = 0; i < n; i++) {
        start = start_ns[i] > start ? start_ns[i] : start;
        end = end_ns[i] > end ? end_ns[i] : end;
    }
    return (end - start) / 1000 / (double)calls;
}

int main(int argc, char **argv)
{
    int n = argc == 6 ? atoi(argv[1]) : 0, k = argc == 6 ? atoi(argv[2]) : 0;
    long pairs = argc == 6 ? atol(argv[5]) : 0;
    calls = argc == 6 ? atol(argv[4]) : 0;
    if (n < 2 || n > 4096 || calls < 1 || pairs < 1)
        return fprintf(stderr, "usage: tracing N K CARRIER CALLS PAIRS\n"), 2;
    kp_config config = {.processors = n,
                        .ports = k,
                        .carrier =
                            strcmp(argv[3], "fibers") ? KP_CARRIER_THREADS : KP_CARRIER_FIBERS};
    kp_machine *off, *on;
    kp_trace *trace;
    buffers = calloc((size_t)n * (size_t)n, 2 * BLOCK);
    if (!buffers || kp_machine_create(&config, &off) || kp_trace_create(0, &trace))
        return fprintf(stderr, "tracing: %s\n", kp_last_error()->sentence), 1;
    config.trace = trace;
    if (kp_machine_create(&config, &on))
        return fprintf(stderr, "tracing: %s\n", kp_last_error()->sentence), 1;
    for (long i = -1; i < pairs; i++) {
        /* In every other pair the traced machine runs first. */
        double first = microseconds(i % 2 ? on : off, n),
               second = microseconds(i % 2 ? off : on, n);
        if (first <= 0 || second <= 0)
            return fprintf(stderr, "tracing: %s\n", kp_last_error()->sentence), 1;
        if (i >= 0) /* the first pair is a warm-up and is not printed */
            printf("%.3f %.3f\n", i % 2 ? second : first, i % 2 ? first : second);
    }
    kp_machine_destroy(off);
    kp_machine_destroy(on);
    (void)kp_trace_free(trace);
    free(buffers);
    return 0;
}
