/* A repeat is a number of calls in a row, enough to last longer than the clock's own cost; its time
 * is from the last processor's start to the last one's end. Between repeats, untimed, every
 * processor writes over its incoming buffer and then compares every byte: what came in, that the
 * outgoing buffer is unchanged, and the guards around both. */
#include "measure.h"

#include "command.h"
#include "lib/operation.h"
#include "machine_keys.h"
#include "part.h"
#include "ports/fiber.h"
#include "reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define REPEAT_NS  1000000.0 /* a repeat lasts at least about that long */
#define MOST_CALLS 1000000u

struct interval {
    double start, end;
};

struct work {
    const kp_problem *problem;
    uint64_t seed, repeats, calls;
    bool once;
    struct interval *intervals; /* of the current repeat, by processor */
    double *us;                 /* by repeat */
};

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* --- One processor --- */

static int all_here(kp_group *world)
{
    return kp_exchange(world, NULL, 0, NULL, 0);
}

static int verify(kp_proc *self, const struct part *part)
{
    char sentence[160];
    return part_is_wrong(part, sentence, sizeof sentence) ? kp_fail(self, sentence) : 0;
}

static int repeat_once(struct work *work, kp_proc *self, struct part *part)
{
    kp_group *world = kp_world(self);
    struct interval *mine = &work->intervals[kp_processor(self)];
    part_spoil(part);
    int status = all_here(world);
    mine->start = now_ns();
    for (uint64_t i = 0; i < work->calls && !status; i++)
        status = part_call(part, world);
    mine->end = now_ns();
    if (!status)
        status = all_here(world);
    return status ? status : verify(self, part);
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
static int warm_up(struct work *work, kp_proc *self, struct part *part)
{
    for (;;) {
        int status = repeat_once(work, self, part);
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

static int all_repeats(struct work *work, kp_proc *self, struct part *part)
{
    int status = work->once ? 0 : warm_up(work, self, part);
    for (uint64_t i = 0; i < work->repeats && !status; i++) {
        status = repeat_once(work, self, part);
        if (!status)
            status = all_here(kp_world(self));
        if (!status && kp_processor(self) == 0)
            work->us[i] = last_to_last(work) / 1000.0 / (double)work->calls;
        if (!status)
            status = all_here(kp_world(self));
    }
    return status;
}

static int program(kp_proc *self, void *argument)
{
    struct work *work = argument;
    struct part part;
    int status = part_make(&part, work->problem, work->seed, kp_processor(self))
                     ? all_repeats(work, self, &part)
                     : kp_fail(self, "no memory for the buffers");
    part_free(&part);
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
