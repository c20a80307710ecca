/* A repeat is a number of calls in a row, enough to last longer than the clock's own cost; its time
 * is from the last processor's start to the last one's end. Between repeats, untimed, every
 * processor writes over its incoming buffer and then compares every byte: what came in, that the
 * outgoing buffer is unchanged, and the guards around both. */
#include "measure.h"

#include "command.h"
#include "lib/operation.h"
#include "lib/operator.h"
#include "machine_keys.h"
#include "ports/fiber.h"
#include "reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define GUARD_BYTES 64
#define GUARD       REFERENCE_GAP
#define REPEAT_NS   1000000.0 /* a repeat lasts at least about that long */
#define MOST_CALLS  1000000u

struct interval {
    double start, end;
};

struct work {
    const kp_problem *problem;
    kp_how how;
    size_t count; /* elements of a reduction's block */
    uint64_t seed, repeats, calls;
    bool once;
    struct interval *intervals; /* of the current repeat, by processor */
    double *us;                 /* by repeat */
};

struct buffers {
    unsigned char *out, *in;
    size_t out_bytes, in_bytes;
    size_t *numbers; /* n each of the next four, where every block has a length of its own */
    size_t *out_counts, *out_displacements, *in_counts, *in_displacements;
};

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* --- Buffers with guards --- */

static unsigned char *guarded(size_t bytes)
{
    unsigned char *memory = malloc(bytes + 2 * GUARD_BYTES);
    if (!memory)
        return NULL;
    memset(memory, GUARD, bytes + 2 * GUARD_BYTES);
    return memory + GUARD_BYTES;
}

static void release(unsigned char *data)
{
    if (data)
        free(data - GUARD_BYTES);
}

static int guards_intact(const unsigned char *data, size_t bytes)
{
    for (size_t i = 0; i < GUARD_BYTES; i++) {
        if (data[-1 - (ptrdiff_t)i] != GUARD || data[bytes + i] != GUARD)
            return 0;
    }
    return 1;
}

/* --- One processor --- */

/* By operation: the call that carries it out. */
typedef int operation_call(kp_group *group, const struct buffers *buffers, const struct work *work);

static bool in_place_here(kp_group *group, const struct work *work)
{
    const kp_problem *p = work->problem;
    return p->in_place && (!kp_operation_has_root(p->operation) || kp_rank(group) == p->root);
}

static const void *outgoing(kp_group *group, const struct buffers *buffers, const struct work *work)
{
    return in_place_here(group, work) ? KP_IN_PLACE : buffers->out;
}

static void *incoming(kp_group *group, const struct buffers *buffers, const struct work *work)
{
    return in_place_here(group, work) ? KP_IN_PLACE : buffers->in;
}

static int call_index(kp_group *group, const struct buffers *buffers, const struct work *work)
{
    return kp_index(group, outgoing(group, buffers, work), buffers->in, work->problem->b,
                    &work->how);
}

static int call_concat(kp_group *group, const struct buffers *buffers, const struct work *work)
{
    return kp_concat(group, outgoing(group, buffers, work), buffers->in, work->problem->b,
                     &work->how);
}

/* The root's data are those that it sends; the others' are those that come in. */
static int call_broadcast(kp_group *group, const struct buffers *buffers, const struct work *work)
{
    const kp_problem *p = work->problem;
    return kp_broadcast(group, buffers->in, p->b, p->root, &work->how);
}

static int call_scatter(kp_group *group, const struct buffers *buffers, const struct work *work)
{
    const kp_problem *p = work->problem;
    return kp_scatter(group, buffers->out, incoming(group, buffers, work), p->b, p->root,
                      &work->how);
}

static int call_gather(kp_group *group, const struct buffers *buffers, const struct work *work)
{
    const kp_problem *p = work->problem;
    return kp_gather(group, outgoing(group, buffers, work), buffers->in, p->b, p->root, &work->how);
}

static int call_one_to_one(kp_group *group, const struct buffers *buffers, const struct work *work)
{
    const kp_problem *p = work->problem;
    return kp_one_to_one(group, buffers->out, buffers->in, p->b, p->root, p->target, &work->how);
}

