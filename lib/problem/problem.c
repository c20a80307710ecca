#include "lib/problem/problem.h"

#include "lib/problem/fields.h"
#include "lib/problem/operation.h"
#include "lib/problem/operator.h"
#include "lib/problem/register.h"
#include "lib/schedule/elements.h"
#include "ports/port.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The largest buffer, in bytes. The sum of the bytes of a few such buffers never overflows. */
#define MOST_BYTES ((uint64_t)(SIZE_MAX < INT64_MAX ? SIZE_MAX : INT64_MAX) / 4)

/* --- Which problems are valid --- */

static int most_ports(int n)
{
    return n > 2 ? n - 1 : 1;
}

int kp_target_from_root(const kp_problem *p)
{
    if (!kp_operation_has_target(p->operation))
        return 0;
    return p->target >= p->root ? p->target - p->root : p->target - p->root + p->n;
}

static int check_target(const kp_problem *p)
{
    bool has = kp_operation_has_target(p->operation);
    if (p->target < 0 || p->target >= p->n || (p->target && !has))
        return kp_set_error(KP_EPROBLEM, "to is %d; with %s and n=%d it may be 0 ... %d", p->target,
                            kp_operation_name(p->operation), p->n, has ? p->n - 1 : 0);
    if (has && p->in_place)
        return kp_set_error(KP_EPROBLEM, "in_place is %d; with %s it may be 0", p->in_place,
                            kp_operation_name(p->operation));
    return KP_OK;
}

static int check_bytes(const kp_problem *p)
{
    const bool none = kp_operation_row(p->operation)->no_bytes;
    if (none && (p->b > 0 || p->in_place))
        return kp_set_error(KP_EPROBLEM, "%s is %zu; a %s moves nothing, so it may be 0",
                            p->b > 0 ? "b" : "in_place", p->b > 0 ? p->b : (size_t)p->in_place,
                            kp_operation_name(p->operation));
    if (p->b > MOST_BYTES / (unsigned)p->n)
        return kp_set_error(KP_EPROBLEM, "b is %zu; with n=%d it may be 0 ... %llu", p->b, p->n,
                            (unsigned long long)(MOST_BYTES / (unsigned)p->n));
    return KP_OK;
}

static int check_processes(const kp_problem *p)
{
    if (p->per_process < 0 || (p->per_process > 0 && p->n % p->per_process != 0))
        return kp_set_error(
            KP_EPROBLEM, "per_process is %d and n is %d; per_process may be 0, or what divides n",
            p->per_process, p->n);
    return KP_OK;
}

static int check_sizes(const kp_problem *p)
{
    if (!kp_operation_row(p->operation))
        return kp_set_error(KP_EPROBLEM, "operation is %d; it may be 0 ... %d", (int)p->operation,
                            (int)KP_OPERATIONS - 1);
    if (p->n < 1 || p->n > KP_MOST_PROCESSORS)
        return kp_set_error(KP_EPROBLEM, "n is %d; it may be 1 ... %d", p->n, KP_MOST_PROCESSORS);
    if (p->k < 1 || p->k > most_ports(p->n))
        return kp_set_error(KP_EPROBLEM, "k is %d; with n=%d it may be 1 ... %d", p->k, p->n,
                            most_ports(p->n));
    if (p->root < 0 || p->root >= p->n || (p->root && !kp_operation_has_root(p->operation)))
        return kp_set_error(KP_EPROBLEM, "root is %d; with %s and n=%d it may be 0 ... %d", p->root,
                            kp_operation_name(p->operation), p->n,
                            kp_operation_has_root(p->operation) ? p->n - 1 : 0);
    return check_target(p) || check_processes(p) ? KP_EPROBLEM : check_bytes(p);
}

