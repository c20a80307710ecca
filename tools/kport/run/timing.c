/* Times a problem in samples. A sample is one call or several successive calls. A sample has so
 * many calls that reading the clock takes little of its time. Every processor reads the clock after
 * each sample. Reading the clock also delays the next call, so a sample should take at least
 * SAMPLE_NS. A sample begins when the last processor ends the previous sample. It ends when the
 * last processor ends this sample. So the times of all samples add up to the time of
 * the batch. */
#include "tools/kport/run/timing.h"

#include "tools/kport/common/processes.h"
#include "tools/kport/common/sorted.h"
#include "tools/kport/run/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CLOCK_SHARE  0.01          /* the largest part of a sample's time for reading the clock */
#define SAMPLE_NS    2.5e4         /* the shortest time of a sample, in nanoseconds */
#define WARM_NS      5e6           /* the time of the warm-up, in nanoseconds (TIMING_WARM_UP) */
#define MOST_STAMPS  (4u << 20)    /* the largest number of times in a batch */
#define MOST_SAMPLES (200u * 1000) /* a row of a table should have at most this many samples */
/* A row of a table is expected to have at most this many batches. */
#define MOST_BATCHES 50
#define MOST_CALLS   UINT64_C(100000000) /* the largest number of calls in a batch */
/* If a call takes at least this many nanoseconds, batches share one machine, because another
 * machine would hardly change the time of a call. */
#define LONG_CALL_NS 5e6
#define MANY         512 /* if there are more processors than this, batches share one machine */
/* Batches share one machine if a new machine makes a batch at least this many times as long. */
#define RENEWAL_COSTS 1.25
/* The untimed calls before each batch, which prepare plans and touch pages. */
#define WARM_CALLS 2

/* --- One run of the machine --- */

/* Makes the participant number `mine` of this process. */
static int make(struct timing *timing, kp_proc *self, int mine)
{
    const struct task *task = timing->task;
    struct participant *participant = &timing->participants[mine];
    if (task->barrier || participant->problem)
        return 0;
    if (!participant_make_in(participant, &task->problem, timing->settings->seed,
                             kp_processor(self), timing->memory + timing->offsets[mine]))
        return kp_fail(self, "no memory for the buffers");
    participant->results = timing->results;
    if (task->left_open)
        participant->arguments.hints = NULL;
    return 0;
}

static void compare(struct timing *timing, const struct participant *participant)
{
    char sentence[160];
    if (!participant_is_wrong(participant, sentence, sizeof sentence))
        return;
    if (atomic_fetch_add(&timing->wrong, 1) == 0)
        fprintf(stderr, "kport bench: processor %d: %s\n", participant->rank, sentence);
}

static int program(kp_proc *self, void *argument)
{
    struct timing *timing = argument;
    int mine = kp_processor(self) - timing->batch.first, status = make(timing, self, mine);
    struct participant *participant = &timing->participants[mine];
    bool verify = timing->verify && !timing->task->barrier;
    if (!status && verify) {
        participant_spoil(participant);
        /* No processor may make the call before all processors have overwritten their buffers. */
        status = batch_meet(kp_world(self));
    }
    if (!status)
        status = batch_carry_out(&timing->batch, self, &participant->arguments);
    if (!status && verify)
        compare(timing, participant);
    return status;
}

static int carry_out(struct timing *timing, uint64_t calls, uint64_t samples, bool verify)
{
    kp_report report = {0};
    size_t wanted = (size_t)timing->batch.n * BATCH_TIMES(samples);
    if (wanted > timing->room) {
        free(timing->batch.times);
        timing->batch.times = calloc(wanted, sizeof *timing->batch.times);
        timing->room = timing->batch.times ? wanted : 0;
    }
    if (!timing->batch.times) {
        snprintf(timing->sentence, sizeof timing->sentence, "no memory for the times");
        return KP_EMEMORY;
    }
    timing->batch.calls = calls;
    timing->batch.samples = samples;
    timing->verify = verify;
    int status = kp_machine_run(*timing->machine, program, timing, &report);
    if (status)
        snprintf(timing->sentence, sizeof timing->sentence, "%s", report.error.sentence);
    return status;
}

/* --- The number of calls --- */

/* Returns the nanoseconds in which all processors read the clock once. Processors that share a core
 * read the clock one after the other. */
