/* The command `kport predict`. It predicts the times of a problem on a network, by the linear
 * model, by LogGP and by SimGrid. */
#include "tools/kport/predict/predict.h"

#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/files/read.h"
#include "tools/kport/predict/loggp.h"
#include "tools/kport/schedule/choice.h"
#include "tools/kport/schedule/facts.h"

#include "lib/schedule/elements.h"

#include <stdlib.h>
#include <string.h>

/* --- Reading the options --- */

/* Reads the problem. With a list of lengths its own length does not matter, and may be missing. */
static int read_problem_text(struct predict *p)
{
    char text[1200];
    bool has_length = strstr(p->text, "b=") || strstr(p->text, "count=");
    bool lacks_length = p->lengths_text && !has_length && !read_is_file(p->text);
    int length = snprintf(text, sizeof text, "%s%s", p->text, lacks_length ? ",b=0" : "");
    if (length >= (int)sizeof text) {
        fprintf(stderr, "kport: the problem is longer than %zu characters\n", sizeof text - 1);
        return EXIT_IMPOSSIBLE;
    }
    return read_argument(text, &p->problem);
}

static int read_lengths(struct predict *p)
{
    p->lengths.list[0] = p->problem.b;
    p->lengths.count = 1;
    return p->lengths_text
               ? lengths_read("-b", p->lengths_text, kp_element_bytes(&p->problem), &p->lengths)
               : EXIT_DONE;
}

/* Returns why an engine cannot serve, or NULL. */
static const char *missing(const struct predict *p, enum engine engine)
{
    if (engine == ENGINE_LOGGP)
        return p->network.has_constants
                   ? NULL
                   : "the network is a platform; its constants L, o, g, G may follow its path";
    if (engine != ENGINE_SIMGRID)
        return NULL;
    return p->barrier                           ? "SimGrid has no barrier without messages"
           : !network_has_platform(&p->network) ? "there is no platform for this network"
           : !simgrid_is_there() ? "there is no smpirun in PATH (Debian: libsimgrid-dev)"
                                 : NULL;
}

static int choose_engines(struct predict *p)
{
    static const char *const names[] = {[ENGINE_LOGGP] = "loggp", [ENGINE_SIMGRID] = "simgrid"};
    bool known = !p->engine;
    p->has[ENGINE_LINEAR] = p->network.has_constants || (p->beta && p->tau);
    for (int e = ENGINE_LOGGP; e < ENGINES; e++) {
        const char *why = missing(p, (enum engine)e);
        bool asked = p->engine && strcmp(p->engine, names[e]) == 0;
        known = known || asked;
        p->has[e] = !why && (asked || !p->engine);
        if (why && asked) {
            fprintf(stderr, "kport: --engine is \"%s\", but %s\n", p->engine, why);
            return EXIT_IMPOSSIBLE;
        }
        if (why && !p->engine && !p->lacks[0])
            snprintf(p->lacks, sizeof p->lacks, "%s is left out: %s",
                     predict_engine_name((enum engine)e), why);
    }
    if (!known) {
        fprintf(stderr, "kport: --engine is \"%.200s\"; it may be loggp or simgrid\n", p->engine);
        return EXIT_IMPOSSIBLE;
    }
    if (!p->has[ENGINE_LOGGP] && !p->has[ENGINE_SIMGRID]) {
        fprintf(stderr, "kport: nothing can be predicted: %s\n", missing(p, ENGINE_LOGGP));
        return EXIT_IMPOSSIBLE;
    }
    return EXIT_DONE;
}

static int read_model(struct predict *p)
{
    p->model = network_model(&p->network);
    int status = p->beta ? ways_read_us("--beta", p->beta, &p->model.beta_us) : EXIT_DONE;
    if (!status && p->tau)
        status = ways_read_us("--tau", p->tau, &p->model.tau_us);
    return status;
}

