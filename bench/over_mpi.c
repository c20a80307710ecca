/* Times collectives over an MPI: kport's, over point-to-point messages, and the MPI's own, in turns
 * in one run. mpirun starts this program.
 *
 * usage: over_mpi [PER_PROCESS [OPERATION [REPEATS]]]
 *
 * For each operation and length, each of REPEATS repeats times both in turns. A call's time is that
 * of the slowest process. The bound is the upper 95 % bound of the median of the paired ratios:
 * with this probability the true median is at most the bound.
 *
 * With PER_PROCESS > 1 only kport's calls are timed, because the MPI's own have one processor in a
 * process. */
#include "kport.h"

#include "tools/kport/common/sorted.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS  41
#define BATCH_US 3000.0
#define MOST_B   65536

enum operation {
    INDEX,
    CONCAT,
    ALLREDUCE,
    OPERATIONS
};
static const char *const names[OPERATIONS] = {"index", "concat", "allreduce"};
static const size_t lengths[] = {8, 64, 1024, 8192, MOST_B};
enum {
    LENGTHS = sizeof lengths / sizeof lengths[0]
};

/* One side of a comparison, on one processor. */
struct side {
    bool is_mpi;
    kp_group *world; /* kport's */
    char *out, *in;
};

struct work {
    int only; /* an enum operation; OPERATIONS: all */
    int repeats;
    bool alone; /* the MPI's own calls are not timed */
};

static void must(bool right, const char *what)
{
    if (!right) {
        fprintf(stderr, "over_mpi: %s failed: %s\n", what, kp_last_error()->sentence);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void call(const struct side *side, enum operation operation, size_t b)
{
    const int bytes = (int)b, count = (int)(b / sizeof(double));
    if (side->is_mpi) {
        int code = operation == INDEX    ? MPI_Alltoall(side->out, bytes, MPI_BYTE, side->in, bytes,
                                                        MPI_BYTE, MPI_COMM_WORLD)
                   : operation == CONCAT ? MPI_Allgather(side->out, bytes, MPI_BYTE, side->in,
                                                         bytes, MPI_BYTE, MPI_COMM_WORLD)
                                         : MPI_Allreduce(side->out, side->in, count, MPI_DOUBLE,
                                                         MPI_SUM, MPI_COMM_WORLD);
        must(code == MPI_SUCCESS, names[operation]);
        return;
    }
    int status = operation == INDEX    ? kp_index(side->world, side->out, side->in, b, NULL)
                 : operation == CONCAT ? kp_concat(side->world, side->out, side->in, b, NULL)
                                       : kp_allreduce(side->world, side->out, side->in,
                                                      (size_t)count, KP_FLOAT64, KP_SUM, NULL);
    must(status == 0, names[operation]);
}

/* Returns the microseconds of a call, at the slowest processor. */
static double time_of(const struct side *side, kp_group *world, enum operation operation, size_t b,
                      long calls)
{
    double own, slowest;
    must(kp_barrier(world) == 0, "a barrier");
    const double begun = MPI_Wtime();
    for (long i = 0; i < calls; i++)
        call(side, operation, b);
    own = (MPI_Wtime() - begun) * 1e6 / (double)calls;
    must(kp_allreduce(world, &own, &slowest, 1, KP_FLOAT64, KP_MAXIMUM, NULL) == 0, "a maximum");
    return slowest;
}

/* Returns the number of calls that take about BATCH_US. All processors return the same. */
static long calls_of(const struct side *side, kp_group *world, enum operation operation, size_t b)
{
    long calls = 4;
    while (calls < 100000 && time_of(side, world, operation, b, calls) * (double)calls < BATCH_US)
        calls *= 2;
    return calls;
}

static void compare(const struct work *work, struct side *kport, struct side *mpi,
                    enum operation operation, size_t b)
{
    kp_group *world = kport->world;
    double *kport_us = malloc((size_t)work->repeats * sizeof(double));
    double *mpi_us = malloc((size_t)work->repeats * sizeof(double));
    double *ratio = malloc((size_t)work->repeats * sizeof(double));
    must(kport_us && mpi_us && ratio, "malloc");
    const long kport_calls = calls_of(kport, world, operation, b);
    const long mpi_calls = work->alone ? 0 : calls_of(mpi, world, operation, b);
    for (int i = 0; i < work->repeats; i++) {
        kport_us[i] = time_of(kport, world, operation, b, kport_calls);
        if (work->alone)
            continue;
        mpi_us[i] = time_of(mpi, world, operation, b, mpi_calls);
        ratio[i] = kport_us[i] / mpi_us[i];
    }
    const size_t n = (size_t)work->repeats;
    if (kp_rank(world) == 0 && work->alone)
        printf("| %s | %zu | | %.2f | | |\n", names[operation], b, sorted_median(kport_us, n));
    if (kp_rank(world) == 0 && !work->alone) {
        const double median = sorted_median(ratio, n);
        const int bound = sorted_bound_of_median(work->repeats);
        printf("| %s | %zu | %.2f | %.2f | %.2f | ", names[operation], b, sorted_median(mpi_us, n),
               sorted_median(kport_us, n), median);
        if (bound < 0)
            printf("too few repeats |\n");
        else
            printf("%.2f |\n", ratio[bound]);
    }
    fflush(stdout);
    free(kport_us);
    free(mpi_us);
    free(ratio);
}

static int program(kp_proc *self, void *argument)
{
    const struct work *work = argument;
    kp_group *world = kp_world(self);
    const size_t room = (size_t)kp_size(world) * MOST_B;
    struct side kport = {false, world, calloc(1, room), calloc(1, room)};
    struct side mpi = {true, NULL, calloc(1, room), calloc(1, room)};
    must(kport.out && kport.in && mpi.out && mpi.in, "calloc");
    for (int operation = 0; operation < OPERATIONS; operation++) {
        for (int i = 0; i < LENGTHS && (work->only == OPERATIONS || work->only == operation); i++)
            compare(work, &kport, &mpi, (enum operation)operation, lengths[i]);
    }
    free(kport.out);
    free(kport.in);
    free(mpi.out);
    free(mpi.in);
    return 0;
}

int main(int argc, char **argv)
{
    const int per_process = argc > 1 ? atoi(argv[1]) : 1;
    struct work work = {.only = OPERATIONS, .repeats = REPEATS, .alone = per_process > 1};
    int provided, rank;
    for (int i = 0; argc > 2 && i < OPERATIONS; i++)
        work.only = strcmp(argv[2], names[i]) == 0 ? i : work.only;
    if (argc > 3 && atoi(argv[3]) > 0)
        work.repeats = atoi(argv[3]);
    MPI_Init_thread(&argc, &argv, per_process > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED,
                    &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("| operation | b | MPI's own, us | kport, us | ratio | bound |\n"
               "|---|---|---|---|---|---|\n");
    const kp_config config = {.carrier = KP_CARRIER_MPI, .per_process = per_process};
    kp_report report;
    if (kp_run(&config, program, &work, &report))
        fprintf(stderr, "over_mpi: %s\n", report.error.sentence);
    MPI_Finalize();
    return report.error.status != 0;
}
