/* The JSON of `kport check`. Its keys are those of the check of MSCCL's files as far as they apply;
 * races, deadlocks and depths of connections are not a matter of schedules by rounds, and are null.
 */
#include "tools/kport/schedule/verdict.h"

#include "tools/kport/command.h"
#include "tools/kport/common/output.h"
#include "tools/kport/files/file.h"

#include <string.h>

static json_t *number(int value)
{
    return value < 0 ? json_null() : json_integer(value);
}

/* Returns the word for the fault. Without an account the algorithm could not be built, or it is its
 * cost or the network that is wrong. */
static const char *kind_of(const struct verdict *v)
{
    return v->mark.kind         ? v->mark.kind
           : v->rounds < 0      ? "build"
           : v->error.round < 0 ? "cost"
                                : "network";
}

static json_t *finding(const struct verdict *v)
{
    const kp_error_record *e = &v->error;
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:s}", "kind", kind_of(v), "sentence",
                     e->sentence, "round", number(e->round), "processor", number(e->processor),
                     "port", number(e->port), "peer", number(e->peer), "line",
                     v->line > 0 ? json_integer(v->line) : json_null(), "account",
                     v->account ? v->account : "");
}

static json_t *findings(const struct verdict *v)
{
    json_t *list = json_array();
    if (v->wrong)
        json_array_append_new(list, finding(v));
    if (v->combines && !v->same_order)
        json_array_append_new(list, json_pack("{s:s, s:s}", "kind", "order", "sentence", v->order));
    return list;
}

/* Of a schedule that is wrong for another reason the order is not known. */
static json_t *same_order(const struct verdict *v)
{
    if (v->wrong && v->mark.kind && strcmp(v->mark.kind, "order") == 0)
        return json_false();
    return v->wrong || !v->combines ? json_null() : json_boolean(v->same_order);
}

int verdict_print_json(const struct verdict *v)
{
    char text[256];
    const kp_problem *p = v->problem;
    const struct schedule_file *file = schedule_file_of(p->algorithm);
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    kp_problem_format(p, text, sizeof text);
    output_json(out, "check",
                json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:o, s:b, s:b, s:n, s:n, s:n, s:o, s:o}",
                          "format", file ? file->form : "problem", "name", text, "collective",
                          kp_operation_name(p->operation), "algorithm", p->algorithm->name, "ranks",
                          p->n, "ports", p->k, "rounds", number(v->rounds), "in_place", p->in_place,
                          "correct", !v->wrong, "races", "deadlock", "depth_needed", "same_order",
                          same_order(v), "findings", findings(v)));
    return output_end(out, EXIT_DONE);
}
