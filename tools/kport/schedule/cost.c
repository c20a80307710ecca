/* The command `kport cost`. It prints C1, C2 and their lower bounds for a problem, without running
 * the problem. */
#include "tools/kport/command.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/msccl/commands.h"
#include "tools/kport/schedule/choice.h"
#include "tools/kport/schedule/facts.h"

static int run(const struct command *command, int count, char **arguments)
{
    if (msccl_is_asked(count, arguments))
        return msccl_cost(command, count, arguments);
    int json = 0;
    const char *problem = NULL, *tune = NULL;
    struct facts facts;
    const struct option_row rows[] = {
        {"--json", OPTION_FLAG, &json, 0, 0}, {"--tune", OPTION_TEXT, &tune, 0, 0}, {0}};
    int given = options_read(command, rows, count, arguments, &problem, 1);
    if (given < 0)
        return options_status(given);
    if (given == 0) {
        fprintf(stderr, "kport cost: which problem? usage: kport cost %s\n", command->usage);
        return EXIT_IMPOSSIBLE;
    }
    int status = choice_read(problem, tune, &facts.problem);
    status = status ? status : facts_find(&facts);
    FILE *out = status ? NULL : output_begin();
    if (!out)
        return status ? status : EXIT_IMPOSSIBLE;
    if (json)
        output_json(out, "cost", facts_json(&facts));
    else
        facts_print(&facts, out);
    return output_end(out, EXIT_DONE);
}

const struct command command_cost = {
    .name = "cost",
    .usage = "PROBLEM|@FILE [--json] [--tune builtin|FILE] | FILE.xml [--bytes N] [--json]",
    .summary = "Rounds C1 and bytes C2 of a problem, beside the lower bounds",
    .help =
        "C1 is the number of rounds in which anything is sent, C2 the sum over the rounds of the\n"
        "largest message. Both are counted on the schedule that `run` would execute, with the "
        "same\n"
        "keys of the machine (carrier, workers, rounds).\n\n" MSCCL_COST_HELP CHOICE_HELP "\n"
        "Example: kport cost index:n=64,k=1,b=256,alg=radix,r=8\n",
    .run = run,
};
