/* kport run: a problem on real threads, verified and timed. */
#include "command.h"
#include "facts.h"
#include "measure.h"
#include "options.h"
#include "output.h"

#include <inttypes.h>

#define MAIN_JOB "index:n=64,k=4,b=1024"

static void print(const struct facts *facts, uint64_t repeats, const struct measurement *m,
                  FILE *out)
{
    facts_print(facts, out);
    fprintf(out, "  verified: every byte of %" PRIu64 " repeats", repeats);
    if (m->calls > 1)
        fprintf(out, " of %" PRIu64 " calls", m->calls);
    fprintf(out, "\n  time: median %.3f us, minimum %.3f us a call\n", m->median_us, m->min_us);
}

static json_t *to_json(const struct facts *facts, uint64_t repeats, const struct measurement *m)
{
    json_t *o = facts_json(facts);
    json_object_set_new(o, "verified", json_true());
    json_object_set_new(o, "repeats", json_integer((json_int_t)repeats));
    json_object_set_new(o, "median_us", json_real(m->median_us));
    json_object_set_new(o, "min_us", json_real(m->min_us));
    return o;
}

static int run(const struct command *command, int count, char **arguments)
{
    int json = 0;
    uint64_t repeats = 10, seed = 1;
    const char *problem = MAIN_JOB;
    struct facts facts;
    struct measurement measured;
    const struct option_row rows[] = {{"--json", OPTION_FLAG, &json, 0, 0},
                                      {"--repeat", OPTION_NUMBER, &repeats, 1, 1000000},
                                      {"--seed", OPTION_NUMBER, &seed, 0, UINT64_MAX},
                                      {0}};
    int given = options_read(command, rows, count, arguments, &problem, 1);
    if (given < 0)
        return options_status(given);
    int status = facts_find(problem, &facts);
    if (!status)
        status = measure(&facts.problem, seed, repeats, &measured);
    FILE *out = status ? NULL : output_begin();
    if (!out)
        return status ? status : EXIT_FAILED;
    if (json)
        output_json(out, to_json(&facts, repeats, &measured));
    else
        print(&facts, repeats, &measured, out);
    return output_end(out, EXIT_DONE);
}

const struct command command_run = {
    .name = "run",
    .usage = "[PROBLEM] [--repeat N] [--seed S] [--json]",
    .summary = "Carries a problem out on n threads, verifies every byte, times it",
    .help =
        "Without a problem: " MAIN_JOB ". The keys of a problem: n, k, b; root; to; in_place=1;\n"
        "for reductions count or b, type (float64 if not given), op (sum); alg and its "
        "parameters.\n"
        "Where blocks have lengths of their own they are drawn, 0 to b, a quarter of them 0.\n\n"
        "The data follow from the seed (1 if not given); all of it is compared with the "
        "operation's\n"
        "definition after each of the N repeats (10) and after the warm-up, with the guard bytes\n"
        "around every buffer. Time is from the last processor's start to the last one's end; "
        "short\n"
        "problems are called several times in a row, and the time is that of one call.\n\n"
        "Example: kport run index:n=64,k=1,b=8,alg=radix,r=2 --repeat 100\n",
    .run = run,
};