/* Checks the type and the operator, and whether a block consists of complete elements. */
static int check_elements(const kp_problem *p)
{
    if (!kp_operation_reduces(p->operation))
        return KP_OK;
    const kp_operator *op = p->op ? p->op : KP_SUM;
    if (!kp_type_name(p->type))
        return kp_set_error(KP_EPROBLEM, "type is %d; it may be 0 ... %d", (int)p->type,
                            (int)KP_TYPES - 1);
    if (!kp_operator_loops(op, p->type).combine)
        return kp_set_error(KP_EPROBLEM, "op is %s, which does not know elements of type %s",
                            kp_operator_name(op), kp_type_name(p->type));
    if (p->b % kp_element_bytes(p) != 0)
        return kp_set_error(KP_EPROBLEM,
                            "b is %zu; with type %s and op %s it may be a multiple of %zu", p->b,
                            kp_type_name(p->type), kp_operator_name(op), kp_element_bytes(p));
    return KP_OK;
}

static int check_value(const kp_problem *p, int i)
{
    const kp_parameter *parameter = &p->algorithm->parameters[i];
    long low = kp_parameter_low(parameter, p), high = kp_parameter_high(parameter, p);
    if (low < 1 || low > high)
        return kp_set_error(KP_EALGORITHM,
                            "parameter %s of algorithm %s goes from %ld to %ld for n=%d, k=%d; the "
                            "least value may be 1 or more, and the greatest no less",
                            parameter->name, p->algorithm->name, low, high, p->n, p->k);
    if (p->values[i] == 0 || (p->values[i] >= low && p->values[i] <= high))
        return KP_OK;
    return kp_set_error(KP_EPROBLEM, "%s is %ld; with n=%d, k=%d it may be %ld ... %ld",
                        parameter->name, p->values[i], p->n, p->k, low, high);
}

bool kp_algorithm_has_same_order(const kp_algorithm *algorithm)
{
    return algorithm->same_order || !kp_operation_shares_result(algorithm->operation);
}

static int check_order(const kp_problem *p)
{
    if (p->same_order < 0 || p->same_order > 1)
        return kp_set_error(KP_EPROBLEM, "same_order is %d; it may be 0 or 1", p->same_order);
    if (p->same_order && !kp_operation_reduces(p->operation))
        return kp_set_error(KP_EPROBLEM, "same_order is given, but %s combines nothing",
                            kp_operation_name(p->operation));
    if (p->same_order && p->algorithm && !kp_algorithm_has_same_order(p->algorithm))
        return kp_set_error(KP_EUNSERVED,
                            "same_order is 1, but algorithm %s does not say that it combines in "
                            "the same order at all processors; kport list marks those that do",
                            p->algorithm->name);
    return KP_OK;
}

static int check_algorithm(const kp_problem *p)
{
    const kp_algorithm *algorithm = p->algorithm;
    if (kp_row_check(algorithm))
        return KP_EALGORITHM;
    if (algorithm->operation != p->operation)
        return kp_set_error(KP_EPROBLEM, "alg is %s, which does %s, not %s", algorithm->name,
                            kp_operation_name(algorithm->operation),
                            kp_operation_name(p->operation));
    const char *reason = algorithm->serves ? algorithm->serves(p) : NULL;
    if (reason)
        return kp_set_error(KP_EUNSERVED, "algorithm %s does not serve n=%d, k=%d; it serves %s",
                            algorithm->name, p->n, p->k, reason);
    int count = kp_parameter_count(algorithm);
    for (int i = 0; i < KP_PARAMETERS; i++) {
        if (i >= count && p->values[i] != 0)
            return kp_set_error(KP_EPROBLEM,
                                "value %d is %ld, but algorithm %s has %d parameters; it may be 0",
                                i, p->values[i], algorithm->name, count);
        int status = i < count ? check_value(p, i) : KP_OK;
        if (status)
            return status;
    }
    return KP_OK;
}

