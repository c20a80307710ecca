/* Finds out on what the order of a reduction depends. It builds the schedules of problems that
 * differ from the given one in a single number, and compares the trees of the elements that both
 * problems have. */
#include "tools/kport/schedule/order.h"

#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/schedule/elements.h"
#include "tools/kport/files/file.h"

#include <stdlib.h>
#include <string.h>

#define EACH 8 /* a factor is given at most 2 * EACH other values */

struct comparison {
    const kp_schedule *schedule;
    const kp_problem *problem;
    struct kp_trees *trees;
    const struct kp_order *order;
    FILE *out;
    long values[2 * EACH]; /* the values that were compared and gave the same order */
    int count;
    bool other; /* true: `value` has given another order, and no further values are tried */
    bool wrong; /* true: the schedule for `value` is wrong */
    long value;
};

/* --- The values of a factor --- */

static bool has_parameter(const kp_problem *p, int factor)
{
    int i = factor - ORDER_PARAMETER;
    return i >= 0 && i < kp_parameter_count(p->algorithm);
}

/* Returns the factor's value in a problem. Sets the range of the values. */
static long value_of(const kp_problem *p, int factor, long *low, long *high)
{
    *low = 1;
    switch (factor) {
    case ORDER_N:
        *high = p->n;
        return p->n;
    case ORDER_K:
        *high = p->n > 2 ? p->n - 1 : 1;
        return p->k;
    case ORDER_LENGTH:
        *high = 2 * (long)kp_elements(p) + 2;
        return (long)kp_elements(p);
    case ORDER_ROOT:
        *low = 0;
        *high = p->n - 1;
        return p->root;
    case ORDER_PROCESSES:
        *high = p->n;
        return p->per_process;
    default:
        *low = kp_parameter_low(&p->algorithm->parameters[factor - ORDER_PARAMETER], p);
        *high = kp_parameter_high(&p->algorithm->parameters[factor - ORDER_PARAMETER], p);
        return p->values[factor - ORDER_PARAMETER];
    }
}

static void set_value(kp_problem *p, int factor, long value)
{
    if (factor == ORDER_N)
        p->n = (int)value;
    else if (factor == ORDER_K)
        p->k = (int)value;
    else if (factor == ORDER_LENGTH)
        p->b = (size_t)value * kp_element_bytes(p);
    else if (factor == ORDER_ROOT)
        p->root = (int)value;
    else if (factor == ORDER_PROCESSES)
        p->per_process = (int)value;
    else
        p->values[factor - ORDER_PARAMETER] = value;
}

/* Returns the reason why the factor needs no comparison, or NULL. */
static const char *known(const kp_problem *p, int factor)
{
    if (factor == ORDER_LENGTH && !p->algorithm->splits)
        return "the schedule is the same for every length: it does not split blocks";
    if (factor == ORDER_ROOT && !kp_operation_has_root(p->operation))
        return "the operation has no root";
    if (factor == ORDER_PROCESSES && !p->algorithm->stated_between)
        return "the algorithm does not ask which processors share a process";
    if (factor == ORDER_PARAMETER && !has_parameter(p, factor))
        return "the algorithm has no parameter";
    return NULL;
}

/* --- Comparing --- */

/* Compares the trees of an element at a processor. `below` is what is left of all trees without the
 * operands of processors that the other problem does not have. */
static bool same_tree(const struct comparison *c, const struct kp_order *other,
                      const kp_tree *below, int rank, int64_t element)
{
    const kp_problem *p = other->problem;
    bool rooted = kp_operation_has_root(p->operation);
    int here = rooted ? c->problem->root : rank, there = rooted ? p->root : rank;
    kp_tree mine = kp_order_tree(c->order, here, element);
    return kp_tree_kept(below, p->n, mine) == kp_order_tree(other, there, element);
}

/* Returns the number of elements of a block for which the certificates are compared. */
static int64_t elements_of(const struct comparison *c, const struct kp_order *other)
{
    bool one = c->order->elements == 1 && other->elements == 1;
    int64_t mine = kp_elements(c->problem), its = kp_elements(other->problem);
    return one ? 1 : mine < its ? mine : its;
}

/* Compares two certificates at all processors that both have. Cells are compared where one of them
 * begins. */
static bool same_order(const struct comparison *c, const struct kp_order *other,
                       const kp_tree *below)
{
    int64_t elements = elements_of(c, other);
    for (int rank = 0; rank < other->problem->n; rank++) {
        for (int64_t i = 0; i < c->order->cells + other->cells; i++) {
            int64_t element =
                i < c->order->cells ? c->order->begin[i] : other->begin[i - c->order->cells];
            if (element < elements && !same_tree(c, other, below, rank, element))
                return false;
        }
    }
    return true;
}

