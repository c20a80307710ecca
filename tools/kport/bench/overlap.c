/* `kport bench OPERATION --overlap`: how much of a call members hide behind computing, as the OSU
 * benchmarks of non-blocking collectives measure it. A member starts the call, computes for about
 * as long as the call takes, and waits for the call. */
#include "tools/kport/bench/bench.h"

#include "tools/kport/command.h"
#include "tools/kport/common/machine_keys.h"
#include "tools/kport/common/output.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/computer/computer.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#define PHASE_NS    50e6 /* how long each phase is timed, unless the user gives the iterations */
#define FIRST_CALLS 8    /* the iterations that are tried first */
#define FIRST_STEPS 1000 /* the steps of computing that are timed to know what a step takes */
#define TRIES       8    /* how often they are timed; the least counts */
#define UNTIMED     5    /* calls that make the buffers' pages and prepare the call on each lane */

/* The microseconds of an iteration, those of the slowest processor. */
struct phases {
    double call, compute, both;
    double barrier; /* a part of all three */
    uint64_t iterations;
};

/* Returns the microseconds without the barrier's. */
static double without(const struct phases *phases, double us)
{
    return us > phases->barrier ? us - phases->barrier : 0;
}

struct job {
    const struct bench *bench;
    const struct task *task;
    struct phases phases;
};

/* What a member does in an iteration. */
struct phase {
    bool calls;
    uint64_t steps; /* of computing, 0: it does not compute */
};

static double compute(uint64_t steps)
{
    double x = 2;
    for (uint64_t i = 0; i < steps; i++)
        x = (x + 3 / x) / 2;
    return x;
}

static int iterate(kp_group *world, const kp_arguments *arguments, const struct phase *phase)
{
    kp_request *request = NULL;
    int status = phase->calls ? kp_call_start(world, arguments, &request) : 0;
    if (!status && phase->steps > 0 && compute(phase->steps) < 1)
        status = kp_fail(kp_group_self(world), "a root is wrong");
    return !status && phase->calls ? kp_wait(&request) : status;
}

/* Stores the microseconds of an iteration. A barrier follows each iteration, so that no member
 * begins the next call while another one still computes. look() finds how long the barrier alone
 * takes, which the results do not count. */
static int time_phase(kp_group *world, const kp_arguments *arguments, const struct phase *phase,
                      uint64_t iterations, double *us)
{
    int status = kp_barrier(world);
    const int64_t start = batch_now_ns();
    for (uint64_t i = 0; i < iterations && !status; i++) {
        status = iterate(world, arguments, phase);
        if (!status)
            status = kp_barrier(world);
    }
    *us = (double)(batch_now_ns() - start) / 1e3 / (double)iterations;
    if (!status)
        status = kp_allreduce(world, KP_IN_PLACE, us, 1, KP_FLOAT64, KP_MAXIMUM, NULL);
    return status;
}

/* Stores how many steps of computing last this long. Each member times the steps by itself, without
 * a barrier: a barrier's time may be longer than theirs, and differs from one to the next. */
static int steps_of(kp_group *world, double us, uint64_t *steps)
{
    double least = 0;
    for (int i = 0; i < TRIES; i++) {
        const int64_t start = batch_now_ns();
        const bool right = compute(FIRST_STEPS) >= 1;
        const double took = (double)(batch_now_ns() - start) / 1e3;
        if (right && (i == 0 || took < least))
            least = took;
    }
    const int status = kp_allreduce(world, KP_IN_PLACE, &least, 1, KP_FLOAT64, KP_MINIMUM, NULL);
    *steps = 1 + (uint64_t)(us / (least + 1e-3) * FIRST_STEPS);
    return status;
}

/* Times the call, and finds how many iterations a phase has and how many steps last as long. */
static int look(const struct job *job, kp_group *world, const kp_arguments *arguments,
                struct phases *phases, uint64_t *steps)
{
    const struct phase call = {.calls = true}, nothing = {0};
    phases->iterations = job->bench->iterations;
    int status = time_phase(world, arguments, &call, FIRST_CALLS, &phases->call);
    if (!status && !phases->iterations)
        phases->iterations = 1 + (uint64_t)(PHASE_NS / 1e3 / (phases->call + 1e-3));
    if (!status)
        status = time_phase(world, arguments, &call, phases->iterations, &phases->call);
    if (!status)
        status = time_phase(world, arguments, &nothing, phases->iterations, &phases->barrier);
    return status ? status : steps_of(world, without(phases, phases->call), steps);
}

static int program(kp_proc *self, void *argument)
{
    struct job *job = argument;
    struct participant participant;
    struct phases phases;
    char sentence[160];
    uint64_t steps = 0;
    kp_group *world = kp_world(self);
    int status = participant_make(&participant, &job->task->problem, job->bench->settings.seed,
                                  kp_processor(self))
                     ? 0
                     : kp_fail(self, "no memory for the buffers");
    const kp_arguments *arguments = &participant.arguments;
    for (int i = 0; i < UNTIMED && !status; i++)
        status = iterate(world, arguments, &(struct phase){.calls = true});
    if (!status && participant_is_wrong(&participant, sentence, sizeof sentence))
        status = kp_fail(self, sentence);
    if (!status)
        status = look(job, world, arguments, &phases, &steps);
    const struct phase work = {.steps = steps}, both = {.calls = true, .steps = steps};
    if (!status)
        status = time_phase(world, arguments, &work, phases.iterations, &phases.compute);
    if (!status)
        status = time_phase(world, arguments, &both, phases.iterations, &phases.both);
    if (!status && kp_processor(self) == processes_first())
        job->phases = phases;
    participant_free(&participant);
    return status;
}

