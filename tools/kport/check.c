/* kport check: one problem's schedule, or all there are, through the checker. */
#include "command.h"
#include "facts.h"
#include "options.h"
#include "output.h"

#include "lib/operation.h"
#include "lib/problem.h"

#include <inttypes.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

/* Block lengths tried where a schedule depends on them. */
#define MOST_BYTES 8

struct sweep {
    int max_n;
    uint64_t checked;
    int progress;
};

/* On an architecture, if `topology` is not NULL. */
static int check_one(const kp_problem *problem, const kp_topology *topology)
{
    kp_schedule *schedule;
    kp_error_record error = {0};
    int status = kp_schedule_build(problem, &schedule);
    if (status) {
        error = *kp_last_error();
    } else {
        status = kp_schedule_check_on(schedule, topology, &error);
        kp_schedule_free(schedule);
    }
    if (status) {
        char text[256];
        kp_problem_format(problem, text, sizeof text);
        fprintf(stderr, "kport: %s: %s\n", text, error.sentence);
    }
    return status ? EXIT_FAILED : EXIT_DONE;
}

/* Of an operation that has a target: all of them for root 0, for another root one, each root's
 * another one. */
static int every_target(struct sweep *sweep, kp_problem *problem)
{
    bool has = kp_operation_has_target(problem->operation);
    int targets = has && problem->root == 0 ? problem->n : 1, status = EXIT_DONE;
    for (int i = 0; i < targets && !status; i++) {
        problem->target = has ? (2 * problem->root + i) % problem->n : 0;
        sweep->checked++;
        status = check_one(problem, NULL);
    }
    problem->target = 0;
    return status;
}

/* Every root, and in place as well as not where that is a difference. What a schedule does for
 * another root does not depend on the length of the blocks: with shorter ones root 0 is enough. */
static int every_root(struct sweep *sweep, kp_problem *problem, bool longest)
{
    int roots = longest && kp_operation_has_root(problem->operation) ? problem->n : 1;
    /* In place makes a difference where the own block lies in both buffers. */
    const struct kp_operation_row *row = kp_operation_row(problem->operation);
    int ways = row->one_buffer || row->out == row->in ? 1 : 2, status = EXIT_DONE;
    for (int i = 0; i < ways * roots && !status; i++) {
        problem->root = i / ways;
        problem->in_place = i % ways;
        status = every_target(sweep, problem);
    }
    problem->root = problem->in_place = 0;
    return status;
}

/* All values of the parameters from the i-th on. */
static int every_value(struct sweep *sweep, kp_problem *problem, bool longest, int i)
{
    const kp_parameter *parameter = &problem->algorithm->parameters[i];
    if (i == KP_PARAMETERS || !parameter->name)
        return every_root(sweep, problem, longest);
    int status = EXIT_DONE;
    long last = kp_parameter_high(parameter, problem);
    for (long value = kp_parameter_low(parameter, problem); value <= last && !status; value++) {
        problem->values[i] = value;
        status = every_value(sweep, problem, longest, i + 1);
    }
    problem->values[i] = 0;
    return status;
}

static int every_block(struct sweep *sweep, kp_problem *problem)
{
    const kp_algorithm *algorithm = problem->algorithm;
    size_t most = algorithm->splits && algorithm->splits(problem) ? MOST_BYTES : 2;
    int status = EXIT_DONE;
    for (problem->b = most > 2 ? 1 : 2; problem->b <= most && !status; problem->b++)
        status = every_value(sweep, problem, problem->b == most, 0);
    return status;
}

static int every_problem(struct sweep *sweep, const kp_algorithm *algorithm)
{
    int status = EXIT_DONE;
    for (int n = 1; n <= sweep->max_n && !status; n++) {
        for (int k = 1; k <= (n > 1 ? n - 1 : 1) && !status; k++) {
            kp_problem problem = {.operation = algorithm->operation,
                                  .n = n,
                                  .k = k,
                                  .b = MOST_BYTES,
                                  .algorithm = algorithm};
            if (!algorithm->serves || !algorithm->serves(&problem))
                status = every_block(sweep, &problem);
        }
        if (sweep->progress)
            fprintf(stderr, "\r%s %s: n=%d of %d, %" PRIu64 " schedules ",
                    kp_operation_name(algorithm->operation), algorithm->name, n, sweep->max_n,
                    sweep->checked);
    }
    if (sweep->progress)
        fprintf(stderr, "\n");
    return status;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int check_all(int max_n)
{
    struct sweep sweep = {.max_n = max_n, .progress = isatty(STDERR_FILENO)};
    double start = seconds();
    int status = EXIT_DONE, algorithms = 0;
    for (; kp_algorithm_at(algorithms) && !status; algorithms++)
        status = every_problem(&sweep, kp_algorithm_at(algorithms));
    FILE *out = status ? NULL : output_begin();
    if (!out)
        return EXIT_FAILED;
    fprintf(out,
            "%" PRIu64 " schedules of %d algorithms checked, n up to %d, in %.1f s: all right\n",
            sweep.checked, algorithms, max_n, seconds() - start);
    return output_end(out, EXIT_DONE);
}

static int check_text(const char *text, const char *on)
{
    kp_problem problem;
    kp_topology topology;
    if (kp_problem_parse(text, &problem) || kp_tune(&problem, NULL) ||
        (on && kp_topology_parse(on, &topology)))
        return facts_refuse();
    int status = check_one(&problem, on ? &topology : NULL);
    FILE *out = status ? NULL : output_begin();
    if (!out)
        return EXIT_FAILED;
    char exact[256];
    kp_problem_format(&problem, exact, sizeof exact);
    fprintf(out, "%s: right%s%s\n", exact, on ? " on " : "", on ? on : "");
    return output_end(out, EXIT_DONE);
}

static int run(const struct command *command, int count, char **arguments)
{
    int all = 0;
    uint64_t max_n = 0;
    const char *problem = NULL, *on = NULL;
    const struct option_row rows[] = {{"--all", OPTION_FLAG, &all, 0, 0},
                                      {"--max-n", OPTION_NUMBER, &max_n, 1, 1000},
                                      {"--on", OPTION_TEXT, &on, 0, 0},
                                      {0}};
    int given = options_read(command, rows, count, arguments, &problem, 1);
    if (given < 0)
        return options_status(given);
    if ((given == 1) == (all != 0) || (max_n && !all) || (on && all)) {
        fprintf(stderr, "kport check: either a problem or --all; usage: kport check %s\n",
                command->usage);
        return EXIT_IMPOSSIBLE;
    }
    return all ? check_all(max_n ? (int)max_n : 12) : check_text(problem, on);
}

const struct command command_check = {
    .name = "check",
    .usage = "PROBLEM [--on NETWORK] | --all [--max-n N]",
    .summary = "Whether schedules keep the rules and move every block to its place",
    .help =
        "Moves symbolic blocks through the parts of all processors: at most k messages out and\n"
        "in, nothing read before it came, no place read and written in a round, everything in\n"
        "its place at the end. --all: every algorithm, every n up to N (12 if not given), every\n"
        "k, root and value of every parameter (targets: all for root 0, one for another), in\n"
        "place or not; block lengths 1 to 8 where blocks are split, with all roots for length 8.\n"
        "--on: also whether the schedule keeps to the links\n"
        "and the port rule of bus, shared-memory, ring, torus, hypercube or switch, as in ring,\n"
        "torus,rows=2 or bus,at_once=4.\n\n"
        "Example: kport check --all --max-n 16\n",
    .run = run,
};
