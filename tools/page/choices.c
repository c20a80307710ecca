/* What may be chosen for a problem: the operations, the algorithms with the reason why one does not
 * serve, and what their parameters may be. The page makes its lists and sliders of it. The object
 * begins with the keys of `kport cost --json`, for what the problem leaves open. */
#include "tools/page/choices.h"

#include "tools/kport/common/output.h"
#include "tools/kport/schedule/choice.h"
#include "tools/kport/schedule/facts.h"

#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/schedule/elements.h"

static json_t *operations(void)
{
    json_t *list = json_array();
    const struct kp_operation_row *row;
    for (int i = 0; (row = kp_operation_row((kp_operation)i)); i++) {
        if (!row->no_bytes)
            json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", row->name, "alias",
                                                  row->alias, "summary", row->summary));
    }
    return list;
}

static json_t *parameters(const kp_problem *problem)
{
    json_t *list = json_array();
    for (int i = 0; i < kp_parameter_count(problem->algorithm); i++) {
        const kp_parameter *parameter = &problem->algorithm->parameters[i];
        json_t *words = json_array();
        for (int j = 0; parameter->words && parameter->words[j]; j++)
            json_array_append_new(words, json_string(parameter->words[j]));
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:i, s:i, s:o}", "name", parameter->name, "summary",
                            parameter->summary, "low", (int)kp_parameter_low(parameter, problem),
                            "high", (int)kp_parameter_high(parameter, problem), "words", words));
    }
    return list;
}

/* An algorithm that does not serve has the reason in place of its parameters. */
static json_t *algorithm(const kp_problem *problem)
{
    const kp_algorithm *a = problem->algorithm;
    json_t *o = json_pack("{s:s, s:s, s:s?, s:s?}", "name", a->name, "summary", a->summary,
                          "source", a->source, "restriction", a->restriction);
    if (kp_problem_check(problem) == KP_OK)
        json_object_set_new(o, "parameters", parameters(problem));
    else
        json_object_set_new(o, "refusal", json_string(kp_last_error()->sentence));
    return o;
}

static json_t *algorithms(kp_problem problem)
{
    json_t *list = json_array();
    for (int i = 0; kp_algorithm_at(i); i++) {
        problem.algorithm = kp_algorithm_at(i);
        for (int j = 0; j < KP_PARAMETERS; j++)
            problem.values[j] = 0;
        if (problem.algorithm->operation == problem.operation)
            json_array_append_new(list, algorithm(&problem));
    }
    return list;
}

/* `facts` are about the problem with all that `asked` leaves open. */
static int print(const kp_problem *asked, const struct facts *facts)
{
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    const kp_operation operation = asked->operation;
    json_t *o = facts_json(facts);
    json_object_set_new(o, "names_algorithm", json_boolean(asked->algorithm != NULL));
    json_object_set_new(o, "element_bytes", json_integer((json_int_t)kp_element_bytes(asked)));
    json_object_set_new(o, "root",
                        kp_operation_has_root(operation) ? json_integer(asked->root) : json_null());
    json_object_set_new(
        o, "to", kp_operation_has_target(operation) ? json_integer(asked->target) : json_null());
    json_object_set_new(o, "operations", operations());
    json_object_set_new(o, "algorithms", algorithms(*asked));
    output_json(out, "choices", o);
    return output_end(out, EXIT_DONE);
}

static int run(const struct command *command, int count, char **arguments)
{
    kp_problem asked;
    struct facts facts;
    const struct choice_wish wish = {.tune = "builtin"};
    (void)command;
    if (count != 1 || kp_problem_parse(arguments[0], &asked))
        return count == 1 ? facts_refuse() : EXIT_IMPOSSIBLE;
    int status = choice_read(arguments[0], &wish, &facts.problem);
    status = status ? status : facts_find(&facts);
    return status ? status : print(&asked, &facts);
}

const struct command command_choices = {
    .name = "choices",
    .usage = "PROBLEM",
    .summary = "What may be chosen",
    .help = "",
    .run = run,
};