static int read_all(struct predict *p)
{
    if (p->csv && p->json) {
        fprintf(stderr, "kport: --csv and --json are both given; it may be one of them\n");
        return EXIT_IMPOSSIBLE;
    }
    if (p->svg && p->platform && strcmp(p->svg, "-") == 0 && strcmp(p->platform, "-") == 0) {
        fprintf(stderr, "kport: --svg and --platform are both \"-\"; one of them may be\n");
        return EXIT_IMPOSSIBLE;
    }
    int status = read_problem_text(p);
    status = status ? status : network_read(p->network_text, &p->network);
    status = status ? status : network_complete(&p->network, p->problem.n);
    status = status ? status : choose_engines(p);
    status = status ? status : read_model(p);
    status = status ? status : read_lengths(p);
    status = status ? status : ways_read("-a", p->ways_text, &p->problem, &p->ways);
    return status ? status : ways_check(&p->ways, &p->problem, &p->model, &p->lengths);
}

/* --- The rows --- */

static int predict_times(const struct predict *p, const kp_schedule *schedule,
                         struct predicted *row)
{
    size_t b = row->problem.b;
    int status = EXIT_DONE;
    kp_cost cost = kp_schedule_cost(schedule, b);
    row->c1 = cost.c1;
    row->c2 = cost.c2;
    row->keeps = network_keeps(&p->network, schedule);
    if (p->has[ENGINE_LINEAR])
        row->us[ENGINE_LINEAR] = kp_model_time(&p->model, cost.c1, cost.c2);
    if (p->has[ENGINE_LOGGP])
        status = loggp_time(schedule, b, &p->network, p->barrier, &row->us[ENGINE_LOGGP]);
    if (!p->has[ENGINE_SIMGRID] || status)
        return status;
    row->limits = simgrid_limits(schedule, b, &p->network);
    return simgrid_has_time(row->limits)
               ? simgrid_time(schedule, b, &p->network, &row->us[ENGINE_SIMGRID])
               : EXIT_DONE;
}

/* Adds the row of a way at a length, unless the way does not serve it or is wrong. */
static int predict_row(struct predict *p, struct way *way, uint64_t b)
{
    struct predicted *row = &p->rows[p->count];
    kp_schedule *schedule;
    *row = (struct predicted){.way = (size_t)(way - p->ways.list), .us = {-1, -1, -1}};
    if (!ways_problem(way, &p->problem, b, &p->model, &row->problem))
        return EXIT_DONE;
    int status = ways_schedule(&p->ways, way, &row->problem, &schedule);
    if (status || !schedule)
        return status;
    status = predict_times(p, schedule, row);
    p->count += status == EXIT_DONE;
    kp_schedule_free(schedule);
    return status;
}

/* An algorithm that is wrong at one length may have rows of others. */
static void remove_wrong(struct predict *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (!p->ways.list[p->rows[i].way].is_wrong)
            p->rows[kept++] = p->rows[i];
    }
    p->count = kept;
}

static int predict_rows(struct predict *p)
{
    int status = EXIT_DONE;
    p->rows = calloc(p->lengths.count * p->ways.count, sizeof *p->rows);
    if (!p->rows) {
        fprintf(stderr, "kport: no memory for the rows\n");
        return EXIT_IMPOSSIBLE;
    }
    for (size_t i = 0; i < p->lengths.count * p->ways.count && !status && !interrupt_came(); i++) {
        struct way *way = &p->ways.list[i % p->ways.count];
        if (!way->is_wrong)
            status = predict_row(p, way, p->lengths.list[i / p->ways.count]);
    }
    remove_wrong(p);
    if (interrupt_came()) {
        fprintf(stderr, "kport: interrupted; there are %zu rows\n", p->count);
        return EXIT_DONE;
    }
    if (status || p->count > 0)
        return status;
    if (p->ways.some_wrong)
        return EXIT_FAILED;
    fprintf(stderr, "kport: no algorithm serves %s\n", p->text);
    return EXIT_IMPOSSIBLE;
}

/* Writes the platform that kport has made of the network. */
static int write_platform(const struct predict *p)
{
    if (!p->network.kind || !network_has_platform(&p->network)) {
        fprintf(stderr, "kport: --platform is given, but %s\n",
                p->network.kind ? missing(p, ENGINE_SIMGRID) : "the network is a platform itself");
        return EXIT_IMPOSSIBLE;
    }
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    network_write_platform(&p->network, out);
    return output_end_in(out, EXIT_DONE, p->platform);
}

