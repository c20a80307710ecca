#include "interleave.h"

#include "lines.h"
#include "record.h"
#include "report/report.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs that ended in the same way. */
struct outcome {
    uint64_t seed, runs; /* the first seed, and how many there were */
    int status;
    struct record record;
};

#define MOST_OUTCOMES 16

struct outcomes {
    struct outcome all[MOST_OUTCOMES];
    int count;
    uint64_t others; /* runs whose outcome is none of these, which are too many */
};

/* The exit status that a shell shows for a process. */
static int shell_status(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static const char *signal_of(int status)
{
    return status > 128 ? strsignal(status - 128) : NULL;
}

/* Takes memory, so that all later memory has other addresses. */
static void take_memory(void)
{
    static void *heap;
    const size_t arena = (size_t)1 << 27; /* libc's arenas begin at multiples of 64 MiB */
    heap = malloc(100000);
    (void)heap;
    (void)mmap(NULL, arena, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* Runs the program with one seed in a child process, at other addresses if `elsewhere`. Returns
 * false, with errno, if that cannot be done. */
static bool run_seed(struct outcome *outcome, int (*run_job)(void), bool elsewhere)
{
    int status;
    if (!record_make(&outcome->record))
        return false;
    pid_t child = fork();
    if (child == 0) {
        record_take(&outcome->record);
        if (elsewhere)
            take_memory();
        exit(run_job());
    }
    while (child > 0 && waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return false;
    }
    if (child < 0)
        return false;
    outcome->status = shell_status(status);
    return record_read(&outcome->record);
}

static struct outcome *same_as(struct outcomes *outcomes, const struct outcome *run,
                               bool only_status)
{
    for (int i = 0; i < outcomes->count; i++) {
        struct outcome *one = &outcomes->all[i];
        if (one->status == run->status && record_equal(&one->record, &run->record, only_status))
            return one;
    }
    return NULL;
}

/* Counts a run to the outcomes, which then own its record. */
static void count(struct outcomes *outcomes, struct outcome *run, bool only_status)
{
    struct outcome *same = same_as(outcomes, run, only_status);
    if (same) {
        same->runs += run->runs;
        record_free(&run->record);
        return;
    }
    if (outcomes->count < MOST_OUTCOMES) {
        outcomes->all[outcomes->count++] = *run;
        return;
    }
    outcomes->others++;
    record_free(&run->record);
}

/* Makes one of outcomes in which only the output differs. */
static void join(struct outcomes *outcomes)
{
    const int all = outcomes->count;
    outcomes->count = 0;
    for (int i = 0; i < all; i++) {
        struct outcome one = outcomes->all[i];
        count(outcomes, &one, true);
    }
}

static void describe(const struct outcome *outcome, const struct outcome *first, int number)
{
    char difference[256] = "";
    const char *signal = signal_of(outcome->status);
    if (number > 1)
        record_difference(&first->record, &outcome->record, difference, sizeof difference);
    fprintf(stderr, "kportrun: outcome %d: %llu seed%s, the first is %llu: ", number,
            (unsigned long long)outcome->runs, outcome->runs == 1 ? "" : "s",
            (unsigned long long)outcome->seed);
    if (signal)
        fprintf(stderr, "signal %d (%s)%s\n", outcome->status - 128, signal, difference);
    else
        fprintf(stderr, "exit status %d%s\n", outcome->status, difference);
    if (number > 1)
        record_show_findings(&outcome->record);
}

/* Says where the first two outcomes part, and stores it in the finding. */
static void say_where(const struct outcomes *outcomes, struct kp_finding *finding, char *text,
                      size_t size)
{
    const struct outcome *one = &outcomes->all[0], *other = &outcomes->all[1];
    struct kp_mpi_decision decision;
    int there;
    text[0] = '\0';
    if (!record_decided(&one->record, &other->record, &decision, &there))
        return;
    const char *word = strstr(decision.function, "any") || strstr(decision.function, "some")
                           ? "request"
                           : "the message of rank";
    char got[2][60];
    for (int i = 0; i < 2; i++) {
        const int what = i == 0 ? decision.what : there;
        (void)snprintf(got[i], sizeof got[i], what < 0 ? "nothing" : "%s %d", word, what);
    }
    (void)snprintf(
        text, size, "; at %s (%s:%d) rank %d gets %s with seed %llu, and %s with seed %llu",
        decision.function, decision.file ? decision.file : "?", decision.line, decision.rank,
        got[0], (unsigned long long)one->seed, got[1], (unsigned long long)other->seed);
    finding->rank = decision.rank;
    finding->function = decision.function;
    finding->file = decision.file;
    finding->line = decision.line;
}

static void tell(const struct outcomes *outcomes, uint64_t seeds)
{
    char sentence[1000], where[700] = "";
    struct kp_finding finding = {.kind = "order", .rank = -1, .sentence = sentence};
    if (outcomes->count > 1)
        say_where(outcomes, &finding, where, sizeof where);
    (void)snprintf(
        sentence, sizeof sentence,
        "%llu seeds have %d%s different outcomes: the result depends on the order of the "
        "ranks%s; --seed repeats a run",
        (unsigned long long)seeds, outcomes->count, outcomes->others ? " or more" : "", where);
    if (outcomes->count > 1)
        report_finding(NULL, &finding);
    else
        fprintf(stderr,
                seeds == 1 ? "kportrun: %llu seed has one outcome\n"
                           : "kportrun: %llu seeds have the same outcome\n",
                (unsigned long long)seeds);
    for (int i = 0; outcomes->count > 1 && i < outcomes->count; i++)
        describe(&outcomes->all[i], &outcomes->all[0], i + 1);
}

/* Returns whether a seed writes something else when it runs again, although every receive and test
 * has the same result: the time, say, or an address. */
static bool varies(const struct outcome *first, struct options *options, int (*run_job)(void))
{
    struct outcome again = {0};
    struct kp_mpi_decision decision;
    int there;
    options->seed = first->seed;
    if (!run_seed(&again, run_job, true))
        return false;
    const bool found = again.status == first->status &&
                       record_equal(&again.record, &first->record, true) &&
                       !record_equal(&again.record, &first->record, false) &&
                       !record_decided(&again.record, &first->record, &decision, &there);
    record_free(&again.record);
    return found;
}

#define MOST_ASKED 4 /* so many seeds write the same again only if their output depends on them */

/* Counts a run. If only its output is new, looks whether that depends on the order at all; if not,
 * only the rest is compared from then on. A time may be the same twice by chance, so the seeds of
 * the first few outputs run again. */
static void count_output(struct outcomes *outcomes, struct outcome *run, struct options *options,
                         int (*run_job)(void))
{
    static int asked;
    if (!options->only_status && asked < MOST_ASKED && !same_as(outcomes, run, false) &&
        same_as(outcomes, run, true)) {
        const struct outcome *one = asked == 0 ? &outcomes->all[0] : run;
        options->only_status = varies(one, options, run_job);
        if (!options->only_status && asked++ == 0)
            options->only_status = varies(one = run, options, run_job);
        if (options->only_status) {
            fprintf(stderr,
                    "kportrun: seed %llu writes something else when it runs again, such as a time "
                    "or an address, so the output is not compared\n",
                    (unsigned long long)one->seed);
            join(outcomes);
        }
    }
    count(outcomes, run, options->only_status);
}

int interleave(struct options *options, int (*run_job)(void))
{
    static struct outcomes outcomes;
    uint64_t seeds = 0;
    int status = 0;
    for (uint64_t seed = options->first;; seed++) {
        struct outcome run = {.seed = seed, .runs = 1};
        options->seed = seed;
        if (!run_seed(&run, run_job, false)) {
            fprintf(stderr, "kportrun: cannot run seed %llu: %s\n", (unsigned long long)seed,
                    strerror(errno));
            return STATUS_UNLOADED;
        }
        seeds++;
        status = status ? status : run.status;
        if (seeds == 1)
            record_show(&run.record);
        count_output(&outcomes, &run, options, run_job);
        if (seed == options->last)
            break;
    }
    tell(&outcomes, seeds);
    if (outcomes.count > 1 && status == 0)
        status = 1;
    for (int i = 0; i < outcomes.count; i++)
        record_free(&outcomes.all[i].record);
    return status;
}