static int call_indexv(kp_group *group, const struct buffers *buffers, const struct work *work)
{
    return kp_indexv(group, outgoing(group, buffers, work), buffers->out_counts,
                     buffers->out_displacements, buffers->in, buffers->in_counts,
                     buffers->in_displacements, &work->how);
}

/* Where there is one block, its place is part of where its buffer begins. */
static const void *outgoing_block(kp_group *group, const struct buffers *buffers,
                                  const struct work *work)
{
    return in_place_here(group, work) ? KP_IN_PLACE : buffers->out + buffers->out_displacements[0];
}

static int call_concatv(kp_group *group, const struct buffers *buffers, const struct work *work)
{
    return kp_concatv(group, outgoing_block(group, buffers, work), buffers->out_counts[0],
                      buffers->in, buffers->in_counts, buffers->in_displacements, &work->how);
}

static int call_scatterv(kp_group *group, const struct buffers *buffers, const struct work *work)
{
    void *in = buffers->in + buffers->in_displacements[0];
    return kp_scatterv(group, buffers->out, buffers->out_counts, buffers->out_displacements,
                       in_place_here(group, work) ? KP_IN_PLACE : in, buffers->in_counts[0],
                       work->problem->root, &work->how);
}

static int call_gatherv(kp_group *group, const struct buffers *buffers, const struct work *work)
{
    return kp_gatherv(group, outgoing_block(group, buffers, work), buffers->out_counts[0],
                      buffers->in, buffers->in_counts, buffers->in_displacements,
                      work->problem->root, &work->how);
}

static int call_reduce(kp_group *group, const struct buffers *buffers, const struct work *work)
{
    const kp_problem *p = work->problem;
    return kp_reduce(group, outgoing(group, buffers, work), buffers->in, work->count, p->type,
                     p->op, p->root, &work->how);
}

/* The other reductions have the same arguments. */
#define REDUCTION(name)                                                                            \
    static int call_##name(kp_group *group, const struct buffers *buffers,                         \
                           const struct work *work)                                                \
    {                                                                                              \
        const kp_problem *p = work->problem;                                                       \
        return kp_##name(group, outgoing(group, buffers, work), buffers->in, work->count, p->type, \
                         p->op, &work->how);                                                       \
    }
REDUCTION(allreduce)
REDUCTION(reduce_scatter)
REDUCTION(scan)
REDUCTION(scan_exclusive)

static operation_call *const calls_of[KP_OPERATIONS] = {
    [KP_INDEX] = call_index,
    [KP_CONCAT] = call_concat,
    [KP_BROADCAST] = call_broadcast,
    [KP_SCATTER] = call_scatter,
    [KP_GATHER] = call_gather,
    [KP_INDEXV] = call_indexv,
    [KP_CONCATV] = call_concatv,
    [KP_SCATTERV] = call_scatterv,
    [KP_GATHERV] = call_gatherv,
    [KP_REDUCE] = call_reduce,
    [KP_ALLREDUCE] = call_allreduce,
    [KP_REDUCE_SCATTER] = call_reduce_scatter,
    [KP_SCAN] = call_scan,
    [KP_SCAN_EXCLUSIVE] = call_scan_exclusive,
    [KP_ONE_TO_ONE] = call_one_to_one,
};

static int all_here(kp_group *world)
{
    return kp_exchange(world, NULL, 0, NULL, 0);
}

static int verify(const struct work *work, kp_proc *self, const struct buffers *buffers)
{
    char sentence[160];
    int rank = kp_processor(self);
    int64_t wrong = reference_first_wrong(work->problem, work->seed, rank, buffers->in);
    if (wrong >= 0) {
        snprintf(sentence, sizeof sentence, "byte %" PRId64 " of the incoming buffer is wrong",
                 wrong);
        return kp_fail(self, sentence);
    }
    if (!reference_out_intact(work->problem, work->seed, rank, buffers->out))
        return kp_fail(self, "the outgoing buffer was changed");
    if (!guards_intact(buffers->in, buffers->in_bytes) ||
        !guards_intact(buffers->out, buffers->out_bytes))
        return kp_fail(self, "bytes beside a buffer were changed");
    return 0;
}

