/* The command `kport cost`. It prints C1, C2 and their lower bounds for a problem, without running
 * the problem. */
#include "tools/kport/command.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/msccl/commands.h"
#include "tools/kport/predict/ways.h"
#include "tools/kport/schedule/choice.h"
#include "tools/kport/schedule/facts.h"

/* The model C1 beta + C2 tau, if the user gives beta or tau. */
static int read_model(const struct choice_wish *wish, const kp_problem *problem, kp_model *model)
{
    int status = EXIT_DONE;
    *model = kp_model_builtin(problem->n, problem->k);
    if (wish->beta)
        status = ways_read_us("--beta", wish->beta, &model->beta_us);
    if (!status && wish->tau)
        status = ways_read_us("--tau", wish->tau, &model->tau_us);
    return status;
}

static void print(const struct facts *facts, const kp_model *m, bool timed, bool json, FILE *out)
{
    const double us = kp_model_time(m, facts->cost.c1, facts->cost.c2);
    if (json) {
        json_t *object = facts_json(facts);
        if (timed)
            json_object_update_new(object, json_pack("{s:f, s:f, s:f}", "beta_us", m->beta_us,
                                                     "tau_us", m->tau_us, "linear_us", us));
        output_json(out, "cost", object);
        return;
    }
    facts_print(facts, out);
    if (timed)
        fprintf(out, "  C1 beta + C2 tau = %.6g us, beta = %g us, tau = %g us a byte\n", us,
                m->beta_us, m->tau_us);
}

static int run(const struct command *command, int count, char **arguments)
{
    if (msccl_is_asked(count, arguments))
        return msccl_cost(command, count, arguments);
    int json = 0;
    const char *problem = NULL;
    struct facts facts;
    struct choice_wish wish = {.tune = NULL};
    kp_model model;
    const struct option_row rows[] = {
        {"--json", OPTION_FLAG, &json, 0, 0}, CHOICE_OPTIONS(wish), {0}};
    int given = options_read(command, rows, count, arguments, &problem, 1);
    if (given < 0)
        return options_status(given);
    if (given == 0) {
        fprintf(stderr, "kport cost: which problem? usage: kport cost %s\n", command->usage);
        return EXIT_IMPOSSIBLE;
    }
    int status = choice_read(problem, &wish, &facts.problem);
    status = status ? status : read_model(&wish, &facts.problem, &model);
    status = status ? status : facts_find(&facts);
    FILE *out = status ? NULL : output_begin();
    if (!out)
        return status ? status : EXIT_IMPOSSIBLE;
    print(&facts, &model, wish.beta || wish.tau, json, out);
    return output_end(out, EXIT_DONE);
}

const struct command command_cost = {
    .name = "cost",
    .usage = "PROBLEM|@FILE [--beta US] [--tau US] [--json] [--tune builtin|FILE] | FILE.xml "
             "[--bytes N] [--json]",
    .summary = "Rounds C1 and bytes C2 of a problem, beside the lower bounds",
    .help =
        "C1 is the number of rounds in which anything is sent. C2 is the sum over the rounds "
        "of the\n"
        "longest message. Both are counted on the schedule that `run` executes with the same "
        "keys of\n"
        "the machine (carrier, workers, rounds).\n"
        "\n"
        "  --beta, --tau  also prints C1 beta + C2 tau; if the problem has no alg, they choose it\n"
        "\n" MSCCL_COST_HELP CHOICE_HELP "\n"
        "Example: kport cost index:n=64,k=1,b=256,alg=radix,r=8\n",
    .run = run,
};
