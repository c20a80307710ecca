/* The command `kport run`. It runs a problem on a machine, verifies the results, and prints the
 * costs and times. */
#include "tools/kport/command.h"
#include "tools/kport/schedule/choice.h"

#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/machine_keys.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/common/progress.h"
#include "tools/kport/common/trace_file.h"
#include "tools/kport/computer/computer.h"
#include "tools/kport/files/read.h"
#include "tools/kport/run/measure.h"
#include "tools/kport/schedule/facts.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAIN_JOB "index:n=64,k=4,b=1024"

#define MOST_ORDERS 1000000

/* The settings of the command and the results of the run. */
struct job {
    struct facts facts;
    struct measure_settings settings;
    struct measurement measured;
    /* The first and the last seed of the order of execution; 0 without --interleave. */
    uint64_t first, last;
    uint64_t orders; /* the number of different orders of execution that the seeds have given */
    /* The wanted and the completed number of repeats, or of orders with --interleave. */
    uint64_t wanted, done;
};

static void print_problem(const struct job *job, FILE *out)
{
    char text[256];
    if (!job->settings.barrier) {
        facts_print(&job->facts, out);
        return;
    }
    kp_problem_format(&job->facts.problem, text, sizeof text);
    fprintf(out, "%s\n", text);
}

static const char *verified(const struct job *job)
{
    if (!job->measured.verified)
        return "NOT verified (KPORT_INTERNAL_NO_VERIFY is set):";
    return job->facts.problem.operation == KP_BARRIER
               ? "verified: nobody left before all had come, in"
               : "verified: every byte of";
}

static void print(const struct job *job, FILE *out)
{
    const struct measurement *m = &job->measured;
    print_problem(job, out);
    fprintf(out, "  %s %" PRIu64 " repeat%s", verified(job), m->repeats,
            m->repeats == 1 ? "" : "s");
    if (m->calls > 1)
        fprintf(out, " of %" PRIu64 " calls", m->calls);
    if (m->guard)
        fprintf(out, "\n  on fibers: workers %d, switched by %s, stacks with %s", m->workers,
                kp_fibers(), m->guard);
    if (processes_several()) {
        fprintf(out, "\n  over ");
        processes_print(out);
    }
    if (job->last > 0 && job->first == job->last)
        fprintf(out, "\n  in the order of the seed %" PRIu64 "\n", job->first);
    else if (job->last > 0)
        fprintf(out,
                "\n  in the orders of the seeds %" PRIu64 " ... %" PRIu64 "; %" PRIu64
                " of these orders differ\n",
                job->first, job->last, job->orders);
    else
        fprintf(out, "\n  time: median %.3f us, minimum %.3f us a call\n", m->median_us, m->min_us);
    computer_print("  ", out);
    computer_crowd_print("  ", &job->settings.machine, job->facts.problem.n, out);
}

static json_t *to_json(const struct job *job)
{
    const struct measurement *m = &job->measured;
    const kp_problem *p = &job->facts.problem;
    json_t *o = job->settings.barrier
                    ? json_pack("{sssisi}", "operation", "barrier", "n", p->n, "k", p->k)
                    : facts_json(&job->facts);
    json_object_set_new(o, "verified", json_boolean(m->verified));
    json_object_set_new(o, "repeats", json_integer((json_int_t)m->repeats));
    json_object_set_new(o, "calls_per_repeat", json_integer((json_int_t)m->calls));
    json_object_set_new(o, "carrier", json_string(machine_keys_carrier(&job->settings.machine)));
    if (m->guard) {
        json_object_set_new(o, "workers", json_integer(m->workers));
        json_object_set_new(o, "switch", json_string(kp_fibers()));
        json_object_set_new(o, "guard", json_string(m->guard));
    }
    processes_json(o);
    json_object_set_new(
        o, "crowded",
        json_boolean(computer_is_crowded(&job->settings.machine, job->facts.problem.n)));
    computer_json(o);
    if (job->last > 0) {
        /* Seeds are written as texts, because a seed has 64 bits and a JSON number may have
         * fewer. */
        char first[24], last[24];
        snprintf(first, sizeof first, "%" PRIu64, job->first);
        snprintf(last, sizeof last, "%" PRIu64, job->last);
        json_object_set_new(o, "interleave", json_pack("[ss]", first, last));
        json_object_set_new(o, "orders", json_integer((json_int_t)job->orders));
        return o;
    }
    json_object_set_new(o, "median_us", json_real(m->median_us));
    json_object_set_new(o, "min_us", json_real(m->min_us));
    return o;
}

/* --- Orders of execution (--interleave) --- */

/* Reads one seed "S" or a range of seeds "S..T", and checks that on this machine a seed determines
 * the order of execution. Returns an exit status. */
