/* The command `kport check`. It checks whether a schedule delivers what its operation promises.
 * With --all it checks the schedules of all algorithms. */
#include "tools/kport/command.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/files/file.h"
#include "tools/kport/msccl/commands.h"
#include "tools/kport/schedule/check_all.h"
#include "tools/kport/schedule/choice.h"
#include "tools/kport/schedule/facts.h"
#include "tools/kport/schedule/order.h"
#include "tools/kport/schedule/picture.h"
#include "tools/kport/schedule/verdict.h"

#include "lib/check/account.h"
#include "lib/check/verdict.h"
#include "lib/draw/draw.h"
#include "lib/problem/operation.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The options of the command line. */
struct wish {
    const char *problem, *on, *svg;
    struct choice_wish choice;
    int order, same_order, json;
};

/* Draws the schedule into the file that --svg names. `mark` is NULL if the schedule is right. */
static int draw(const kp_schedule *schedule, const struct kp_mark *mark, const char *path)
{
    FILE *out = path ? output_begin() : NULL;
    if (!out)
        return path ? EXIT_IMPOSSIBLE : EXIT_DONE;
    int drawn = kp_draw_svg_marked(schedule, KP_DRAW_NO_TREE, mark, out);
    if (drawn)
        fprintf(stderr, "kport: %s\n", kp_last_error()->sentence);
    return output_end_in(out, drawn ? EXIT_IMPOSSIBLE : EXIT_DONE, path);
}

/* Marks the message that a network does not permit. */
static struct kp_mark mark_of(const kp_error_record *error, const kp_schedule *schedule)
{
    return (struct kp_mark){.round = error->round,
                            .from = error->processor,
                            .to = error->peer >= 0 ? error->peer : error->processor,
                            .port = error->port,
                            .place = -1,
                            .rounds = kp_schedule_rounds(schedule)};
}

/* The sentence must be about the message or the place of the account. The error of the build is of
 * another one if several are wrong, because the build pairs all messages before the check goes
 * through the rounds. About the same message, the build says more. */
static bool is_same_message(const kp_error_record *built, const kp_error_record *told)
{
    return built->round >= 0 && built->round == told->round &&
           ((built->processor == told->processor && built->peer == told->peer) ||
            (built->processor == told->peer && built->peer == told->processor));
}

/* Adds to the sentence where the message, or the move, stands in the file. */
static void add_line(const kp_problem *problem, struct verdict *v)
{
    const struct schedule_file *file = schedule_file_of(problem->algorithm);
    const struct kp_mark *m = &v->mark;
    const size_t length = strlen(v->error.sentence);
    if (file && v->error.processor >= 0 && !m->missing)
        v->line = schedule_file_line(file, m->round, m->from, m->to, m->port);
    if (v->line > 0)
        snprintf(v->error.sentence + length, sizeof v->error.sentence - length,
                 "; the %s is line %d of %s", m->from == m->to && m->port < 0 ? "move" : "message",
                 v->line, problem->algorithm->name + 1);
}

/* Writes the account of a wrong schedule into `v`, and draws the schedule. If the schedule obeys
 * all rules but those of the network (--on) or its stated cost is wrong, the sentence alone says
 * so. */
static int account(const kp_problem *problem, const struct wish *wish, struct verdict *v)
{
    kp_schedule *schedule = NULL;
    size_t length;
    if (v->error.status != KP_ESCHEDULE || kp_account_build(problem, &schedule))
        return EXIT_DONE;
    FILE *out = open_memstream(&v->account, &length);
    int status = out ? kp_account_write(schedule, wish->same_order, out, &v->mark) : KP_EMEMORY;
    const kp_error_record told = *kp_last_error();
    if (out && fclose(out) != 0)
        status = KP_EMEMORY;
    if (status == KP_ESCHEDULE && !is_same_message(&v->error, &told))
        v->error = told;
    if (status == KP_OK)
        v->mark = mark_of(&v->error, schedule);
    if (status == KP_EMEMORY)
        fprintf(stderr, "kport: there is no memory for the account of the schedule\n");
    v->rounds = kp_schedule_rounds(schedule);
    v->mark.sentence = v->error.sentence;
    status = status == KP_EMEMORY
                 ? EXIT_IMPOSSIBLE
                 : draw(schedule, v->error.processor >= 0 ? &v->mark : NULL, wish->svg);
    add_line(problem, v); /* a picture may be of a schedule without a file */
    kp_schedule_free(schedule);
    return status;
}

