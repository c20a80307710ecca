/* Runs a problem several times, verifies the results, and measures the times. A repeat is a number
 * of successive calls. A repeat is so long that the time of reading the clock does not matter. The
 * time of a repeat is the time from the last processor's start to the last processor's end.
 *
 * Before a repeat every processor overwrites its incoming buffer with wrong bytes. After the repeat
 * every processor verifies three things: the incoming bytes, the unchanged outgoing buffer, and the
 * guard bytes around both buffers. Verifying is not timed. A barrier moves no data, so there is
 * nothing to compare. Instead, the processors pass the same number of barriers again and count the
 * arrivals (barrier.h). */
#include "tools/kport/run/measure.h"

#include "ports/port.h"
#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/machine_keys.h"
#include "tools/kport/common/memory.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/common/progress.h"
#include "tools/kport/common/sorted.h"
#include "tools/kport/run/barrier.h"
#include "tools/kport/run/batch.h"
#include "tools/kport/run/participant.h"
#include "tools/kport/run/reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* During the warm-up, the number of calls in a repeat grows until a repeat takes this many
 * nanoseconds. */

#define REPEAT_NS  1000000.0
#define MOST_CALLS 1000000u

struct work {
    const kp_problem *problem;
    uint64_t seed, repeats;
    bool once, single, verified;
    unsigned char *results; /* the table of a reduction's results (reference.h) */
    struct batch batch;     /* the calls and times of the current repeat */
    double *us;             /* the time of a call in each repeat, in microseconds */
    uint64_t done;          /* the number of repeats that are complete */
    bool interrupted;       /* a signal has arrived, so no further repeat begins */
    struct barrier_count barriers;
};

/* The data that belong to one processor. */
struct actor {
    struct participant
        participant;          /* the processor's buffers; unused if the problem is a barrier */
    uint64_t barriers_passed; /* the number of barriers that the processor has verified so far */
};

/* --- The program of one processor --- */

static int barrier(kp_group *group, const kp_hints *hints)
{
    return hints ? kp_barrier_scheduled(group, hints) : kp_barrier(group);
}

static int verify(struct work *work, kp_proc *self, struct actor *actor)
{
    char sentence[160];
    if (work->problem->operation == KP_BARRIER)
        return barrier_verify(&work->barriers, kp_world(self), barrier,
                              work->batch.barrier ? NULL : actor->participant.arguments.hints,
                              work->batch.calls, &actor->barriers_passed);
    return participant_is_wrong(&actor->participant, sentence, sizeof sentence)
               ? kp_fail(self, sentence)
               : 0;
}

static int repeat_once(struct work *work, kp_proc *self, struct actor *actor)
{
    if (work->verified && !work->batch.barrier)
        participant_spoil(&actor->participant);
    int status = batch_carry_out(&work->batch, self, &actor->participant.arguments);
    return status || !work->verified ? status : verify(work, self, actor);
}

/* Makes the next repeat four times as long if the last one was too short. */
static void learn(struct work *work)
{
    uint64_t calls = work->batch.calls;
    if (!work->interrupted && !work->single && batch_may_repeat(work->problem) &&
        batch_ns(&work->batch) < REPEAT_NS && calls < MOST_CALLS)
        work->batch.calls = calls * 4;
}

static void keep(struct work *work)
{
    work->us[work->done++] = batch_ns(&work->batch) / 1000.0 / (double)work->batch.calls;
}

/* Stores whether an interrupt has come, and calls `use` after a repeat. In each process its first
 * processor alone does so, between two barriers, so all processors read the same values after the
 * second barrier. */
static int conclude(struct work *work, kp_proc *self, void (*use)(struct work *work))
{
    const bool first = kp_processor(self) == work->batch.first;
    int32_t interrupted = 0;
    int status = batch_meet(kp_world(self));
    if (!status && first)
        interrupted = interrupt_pending() != 0;
    if (!status && work->batch.spread)
        status =
            kp_allreduce(kp_world(self), KP_IN_PLACE, &interrupted, 1, KP_INT32, KP_MAXIMUM, NULL);
    if (!status && first) {
        work->interrupted = interrupted;
        use(work);
        if (!work->once)
            progress_at((double)work->done, NULL);
    }
    return status ? status : batch_meet(kp_world(self));
}

/* Carries out repeats with more and more calls, until a repeat is long enough. All processors
 * decide alike, because they read the number of calls that `learn` has written. */
static int warm_up(struct work *work, kp_proc *self, struct actor *actor)
{
    for (;;) {
        int status = repeat_once(work, self, actor);
        uint64_t calls = work->batch.calls;
        if (!status)
            status = conclude(work, self, learn);
        if (status || work->batch.calls == calls)
            return status;
    }
}

static int all_repeats(struct work *work, kp_proc *self, struct actor *actor)
{
    int status = work->once ? 0 : warm_up(work, self, actor);
    while (!status && work->done < work->repeats && !work->interrupted) {
        status = repeat_once(work, self, actor);
        if (!status)
            status = conclude(work, self, keep);
    }
    return status;
}

static int program(kp_proc *self, void *argument)
{
    struct work *work = argument;
    struct actor actor = {.barriers_passed = 0};
    bool made = work->batch.barrier ||
                participant_make(&actor.participant, work->problem, work->seed, kp_processor(self));
    actor.participant.results = work->results;
    int status =
        made ? all_repeats(work, self, &actor) : kp_fail(self, "no memory for the buffers");
    participant_free(&actor.participant);
    return status;
}

/* --- The run of all processors --- */

/* Prints all that a user needs to repeat a failed run: the problem, the machine keys, and the seeds
 * of the data and of the order of execution. */
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

int measure(const kp_problem *problem, const struct measure_settings *settings,
            struct measurement *result)
{
    uint64_t repeats = settings->repeats;
    struct work work = {.problem = problem,
                        .seed = settings->seed,
                        .repeats = repeats,
                        .once = settings->once,
                        .single = settings->single,
                        .verified = !getenv("KPORT_INTERNAL_NO_VERIFY"),
                        .barriers = {.spread = processes_several()},
                        .batch = {.first = processes_first(),
                                  .n = processes_here(problem->n),
                                  .spread = processes_several(),
                                  .barrier = settings->barrier,
                                  .calls = 1,
                                  .samples = 1}};
    if (!settings->barrier && !memory_fits(problem, 1))
        return EXIT_IMPOSSIBLE;
    work.batch.times =
        calloc((size_t)work.batch.n * BATCH_TIMES(work.batch.samples), sizeof *work.batch.times);
    work.us = calloc((size_t)repeats, sizeof *work.us);
    if (work.verified)
        work.results = reference_results(problem, settings->seed);
    result->verified = work.verified;
    int status = EXIT_FAILED;
    if (work.batch.times && work.us && (work.results || !work.verified))
        status = run_all(&work, &settings->machine, result);
    else
        fprintf(stderr, "kport: no memory for %" PRIu64 " repeats\n", repeats);
    result->repeats = work.done;
    result->calls = work.batch.calls;
    if (status == EXIT_DONE && work.done > 0) {
        result->median_us = sorted_median(work.us, (size_t)work.done);
        result->min_us = work.us[0];
    }
    free(work.batch.times);
    free(work.us);
    free(work.results);
    return status;
}
