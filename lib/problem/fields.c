#include "lib/problem/fields.h"

#include "lib/problem/problem.h"
#include "ports/port.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Keys that are reserved for later versions of problem strings. */
static const char *const reserved[] = {"group", "seed"};

/* Keys that describe the machine. The command line removes them before it reads the problem. */
static const char *const of_machine[] = {"carrier",     "workers", "rounds",
                                         "generations", "pin",     "progress"};

/* Keys that every problem has or may have. */
static const char *const common[] = {"n",     "k",    "b",  "alg", "root",        "in_place",
                                     "count", "type", "op", "to",  "per_process", "same_order"};

/* --- Parameters --- */

int kp_parameter_count(const kp_algorithm *algorithm)
{
    int count = 0;
    while (algorithm->parameters[count].name)
        count++;
    return count;
}

bool kp_problem_is_open(const kp_problem *problem)
{
    bool open = !problem->algorithm;
    for (int i = 0; !open && i < kp_parameter_count(problem->algorithm); i++)
        open = problem->values[i] == 0;
    return open;
}

long kp_parameter_low(const kp_parameter *parameter, const kp_problem *problem)
{
    return parameter->words ? 1 : parameter->low(problem);
}

long kp_parameter_high(const kp_parameter *parameter, const kp_problem *problem)
{
    if (!parameter->words)
        return parameter->high(problem);
    long count = 0;
    while (parameter->words[count])
        count++;
    return count;
}

/* --- Words --- */

int kp_word_is(struct kp_word word, const char *text)
{
    return strlen(text) == word.length && memcmp(text, word.text, word.length) == 0;
}

static int same_word(struct kp_word a, struct kp_word b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* --- Splitting --- */

static int split_field(const char *text, size_t length, struct kp_field *field)
{
    struct kp_word whole = {text, length};
    const char *equals = memchr(text, '=', length);
    if (length == 0)
        return kp_set_error(KP_EPROBLEM, "there is nothing between two commas, or after the last; "
                                         "a field is key=value");
    if (!equals)
        return kp_set_error(KP_EPROBLEM, "'%.*s' is no field; a field is key=value",
                            KP_WORD(whole));
    field->key = (struct kp_word){text, (size_t)(equals - text)};
    field->value = (struct kp_word){equals + 1, length - field->key.length - 1};
    if (field->key.length == 0)
        return kp_set_error(KP_EPROBLEM, "'%.*s' has no key; a field is key=value", KP_WORD(whole));
    if (field->value.length == 0)
        return kp_set_error(KP_EPROBLEM, "%.*s is empty; a field is key=value",
                            KP_WORD(field->key));
    return KP_OK;
}

int kp_fields_split(const char *text, struct kp_field *fields, int *count)
{
    *count = 0;
    if (*text == '\0')
        return KP_OK;
    for (;;) {
        size_t length = strcspn(text, ",");
        if (*count == KP_FIELDS)
            return kp_set_error(KP_EPROBLEM, "there are more than %d fields", KP_FIELDS);
        int status = split_field(text, length, &fields[*count]);
        if (status)
            return status;
        for (int i = 0; i < *count; i++) {
            if (same_word(fields[i].key, fields[*count].key))
                return kp_set_error(KP_EPROBLEM, "%.*s is there twice; it may be there once",
                                    KP_WORD(fields[i].key));
        }
        ++*count;
        if (text[length] == '\0')
            return KP_OK;
        text += length + 1;
    }
}

/* --- Numbers --- */

int kp_word_number(struct kp_word word, uint64_t *number)
{
    static const char units[] = "KMGkmg";
    const char *unit = word.length > 1 ? memchr(units, word.text[word.length - 1], 6) : NULL;
    int shift = unit ? 10 * (int)((unit - units) % 3 + 1) : 0;
    *number = 0;
    for (size_t i = 0; i < word.length - (unit != NULL); i++) {
        unsigned digit = (unsigned)(word.text[i] - '0');
        if (digit > 9 || *number > (UINT64_MAX - digit) / 10)
            return 0;
        *number = *number * 10 + digit;
    }
    if (word.length == 0 || *number > UINT64_MAX >> shift)
        return 0;
    *number <<= shift;
    return 1;
}

void kp_field_with(int n, char text[KP_WITH_BYTES])
{
    text[0] = '\0';
    if (n > 0)
        snprintf(text, KP_WITH_BYTES, "with n=%d ", n);
}

int kp_field_number(const struct kp_field *field, uint64_t low, uint64_t high, uint64_t *number)
{
    return kp_field_number_of(field, 0, low, high, number);
}

int kp_field_number_of(const struct kp_field *field, int n, uint64_t low, uint64_t high,
                       uint64_t *number)
{
    if (kp_word_number(field->value, number) && *number >= low && *number <= high)
        return KP_OK;
    const struct kp_word value = field->value;
    const unsigned char last = value.length ? (unsigned char)value.text[value.length - 1] : 0;
    const bool unit = kp_word_is(field->key, "b") && (last < '0' || last > '9'); /* as in 1KB */
    char with[KP_WITH_BYTES];
    kp_field_with(n, with);
    return kp_set_error(KP_EPROBLEM, "%.*s is '%.*s'; %sit may be a number%s %llu ... %llu%s",
                        KP_WORD(field->key), KP_WORD(value), with, unit ? " of bytes" : "",
                        (unsigned long long)low, (unsigned long long)high,
                        unit ? ", as 1024, 1K or 1M" : "");
}

int kp_field_is_common(struct kp_word key)
{
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        if (kp_word_is(key, common[i]))
            return 1;
    }
    return 0;
}

