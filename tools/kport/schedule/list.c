/* The command `kport list`. It prints the operations, and the algorithms with their parameters and
 * restrictions. */
#include "tools/kport/command.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"

#include "kport.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"

#include <string.h>

/* Returns a text of an algorithm, which a row of the user's own may lack. */
static const char *told(const char *text)
{
    return text ? text : "";
}

static void values_of(const kp_parameter *parameter, char *text, size_t size)
{
    if (!parameter->words) {
        snprintf(text, size, "%s", parameter->range ? parameter->range : "a number");
        return;
    }
    text[0] = '\0';
    for (const char *const *word = parameter->words; *word; word++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", used ? "|" : "", *word);
    }
}

/* Returns whether the algorithm combines, and has the property same_order. The check of schedules
 * holds the algorithm to it. */
static bool has_order(const kp_algorithm *a)
{
    return kp_operation_reduces(a->operation) && kp_algorithm_has_same_order(a);
}

/* `wanted` is the operation that the user names, or ALL. */
#define ALL (-1)

static bool is_wanted(int wanted, const kp_algorithm *a)
{
    return wanted == ALL || wanted == (int)a->operation;
}

static void print(int wanted, FILE *out)
{
    int last = ALL;
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *a = kp_algorithm_at(i);
        if (!is_wanted(wanted, a))
            continue;
        if ((int)a->operation != last)
            fprintf(out, "%s%s\n", last == ALL ? "" : "\n", kp_operation_name(a->operation));
        last = (int)a->operation;
        fprintf(out, "  %-23s %s\n", a->name, told(a->summary));
        for (const kp_parameter *p = a->parameters; p->name; p++) {
            char values[128];
            values_of(p, values, sizeof values);
            fprintf(out, "  %-23s   %s = %s: %s\n", "", p->name, values, told(p->summary));
        }
        if (a->restriction)
            fprintf(out, "  %-23s   only for %s\n", "", a->restriction);
        if (has_order(a))
            fprintf(out, "  %-23s   same order of combining at all processors\n", "");
        if (a->source)
            fprintf(out, "  %-23s   %s\n", "", a->source);
    }
}

static json_t *parameters_json(const kp_algorithm *a)
{
    json_t *list = json_array();
    for (const kp_parameter *p = a->parameters; p->name; p++) {
        char values[128];
        values_of(p, values, sizeof values);
        json_t *o = json_object();
        json_object_set_new(o, "name", json_string(p->name));
        json_object_set_new(o, "values", json_string(values));
        json_object_set_new(o, "summary", json_string(told(p->summary)));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *list_json(int wanted)
{
    json_t *list = json_array();
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *a = kp_algorithm_at(i);
        if (!is_wanted(wanted, a))
            continue;
        json_t *o = json_object();
        json_object_set_new(o, "operation", json_string(kp_operation_name(a->operation)));
        json_object_set_new(o, "algorithm", json_string(a->name));
        json_object_set_new(o, "summary", json_string(told(a->summary)));
        json_object_set_new(o, "parameters", parameters_json(a));
        json_object_set_new(o, "restriction",
                            a->restriction ? json_string(a->restriction) : json_null());
        json_object_set_new(o, "same_order",
                            kp_operation_reduces(a->operation) ? json_boolean(has_order(a))
                                                               : json_null());
        json_object_set_new(o, "source", json_string(told(a->source)));
        json_array_append_new(list, o);
    }
    return json_pack("{s:o}", "algorithms", list);
}

static int run(const struct command *command, int count, char **arguments)
{
    int json = 0, wanted = ALL;
    const char *name;
    const struct option_row rows[] = {{"--json", OPTION_FLAG, &json, 0, 0}, {0}};
    int given = options_read(command, rows, count, arguments, &name, 1);
    if (given < 0)
        return options_status(given);
    if (given > 0 && !options_operation("OPERATION", name, "", &wanted))
        return EXIT_IMPOSSIBLE;
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    if (json)
        output_json(out, "list", list_json(wanted));
    else
        print(wanted, out);
    return output_end(out, EXIT_DONE);
}

const struct command command_list = {
    .name = "list",
    .usage = "[OPERATION] [--json]",
    .summary = "The operations and their algorithms",
    .help =
        "With each algorithm: its parameters, what n and k must be, and where it comes from. Of a\n"
        "reduction also whether each element that several processors get is combined in the same\n"
        "order at all of them (same_order=1 in a problem asks for that). OPERATION, as index or\n"
        "MPI's name alltoall, lists the algorithms of this operation alone.\n\n"
        "Example: kport list index\n",
    .run = run,
};
