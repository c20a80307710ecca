/* The time of a call of 8 bytes, of as many calls as take about a tenth of a second: of index among
 * two pinned threads, and of a barrier. Built twice, with the library as it is and with one that
 * does not compare what its members call; agreement.py lets the two run in turn.
 *
 * usage: agreement N CALLS; prints nanoseconds a call of index and of the barrier. */
#include <kport.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long calls;
static double index_ns, barrier_ns;

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int program(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    size_t n = (size_t)kp_size(world);
    int64_t *out = calloc(2 * n, sizeof *out);
    (void)argument;
    if (!out)
        return kp_fail(self, "no memory");
    int status = 0;
    for (long i = 0; i < calls / 10 && !status; i++)
        status = kp_index(world, out, out + n, sizeof *out, NULL);
    double start = now_ns();
    for (long i = 0; i < calls && !status; i++)
        status = kp_index(world, out, out + n, sizeof *out, NULL);
    double middle = now_ns();
    for (long i = 0; i < calls && !status; i++)
        status = kp_barrier(world);
    double end = now_ns();
    free(out);
    if (kp_processor(self) == 0) {
        index_ns = (middle - start) / (double)calls;
        barrier_ns = (end - middle) / (double)calls;
    }
    return status;
}

int main(int argc, char **argv)
{
    kp_report report;
    int n = argc == 3 ? atoi(argv[1]) : 0;
    calls = argc == 3 ? atol(argv[2]) : 0;
    if (n < 2 || calls < 10)
        return fprintf(stderr, "usage: agreement N CALLS\n"), 2;
    if (kp_run(&(kp_config){.processors = n, .pin = 1}, program, NULL, &report))
        return fprintf(stderr, "agreement: %s\n", report.error.sentence), 1;
    printf("%.3f %.3f\n", index_ns, barrier_ns);
    return 0;
}
