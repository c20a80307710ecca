/* Measures the cost of a check: in every call kport compares the calls that the members of a group
 * make. The program measures the time of an index of 8 bytes, and of a barrier, among pinned
 * threads that compute between calls. It is built twice: with the usual library, and with a library
 * that does not compare the calls. agreement.py runs both programs in turn.
 *
 * Usage: agreement N CALLS STEPS. The program prints the nanoseconds per call of the index and of
 * the barrier. Before each call every thread does STEPS multiplications, each of which needs the
 * result of the one before. */
#include <kport.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long calls;
static int steps;
static double index_ns, barrier_ns;

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline uint64_t compute(uint64_t x)
{
    for (int i = 0; i < steps; i++)
        x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
    return x;
}

static int program(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    size_t n = (size_t)kp_size(world);
    uint64_t *out = calloc(2 * n, sizeof *out), computed = 1;
    (void)argument;
    if (!out)
        return kp_fail(self, "no memory");
    int status = 0;
    for (long i = 0; i < calls / 10 && !status; i++)
        status = kp_index(world, out, out + n, sizeof *out, NULL);
    double start = now_ns();
    for (long i = 0; i < calls && !status; i++) {
        /* The value is stored, because code outside of this file may read it. */
        *out = computed = compute(computed);
        status = kp_index(world, out, out + n, sizeof *out, NULL);
    }
    double middle = now_ns();
    for (long i = 0; i < calls && !status; i++) {
        /* The value is stored, because code outside of this file may read it. */
        *out = computed = compute(computed);
        status = kp_barrier(world);
    }
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
    int n = argc == 4 ? atoi(argv[1]) : 0;
    calls = argc == 4 ? atol(argv[2]) : 0;
    steps = argc == 4 ? atoi(argv[3]) : 0;
    if (n < 2 || calls < 10)
        return fprintf(stderr, "usage: agreement N CALLS STEPS\n"), 2;
    if (kp_run(&(kp_config){.processors = n, .pin = 1}, program, NULL, &report))
        return fprintf(stderr, "agreement: %s\n", report.error.sentence), 1;
    printf("%.3f %.3f\n", index_ns, barrier_ns);
    return 0;
}