int kp_problem_check(const kp_problem *problem)
{
    if (!problem)
        return kp_set_error(KP_EPROBLEM,
                            "the problem is NULL; it must be what kp_problem_parse read");
    int status = check_sizes(problem);
    if (status == KP_OK)
        status = check_elements(problem);
    if (status == KP_OK && problem->algorithm)
        status = check_algorithm(problem);
    if (status == KP_OK)
        status = check_order(problem);
    for (int i = 0; i < KP_PARAMETERS && !status && !problem->algorithm; i++) {
        if (problem->values[i] != 0)
            status =
                kp_set_error(KP_EPROBLEM,
                             "value %d is %ld, but no algorithm is named that has it; it may be "
                             "0",
                             i, problem->values[i]);
    }
    return status;
}

/* --- Problem strings: reading --- */

static const struct kp_field *find(const struct kp_field *fields, int count, const char *key)
{
    for (int i = 0; i < count; i++) {
        if (kp_word_is(fields[i].key, key))
            return &fields[i];
    }
    return NULL;
}

/* Reads a number whose range depends on n; n = 0: it does not. */
static int read_number(const struct kp_field *fields, int count, const char *key, int n,
                       uint64_t low, uint64_t high, uint64_t *number)
{
    const struct kp_field *field = find(fields, count, key);
    const char *what = strcmp(key, "b") == 0   ? ", the bytes of a block, as in b=8"
                       : strcmp(key, "k") == 0 ? ", the ports of a processor, as in k=1"
                                               : "";
    char with[KP_WITH_BYTES];
    kp_field_with(n, with);
    if (!field)
        return kp_set_error(KP_EPROBLEM, "%s is missing%s; %sit may be a number %llu ... %llu", key,
                            what, with, (unsigned long long)low, (unsigned long long)high);
    return kp_field_number_of(field, n, low, high, number);
}

/* --- Keys of reductions --- */

static int refuse_word(const struct kp_field *field, const char *const *names, int count)
{
    char list[384] = "";
    for (int i = 0; i < count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    }
    return kp_set_error(KP_EPROBLEM, "%.*s is '%.*s'; it may be %s", KP_WORD(field->key),
                        KP_WORD(field->value), list);
}

static int read_type(const struct kp_field *field, kp_problem *problem)
{
    const char *names[KP_TYPES];
    int type = kp_type_find(field->value.text, field->value.length), count = 0;
    for (int i = 0; i < KP_TYPES; i++) {
        if (i != KP_OPAQUE)
            names[count++] = kp_type_name((kp_type)i);
    }
    if (type < 0 || type == KP_OPAQUE)
        return refuse_word(field, names, count);
    problem->type = (kp_type)type;
    return KP_OK;
}

static int read_operator(const struct kp_field *field, kp_problem *problem)
{
    const char *names[KP_BUILTINS];
    problem->op = kp_operator_find(field->value.text, field->value.length);
    for (int i = 0; i < KP_BUILTINS; i++)
        names[i] = kp_builtin_operators[i].name;
    return problem->op ? KP_OK : refuse_word(field, names, KP_BUILTINS);
}

static int read_elements(const struct kp_field *fields, int count, kp_problem *problem)
{
    const struct kp_field *type = find(fields, count, "type"), *op = find(fields, count, "op");
    const struct kp_field *elements = find(fields, count, "count");
    const struct kp_field *given = type ? type : op ? op : elements;
    if (!kp_operation_reduces(problem->operation) && given)
        return kp_set_error(KP_EPROBLEM, "%.*s is given, but %s combines nothing",
                            KP_WORD(given->key), kp_operation_name(problem->operation));
    if (elements && find(fields, count, "b"))
        return kp_set_error(KP_EPROBLEM, "count and b are both given; one follows from the other");
    if (!kp_operation_reduces(problem->operation))
        return KP_OK;
    problem->type = KP_FLOAT64;
    problem->op = KP_SUM;
    int status = type ? read_type(type, problem) : KP_OK;
    return status || !op ? status : read_operator(op, problem);
}

