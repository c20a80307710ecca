/* Carries out `kport check --all`. Several threads check the schedules of every algorithm. A task
 * is one algorithm with one n. The tasks with the largest n come first, so that no thread begins a
 * long task at the end. */
#include "tools/kport/schedule/check_all.h"

#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/output.h"
#include "tools/kport/common/progress.h"

#include "lib/check/verdict.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/schedule/elements.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* The length of the longest block, in elements, if the schedule depends on the length of blocks. */
#define MOST_BYTES 8

/* The data that the threads share. */
struct sweep {
    int max_n, algorithms;
    /* `at_work` is the number of threads that have carried out a task. */
    atomic_int next, stopped, at_work;
    atomic_int *wrong; /* for each algorithm, whether a schedule of it is wrong */
    atomic_uint_least64_t checked;
};

/* Checks a schedule. Of a wrong algorithm only the first fault is told, and its other schedules are
 * left out; those of the other algorithms are checked. Without memory the whole check stops. */
static int check_one(struct sweep *sweep, const kp_problem *problem)
{
    kp_schedule *schedule;
    int algorithm = 0;
    int status = kp_schedule_build(problem, &schedule);
    if (!status) {
        status = kp_schedule_check(schedule, NULL);
        status = status ? status : kp_schedule_check_cost(schedule, kp_schedule_problem(schedule));
        kp_schedule_free(schedule);
    }
    if (!status)
        return EXIT_DONE;
    if (status == KP_EMEMORY)
        atomic_store(&sweep->stopped, 1);
    while (kp_algorithm_at(algorithm) != problem->algorithm)
        algorithm++;
    if (!atomic_exchange(&sweep->wrong[algorithm], status != KP_EMEMORY)) {
        char text[256];
        kp_problem_format(problem, text, sizeof text);
        fprintf(stderr, "kport: %s: %s\n", text, kp_last_error()->sentence);
    }
    return status == KP_EMEMORY ? EXIT_IMPOSSIBLE : EXIT_FAILED;
}

/* Checks different targets, if the operation has a target. For root 0 every target is checked. For
 * any other root one target is checked, which depends on the root. */
static int every_target(struct sweep *sweep, kp_problem *problem)
{
    bool has = kp_operation_has_target(problem->operation);
    int targets = has && problem->root == 0 ? problem->n : 1, status = EXIT_DONE;
    for (int i = 0; i < targets && !status; i++) {
        problem->target = has ? (2 * problem->root + i) % problem->n : 0;
        atomic_fetch_add_explicit(&sweep->checked, 1, memory_order_relaxed);
        status = check_one(sweep, problem);
    }
    problem->target = 0;
    return status;
}

/* Checks different roots, and calls in place if they need another schedule. A schedule depends on
 * the root in the same way for every block length and every number of packets. So every root is
 * checked only for the longest block and for the first and the last parameter values. Otherwise
 * only root 0 is checked. */
static int every_root(struct sweep *sweep, kp_problem *problem, bool longest, bool at_end)
{
    int roots = longest && at_end && kp_operation_has_root(problem->operation) ? problem->n : 1;
    /* A call in place needs another schedule if a processor's own block is in both of its
     * buffers. */
    const struct kp_operation_row *row = kp_operation_row(problem->operation);
    int ways = row->one_buffer || row->no_bytes || row->out == row->in ? 1 : 2, status = EXIT_DONE;
    for (int i = 0; i < ways * roots && !status; i++) {
        problem->root = i / ways;
        problem->in_place = i % ways;
        status = every_target(sweep, problem);
    }
    problem->root = problem->in_place = 0;
    return status;
}

/* Checks all values of parameter number `i` and of the parameters after it. */
static int every_value(struct sweep *sweep, kp_problem *problem, bool longest, bool at_end, int i)
{
    const kp_parameter *parameter = &problem->algorithm->parameters[i];
    if (i == KP_PARAMETERS || !parameter->name)
        return every_root(sweep, problem, longest, at_end);
    int status = EXIT_DONE;
    long first = kp_parameter_low(parameter, problem), last = kp_parameter_high(parameter, problem);
    long value = first;
    do { /* An empty range is an error that the check of its first value finds. */
        problem->values[i] = value;
        bool end = value == first || value == last;
        status = every_value(sweep, problem, longest, at_end && end, i + 1);
    } while (++value <= last && !status);
    problem->values[i] = 0;
    return status;
}

/* Checks all block lengths up to the longest one. A length counts bytes, or elements if the
 * operation is a reduction. */
static int every_block(struct sweep *sweep, kp_problem *problem)
{
    const kp_algorithm *algorithm = problem->algorithm;
    size_t element = kp_element_bytes(problem);
    problem->b = kp_block_bytes(problem->operation, MOST_BYTES * element);
    size_t most = algorithm->splits && algorithm->splits(problem) ? MOST_BYTES : 2;
    int status = EXIT_DONE;
    for (size_t length = most > 2 ? 1 : 2; length <= most && !status; length++) {
        problem->b = kp_block_bytes(problem->operation, length * element);
        status = every_value(sweep, problem, length == most, true, 0);
    }
    return status;
}