/* Tells what is wrong with a schedule, on stderr or as JSON. */
static int tell_wrong(const kp_problem *problem, const struct wish *wish)
{
    struct verdict v = {.problem = problem, .wrong = true, .rounds = -1, .error = *kp_last_error()};
    int status = v.error.status == KP_EMEMORY ? EXIT_IMPOSSIBLE : account(problem, wish, &v);
    if (wish->json && !status) {
        status = verdict_print_json(&v);
    } else {
        facts_tell(problem, v.error.sentence, "");
        fputs(v.account ? v.account : "", stderr);
        if (wish->on && strstr(v.error.sentence, "carries one direction at a time"))
            fprintf(stderr, "With --on, two processors can exchange in one round only if two links "
                            "join them, as in a ring of 2. Without --on, and in kport predict, all "
                            "neighbours can.\n");
    }
    if (wish->svg && v.rounds < 0)
        picture_say_none(wish->svg);
    free(v.account);
    return status ? status : EXIT_FAILED;
}

/* Prints that a schedule is right, and what else is asked for. */
static int print_right(const kp_schedule *schedule, const struct wish *wish,
                       const kp_topology *topology, const struct verdict *v)
{
    char text[256];
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    kp_problem_format(v->problem, text, sizeof text);
    if (topology)
        fprintf(out, "%s: right on %s (%s)\n", text, wish->on, topology->port_rule);
    else
        fprintf(out, "%s: right\n", text);
    if (v->combines && !v->same_order && !wish->order)
        fprintf(out, "  told: order: %s\n", v->order);
    int status = wish->order ? order_print(schedule, out) : EXIT_DONE;
    return output_end(out, status);
}

static int tell_right(const kp_schedule *schedule, const struct wish *wish,
                      const kp_topology *topology)
{
    struct verdict v = {.problem = kp_schedule_problem(schedule),
                        .rounds = kp_schedule_rounds(schedule)};
    v.combines = kp_operation_reduces(v.problem->operation);
    if (v.combines && order_compare(schedule, &v.same_order, v.order, sizeof v.order))
        return facts_refuse();
    int status = draw(schedule, NULL, wish->svg);
    bool on_stdout = wish->svg && strcmp(wish->svg, "-") == 0;
    if (status || on_stdout)
        return status;
    return wish->json ? verdict_print_json(&v) : print_right(schedule, wish, topology, &v);
}

/* Checks the schedule as the options ask. Returns KP_OK or the status of the error that is set. */
static int find_fault(const kp_schedule *schedule, const struct wish *wish,
                      const kp_topology *topology)
{
    int status = kp_schedule_check_on(schedule, topology, NULL);
    if (!status && wish->same_order)
        status = kp_account_check_order(schedule);
    return status ? status : kp_schedule_check_cost(schedule, kp_schedule_problem(schedule));
}

static int check_text(const struct wish *wish)
{
    kp_problem problem;
    kp_topology topology;
    int status = choice_read(wish->problem, &wish->choice, &problem);
    if (status)
        return status;
    if (wish->on && kp_topology_parse(wish->on, &topology))
        return facts_refuse();
    if (wish->order && !kp_operation_reduces(problem.operation)) {
        fprintf(stderr, "kport check: --order is given, but %s combines nothing\n",
                kp_operation_name(problem.operation));
        return EXIT_IMPOSSIBLE;
    }
    kp_schedule *schedule;
    if (kp_schedule_build(&problem, &schedule))
        return tell_wrong(&problem, wish);
    const kp_topology *on = wish->on ? &topology : NULL;
    status = find_fault(schedule, wish, on) ? tell_wrong(&problem, wish)
                                            : tell_right(schedule, wish, on);
    kp_schedule_free(schedule);
    return status;
}

/* Refuses options that do not go together. */
static bool refuses(const struct command *command, const struct wish *wish, bool all, bool sweeps)
{
    if ((!wish->problem && !all) || (sweeps && !all) ||
        ((wish->on || wish->order || wish->svg || wish->choice.tune || wish->choice.beta ||
          wish->choice.tau || wish->same_order || wish->json) &&
         all)) {
        fprintf(stderr,
                "kport check: either a problem with its options, or --all with -a, --max-n and "
                "--jobs; usage: kport check %s\n",
                command->usage);
        return true;
    }
    const bool on_stdout = wish->svg && strcmp(wish->svg, "-") == 0;
    if (wish->json && (wish->order || on_stdout)) {
        fprintf(stderr, "kport check: --json is given with %s; only one of them can be printed\n",
                wish->order ? "--order" : "--svg -");
        return true;
    }
    return false;
}