static int read_count(const struct kp_field *fields, int count, kp_problem *problem)
{
    uint64_t elements, most = MOST_BYTES / (unsigned)problem->n / kp_element_bytes(problem);
    int status = read_number(fields, count, "count", 0, 0, most, &elements);
    if (status == KP_OK)
        problem->b = (size_t)elements * kp_element_bytes(problem);
    return status;
}

/* If several of the keys that every problem has are missing, names them all. */
static int refuse_missing(const struct kp_field *fields, int count, const char *operation)
{
    const bool n = !find(fields, count, "n"), k = !find(fields, count, "k"),
               b = !find(fields, count, "b") && !find(fields, count, "count");
    if (n + k + b < 2)
        return KP_OK;
    return kp_set_error(KP_EPROBLEM, "%s%s%s%s%s are missing; give them as in %s:n=4,k=1,b=8",
                        n ? "n" : "",
                        n && k && b ? ", "
                        : (n && k)  ? " and "
                                    : "",
                        k ? "k" : "", b ? " and " : "", b ? "b" : "", operation);
}

/* A barrier needs neither k nor b. Without k it has all ports, as every operation has where only
 * one port is possible. */
static int read_sizes(const struct kp_field *fields, int count, kp_problem *problem)
{
    const bool none = kp_operation_row(problem->operation)->no_bytes;
    uint64_t n = 0, k, b = 0;
    const char *operation = kp_operation_name(problem->operation);
    int status = KP_OK;
    if (!none && !find(fields, count, "n"))
        status = refuse_missing(fields, count, operation);
    status = status ? status : read_number(fields, count, "n", 0, 1, KP_MOST_PROCESSORS, &n);
    if (!status && !none && n > 2)
        status = refuse_missing(fields, count, operation);
    if (status)
        return status;
    k = (uint64_t)most_ports((int)n);
    if ((!none && k > 1) || find(fields, count, "k"))
        status = read_number(fields, count, "k", (int)n, 1, k, &k);
    if (status)
        return status;
    problem->n = (int)n;
    problem->k = (int)k;
    if (find(fields, count, "count"))
        return read_count(fields, count, problem);
    if (!none || find(fields, count, "b"))
        status = read_number(fields, count, "b", 0, 0, MOST_BYTES / n, &b);
    problem->b = (size_t)b;
    return status;
}

/* Reads the optional keys. If a key is missing, its field is 0. */
static int read_optional(const struct kp_field *fields, int count, kp_problem *problem)
{
    const struct kp_field *root = find(fields, count, "root");
    const struct kp_field *in_place = find(fields, count, "in_place");
    const struct kp_field *per_process = find(fields, count, "per_process");
    const struct kp_field *same_order = find(fields, count, "same_order");
    uint64_t number = 0;
    int status = KP_OK;
    if (root && !kp_operation_has_root(problem->operation))
        return kp_set_error(KP_EPROBLEM, "root is given, but %s has no root",
                            kp_operation_name(problem->operation));
    if (root)
        status = kp_field_number_of(root, problem->n, 0, (uint64_t)problem->n - 1, &number);
    problem->root = (int)number;
    number = 0;
    if (in_place && !status)
        status = kp_field_number(in_place, 0, 1, &number);
    problem->in_place = (int)number;
    number = 0;
    if (per_process && !status)
        status = kp_field_number_of(per_process, problem->n, 0, (uint64_t)problem->n, &number);
    problem->per_process = (int)number;
    number = 0;
    if (same_order && !status)
        status = kp_field_number(same_order, 0, 1, &number);
    problem->same_order = (int)number;
    return status;
}

static int read_target(const struct kp_field *fields, int count, kp_problem *problem)
{
    const struct kp_field *to = find(fields, count, "to");
    bool has = kp_operation_has_target(problem->operation);
    uint64_t last = (uint64_t)problem->n - 1, number = has ? last : 0;
    if (to && !has)
        return kp_set_error(KP_EPROBLEM, "to is given, but %s has no target",
                            kp_operation_name(problem->operation));
    int status = to ? kp_field_number_of(to, problem->n, 0, last, &number) : KP_OK;
    problem->target = (int)number;
    return status;
}