/* Checks a reduction with an operator that commutes and with an operator that does not commute. */
static int every_operator(struct sweep *sweep, kp_problem *problem)
{
    const kp_algorithm *algorithm = problem->algorithm;
    int operators = kp_operation_reduces(problem->operation) ? 2 : 1, status = EXIT_DONE;
    for (int i = 0; i < operators && !status; i++) {
        problem->op = i ? KP_COMPOSE : NULL;
        if (!algorithm->serves || !algorithm->serves(problem))
            status = every_block(sweep, problem);
    }
    return status;
}

/* Checks an algorithm that knows which processors share a process for all numbers of processors of
 * a process. For any other algorithm this number changes nothing. */
static int every_per_process(struct sweep *sweep, kp_problem *problem)
{
    int status = EXIT_DONE;
    if (!problem->algorithm->stated_between)
        return every_operator(sweep, problem);
    for (int t = 1; t <= problem->n && !status; t++) {
        problem->per_process = t;
        if (problem->n % t == 0)
            status = every_operator(sweep, problem);
    }
    return status;
}

static void every_k(struct sweep *sweep, const kp_algorithm *algorithm, int n)
{
    int status = EXIT_DONE;
    for (int k = 1; k <= (n > 1 ? n - 1 : 1) && !status; k++) {
        kp_problem problem = {
            .operation = algorithm->operation, .n = n, .k = k, .algorithm = algorithm};
        status = every_per_process(sweep, &problem);
    }
}

/* --- The threads --- */

static void *work(void *argument)
{
    struct sweep *sweep = argument;
    int tasks = sweep->max_n * sweep->algorithms;
    for (bool first = true;; first = false) {
        int task = atomic_fetch_add(&sweep->next, 1), algorithm = task % sweep->algorithms;
        if (task >= tasks || atomic_load(&sweep->stopped) || interrupt_came())
            return NULL;
        if (first)
            atomic_fetch_add(&sweep->at_work, 1);
        int n = sweep->max_n - task / sweep->algorithms;
        if (!atomic_load(&sweep->wrong[algorithm]))
            every_k(sweep, kp_algorithm_at(algorithm), n);
        progress_at(task + 1, NULL);
    }
}

/* Starts `jobs` - 1 additional threads. If fewer threads can be started, the threads that run do
 * all tasks. */
static void work_together(struct sweep *sweep, int jobs)
{
    pthread_t *threads = calloc((size_t)jobs, sizeof *threads);
    int started = 0;
    while (threads && started < jobs - 1 &&
           pthread_create(&threads[started], NULL, work, sweep) == 0)
        started++;
    work(sweep);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    progress_end();
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Prints the result of a check in which no schedule was wrong. */
static int tell_right(const struct sweep *sweep, double took)
{
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    if (interrupt_came()) {
        fprintf(stderr, "kport: interrupted before all was checked\n");
        fprintf(out, "%" PRIu64 " schedules checked: all right\n", (uint64_t)sweep->checked);
        return interrupt_status(output_end(out, EXIT_DONE));
    }
    fprintf(out,
            "%" PRIu64 " schedules of %d algorithms checked, n up to %d, in %.1f s on %d thread%s: "
            "all right\n",
            (uint64_t)sweep->checked, sweep->algorithms, sweep->max_n, took, sweep->at_work,
            sweep->at_work == 1 ? "" : "s");
    return output_end(out, EXIT_DONE);
}

int check_all(int max_n, int jobs)
{
    struct sweep sweep = {.max_n = max_n};
    double start = seconds();
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int wrong = 0;
    jobs = jobs > 0 ? jobs : cores > 1 ? (int)cores : 1;
    while (kp_algorithm_at(sweep.algorithms))
        sweep.algorithms++;
    sweep.wrong = calloc((size_t)sweep.algorithms, sizeof *sweep.wrong);
    if (!sweep.wrong) {
        fprintf(stderr, "kport: there is no memory for the check\n");
        return EXIT_IMPOSSIBLE;
    }
    interrupt_watch();
    progress_begin("check", (double)max_n * sweep.algorithms, "tasks");
    work_together(&sweep, jobs);
    for (int i = 0; i < sweep.algorithms; i++)
        wrong += sweep.wrong[i];
    free(sweep.wrong);
    if (sweep.stopped)
        return EXIT_IMPOSSIBLE;
    if (wrong == 0)
        return tell_right(&sweep, seconds() - start);
    fprintf(stderr, "kport: %d of %d algorithms %s wrong; %" PRIu64 " schedules checked\n", wrong,
            sweep.algorithms, wrong == 1 ? "is" : "are", (uint64_t)sweep.checked);
    return EXIT_FAILED;
}