static int compare_schedule(struct comparison *c, const kp_schedule *schedule)
{
    struct kp_order other;
    int status = kp_order_find(schedule, c->trees, &other);
    kp_tree *below = status ? NULL : kp_trees_below(c->trees, other.problem->n);
    if (below)
        c->other = !same_order(c, &other, below);
    else if (!status)
        status = KP_EMEMORY;
    free(below);
    kp_order_end(&other);
    return status;
}

/* Compares with the problem in which the factor has this value, if there is such a problem. */
static int compare(struct comparison *c, int factor, long value)
{
    kp_problem p = *c->problem;
    kp_schedule *schedule = NULL;
    set_value(&p, factor, value);
    if (kp_problem_check(&p))
        return KP_OK;
    c->value = value;
    int status = kp_schedule_build(&p, &schedule);
    if (!status)
        status = kp_schedule_check(schedule, NULL);
    if (status && status != KP_EMEMORY) {
        c->wrong = true;
        status = KP_OK;
    } else if (!status) {
        status = compare_schedule(c, schedule);
    }
    kp_schedule_free(schedule);
    if (!c->other && !c->wrong && !status)
        c->values[c->count++] = value;
    return status;
}

/* Compares with the least values, and with those that lie around the given one. */
static int compare_all(struct comparison *c, int factor)
{
    long low, high, given = value_of(c->problem, factor, &low, &high);
    long last = low - 1;
    int status = KP_OK;
    for (int i = 0; i < 2 * EACH && !status && !c->other && !c->wrong; i++) {
        long value = last + 1;
        if (i >= EACH && value < given - EACH / 2)
            value = given - EACH / 2;
        if (i == 2 * EACH - 1 && value < high)
            value = high;
        value += value == given;
        last = value;
        if (value <= high)
            status = compare(c, factor, value);
    }
    return status;
}

/* --- Printing --- */

static const char *name_of(const kp_problem *p, int factor)
{
    static const char *const names[] = {"n", "k", "length", "root", "per_process", "parameters"};
    return has_parameter(p, factor) ? p->algorithm->parameters[factor - ORDER_PARAMETER].name
                                    : names[factor];
}

static void put_value(const struct comparison *c, int factor, long value)
{
    const char *const *words = NULL;
    if (has_parameter(c->problem, factor))
        words = c->problem->algorithm->parameters[factor - ORDER_PARAMETER].words;
    if (words)
        fprintf(c->out, "%s", words[value - 1]);
    else
        fprintf(c->out, "%ld", value);
}

/* Prints the compared values; neighbours of which there are more than two as "2 ... 5". */
static void put_values(const struct comparison *c, int factor)
{
    for (int i = 0; i < c->count; i++) {
        int more = 0; /* neighbours behind this value */
        while (i + more + 1 < c->count && c->values[i + more + 1] == c->values[i] + more + 1)
            more++;
        fprintf(c->out, "%s", i > 0 ? ", " : "");
        put_value(c, factor, c->values[i]);
        if (more < 2)
            continue;
        fprintf(c->out, " ... ");
        put_value(c, factor, c->values[i + more]);
        i += more;
    }
}

static void print(const struct comparison *c, int factor)
{
    const char *name = name_of(c->problem, factor), *reason = known(c->problem, factor);
    const char *answer = c->other ? "yes" : reason || c->count > 0 ? "no" : "unknown:";
    const struct schedule_file *file = schedule_file_of(c->problem->algorithm);
    fprintf(c->out, "    %-12s %-7s ", name, answer);
    if (reason) {
        fprintf(c->out, "proved: %s", reason);
    } else if (c->other || c->wrong) {
        fprintf(c->out,
                "compared: %s for %s = ", c->wrong ? "the schedule is wrong" : "another order",
                name);
        put_value(c, factor, c->value);
    } else if (c->count == 0) {
        fprintf(c->out,
                file ? "the file is for %s alone" : "there is no other value to compare with",
                file ? file->serves : "");
    } else {
        fprintf(c->out, "compared: the same for %s = ", name);
        put_values(c, factor);
    }
    if (factor == ORDER_N && c->count + c->other > 0)
        fprintf(c->out, " without the operands that are missing there");
    fprintf(c->out, "\n");
}

int order_print_factors(const kp_schedule *schedule, struct kp_trees *trees,
                        const struct kp_order *order, FILE *out)
{
    const kp_problem *p = kp_schedule_problem(schedule);
    int status = KP_OK;
    for (int factor = 0; factor < ORDER_FACTORS && !status; factor++) {
        struct comparison c = {
            .schedule = schedule, .problem = p, .trees = trees, .order = order, .out = out};
        if (factor > ORDER_PARAMETER && !has_parameter(p, factor))
            break;
        if (!known(p, factor))
            status = compare_all(&c, factor);
        if (!status)
            print(&c, factor);
    }
    return status;
}