static int read_orders(const char *text, struct job *job)
{
    if (processes_refuse(&job->settings.machine, "--interleave",
                         "no seed determines the order in which processes run"))
        return EXIT_IMPOSSIBLE;
    char first[32] = "";
    const char *dots = strstr(text, "..");
    size_t length = dots ? (size_t)(dots - text) : strlen(text);
    snprintf(first, sizeof first, "%.*s", (int)(length < 31 ? length : 31), text);
    if (!options_number("--interleave", first, 1, UINT64_MAX, &job->first) ||
        !options_number("--interleave", dots ? dots + 2 : first, 1, UINT64_MAX, &job->last))
        return EXIT_IMPOSSIBLE;
    if (job->last < job->first || job->last - job->first >= MOST_ORDERS) {
        fprintf(stderr,
                "kport: --interleave is %s; from the first seed to the last it may be up to %d\n",
                text, MOST_ORDERS);
        return EXIT_IMPOSSIBLE;
    }
    kp_config *machine = &job->settings.machine;
    if (machine->workers > 1) {
        fprintf(stderr,
                "kport: workers is %d; with --interleave it may be 1, where the order of execution "
                "is a function of the seed\n",
                machine->workers);
        return EXIT_IMPOSSIBLE;
    }
    machine->carrier = KP_CARRIER_FIBERS;
    machine->workers = 1;
    job->settings.once = true;
    return EXIT_DONE;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Runs the problem once for each seed. The function stops at the first run that fails, and prints
 * the seed of this run. It also stops at an interrupt. */
static int run_orders(struct job *job)
{
    job->wanted = job->last - job->first + 1;
    uint64_t *traces = malloc((size_t)job->wanted * sizeof *traces);
    if (!traces) {
        fprintf(stderr, "kport: no memory for %" PRIu64 " seeds\n", job->wanted);
        return EXIT_IMPOSSIBLE;
    }
    int status = EXIT_DONE;
    progress_begin("run", (double)job->wanted, "orders");
    while (!status && job->done < job->wanted && !interrupt_came()) {
        progress_at((double)job->done, NULL);
        job->settings.machine.seed = job->first + job->done;
        status = measure(&job->facts.problem, &job->settings, &job->measured);
        if (job->measured.repeats == job->settings.repeats)
            traces[job->done++] = job->measured.trace;
    }
    qsort(traces, (size_t)job->done, sizeof *traces, by_number);
    for (uint64_t i = 0; i < job->done; i++)
        job->orders += i == 0 || traces[i] != traces[i - 1];
    job->last = job->first + job->done - 1;
    free(traces);
    return status;
}

/* Completes the problem by the chosen algorithm, and computes the costs of the problem. */
static int choose(const char *problem, const struct choice_wish *wish, struct job *job)
{
    kp_config *machine = &job->settings.machine;
    int status = choice_by(wish, machine);
    if (!status)
        status = read_argument(problem, &job->facts.problem);
    /* A barrier without an algorithm is kp_barrier, which has no schedule. */
    job->settings.barrier =
        job->facts.problem.operation == KP_BARRIER && !job->facts.problem.algorithm;
    machine->processors = job->facts.problem.n;
    status = status ? status : processes_find(machine);
    if (status || job->settings.barrier)
        return status;
    status = choice_make(machine, &job->facts.problem);
    return status ? status : facts_find(&job->facts);
}

/* --- The command --- */

static int run_repeats(struct job *job)
{
    progress_begin("run", (double)job->settings.repeats, "repeats");
    int status = measure(&job->facts.problem, &job->settings, &job->measured);
    status = status ? status : processes_agree(NULL, 0);
    job->wanted = job->settings.repeats;
    job->done = job->measured.repeats;
    return status;
}

/* Prints the results of the completed repeats or orders. After an interrupt it also prints how many
 * are missing. */
static int tell(const struct job *job, bool orders, bool json)
{
    if (interrupt_came() && processes_prints())
        fprintf(stderr, "kport: interrupted after %" PRIu64 " of %" PRIu64 " %s\n", job->done,
                job->wanted, orders ? "orders" : "repeats");
    FILE *out = job->done > 0 ? output_begin() : NULL;
    if (!out)
        return interrupt_status(job->done > 0 ? EXIT_IMPOSSIBLE : EXIT_DONE);
    if (json)
        output_json(out, "run", to_json(job));
    else
        print(job, out);
    return interrupt_status(output_end(out, EXIT_DONE));
}

static int run(const struct command *command, int count, char **arguments)
{
    int json = 0;
    const char *text = MAIN_JOB, *orders = NULL, *trace = NULL, *bind = NULL;
    struct choice_wish wish = {.tune = NULL};
    char problem[512];
    struct job job = {.settings = {.seed = 1}};
    const struct option_row rows[] = {
        {"--json", OPTION_FLAG, &json, 0, 0},
        {"--repeat", OPTION_NUMBER, &job.settings.repeats, 1, 1000000},
        {"--seed", OPTION_NUMBER, &job.settings.seed, 0, UINT64_MAX},
        {"--interleave", OPTION_TEXT, &orders, 0, 0},
        {"--trace", OPTION_TEXT, &trace, 0, 0},
        CHOICE_OPTIONS(wish),
        {"--bind", OPTION_TEXT, &bind, 0, 0},
        {0}};
    int given = options_read(command, rows, count, arguments, &text, 1);
    if (given < 0)
        return options_status(given);
    if (job.settings.repeats == 0)
        job.settings.repeats = orders ? 1 : 10;
    int status = machine_keys_take(text, problem, sizeof problem, &job.settings.machine);
    status = status ? status : computer_bind(bind, &job.settings.machine);
    job.settings.machine.on_failure = json ? kp_diagnosis_print_json : kp_diagnosis_print;
    job.settings.machine.on_failure_arg = stderr;
    if (!status && orders)
        status = read_orders(orders, &job);
    if (!status && trace && job.last > job.first) {
        fprintf(stderr, "kport: --interleave is %s; with --trace it may be one seed\n", orders);
        status = EXIT_IMPOSSIBLE;
    }
    status = status ? status : trace_file_refuse(trace, &job.settings.machine);
    status = status ? status : choose(problem, &wish, &job);
    job.settings.single = trace != NULL;
    if (!status)
        status = trace_file_begin(trace, 0, &job.settings.machine);
    interrupt_watch();
    if (!status)
        status = orders ? run_orders(&job) : run_repeats(&job);
    progress_end();
    status = trace_file_end(trace, &job.settings.machine, status);
    return status ? status : tell(&job, orders, json);
}

const struct command command_run = {
    .name = "run",
    .usage = "[PROBLEM|@FILE] [--repeat N] [--seed S] [--interleave I[..J]] [--trace FILE] "
             "[--bind core|socket|numa|LIST] [--tune builtin|FILE] [--beta US] [--tau US] "
             "[--json]",
    .summary = "Carries a problem out on n processors, verifies every byte, times it",
    .help =
        "Without a problem it is " MAIN_JOB ".\n"
        "The keys of a problem are n, k, b; root; to; in_place=1; for reductions count or b, type\n"
        "(float64) and op (sum); alg and its parameters. What is used without a key stands in "
        "brackets,\n"
        "here and below. If blocks have lengths of their own, the lengths are random, 0 to b, and "
        "a\n"
        "quarter of them is 0. A barrier has n and k; the check is that no processor leaves before "
        "all\n"
        "have come. Without alg it is kp_barrier, with alg a schedule of empty messages.\n"
        "\n"
        "Keys of the machine may follow. Behind the name of a file they stand after a colon, as "
        "in\n"
        "@FILE:b=64,carrier=fibers:\n"
        "  carrier      threads, fibers, or mpi: processes that mpirun has started (threads)\n"
        "  per_process  processors of each process of an MPI (1)\n"
        "  workers      threads that carry the fibers (one for each core). With mpi the processors "
        "of\n"
        "               a process are threads without this key\n"
        "  rounds       what keeps the rounds apart: barrier or mailboxes (barrier)\n"
        "  generations  messages that a mailbox holds\n"
        "  pin          1: threads are kept on cores, neighbours together; 2: they are not (0: "
        "they\n"
        "               are where they are many)\n"
        "  progress     1: a thread of the machine's own goes on with calls that were started\n"
        "\n"
        "The data follow from the seed S (1). After each of the N repeats (10) and after the "
        "warm-up\n"
        "all data and the guard bytes around every buffer are compared with the definition of the\n"
        "operation. The time goes from the last processor's start to the last one's end. Short "
        "calls\n"
        "are made many times in a row; the time is that of one call.\n"
        "\n"
        "--interleave I: runs on fibers and one worker, in an order that follows from the seed I. "
        "The\n"
        "same seed gives the same order. I..J: tries these seeds one after the other, stops at "
        "the\n"
        "first that fails, and names it. N is 1 then unless it is given, and nothing is timed.\n"
        "\n"
        "--trace FILE: writes what every processor did and when, as Chrome trace events, for\n"
        "https://ui.perfetto.dev: a row for each processor, a bar for each round, and in it "
        "copying\n"
        "and waiting; an arrow is a message. The file has the last 1024 rounds, or fewer if there "
        "are\n"
        "many processors. Each repeat is one call then.\n"
        "\n"
        "--bind WHAT: each thread stays on a core (on all its hardware threads), on a socket, on "
        "a numa\n"
        "node, or on one CPU of a list such as 0,2-5, which is taken in its order. The first "
        "thread "
        "gets\n"
        "the first one, the next thread the next; if there are more threads, neighbours share one. "
        "The\n"
        "key pin may not be given beside it.\n"
        "\n"
        "Ctrl-C ends the run after the repeat under way. The result is that of the repeats that "
        "were\n"
        "done, and the status is 130 (SIGTERM: 143). A second Ctrl-C ends it at once.\n"
        "\n" CHOICE_HELP
        "\nIf it fails, standard error tells what each processor was doing: as text, with --json "
        "as\n"
        "one line of JSON.\n\n"
        "Example: kport run index:n=64,k=1,b=8,alg=radix,r=2 --repeat 100\n",
    .run = run,
};