static double look_ns(int n)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t start = batch_now_ns(), end = start;
    for (int i = 0; i < 1000; i++)
        end = batch_now_ns();
    return (double)(end - start) / 1000 * (n > cores && cores > 0 ? (double)n / (double)cores : 1);
}

static uint64_t calls_of_sample(const struct timing *timing, double all_calls)
{
    double least = timing->look_ns / CLOCK_SHARE;
    double calls = (least > SAMPLE_NS ? least : SAMPLE_NS) / timing->call_ns;
    double few = all_calls / MOST_SAMPLES;
    calls = calls > few ? calls : few;
    return calls > 1e6 ? 1000000 : (uint64_t)calls + 1;
}

static void learn(struct timing *timing)
{
    double ns = batch_ns(&timing->batch) / (double)timing->batch.calls;
    timing->call_ns = ns > 1 ? ns : 1;
}

/* Makes the number of warm-up calls that the settings give. If they give no number, makes more and
 * more calls until the calls last WARM_NS. */
static int warm_up(struct timing *timing)
{
    uint64_t wanted = timing->settings->warm_up, calls = 1;
    int status = 0;
    if (wanted != TIMING_WARM_UP) {
        status = wanted ? carry_out(timing, wanted, 1, false) : 0;
        if (wanted && !status)
            learn(timing);
        return status;
    }
    while (!status && timing->call_ns * (double)calls < WARM_NS && calls < MOST_CALLS) {
        calls *= 4;
        status = carry_out(timing, calls, 1, false);
        if (!status)
            learn(timing);
    }
    return status;
}

static int renew(struct timing *timing)
{
    kp_machine_destroy(*timing->machine);
    *timing->machine = NULL;
    int status = kp_machine_create(timing->config, timing->machine);
    if (status)
        snprintf(timing->sentence, sizeof timing->sentence, "%s", kp_last_error()->sentence);
    return status;
}

/* Allocates all buffers in one piece, so that their addresses differ as little as possible between
 * rows of the table and between runs. The buffers of different processors begin at different
 * offsets within a page. */
static bool take_memory(struct timing *timing)
{
    size_t n = (size_t)timing->batch.n, all = 0;
    timing->participants = calloc(n, sizeof *timing->participants);
    timing->offsets = calloc(n, sizeof *timing->offsets);
    if (!timing->participants || !timing->offsets)
        return false;
    for (size_t i = 0; i < n && !timing->task->barrier; i++) {
        timing->offsets[i] = all;
        all += participant_room(&timing->task->problem, timing->settings->seed,
                                timing->batch.first + (int)i);
    }
    timing->memory = aligned_alloc(64, all + 64);
    if (!timing->task->barrier)
        timing->results = reference_results(&timing->task->problem, timing->settings->seed);
    return timing->memory && (timing->results || timing->task->barrier);
}

/* All processes begin with the same numbers, or none begins. Returns whether there is memory. */
static bool prepare(struct timing *timing)
{
    double common[] = {!take_memory(timing), look_ns(timing->batch.n)};
    int status = processes_agree(common, 2);
    timing->look_ns = common[1];
    return status == 0 && common[0] == 0;
}

int timing_begin(struct timing *timing, const struct task *task,
                 const struct timing_settings *settings, const kp_config *config,
                 kp_machine **machine)
{
    *timing =
        (struct timing){.task = task, .settings = settings, .config = config, .machine = machine};
    timing->batch = (struct batch){.first = processes_first(),
                                   .n = processes_here(task->problem.n),
                                   .spread = processes_several(),
                                   .barrier = task->barrier,
                                   .followed = settings->followed};
    if (!prepare(timing)) {
        snprintf(timing->sentence, sizeof timing->sentence, "no memory for the buffers");
        return KP_EMEMORY;
    }
    int status = *machine ? 0 : renew(timing);
    if (!status)
        status = carry_out(timing, 1, 1, true);
    if (status)
        return status;
    learn(timing);
    int64_t start = batch_now_ns();
    if (settings->check)
        status = carry_out(timing, 1, 1, true);
    timing->compare_ns = (double)(batch_now_ns() - start);
    if (!status)
        status = warm_up(timing);
    timing->batch.warm_up = settings->warm_up < WARM_CALLS ? settings->warm_up : WARM_CALLS;
    /* The processes of an MPI keep their cores, and make machines together, which takes long. */
    timing->renews =
        timing->call_ns < LONG_CALL_NS && task->problem.n <= MANY && !processes_several();
    return status;
}