static int read_operation(const char **text, kp_operation *operation)
{
    const char *colon = strchr(*text, ':');
    struct kp_word name = {*text, colon ? (size_t)(colon - *text) : strcspn(*text, ",")};
    int found = kp_operation_find(name.text, name.length);
    if (found >= 0 && colon) {
        *operation = (kp_operation)found;
        *text = colon + 1;
        return KP_OK;
    }
    if (found >= 0)
        return kp_set_error(KP_EPROBLEM,
                            "after the operation '%.*s' a colon is missing, as in "
                            "index:n=64,k=2,b=256",
                            KP_WORD(name));
    char names[512] = "";
    for (int i = 0; i < KP_OPERATIONS; i++) {
        const struct kp_operation_row *row = kp_operation_row((kp_operation)i);
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s (%s)", i ? ", " : "", row->name,
                 row->alias);
    }
    return kp_set_error(KP_EPROBLEM, "the operation is '%.*s'; it may be %s", KP_WORD(name), names);
}

/* Finds the algorithm, and checks that all keys are known. A key that is not may be a key that is
 * missing, in other letters. */
static int read_keys(const struct kp_field *fields, int count, kp_problem *problem)
{
    const struct kp_field *alg = find(fields, count, "alg");
    int status =
        alg ? kp_fields_algorithm(problem->operation, alg->value, &problem->algorithm) : KP_OK;
    for (int i = 0; i < count && status == KP_OK; i++)
        status = kp_field_known(&fields[i], problem->operation, &problem->algorithm);
    return status;
}

/* Reads all other keys as parameters of the algorithm. */
static int read_rest(const struct kp_field *fields, int count, kp_problem *problem)
{
    for (int i = 0; i < count; i++) {
        if (kp_field_is_common(fields[i].key))
            continue;
        int status = kp_fields_parameter(&fields[i], problem);
        if (status)
            return status;
    }
    return KP_OK;
}

int kp_problem_parse(const char *text, kp_problem *problem)
{
    struct kp_field fields[KP_FIELDS];
    int count = 0;
    kp_problem read = {.rank = 0};
    if (!text || !problem)
        return kp_set_error(KP_EPROBLEM, "%s is NULL; it must be %s",
                            text ? "problem" : "the problem string",
                            text ? "where the problem goes" : "as index:n=64,k=2,b=256");
    int status = read_operation(&text, &read.operation);
    if (status == KP_OK)
        status = kp_fields_split(text, fields, &count);
    if (status == KP_OK)
        status = read_keys(fields, count, &read);
    if (status == KP_OK)
        status = read_elements(fields, count, &read);
    if (status == KP_OK)
        status = read_sizes(fields, count, &read);
    if (status == KP_OK)
        status = read_optional(fields, count, &read);
    if (status == KP_OK)
        status = read_target(fields, count, &read);
    if (status == KP_OK)
        status = read_rest(fields, count, &read);
    if (status == KP_OK)
        status = kp_problem_check(&read);
    if (status == KP_OK)
        *problem = read;
    return status;
}

/* --- Problem strings: writing --- */

/* A text, which is cut if `size` bytes are too few. `length` is the length of the complete text. */
struct line {
    char *text;
    size_t size;
    size_t length;
};

static void add(struct line *line, const char *before, const char *word)
{
    bool room = line->length < line->size;
    int added = snprintf(room ? line->text + line->length : NULL,
                         room ? line->size - line->length : 0, "%s%s", before, word);
    line->length += added > 0 ? (size_t)added : 0;
}

static void add_number(struct line *line, const char *before, unsigned long long number)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", number);
    add(line, before, digits);
}

