/* Times collectives over an MPI: kport's, over point-to-point messages, and the MPI's own, in turns
 * in one run. mpirun starts this program.
 *
 * usage: over_mpi [PER_PROCESS [OPERATION|all [REPEATS [WORKERS]]]]
 *
 * For each operation and length, each of REPEATS repeats times both in turns. A call's time is that
 * of the slowest process. The bound is the upper 95 % bound of the median of the paired ratios:
 * with this probability the true median is at most the bound.
 *
 * If the object for programs of the MPI is preloaded with KPORT_PMPI_FASTER=1, a second ratio is
 * that of the program's calls: kport's or the MPI's own, whichever was faster in the first calls.
 *
 * With PER_PROCESS > 1 only kport's calls are timed, because the MPI's own have one processor in a
 * process. With WORKERS = 1 the processors of a process are fibers. */
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
static const size_t lengths[] = {8, 64, 256, 1024, 8192, MOST_B};
enum {
    LENGTHS = sizeof lengths / sizeof lengths[0]
};

/* One side of a comparison, on one processor. */
struct side {
    enum {
        KPORT,
        OWN,   /* the MPI's own */
        FASTER /* whatever the preloaded object chooses */
    } way;
    kp_group *world; /* kport's */
    char *out, *in;
};

struct work {
    int only; /* an enum operation; OPERATIONS: all */
    int repeats;
    bool alone;  /* the MPI's own calls are not timed */
    bool faster; /* the object is preloaded */
};

