#include "tools/kport/schedule/facts.h"

#include "lib/check/account.h"
#include "lib/check/verdict.h"
#include "lib/problem/operation.h"
#include "lib/problem/rows.h"
#include "tools/kport/command.h"

#include <inttypes.h>
#include <string.h>

int facts_refuse(void)
{
    /* Other errors of an algorithm are about one that is there. */
    const bool unknown = strncmp(kp_last_error()->sentence, "alg is '", 8) == 0 &&
                         !strstr(kp_last_error()->sentence, "which is an algorithm of");
    fprintf(stderr, "kport: %s%s\n", kp_last_error()->sentence, unknown ? FACTS_LOAD_HINT : "");
    return EXIT_IMPOSSIBLE;
}

void facts_tell(const kp_problem *problem, const char *sentence, const char *after)
{
    char text[256];
    kp_problem_format(problem, text, sizeof text);
    /* The sentence about a stated cost begins with the problem by itself. */
    const bool named = strncmp(sentence, text, strlen(text)) == 0;
    fprintf(stderr, "kport: %s%s%s%s\n", named ? "" : text, named ? "" : ": ", sentence, after);
}

/* Returns whether `kport check` says more than the sentence. It follows no schedule whose pieces or
 * peers do not exist, and has nothing to add if only the stated cost is wrong. */
static bool is_followed(const kp_problem *problem, int status)
{
    kp_schedule *schedule = NULL;
    if (status != KP_ESCHEDULE || kp_account_build(problem, &schedule))
        return false;
    const bool wrong = kp_schedule_check_bounded(schedule) == KP_ESCHEDULE;
    kp_schedule_free(schedule);
    return wrong;
}

int facts_build_checked(const kp_problem *problem, kp_schedule **schedule, kp_error_record *error)
{
    int status = kp_schedule_build(problem, schedule);
    const bool built = !status, own = problem->algorithm && !kp_row_is_library(problem->algorithm);
    if (!status && own)
        status = kp_schedule_check_bounded(*schedule);
    if (!status && own)
        status = kp_schedule_check_cost(*schedule, kp_schedule_problem(*schedule));
    if (!status)
        return EXIT_DONE;
    *error = *kp_last_error();
    if (built)
        kp_schedule_free(*schedule);
    *schedule = NULL;
    return own && status != KP_EMEMORY && status != KP_EUNCHECKED ? EXIT_FAILED : EXIT_IMPOSSIBLE;
}

int facts_build_right(const kp_problem *problem, kp_schedule **schedule)
{
    static const kp_algorithm *wrong;
    kp_error_record error;
    int status = facts_build_checked(problem, schedule, &error);
    if (status && (status != EXIT_FAILED || problem->algorithm != wrong))
        facts_tell(problem, error.sentence,
                   is_followed(problem, error.status) ? " (kport check tells how it came)" : "");
    if (status)
        wrong = status == EXIT_FAILED ? problem->algorithm : NULL;
    return status;
}

int facts_find(struct facts *facts)
{
    kp_schedule *schedule;
    const kp_problem *p = &facts->problem;
    int status = facts_build_right(p, &schedule);
    if (status)
        return status;
    facts->cost = kp_schedule_cost(schedule, p->b);
    facts->between = kp_schedule_cost_between(schedule, p->b);
    facts->c1_bound = kp_bound_c1(p->operation, p->n, p->k);
    facts->c2_bound = kp_bound_c2(p->operation, p->n, p->k, p->b);
    if (kp_operation_has_target(p->operation) && p->target == p->root)
        facts->c1_bound = facts->c2_bound = 0;
    kp_schedule_free(schedule);
    return EXIT_DONE;
}

void facts_print(const struct facts *facts, FILE *out)
{
    char text[256];
    kp_problem_format(&facts->problem, text, sizeof text);
    fprintf(out, "%s\n", text);
    fprintf(out, "  C1  %12" PRIu64 " rounds   lower bound %12" PRIu64 "\n", facts->cost.c1,
            facts->c1_bound);
    fprintf(out, "  C2  %12" PRIu64 " bytes    lower bound %12" PRIu64 "\n", facts->cost.c2,
            facts->c2_bound);
    if (kp_operation_row(facts->problem.operation)->lengths)
        fprintf(out, "  C2 is for blocks that all have the length b of the longest%s\n",
                facts->problem.algorithm->length_bytes > 0 ? "; the lengths travel with them" : "");
    fprintf(out, "  all processors together: %" PRIu64 " messages, %" PRIu64 " bytes\n",
            facts->cost.messages, facts->cost.bytes);
    if (facts->problem.per_process > 1)
        fprintf(out,
                "  between processes: C1 = %" PRIu64 " rounds, C2 = %" PRIu64 " bytes; %" PRIu64
                " messages, %" PRIu64 " bytes together\n",
                facts->between.c1, facts->between.c2, facts->between.messages,
                facts->between.bytes);
}

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *parameters(const kp_problem *p)
{
    json_t *object = json_object();
    for (int i = 0; i < KP_PARAMETERS && p->algorithm->parameters[i].name; i++) {
        const kp_parameter *parameter = &p->algorithm->parameters[i];
        json_t *value = parameter->words ? json_string(parameter->words[p->values[i] - 1])
                                         : json_integer(p->values[i]);
        json_object_set_new(object, parameter->name, value);
    }
    return object;
}

json_t *facts_json(const struct facts *facts)
{
    const kp_problem *p = &facts->problem;
    json_t *o = json_object();
    json_object_set_new(o, "operation", json_string(kp_operation_name(p->operation)));
    json_object_set_new(o, "algorithm", json_string(p->algorithm->name));
    json_object_set_new(o, "parameters", parameters(p));
    json_object_set_new(o, "n", json_integer(p->n));
    json_object_set_new(o, "k", json_integer(p->k));
    json_object_set_new(o, "b", number(p->b));
    json_object_set_new(o, "c1", number(facts->cost.c1));
    json_object_set_new(o, "c2", number(facts->cost.c2));
    json_object_set_new(o, "c1_bound", number(facts->c1_bound));
    json_object_set_new(o, "c2_bound", number(facts->c2_bound));
    json_object_set_new(o, "messages", number(facts->cost.messages));
    json_object_set_new(o, "bytes", number(facts->cost.bytes));
    if (p->per_process <= 1)
        return o;
    json_object_set_new(o, "per_process", json_integer(p->per_process));
    json_object_set_new(o, "c1_between", number(facts->between.c1));
    json_object_set_new(o, "c2_between", number(facts->between.c2));
    json_object_set_new(o, "messages_between", number(facts->between.messages));
    json_object_set_new(o, "bytes_between", number(facts->between.bytes));
    return o;
}