static void add_algorithm(struct line *line, const kp_problem *problem)
{
    const kp_algorithm *algorithm = problem->algorithm;
    add(line, ",alg=", algorithm->name);
    for (int i = 0; i < kp_parameter_count(algorithm); i++) {
        const kp_parameter *parameter = &algorithm->parameters[i];
        long value = problem->values[i];
        if (value <= 0)
            continue;
        add(line, ",", parameter->name);
        if (!parameter->words)
            add_number(line, "=", (unsigned long long)value);
        else
            add(line, "=",
                value <= kp_parameter_high(parameter, problem) ? parameter->words[value - 1] : "?");
    }
}

/* Adds the properties of a user's own operator. By these properties a reader of an error report can
 * distinguish operators with the same name. kp_problem_parse refuses a string that contains these
 * properties. */
static void add_users_operator(struct line *line, const kp_problem *problem)
{
    char address[32];
    snprintf(address, sizeof address, "%#llx", (unsigned long long)(uintptr_t)problem->op->combine);
    add(line, "[", problem->op->commutative ? "commutative" : "in order");
    add_number(line, ", elements of ", kp_element_bytes(problem));
    add(line, " bytes, function at ", address);
    add(line, "]", "");
}

static void add_elements(struct line *line, const kp_problem *problem, const char *no_operator)
{
    const char *type = kp_type_name(problem->type);
    if (problem->b != KP_LENGTHS_UNKNOWN)
        add_number(line, ",count=", (unsigned long long)kp_elements(problem));
    add(line, ",type=", type ? type : "?");
    add(line, ",op=", problem->op ? kp_operator_name(problem->op) : no_operator);
    if (problem->op && problem->op->combine)
        add_users_operator(line, problem);
}

/* Writes a problem string, with a root of 0 if `least_root` is 0. Returns its length. `no_operator`
 * stands for an operator that is NULL. */
static int format(const kp_problem *problem, int least_root, const char *no_operator, char *text,
                  size_t size)
{
    struct line line = {.text = text, .size = size};
    const char *name = kp_operation_name(problem->operation);
    if (size > 0)
        text[0] = '\0';
    add(&line, "", name ? name : "?");
    add_number(&line, ":n=", (unsigned long long)problem->n);
    add_number(&line, ",k=", (unsigned long long)problem->k);
    if (kp_operation_row(problem->operation) && kp_operation_reduces(problem->operation))
        add_elements(&line, problem, no_operator);
    else if (problem->b != KP_LENGTHS_UNKNOWN &&
             (!kp_operation_row(problem->operation) ||
              !kp_operation_row(problem->operation)->no_bytes || problem->b > 0))
        add_number(&line, ",b=", problem->b);
    if (problem->root >= least_root)
        add_number(&line, ",root=", (unsigned long long)problem->root);
    if (name && kp_operation_has_target(problem->operation))
        add_number(&line, ",to=", (unsigned long long)problem->target);
    if (problem->in_place)
        add(&line, ",in_place=", "1");
    if (problem->per_process > 0)
        add_number(&line, ",per_process=", (unsigned long long)problem->per_process);
    if (problem->same_order)
        add(&line, ",same_order=", "1");
    if (problem->algorithm)
        add_algorithm(&line, problem);
    return (int)line.length;
}

int kp_problem_format(const kp_problem *problem, char *text, size_t size)
{
    if (!problem || (!text && size > 0))
        return kp_set_error(KP_EARGUMENT, "%s is NULL%s", problem ? "text" : "problem",
                            problem ? "; only with a size of 0 it may be NULL" : "");
    return format(problem, 1, kp_operator_name(KP_SUM), text, size);
}

void kp_problem_describe(const kp_problem *problem, char *text, size_t size)
{
    const kp_operation operation = problem->operation;
    const bool rooted = kp_operation_row(operation) && kp_operation_has_root(operation);
    (void)format(problem, rooted ? 0 : 1, "NULL", text, size);
}