static void must(bool right, const char *what)
{
    if (!right) {
        fprintf(stderr, "over_mpi: %s failed: %s\n", what, kp_last_error()->sentence);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

#define EITHER(NAME, ...) (side->way == OWN ? PMPI_##NAME(__VA_ARGS__) : MPI_##NAME(__VA_ARGS__))

static void call(const struct side *side, enum operation operation, size_t b)
{
    const int bytes = (int)b, count = (int)(b / sizeof(double));
    if (side->way != KPORT) {
        int code = operation == INDEX    ? EITHER(Alltoall, side->out, bytes, MPI_BYTE, side->in,
                                                  bytes, MPI_BYTE, MPI_COMM_WORLD)
                   : operation == CONCAT ? EITHER(Allgather, side->out, bytes, MPI_BYTE, side->in,
                                                  bytes, MPI_BYTE, MPI_COMM_WORLD)
                                         : EITHER(Allreduce, side->out, side->in, count, MPI_DOUBLE,
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

/* Returns the number of calls that take about BATCH_US. All processors return the same. The first
 * calls are not timed, as they take longer. */
static long calls_of(const struct side *side, kp_group *world, enum operation operation, size_t b)
{
    long calls = 4;
    (void)time_of(side, world, operation, b, calls);
    while (calls < 100000 && time_of(side, world, operation, b, calls) * (double)calls < BATCH_US)
        calls *= 2;
    return calls;
}

/* The times of one side, and their ratios to another's. */
struct series {
    struct side *side;
    long calls;
    double *us, *ratio;
};

static struct series series_of(const struct work *work, struct side *side, kp_group *world,
                               enum operation operation, size_t b)
{
    const size_t bytes = (size_t)work->repeats * sizeof(double);
    struct series series = {side, 0, malloc(bytes), malloc(bytes)};
    must(series.us && series.ratio, "malloc");
    series.calls = calls_of(side, world, operation, b);
    return series;
}

static void series_free(struct series *series)
{
    free(series->us);
    free(series->ratio);
}

static void print_ratio(const struct series *series, int repeats)
{
    const double median = sorted_median(series->ratio, (size_t)repeats);
    const int bound = sorted_bound_of_median(repeats);
    if (bound < 0)
        printf(" %.2f | too few repeats |", median);
    else
        printf(" %.2f | %.2f |", median, series->ratio[bound]);
}

/* `sides` are those of the enumeration. */
static void compare(const struct work *work, struct side *sides, enum operation operation, size_t b)
{
    kp_group *world = sides[KPORT].world;
    const int count = work->alone ? 1 : work->faster ? 3 : 2;
    const size_t n = (size_t)work->repeats;
    struct series series[3];
    long most = 0;
    for (int i = 0; i < count; i++)
        series[i] = series_of(work, &sides[i], world, operation, b);
    /* All sides make as many calls, because the first ones after the barrier take longer. */
    for (int i = 0; i < count; i++)
        most = series[i].calls > most ? series[i].calls : most;
    for (int i = 0; i < count; i++)
        series[i].calls = most;
    for (int repeat = 0; repeat < work->repeats; repeat++) {
        for (int i = 0; i < count; i++)
            series[i].us[repeat] = time_of(&sides[i], world, operation, b, series[i].calls);
        for (int i = 0; i < count && count > 1; i++)
            series[i].ratio[repeat] = series[i].us[repeat] / series[OWN].us[repeat];
    }
    if (kp_rank(world) == 0 && work->alone)
        printf("| %s | %zu | | %.2f | | |\n", names[operation], b,
               sorted_median(series[KPORT].us, n));
    if (kp_rank(world) == 0 && !work->alone) {
        printf("| %s | %zu | %.2f | %.2f |", names[operation], b, sorted_median(series[OWN].us, n),
               sorted_median(series[KPORT].us, n));
        print_ratio(&series[KPORT], work->repeats);
        if (work->faster)
            print_ratio(&series[FASTER], work->repeats);
        printf("\n");
    }
    fflush(stdout);
    for (int i = 0; i < count; i++)
        series_free(&series[i]);
}

static int program(kp_proc *self, void *argument)
{
    const struct work *work = argument;
    kp_group *world = kp_world(self);
    const size_t room = (size_t)kp_size(world) * MOST_B;
    /* All sides use the same memory, because where the system places it decides, too, how long the
     * bytes take. */
    char *out = calloc(1, room), *in = calloc(1, room);
    must(out && in, "calloc");
    struct side sides[] = {{KPORT, world, out, in}, {OWN, NULL, out, in}, {FASTER, NULL, out, in}};
    for (int operation = 0; operation < OPERATIONS; operation++) {
        for (int i = 0; i < LENGTHS && (work->only == OPERATIONS || work->only == operation); i++)
            compare(work, sides, (enum operation)operation, lengths[i]);
    }
    free(out);
    free(in);
    return 0;
}

static int run(const kp_config *config, struct work *work)
{
    kp_report report;
    if (kp_run(config, program, work, &report))
        fprintf(stderr, "over_mpi: %s\n", report.error.sentence);
    return report.error.status;
}

/* The thread that initialised the MPI carries the processor, so that the MPI need not serve other
 * threads. With those the preloaded object takes no calls. */
static int attach(const kp_config *config, int rank, struct work *work)
{
    kp_machine *machine;
    kp_proc *self;
    must(kp_machine_create(config, &machine) == 0, "making the machine");
    must(kp_machine_attach(machine, rank, &self) == 0, "attaching");
    const int status = program(self, work);
    must(kp_machine_detach(self) == 0, "detaching");
    must(kp_machine_destroy(machine) == 0, "ending the machine");
    return status;
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
    const char *faster = getenv("KPORT_PMPI_FASTER");
    work.faster = !work.alone && faster && strcmp(faster, "1") == 0;
    /* Most programs that have one thread call MPI_Init. */
    if (work.alone)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("| operation | b | MPI's own, us | kport, us | ratio | bound |%s\n"
               "|---|---|---|---|---|---|%s\n",
               work.faster ? " the faster | bound |" : "", work.faster ? "---|---|" : "");
    const kp_config config = {.carrier = KP_CARRIER_MPI,
                              .per_process = per_process,
                              .workers = argc > 4 ? atoi(argv[4]) : 0};
    const int status = work.alone ? run(&config, &work) : attach(&config, rank, &work);
    MPI_Finalize();
    return status != 0;
}
