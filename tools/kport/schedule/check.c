/* The command `kport check`. It checks whether a schedule delivers what its operation promises.
 * With --all it checks the schedules of all algorithms. */
#include "tools/kport/command.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/schedule/check_all.h"
#include "tools/kport/schedule/choice.h"
#include "tools/kport/schedule/facts.h"
#include "tools/kport/schedule/order.h"

#include "lib/problem/operation.h"

/* The options of the command line. */
struct wish {
    const char *problem, *on, *tune;
    int order;
};

/* Prints the order in which the schedule of a problem combines. */
static int print_order(const kp_problem *problem, FILE *out)
{
    kp_schedule *schedule;
    if (kp_schedule_build(problem, &schedule))
        return facts_refuse();
    int status = order_print(schedule, out);
    kp_schedule_free(schedule);
    return status;
}

static int check_text(const struct wish *wish)
{
    kp_problem problem;
    kp_topology topology;
    int status = choice_read(wish->problem, wish->tune, &problem);
    if (status)
        return status;
    if (wish->on && kp_topology_parse(wish->on, &topology))
        return facts_refuse();
    if (wish->order && !kp_operation_reduces(problem.operation)) {
        fprintf(stderr, "kport check: --order is given, but %s combines nothing\n",
                kp_operation_name(problem.operation));
        return EXIT_IMPOSSIBLE;
    }
    status = check_one(&problem, wish->on ? &topology : NULL);
    FILE *out = status ? NULL : output_begin();
    if (!out)
        return EXIT_FAILED;
    char exact[256];
    kp_problem_format(&problem, exact, sizeof exact);
    fprintf(out, "%s: right%s%s\n", exact, wish->on ? " on " : "", wish->on ? wish->on : "");
    if (wish->order)
        status = print_order(&problem, out);
    return output_end(out, status);
}

static int run(const struct command *command, int count, char **arguments)
{
    int all = 0;
    uint64_t max_n = 0, jobs = 0;
    struct wish wish = {.problem = NULL};
    const struct option_row rows[] = {{"--all", OPTION_FLAG, &all, 0, 0},
                                      {"--max-n", OPTION_NUMBER, &max_n, 1, 1000},
                                      {"--on", OPTION_TEXT, &wish.on, 0, 0},
                                      {"--order", OPTION_FLAG, &wish.order, 0, 0},
                                      {"--jobs", OPTION_NUMBER, &jobs, 1, 1000},
                                      {"--tune", OPTION_TEXT, &wish.tune, 0, 0},
                                      {0}};
    int given = options_read(command, rows, count, arguments, &wish.problem, 1);
    if (given < 0)
        return options_status(given);
    if ((given == 1) == (all != 0) || ((max_n || jobs) && !all) ||
        ((wish.on || wish.order || wish.tune) && all)) {
        fprintf(stderr, "kport check: either a problem or --all; usage: kport check %s\n",
                command->usage);
        return EXIT_IMPOSSIBLE;
    }
    return all ? check_all(max_n ? (int)max_n : 12, (int)jobs) : check_text(&wish);
}

const struct command command_check = {
    .name = "check",
    .usage =
        "PROBLEM [--on NETWORK] [--order] [--tune builtin|FILE] | --all [--max-n N] [--jobs J]",
    .summary = "Whether schedules keep the rules and move every block to its place",
    .help =
        "Moves symbolic blocks through the parts of all processors: at most k messages out and\n"
        "in, nothing read before it came, no place read and written in a round, everything in\n"
        "its place at the end. --all: every algorithm, every n up to N (12 if not given), every\n"
        "k and value of every parameter, every root (for length 8 and the ends of a parameter's\n"
        "range), targets (all for root 0, else one), in place or not; block lengths 1 to 8 where\n"
        "blocks are split; reductions for operators of both kinds; where the algorithm asks for "
        "it,\n"
        "every number of processors of a process. On up to J threads, as many as "
        "there\n"
        "are cores if not given. --on: also whether the schedule keeps to the links and the port\n"
        "rule of bus, shared-memory, ring, torus, hypercube, switch, optical or butterfly, as in\n"
        "ring, torus,rows=2 or bus,at_once=4. --order: also in which order a reduction combines,\n"
        "at which processors the order is the same, and whether it depends on n, k, the length,\n"
        "the root and the parameters, each compared with up to 16 other values. The schedule of a "
        "PROBLEM is the one that `run`\n"
        "would execute. Ctrl-C ends --all with the number of schedules that were checked and\n"
        "status 130 (SIGTERM: 143).\n\n" CHOICE_HELP "\n"
        "Example: kport check --all --max-n 16\n",
    .run = run,
};
