/* Carries out `kport check --all`. Several threads check the schedules of every wanted algorithm. A
 * task is one algorithm with one n. The tasks with the least n come first, so that a fault is told
 * of the least n that has it. */
#include "tools/kport/schedule/check_all.h"

#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/output.h"
#include "tools/kport/common/progress.h"
#include "tools/kport/schedule/facts.h"

#include "lib/check/verdict.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/schedule/elements.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The length of the longest block, in elements, if the schedule depends on the length of blocks. */
#define MOST_BYTES 8

/* An algorithm, and its fault with the least n. */
struct candidate {
    const kp_algorithm *algorithm;
    atomic_int wrong_n; /* 0: no fault is found yet */
    char fault[260 + KP_SENTENCE_BYTES];
};

/* The data that the threads share. */
struct sweep {
    int max_n, count;
    struct candidate *candidates;
    pthread_mutex_t lock; /* guards the faults */
    /* `at_work` is the number of threads that have carried out a task. */
    atomic_int next, stopped, at_work;
    atomic_uint_least64_t checked;
};

/* Keeps the fault of an algorithm, unless one with a lesser n is there. */
static void keep_fault(struct sweep *sweep, const kp_problem *problem)
{
    struct candidate *candidate = sweep->candidates;
    char text[256];
    while (candidate->algorithm != problem->algorithm)
        candidate++;
    kp_problem_format(problem, text, sizeof text);
    pthread_mutex_lock(&sweep->lock);
    const int before = candidate->wrong_n;
    if (!before || problem->n < before) {
        candidate->wrong_n = problem->n;
        /* The sentence about a stated cost begins with the problem by itself. */
        const char *sentence = kp_last_error()->sentence;
        const bool named = strncmp(sentence, text, strlen(text)) == 0;
        snprintf(candidate->fault, sizeof candidate->fault, "%s%s%s", named ? "" : text,
                 named ? "" : ": ", sentence);
    }
    pthread_mutex_unlock(&sweep->lock);
}

/* Checks a schedule. Of a wrong algorithm only the first fault is told, and its schedules of larger
 * n are left out; those of the other algorithms are checked. Without memory the whole check stops.
 */
static int check_one(struct sweep *sweep, const kp_problem *problem)
{
    kp_schedule *schedule;
    int status = kp_schedule_build(problem, &schedule);
    if (!status) {
        status = kp_schedule_check(schedule, NULL);
        status = status ? status : kp_schedule_check_cost(schedule, kp_schedule_problem(schedule));
        kp_schedule_free(schedule);
    }
    if (!status)
        return EXIT_DONE;
    if (status == KP_EMEMORY && !atomic_exchange(&sweep->stopped, 1))
        fprintf(stderr, "kport: %s\n", kp_last_error()->sentence);
    if (status != KP_EMEMORY)
        keep_fault(sweep, problem);
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
    int tasks = sweep->max_n * sweep->count;
    for (bool first = true;; first = false) {
        const int task = atomic_fetch_add(&sweep->next, 1);
        if (task >= tasks || atomic_load(&sweep->stopped) || interrupt_came())
            return NULL;
        if (first)
            atomic_fetch_add(&sweep->at_work, 1);
        struct candidate *candidate = &sweep->candidates[task % sweep->count];
        const int n = 1 + task / sweep->count, wrong_n = atomic_load(&candidate->wrong_n);
        if (!wrong_n || n < wrong_n)
            every_k(sweep, candidate->algorithm, n);
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
            "%" PRIu64 " schedules of %d algorithm%s checked, n up to %d, in %.1f s on %d "
            "thread%s: all right\n",
            (uint64_t)sweep->checked, sweep->count, sweep->count == 1 ? "" : "s", sweep->max_n,
            took, sweep->at_work, sweep->at_work == 1 ? "" : "s");
    return output_end(out, EXIT_DONE);
}

static bool is_wanted(const struct check_wish *wish, const kp_algorithm *algorithm)
{
    return (wish->operation < 0 || wish->operation == (int)algorithm->operation) &&
           (!wish->algorithm || strcmp(wish->algorithm, algorithm->name) == 0);
}

/* Lists the wanted algorithms. */
static int list(const struct check_wish *wish, struct sweep *sweep)
{
    int all = 0;
    while (kp_algorithm_at(all))
        all++;
    sweep->candidates = calloc((size_t)all, sizeof *sweep->candidates);
    if (!sweep->candidates) {
        fprintf(stderr, "kport: there is no memory for the check\n");
        return EXIT_IMPOSSIBLE;
    }
    for (int i = 0; i < all; i++) {
        if (is_wanted(wish, kp_algorithm_at(i)))
            sweep->candidates[sweep->count++].algorithm = kp_algorithm_at(i);
    }
    if (sweep->count > 0)
        return EXIT_DONE;
    const char *operation = wish->operation < 0 ? NULL : kp_operation_name(wish->operation);
    fprintf(stderr,
            "kport: -a is \"%.60s\"; it may be an algorithm that `kport list%s%s` "
            "prints" FACTS_LOAD_HINT "\n",
            wish->algorithm, operation ? " " : "", operation ? operation : "");
    return EXIT_IMPOSSIBLE;
}

/* Tells the fault of each wrong algorithm. Returns how many there are. */
static int tell_faults(const struct sweep *sweep)
{
    int wrong = 0;
    for (int i = 0; i < sweep->count; i++) {
        if (!sweep->candidates[i].wrong_n)
            continue;
        fprintf(stderr, "kport: %s\n", sweep->candidates[i].fault);
        wrong++;
    }
    if (wrong > 0)
        fprintf(stderr, "kport: %d of %d algorithm%s %s wrong; %" PRIu64 " schedules checked\n",
                wrong, sweep->count, sweep->count == 1 ? "" : "s", wrong == 1 ? "is" : "are",
                (uint64_t)sweep->checked);
    return wrong;
}

int check_all(const struct check_wish *wish)
{
    struct sweep sweep = {.max_n = wish->max_n, .lock = PTHREAD_MUTEX_INITIALIZER};
    double start = seconds();
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int status = list(wish, &sweep);
    if (!status) {
        interrupt_watch();
        progress_begin("check", (double)sweep.max_n * sweep.count, "tasks");
        work_together(&sweep, wish->jobs > 0 ? wish->jobs : cores > 1 ? (int)cores : 1);
        if (sweep.stopped)
            status = EXIT_IMPOSSIBLE;
        else
            status = tell_faults(&sweep) ? EXIT_FAILED : tell_right(&sweep, seconds() - start);
    }
    free(sweep.candidates);
    return status;
}