/* --- Printing --- */

/* Returns how much of the call is hidden, in percent. */
static double hidden(const struct phases *phases)
{
    const double call = without(phases, phases->call);
    const double more = without(phases, phases->both) - without(phases, phases->compute);
    const double shown = call > 0 ? more / call : 0;
    return shown < 0 ? 100 : shown > 1 ? 0 : 100 * (1 - shown);
}

static void print_head(const struct bench *bench, const struct bench_table *table)
{
    char keys[64];
    machine_keys_format(&bench->machine, keys, sizeof keys);
    printf("# kport %s (MPI's i%s) Overlap Test v%s\n# n=%d,k=%d%s\n", bench->name, bench->alias,
           kp_version(), table->n, table->k, keys);
    computer_print("# ", stdout);
    computer_crowd_print("# ", &bench->machine, table->n, stdout);
    printf("# Each time is that of the slowest processor\n");
    printf("%-10s%18s%18s%18s%18s\n", "# Size", "Overall(us)", "Compute(us)", "Pure Comm.(us)",
           "Overlap(%)");
}

static void print_json(const struct bench *bench, const struct task *task,
                       const struct phases *phases, bool first)
{
    char text[512], keys[64];
    task_format(task, text, sizeof text);
    machine_keys_format(&bench->machine, keys, sizeof keys);
    json_t *o = json_pack("{s:s+, s:i, s:I, s:I, s:f, s:f, s:f, s:f}", "problem", text, keys, "n",
                          task->problem.n, "size", (json_int_t)task->problem.b, "iterations",
                          (json_int_t)phases->iterations, "both_us", without(phases, phases->both),
                          "compute_us", without(phases, phases->compute), "call_us",
                          without(phases, phases->call), "hidden_percent", hidden(phases));
    char *dump = o ? json_dumps(o, JSON_REAL_PRECISION(9)) : NULL;
    printf("%s%s\n", first ? "  " : ", ", dump ? dump : "null");
    free(dump);
    json_decref(o);
}

static void print_row(const struct bench *bench, const struct task *task,
                      const struct phases *phases, enum bench_shape shape, bool first)
{
    const size_t size = task->problem.b;
    if (shape == BENCH_TEXT)
        printf("%-10zu%18.2f%18.2f%18.2f%18.2f\n", size, without(phases, phases->both),
               without(phases, phases->compute), without(phases, phases->call), hidden(phases));
    else if (shape == BENCH_CSV)
        printf("%s,%d,%d,%zu,%llu,%.4f,%.4f,%.4f,%.2f\n", bench->name, task->problem.n,
               task->problem.k, size, (unsigned long long)phases->iterations,
               without(phases, phases->both), without(phases, phases->compute),
               without(phases, phases->call), hidden(phases));
    else
        print_json(bench, task, phases, first);
    fflush(stdout);
}

/* --- The command --- */

static int one_row(const struct bench *bench, const struct task *task, struct job *job)
{
    kp_config config = bench->machine;
    config.processors = task->problem.n;
    config.ports = task->problem.k;
    *job = (struct job){.bench = bench, .task = task};
    const int status = kp_run(&config, program, job, NULL);
    if (status) {
        fprintf(stderr, "kport bench: %s\n", kp_last_error()->sentence);
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

/* Names an option that says nothing here. */
static int refuse(const struct bench *bench)
{
    const char *option = bench->barrier                              ? "barrier"
                         : bench->full                               ? "--full"
                         : bench->ahead                              ? "--ahead"
                         : bench->seconds                            ? "--seconds"
                         : bench->with_peers                         ? "--peers"
                         : bench->trace                              ? "--trace"
                         : bench->algorithms                         ? "-a"
                         : bench->settings.check                     ? "-c"
                         : bench->settings.warm_up != TIMING_WARM_UP ? "-x"
                                                                     : NULL;
    if (option)
        fprintf(stderr,
                "kport bench: %s is given with --overlap, which is for operations that move bytes, "
                "and may have -n, -k, -m, -i, --bind, --csv, --json and --tune\n",
                option);
    return option ? EXIT_IMPOSSIBLE : EXIT_DONE;
}

int overlap_carry_out(const struct bench *bench, enum bench_shape shape)
{
    int status = refuse(bench);
    bool first = true;
    if (status)
        return status;
    if (shape == BENCH_CSV)
        printf("operation,n,k,size,iterations,both_us,compute_us,call_us,hidden_percent\n");
    if (shape == BENCH_JSON) {
        printf("{\"schema\": \"kport bench-overlap" OUTPUT_VERSION
               "\", \"kport\": \"%s\", \"operation\": \"%s\",\n ",
               kp_version(), bench->name);
        computer_json_print(stdout);
        printf("\"rows\": [\n");
    }
    for (size_t i = 0; i < bench->table_count && !status; i++) {
        const struct bench_table *table = &bench->tables[i];
        if (shape == BENCH_TEXT)
            print_head(bench, table);
        for (size_t j = 0; j < table->count && !status; j++, first = false) {
            struct job job;
            status = one_row(bench, &table->tasks[j], &job);
            if (!status)
                print_row(bench, &table->tasks[j], &job.phases, shape, first);
        }
    }
    if (shape == BENCH_JSON)
        printf(" ],\n \"complete\": %s}\n", status ? "false" : "true");
    return status;
}