static int run(const struct command *command, int count, char **arguments)
{
    if (msccl_is_asked(count, arguments))
        return msccl_check(command, count, arguments);
    int all = 0;
    uint64_t max_n = 0, jobs = 0;
    struct check_wish sweep = {.operation = -1};
    struct wish wish = {.problem = NULL};
    const struct option_row rows[] = {{"--all", OPTION_FLAG, &all, 0, 0},
                                      {"-a", OPTION_TEXT, &sweep.algorithm, 0, 0},
                                      {"--max-n", OPTION_NUMBER, &max_n, 1, 1000},
                                      {"--on", OPTION_TEXT, &wish.on, 0, 0},
                                      {"--order", OPTION_FLAG, &wish.order, 0, 0},
                                      {"--same-order", OPTION_FLAG, &wish.same_order, 0, 0},
                                      {"--json", OPTION_FLAG, &wish.json, 0, 0},
                                      {"--svg", OPTION_TEXT, &wish.svg, 0, 0},
                                      {"--jobs", OPTION_NUMBER, &jobs, 1, 1000},
                                      CHOICE_OPTIONS(wish.choice),
                                      {0}};
    int given = options_read(command, rows, count, arguments, &wish.problem, 1);
    if (given < 0)
        return options_status(given);
    if (refuses(command, &wish, all, max_n || jobs || sweep.algorithm))
        return EXIT_IMPOSSIBLE;
    if (!all)
        return check_text(&wish);
    if (wish.problem && !options_operation("OPERATION", wish.problem, "", &sweep.operation))
        return EXIT_IMPOSSIBLE;
    sweep.max_n = max_n ? (int)max_n : 12;
    sweep.jobs = (int)jobs;
    return check_all(&sweep);
}

/* The port rules are those of the library (kp_topology), as a test compares. */
#define NETWORKS_HELP                                                                              \
    "The networks of --on, and the ports of a processor there:\n"                                  \
    "  bus            one; at_once (1) processors send, each one message, to any number\n"         \
    "  shared-memory  one; at_once (1) processors write or read; what is sent lies in scratch,\n"  \
    "                 and was moved there in a round before\n"                                     \
    "  ring           two, one for each link; links are half duplex\n"                             \
    "  torus          four, one for each link; links are half duplex\n"                            \
    "  hypercube      log2(n), one for each link; links are half duplex\n"                         \
    "  switch         one, which sends and receives at once\n"                                     \
    "  optical        one: it sends one message, and one is sent to it\n"                          \
    "  butterfly      the paths of a round share no edge\n"                                        \
    "Half duplex: two neighbours cannot exchange in one round, unless two links join them, as "    \
    "in\n"                                                                                         \
    "a ring of 2. Without --on, and in the times of `kport predict`, they can.\n"                  \
    "torus,rows=R; without rows the largest divisor of n up to its square root.\n\n"

const struct command command_check = {
    .name = "check",
    .usage = "PROBLEM|@FILE [--on NETWORK] [--order] [--same-order] [--json] [--svg FILE] [--tune "
             "builtin|FILE] [--beta US] [--tau US] | --all [OPERATION] [-a NAME] [--max-n N] "
             "[--jobs J] | FILE.xml "
             "[--depth N [--back-pressure]] "
             "[--torn] [--same-order] [--json]",
    .summary = "Whether schedules keep the rules and move every block to its place",
    .help =
        "Carries every block through the rounds, symbolically. In a round a processor may send at\n"
        "most k messages and receive at most k. Nothing may be sent before it has come, no place\n"
        "may be sent and written in one round, and at the end every block must be in its place.\n"
        "Of a wrong schedule it prints the block that goes astray first, the round, the "
        "processor,\n"
        "and the block's way so far. The schedule of a PROBLEM is the one that `run` executes.\n\n"
        "  --on NETWORK  checks also that the schedule uses only the links of this network, and\n"
        "                keeps its port rule (below), as in ring, torus,rows=2 or bus,at_once=4\n"
        "  --order       prints also in which order a reduction combines each element, and "
        "whether\n"
        "                all processors combine in the same order. It says whether the order\n"
        "                depends on n, k, the length, the root and the parameters: by a "
        "comparison\n"
        "                with up to 16 other values of each, or by a proof\n"
        "  --same-order  a reduction is wrong if two processors combine in different orders\n"
        "  --json        the verdict for programs; the manual has its keys\n"
        "  --svg FILE    draws the schedule. If it is wrong, the sentence stands in the picture, "
        "and\n"
        "                the message, processor and place that it names are red. - is standard\n"
        "                output, in place of the text\n"
        "  --all         checks every algorithm, or those of an OPERATION, or with -a those of "
        "one\n"
        "                NAME, for every n from 1 to N (12), in this order, for every k, value of "
        "a\n"
        "                parameter, root and target, in place and not, with operators of both\n"
        "                kinds, and where blocks are split for lengths 1 to 8. Roots are varied "
        "for\n"
        "                length 8 and the ends of each range of a parameter, targets for root 0.\n"
        "                J is the number of threads (one for each core). Ctrl-C ends it with the\n"
        "                number of schedules that were checked and status 130 (SIGTERM: "
        "143).\n\n" NETWORKS_HELP MSCCL_CHECK_HELP CHOICE_HELP "\n"
        "Example: kport check --all concat -a ring --max-n 16\n",
    .run = run,
};