/* --- Batches --- */

static bool keep(struct timing *timing)
{
    size_t more = (size_t)timing->batch.samples, wanted = timing->sample_count + more;
    if (wanted > timing->sample_room) {
        size_t room = wanted * 2;
        double *samples = realloc(timing->samples, room * sizeof *samples);
        if (!samples)
            return false;
        timing->samples = samples;
        timing->sample_room = room;
    }
    for (size_t i = 0; i < more; i++)
        timing->samples[timing->sample_count++] =
            batch_sample_ns(&timing->batch, i) / (double)batch_calls(&timing->batch, i);
    timing->ns += batch_ns(&timing->batch);
    if (timing->result.batches < TIMING_BATCHES)
        timing->result.batch_us[timing->result.batches++] = timing->call_ns / 1000;
    timing->result.iterations += timing->batch.calls;
    return true;
}

/* Verifies one call that does not belong to the batch. This is for problems whose successive calls
 * begin with different data. */
static int compared_apart(struct timing *timing)
{
    uint64_t warm = timing->batch.warm_up;
    timing->batch.warm_up = 0;
    int status = carry_out(timing, 1, 1, true);
    timing->batch.warm_up = warm;
    return status;
}

int timing_batch(struct timing *timing, double ns, uint64_t most_calls)
{
    double fit = ns / timing->call_ns;
    uint64_t most = most_calls < MOST_CALLS ? most_calls : MOST_CALLS;
    uint64_t calls = fit < 1 ? 1 : fit > (double)most ? most : (uint64_t)fit;
    double expected =
        (double)most_calls < MOST_BATCHES * fit ? (double)most_calls : MOST_BATCHES * fit;
    uint64_t each = calls_of_sample(timing, expected);
    uint64_t samples = (calls + each - 1) / each, room = MOST_STAMPS / (uint64_t)timing->batch.n;
    samples = samples > room ? room : samples;
    samples = samples < 1 ? 1 : samples;
    bool check = timing->settings->check, apart = !batch_may_repeat(&timing->task->problem);
    int64_t start = batch_now_ns();
    int status = timing->renews ? renew(timing) : 0;
    if (!status && check && apart)
        status = compared_apart(timing);
    if (!status)
        status = carry_out(timing, calls, samples, check && !apart);
    if (status)
        return status;
    learn(timing);
    double all = (double)(batch_now_ns() - start);
    timing->renews = timing->renews && all < RENEWAL_COSTS * batch_ns(&timing->batch);
    if (keep(timing))
        return 0;
    snprintf(timing->sentence, sizeof timing->sentence, "no memory for the times");
    return KP_EMEMORY;
}

/* --- Results --- */

static double percentile(const struct timing *timing, unsigned percent)
{
    return sorted_percentile(timing->samples, timing->sample_count, percent) / 1000;
}

int timing_conclude(struct timing *timing)
{
    struct timing_result *r = &timing->result;
    double wrong = (double)timing->wrong;
    int status = processes_agree(&wrong, 1);
    r->samples = timing->sample_count;
    r->wrong = (uint64_t)wrong;
    if (r->samples == 0)
        return status;
    sorted_by_value(timing->samples, timing->sample_count);
    r->average = timing->ns / (double)r->iterations / 1000;
    r->least = timing->samples[0] / 1000;
    r->most = timing->samples[timing->sample_count - 1] / 1000;
    r->p50 = percentile(timing, 50);
    r->p90 = percentile(timing, 90);
    r->p99 = percentile(timing, 99);
    return status;
}

void timing_end(struct timing *timing)
{
    for (int i = 0; timing->participants && i < timing->batch.n; i++)
        participant_free(&timing->participants[i]);
    free(timing->participants);
    free(timing->offsets);
    free(timing->memory);
    free(timing->results);
    free(timing->batch.times);
    free(timing->samples);
    *timing = (struct timing){.task = NULL};
}

void task_format(const struct task *task, char *text, size_t size)
{
    kp_problem_format(&task->problem, text, size);
}