static int repeat_once(struct work *work, kp_proc *self, const struct buffers *buffers)
{
    kp_group *world = kp_world(self);
    struct interval *mine = &work->intervals[kp_processor(self)];
    operation_call *carry_out = calls_of[work->problem->operation];
    reference_spoil_in(work->problem, work->seed, kp_processor(self), buffers->in);
    if (work->problem->operation == KP_BROADCAST && kp_processor(self) == work->problem->root)
        memcpy(buffers->in, buffers->out, buffers->in_bytes); /* the root has one buffer */
    else if (in_place_here(world, work))
        reference_fill_in_place(work->problem, work->seed, kp_processor(self), buffers->in);
    int status = all_here(world);
    mine->start = now_ns();
    for (uint64_t i = 0; i < work->calls && !status; i++)
        status = carry_out(world, buffers, work);
    mine->end = now_ns();
    if (!status)
        status = all_here(world);
    return status ? status : verify(work, self, buffers);
}

static double last_to_last(const struct work *work)
{
    double start = 0, end = 0;
    for (int i = 0; i < work->problem->n; i++) {
        start = work->intervals[i].start > start ? work->intervals[i].start : start;
        end = work->intervals[i].end > end ? work->intervals[i].end : end;
    }
    return end > start ? end - start : 0;
}

/* What is called once, because in place it changes what it begins with: an index undoes itself when
 * called again, a reduction goes on. */
static bool may_be_repeated(const kp_problem *problem)
{
    return !problem->in_place || !kp_operation_row(problem->operation)->copied_in_place;
}

/* Warm-ups of more and more calls, until one lasts long enough; all processors decide alike, from
 * what processor 0 has written. */
static int warm_up(struct work *work, kp_proc *self, const struct buffers *buffers)
{
    for (;;) {
        int status = repeat_once(work, self, buffers);
        if (status)
            return status;
        uint64_t calls = work->calls;
        if ((status = all_here(kp_world(self))) != 0)
            return status;
        if (kp_processor(self) == 0 && may_be_repeated(work->problem) &&
            last_to_last(work) < REPEAT_NS && calls < MOST_CALLS)
            work->calls = calls * 4;
        if ((status = all_here(kp_world(self))) != 0)
            return status;
        if (work->calls == calls)
            return 0;
    }
}

static int all_repeats(struct work *work, kp_proc *self, const struct buffers *buffers)
{
    int status = work->once ? 0 : warm_up(work, self, buffers);
    for (uint64_t i = 0; i < work->repeats && !status; i++) {
        status = repeat_once(work, self, buffers);
        if (!status)
            status = all_here(kp_world(self));
        if (!status && kp_processor(self) == 0)
            work->us[i] = last_to_last(work) / 1000.0 / (double)work->calls;
        if (!status)
            status = all_here(kp_world(self));
    }
    return status;
}

static bool buffers_make(const struct work *work, int rank, struct buffers *b)
{
    const kp_problem *p = work->problem;
    size_t n = (size_t)p->n;
    *b = (struct buffers){.out_bytes = reference_bytes(p, work->seed, rank, false),
                          .in_bytes = reference_bytes(p, work->seed, rank, true)};
    if (p->in_place && p->operation == KP_REDUCE_SCATTER)
        b->in_bytes = b->out_bytes; /* the operands lie there */
    b->out = guarded(b->out_bytes);
    b->in = guarded(b->in_bytes);
    b->numbers = calloc(4 * n, sizeof *b->numbers);
    if (!b->out || !b->in || !b->numbers)
        return false;
    b->out_counts = b->numbers;
    b->out_displacements = b->numbers + n;
    b->in_counts = b->numbers + 2 * n;
    b->in_displacements = b->numbers + 3 * n;
    reference_lengths(p, work->seed, rank, false, b->out_counts, b->out_displacements);
    reference_lengths(p, work->seed, rank, true, b->in_counts, b->in_displacements);
    reference_fill_out(p, work->seed, rank, b->out);
    return true;
}

static int program(kp_proc *self, void *argument)
{
    struct work *work = argument;
    struct buffers buffers;
    int status = buffers_make(work, kp_processor(self), &buffers)
                     ? all_repeats(work, self, &buffers)
                     : kp_fail(self, "no memory for the buffers");
    release(buffers.out);
    release(buffers.in);
    free(buffers.numbers);
    return status;
}