int kp_field_is_of_machine(struct kp_word key)
{
    for (size_t i = 0; i < sizeof of_machine / sizeof of_machine[0]; i++) {
        if (kp_word_is(key, of_machine[i]))
            return 1;
    }
    return 0;
}

int kp_field_reserved(struct kp_word key)
{
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        if (kp_word_is(key, reserved[i]))
            return kp_set_error(
                KP_EPROBLEM, "%s is kept for later use and may not be given yet%s", reserved[i],
                kp_word_is(key, "seed") ? "; kport run has the options --seed S, of the data, and "
                                          "--interleave I, of the order of fibers"
                                        : "");
    }
    if (kp_field_is_of_machine(key))
        return kp_set_error(KP_EPROBLEM,
                            "%.*s says on what machine a problem is run, not what it is: it is "
                            "a key of the command line's problem strings alone",
                            KP_WORD(key));
    return KP_OK;
}

/* --- Algorithms and their parameters --- */

/* Appends a word to a text of at most `size` bytes. The text is cut if there is no room. */
static void append(char *text, size_t size, const char *separator, const char *word)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? separator : "", word);
}

static void list_algorithms(kp_operation operation, char *text, size_t size)
{
    const kp_algorithm *algorithm;
    text[0] = '\0';
    for (int i = 0; (algorithm = kp_algorithm_at(i)) != NULL; i++) {
        if (algorithm->operation == operation)
            append(text, size, ", ", algorithm->name);
    }
}

static void list_parameters(const kp_algorithm *algorithm, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < kp_parameter_count(algorithm); i++)
        append(text, size, ", ", algorithm->parameters[i].name);
    if (text[0] == '\0')
        append(text, size, "", "no parameter");
}

static void list_words(const char *const *words, char *text, size_t size)
{
    text[0] = '\0';
    for (; *words; words++)
        append(text, size, " or ", *words);
}

/* Returns the first operation that has an algorithm of this name, or NULL. */
static const char *other_operation(const char *name)
{
    for (int i = 0; i < KP_OPERATIONS; i++) {
        if (kp_algorithm_find((kp_operation)i, name))
            return kp_operation_name((kp_operation)i);
    }
    return NULL;
}

int kp_fields_algorithm(kp_operation operation, struct kp_word name, const kp_algorithm **algorithm)
{
    char names[256], text[KP_NAME_BYTES];
    snprintf(text, sizeof text, "%.*s", (int)(name.length < sizeof text ? name.length : 0),
             name.text);
    *algorithm = kp_algorithm_find(operation, text);
    if (*algorithm)
        return KP_OK;
    list_algorithms(operation, names, sizeof names);
    const char *other = other_operation(text);
    return kp_set_error(KP_EALGORITHM, "alg is '%.*s'%s%s; for %s it may be %s", KP_WORD(name),
                        other ? ", which is an algorithm of " : "", other ? other : "",
                        kp_operation_name(operation), names);
}

