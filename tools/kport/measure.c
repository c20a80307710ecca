/* A repeat is a number of calls in a row, enough to last longer than the clock's own cost; its time
 * is from the last processor's start to the last one's end. Between repeats, untimed, every
 * processor writes over its incoming buffer and then compares every byte: what came in, that the
 * outgoing buffer is unchanged, and the guards around both. */
#include "measure.h"

#include "batch.h"
#include "command.h"
#include "machine_keys.h"
#include "memory.h"
#include "ports/fiber.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define REPEAT_NS  1000000.0 /* a repeat lasts at least about that long */
#define MOST_CALLS 1000000u

struct work {
    const kp_problem *problem;
    uint64_t seed, repeats;
    bool once, single;
    struct batch batch; /* the current repeat */
    double *us;         /* by repeat */
};

/* --- One processor --- */

static int verify(kp_proc *self, const struct part *part)
{
    char sentence[160];
    return part_is_wrong(part, sentence, sizeof sentence) ? kp_fail(self, sentence) : 0;
}

static int repeat_once(const struct work *work, kp_proc *self, struct part *part)
{
    part_spoil(part);
    int status = batch_carry_out(&work->batch, self, part);
    return status ? status : verify(self, part);
}

/* Warm-ups of more and more calls, until one lasts long enough; all processors decide alike, from
 * what processor 0 has written. */
static int warm_up(struct work *work, kp_proc *self, struct part *part)
{
    for (;;) {
        int status = repeat_once(work, self, part);
        if (status)
            return status;
        uint64_t calls = work->batch.calls;
        if ((status = batch_meet(kp_world(self))) != 0)
            return status;
        if (kp_processor(self) == 0 && !work->single && batch_may_repeat(work->problem) &&
            batch_ns(&work->batch) < REPEAT_NS && calls < MOST_CALLS)
            work->batch.calls = calls * 4;
        if ((status = batch_meet(kp_world(self))) != 0)
            return status;
        if (work->batch.calls == calls)
            return 0;
    }
}

static int all_repeats(struct work *work, kp_proc *self, struct part *part)
{
    int status = work->once ? 0 : warm_up(work, self, part);
    for (uint64_t i = 0; i < work->repeats && !status; i++) {
        status = repeat_once(work, self, part);
        if (!status)
            status = batch_meet(kp_world(self));
        if (!status && kp_processor(self) == 0)
            work->us[i] = batch_ns(&work->batch) / 1000.0 / (double)work->batch.calls;
        if (!status)
            status = batch_meet(kp_world(self));
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
    struct work work = {.problem = problem,
                        .seed = how->seed,
                        .repeats = repeats,
                        .once = how->once,
                        .single = how->single,
                        .batch = {.n = problem->n, .calls = 1, .samples = 1}};
    if (!memory_fits(problem, 1))
        return EXIT_IMPOSSIBLE;
    work.batch.stamps =
        calloc((size_t)problem->n * BATCH_STAMPS(work.batch.samples), sizeof *work.batch.stamps);
    work.us = calloc((size_t)repeats, sizeof *work.us);
    int status = EXIT_FAILED;
    if (work.batch.stamps && work.us)
        status = run_all(&work, &how->machine, result);
    else
        fprintf(stderr, "kport: no memory for %" PRIu64 " repeats\n", repeats);
    if (status == EXIT_DONE) {
        qsort(work.us, (size_t)repeats, sizeof *work.us, by_value);
        result->calls = work.batch.calls;
        result->min_us = work.us[0];
        result->median_us = (work.us[(repeats - 1) / 2] + work.us[repeats / 2]) / 2;
    }
    free(work.batch.stamps);
    free(work.us);
    return status;
}