/* --- All of them --- */

static uint64_t memory_free(void)
{
    unsigned long long kilobytes = 0;
    char line[128];
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "MemAvailable: %llu", &kilobytes) == 1)
            break;
    }
    if (f)
        fclose(f);
    return kilobytes ? kilobytes * 1024 : UINT64_MAX;
}

/* Blocks of scratch, at the processor that has the most. */
static double scratch_blocks(const kp_problem *problem)
{
    kp_schedule *schedule;
    if (kp_schedule_build(problem, &schedule))
        return 0; /* it will be said when it is run */
    double units = (double)kp_schedule_units(schedule, KP_SCRATCH);
    double blocks = units / (double)kp_schedule_unit_of_block(schedule);
    kp_schedule_free(schedule);
    return blocks;
}

static int fits(const kp_problem *problem)
{
    double blocks = 0, most = (double)memory_free();
    for (int rank = 0; rank < problem->n; rank++)
        blocks += (double)reference_out_blocks(problem, rank) +
                  (double)reference_in_blocks(problem, rank);
    double bytes = (blocks + (double)problem->n * scratch_blocks(problem)) * (double)problem->b;
    if (bytes <= most)
        return 1;
    fprintf(stderr,
            "kport: n is %d and b %zu: the buffers would take %.1f GiB; %.1f GiB are free\n",
            problem->n, problem->b, bytes / 0x1p30, most / 0x1p30);
    return 0;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What failed, so that it can be done again: the order of execution too, if it was a seed's. */
static void tell(const struct work *work, const kp_config *config, const char *sentence)
{
    char text[256], machine[64], order[64] = "";
    kp_problem_format(work->problem, text, sizeof text);
    machine_keys_format(config, machine, sizeof machine);
    if (config->seed != 0)
        snprintf(order, sizeof order, ", interleave %" PRIu64, config->seed);
    fprintf(stderr, "kport: %s%s (seed %" PRIu64 "%s): %s\n", text, machine, work->seed, order,
            sentence);
}

static int run_all(struct work *work, const kp_config *machine_config, struct measurement *result)
{
    kp_config config = *machine_config;
    kp_machine *machine;
    kp_report report = {0};
    config.processors = work->problem->n;
    config.ports = work->problem->k;
    int status = kp_machine_create(&config, &machine);
    if (status) {
        tell(work, &config, kp_last_error()->sentence);
        return EXIT_IMPOSSIBLE;
    }
    status = kp_machine_run(machine, program, work, &report);
    result->workers = report.started;
    result->guard = kp_machine_guard(machine);
    result->trace = kp_machine_trace(machine);
    kp_machine_destroy(machine);
    if (status == 0)
        return EXIT_DONE;
    tell(work, &config, report.error.sentence);
    return status == KP_ETHREAD || status == KP_EMEMORY ? EXIT_IMPOSSIBLE : EXIT_FAILED;
}

int measure(const kp_problem *problem, const struct measure_how *how, struct measurement *result)
{
    uint64_t repeats = how->repeats;
    struct work work = {
        .problem = problem, .seed = how->seed, .repeats = repeats, .calls = 1, .once = how->once};
    work.how.algorithm = problem->algorithm;
    memcpy(work.how.values, problem->values, sizeof work.how.values);
    work.count = (size_t)kp_elements(problem);
    if (!fits(problem))
        return EXIT_IMPOSSIBLE;
    work.intervals = calloc((size_t)problem->n, sizeof *work.intervals);
    work.us = calloc((size_t)repeats, sizeof *work.us);
    int status = EXIT_FAILED;
    if (work.intervals && work.us)
        status = run_all(&work, &how->machine, result);
    else
        fprintf(stderr, "kport: no memory for %" PRIu64 " repeats\n", repeats);
    if (status == EXIT_DONE) {
        qsort(work.us, (size_t)repeats, sizeof *work.us, by_value);
        result->calls = work.calls;
        result->min_us = work.us[0];
        result->median_us = (work.us[(repeats - 1) / 2] + work.us[repeats / 2]) / 2;
    }
    free(work.intervals);
    free(work.us);
    return status;
}