static int run(const struct command *command, int count, char **arguments)
{
    static struct predict p = {.network_text = "flat"};
    const struct option_row rows[] = {{"--network", OPTION_TEXT, &p.network_text, 0, 0},
                                      {"--engine", OPTION_TEXT, &p.engine, 0, 0},
                                      {"-a", OPTION_TEXT, &p.ways_text, 0, 0},
                                      {"-b", OPTION_TEXT, &p.lengths_text, 0, 0},
                                      {"-m", OPTION_TEXT, &p.lengths_text, 0, 0},
                                      {"--beta", OPTION_TEXT, &p.beta, 0, 0},
                                      {"--tau", OPTION_TEXT, &p.tau, 0, 0},
                                      {"--barrier", OPTION_FLAG, &p.barrier, 0, 0},
                                      {"--csv", OPTION_FLAG, &p.csv, 0, 0},
                                      {"--json", OPTION_FLAG, &p.json, 0, 0},
                                      {"--svg", OPTION_TEXT, &p.svg, 0, 0},
                                      {"--platform", OPTION_TEXT, &p.platform, 0, 0},
                                      {0}};
    int given = options_read(command, rows, count, arguments, &p.text, 1);
    if (given < 0)
        return options_status(given);
    if (given == 0) {
        fprintf(stderr, "kport predict: which problem? usage: kport predict %s\n", command->usage);
        return EXIT_IMPOSSIBLE;
    }
    int status = read_all(&p);
    if (!status && p.platform)
        status = write_platform(&p);
    if (status || (p.platform && strcmp(p.platform, "-") == 0))
        return status;
    interrupt_watch();
    status = p.has[ENGINE_SIMGRID] ? simgrid_begin(&p.network) : EXIT_DONE;
    status = status ? status : predict_rows(&p);
    simgrid_end();
    status = status ? status : predict_print(&p);
    status = status || !p.ways.some_wrong ? status : EXIT_FAILED;
    free(p.rows);
    return interrupt_status(status);
}

const struct command command_predict = {
    .name = "predict",
    .usage = "PROBLEM|@FILE [--network NETWORK] [--engine loggp|simgrid] [-b|-m LIST] "
             "[-a LIST] [--beta US] [--tau US] [--barrier] [--csv|--json] [--svg FILE] [--platform "
             "FILE]",
    .summary = "Predicted times on a network, by LogGP and by SimGrid",
    .help =
        "Prints a row for each block length and algorithm: C1 beta + C2 tau; LogGP's closed model; "
        "and,\n"
        "where SimGrid is installed, SimGrid's replay with messages that share links. Without -a "
        "these\n"
        "are the algorithm of the problem, or all that serve it, each with the parameters that "
        "the\n"
        "linear model prefers.\n"
        "\n"
        "  --network NETWORK  the network (flat)\n"
        "  --engine           loggp or simgrid alone (both, if SimGrid is there)\n"
        "  -b, -m LIST        block lengths: 8,1K,64K, or MIN:MAX by powers of 2 (that of the "
        "problem);\n"
        "                     -b and -m are the same\n"
        "  -a LIST            algorithms: radix/r=2,radix/r=8,pairwise; a schedule in a file is\n"
        "                     @FILE. A PROBLEM with alg, or a file, has a row beside them\n"
        "  --beta, --tau      of the linear model, in microseconds (startup + 2 o + L times the "
        "mean\n"
        "                     number of links between two processors; G)\n"
        "  --barrier          every round begins for all at once (only messages keep rounds "
        "apart);\n"
        "                     for LogGP alone\n"
        "  --csv, --json      the same for programs\n"
        "  --svg FILE         also a picture: LogGP solid, SimGrid dashed, the linear model "
        "dotted;\n"
        "                     - is standard output, in place of the table\n"
        "  --platform FILE    also the platform that SimGrid is given; - as above\n\n" NETWORK_HELP
        "\n"
        "LogGP: every port sends and receives by itself. A send begins when its processor has\n"
        "begun the round and the port is free. The first byte leaves after o, but not before the\n"
        "receiver has begun the round, unless the message has at most S bytes. It arrives after L\n"
        "a link, the last byte (m - 1) G later, and after o more the message may be used. The\n"
        "sender's round ends when its messages have arrived, or, with at most S bytes, after o. A\n"
        "port is free max(o, g) + (m - 1) G after its message began. The manual has more, under\n"
        "Algorithms of your own.\n\n"
        "Example: kport predict index:n=16,k=1,b=1K --network fat-tree\n",
    .run = run,
};