static int read_word(const struct kp_field *field, const char *const *words, long *value)
{
    char names[256];
    for (long i = 0; words[i]; i++) {
        if (kp_word_is(field->value, words[i])) {
            *value = i + 1;
            return KP_OK;
        }
    }
    list_words(words, names, sizeof names);
    return kp_set_error(KP_EPROBLEM, "%.*s is '%.*s'; it may be %s", KP_WORD(field->key),
                        KP_WORD(field->value), names);
}

static int read_value(const struct kp_field *field, const kp_parameter *parameter,
                      kp_problem *problem, long *value)
{
    if (parameter->words)
        return read_word(field, parameter->words, value);
    uint64_t low = 1, high = LONG_MAX, number;
    if (problem->n != 0) {
        low = (uint64_t)kp_parameter_low(parameter, problem);
        high = (uint64_t)kp_parameter_high(parameter, problem);
    }
    int status = kp_field_number_of(field, problem->n, low, high, &number);
    if (status == KP_OK)
        *value = (long)number;
    return status;
}

static bool has_parameter(const kp_algorithm *algorithm, struct kp_word name)
{
    for (int i = 0; i < kp_parameter_count(algorithm); i++) {
        if (kp_word_is(name, algorithm->parameters[i].name))
            return true;
    }
    return false;
}

/* Finds the algorithm of the operation that has this parameter. Fails if there are several. */
static int find_by_parameter(kp_operation operation, struct kp_word name,
                             const kp_algorithm **found)
{
    char names[256] = "";
    const kp_algorithm *algorithm;
    int count = 0;
    for (int i = 0; (algorithm = kp_algorithm_at(i)) != NULL; i++) {
        if (algorithm->operation != operation || !has_parameter(algorithm, name))
            continue;
        append(names, sizeof names, ", ", algorithm->name);
        *found = algorithm;
        count++;
    }
    if (count == 1)
        return KP_OK;
    *found = NULL;
    if (count == 0)
        return kp_set_error(KP_EPROBLEM,
                            "%.*s is no key of a problem (n, k, b, alg), and no algorithm of %s "
                            "has such a parameter",
                            KP_WORD(name), kp_operation_name(operation));
    return kp_set_error(KP_EPROBLEM,
                        "%.*s is a parameter of more than one algorithm of %s; alg may be %s",
                        KP_WORD(name), kp_operation_name(operation), names);
}

static int refuse_parameter(struct kp_word name, const kp_algorithm *algorithm)
{
    char names[256];
    list_parameters(algorithm, names, sizeof names);
    return kp_set_error(KP_EALGORITHM, "%.*s is no parameter of algorithm %s, which has %s",
                        KP_WORD(name), algorithm->name, names);
}

int kp_field_known(const struct kp_field *field, kp_operation operation,
                   const kp_algorithm **algorithm)
{
    if (kp_field_is_common(field->key))
        return KP_OK;
    if (field->key.text[0] == ' ')
        return kp_set_error(KP_EPROBLEM, "a blank stands before \"%.*s\"; there may be none",
                            (int)field->key.length - 1, field->key.text + 1);
    const int status = kp_field_reserved(field->key);
    if (status)
        return status;
    if (!*algorithm)
        return find_by_parameter(operation, field->key, algorithm);
    return has_parameter(*algorithm, field->key) ? KP_OK : refuse_parameter(field->key, *algorithm);
}

int kp_fields_parameter(const struct kp_field *field, kp_problem *problem)
{
    int status = KP_OK;
    if (!problem->algorithm)
        status = find_by_parameter(problem->operation, field->key, &problem->algorithm);
    if (status)
        return status;
    const kp_algorithm *algorithm = problem->algorithm;
    for (int i = 0; i < kp_parameter_count(algorithm); i++) {
        if (kp_word_is(field->key, algorithm->parameters[i].name))
            return read_value(field, &algorithm->parameters[i], problem, &problem->values[i]);
    }
    return refuse_parameter(field->key, algorithm);
}
