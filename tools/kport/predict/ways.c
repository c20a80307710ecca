#include "tools/kport/predict/ways.h"

#include "tools/kport/command.h"
#include "tools/kport/files/read.h"
#include "tools/kport/schedule/facts.h"

#include "lib/problem/fields.h"
#include "lib/problem/problem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LENGTH (UINT64_C(1) << 40)

int ways_read_us(const char *option, const char *text, double *us)
{
    char *end;
    *us = strtod(text, &end);
    if (end != text && !*end && *us >= 0 && *us <= 1e9)
        return EXIT_DONE;
    fprintf(stderr, "kport: %s is \"%.200s\"; it may be 0 ... 1e9, in microseconds\n", option,
            text);
    return EXIT_IMPOSSIBLE;
}

/* --- Lengths --- */

static int add_length(const char *option, uint64_t b, uint64_t unit, struct lengths *lengths)
{
    const unsigned long long length = b;
    for (size_t i = 0; i < lengths->count; i++) {
        if (lengths->list[i] == b) {
            fprintf(stderr, "kport: %s has %llu twice\n", option, length);
            return EXIT_IMPOSSIBLE;
        }
    }
    if (lengths->count == MOST_LENGTHS) {
        fprintf(stderr, "kport: %s has more than %d lengths\n", option, MOST_LENGTHS);
        return EXIT_IMPOSSIBLE;
    }
    if (b % unit != 0) {
        fprintf(stderr,
                "kport: %s has %llu; it may be a multiple of %llu, the bytes of an element\n",
                option, length, (unsigned long long)unit);
        return EXIT_IMPOSSIBLE;
    }
    lengths->list[lengths->count++] = b;
    return EXIT_DONE;
}

static int read_length(const char *option, struct kp_word word, uint64_t *b)
{
    if (kp_word_number(word, b) && *b >= 1 && *b <= MOST_LENGTH)
        return EXIT_DONE;
    fprintf(
        stderr,
        "kport: %s has the length \"%.*s\"; a length may be 1 ... 1024G. The lengths are a list "
        "such as 8,1K,64K, or MIN:MAX\n",
        option, KP_WORD(word));
    return EXIT_IMPOSSIBLE;
}

/* MIN, twice MIN, and so on. */
static int read_range(const char *option, const char *text, uint64_t unit, struct lengths *lengths)
{
    uint64_t low, high;
    struct kp_word from = {text, strcspn(text, ":")};
    struct kp_word to = {text + from.length + 1, strlen(text + from.length + 1)};
    int status = read_length(option, from, &low);
    status = status ? status : read_length(option, to, &high);
    if (!status && low > high) {
        fprintf(stderr, "kport: %s is \"%.60s\"; in MIN:MAX there must be MIN <= MAX\n", option,
                text);
        return EXIT_IMPOSSIBLE;
    }
    for (uint64_t b = low; !status && b <= high; b *= 2)
        status = add_length(option, b, unit, lengths);
    return status;
}

int lengths_read(const char *option, const char *text, uint64_t unit, struct lengths *lengths)
{
    lengths->count = 0;
    if (strchr(text, ':'))
        return read_range(option, text, unit, lengths);
    for (const char *at = text;; at++) {
        uint64_t b;
        struct kp_word word = {at, strcspn(at, ",")};
        int status = read_length(option, word, &b);
        status = status ? status : add_length(option, b, unit, lengths);
        at += word.length;
        if (status || !*at)
            return status;
    }
}

/* --- Algorithms --- */

void ways_add_all(const kp_problem *problem, struct ways *ways)
{
    const kp_algorithm *algorithm;
    ways->all = true;
    for (int i = 0; (algorithm = kp_algorithm_at(i)) && ways->count < MOST_WAYS; i++) {
        if (algorithm->operation == problem->operation)
            ways->list[ways->count++] = (struct way){.algorithm = algorithm};
    }
}

static bool is_file(struct kp_word word)
{
    return word.length > 0 && word.text[0] == '@';
}

/* Reads a file, as in @FILE. Its schedule serves no other problem than its own. */
static int read_file(struct kp_word word, const kp_problem *problem, struct way *way)
{
    char argument[FILE_NAME];
    kp_problem own;
    snprintf(argument, sizeof argument, "%.*s", KP_WORD(word));
    if (word.length >= sizeof argument || argument[read_head(argument)]) {
        fprintf(stderr,
                "kport: %.*s stands in a list of algorithms; a file there has no keys, and "
                "a name of up to %d characters\n",
                KP_WORD(word), FILE_NAME - 1);
        return EXIT_IMPOSSIBLE;
    }
    const int status = read_problem(argument, &own);
    if (status)
        return status;
    way->algorithm = own.algorithm;
    if (own.operation == problem->operation)
        return EXIT_DONE;
    fprintf(stderr, "kport: %s is a schedule of %s; it may be one of %s\n", argument,
            kp_operation_name(own.operation), kp_operation_name(problem->operation));
    return EXIT_IMPOSSIBLE;
}

static bool ends_name(char c)
{
    return c == '/' || c == ',';
}

/* Returns the length of the algorithm at the beginning of a list. The next one begins after a comma
 * that no "parameter=" follows. */
static size_t way_length(const char *text)
{
    size_t length = strcspn(text, ",");
    while (text[length] == ',') {
        const size_t next = strcspn(text + length + 1, "=/,@");
        if (text[length + 1 + next] != '=')
            break;
        length += 1 + strcspn(text + length + 1, ",");
    }
    return length;
}

/* Reads "NAME/parameter=value/parameter=value", where a comma may stand for a slash. */
static int read_way(struct kp_word word, const kp_problem *problem, struct way *way)
{
    kp_problem with = *problem;
    struct kp_word name = {word.text, 0};
    with.algorithm = NULL;
    with.n = 0; /* a parameter's range may depend on the length; ways_check tests it */
    memset(with.values, 0, sizeof with.values);
    while (name.length < word.length && !ends_name(name.text[name.length]))
        name.length++;
    if (kp_fields_algorithm(problem->operation, name, &with.algorithm))
        return facts_refuse();
    for (size_t at = name.length; at < word.length;) {
        struct kp_field field = {.key = {word.text + at + 1, 0}};
        const char *end = word.text + word.length, *c = field.key.text;
        for (; c < end && *c != '=' && !ends_name(*c); c++)
            field.key.length++;
        field.value = (struct kp_word){c + (c < end && *c == '='), 0};
        for (c = field.value.text; c < end && !ends_name(*c); c++)
            field.value.length++;
        if (kp_fields_parameter(&field, &with))
            return facts_refuse();
        at = (size_t)(c - word.text);
    }
    way->algorithm = with.algorithm;
    memcpy(way->values, with.values, sizeof way->values);
    return EXIT_DONE;
}

/* Refuses the last way if there is the same before. */
static int refuse_again(const char *option, struct kp_word word, const struct ways *ways)
{
    const struct way *last = &ways->list[ways->count - 1];
    for (const struct way *way = ways->list; way < last; way++) {
        if (way->algorithm == last->algorithm &&
            memcmp(way->values, last->values, sizeof last->values) == 0) {
            fprintf(stderr, "kport: %s has %.*s twice\n", option, KP_WORD(word));
            return EXIT_IMPOSSIBLE;
        }
    }
    return EXIT_DONE;
}

int ways_read(const char *option, const char *text, const kp_problem *problem, struct ways *ways)
{
    *ways = (struct ways){.count = 0};
    if (problem->algorithm) {
        ways->list[0].algorithm = problem->algorithm;
        memcpy(ways->list[0].values, problem->values, sizeof problem->values);
        ways->count = 1;
    } else if (!text) {
        ways_add_all(problem, ways);
    }
    if (!text)
        return EXIT_DONE;
    for (const char *at = text;; at++) {
        struct kp_word word = {at, way_length(at)};
        if (ways->count == MOST_WAYS) {
            fprintf(stderr, "kport: %s has more than %d algorithms\n", option, MOST_WAYS);
            return EXIT_IMPOSSIBLE;
        }
        struct way *way = &ways->list[ways->count++];
        int status = is_file(word) ? read_file(word, problem, way) : read_way(word, problem, way);
        at += word.length;
        status = status ? status : refuse_again(option, word, ways);
        if (status || !*at)
            return status;
    }
}

bool ways_problem(const struct way *way, const kp_problem *base, uint64_t b, const kp_model *model,
                  kp_problem *problem)
{
    *problem = *base;
    problem->b = b;
    problem->algorithm = way->algorithm;
    memcpy(problem->values, way->values, sizeof problem->values);
    return kp_problem_check(problem) == KP_OK && kp_tune(problem, model) == KP_OK;
}

/* Says which lengths the way does not serve, and marks in `served` those that it serves. */
static int check_way(const struct way *way, const kp_problem *base, const struct lengths *lengths,
                     const kp_model *model, bool *served)
{
    char refusals[MOST_LENGTHS][640];
    kp_problem problem;
    size_t refused = 0;
    for (size_t i = 0; i < lengths->count; i++) {
        if (ways_problem(way, base, lengths->list[i], model, &problem))
            served[i] = true;
        else
            snprintf(refusals[refused++], sizeof refusals[0],
                     "%s is left out at b = %" PRIu64 ": %s", way->algorithm->name,
                     lengths->list[i], kp_last_error()->sentence);
    }
    if (refused == lengths->count)
        return facts_refuse();
    for (size_t i = 0; i < refused; i++)
        fprintf(stderr, "kport: %s\n", refusals[i]);
    return EXIT_DONE;
}

int ways_check(const struct ways *ways, const kp_problem *base, const kp_model *model,
               struct lengths *lengths)
{
    bool served[MOST_LENGTHS] = {false};
    size_t kept = 0;
    int status = EXIT_DONE;
    for (size_t i = 0; i < ways->count && !status; i++) {
        if (!ways->all || schedule_file_of(ways->list[i].algorithm))
            status = check_way(&ways->list[i], base, lengths, model, served);
    }
    for (size_t i = 0; i < lengths->count && !status; i++) {
        if (served[i] || ways->all)
            lengths->list[kept++] = lengths->list[i];
    }
    lengths->count = kept;
    return status;
}

int ways_schedule(struct ways *ways, struct way *way, const kp_problem *problem,
                  kp_schedule **schedule)
{
    kp_error_record error;
    int status = facts_build_checked(problem, schedule, &error);
    if (status == EXIT_IMPOSSIBLE)
        fprintf(stderr, "kport: %s\n", error.sentence);
    if (status != EXIT_FAILED)
        return status;
    fprintf(stderr, "kport: %s is left out: %s\n", problem->algorithm->name, error.sentence);
    way->is_wrong = true;
    ways->some_wrong = true;
    return EXIT_DONE;
}

bool ways_is_least(double us, double least)
{
    return us <= least + 1e-12 * fabs(least);
}

const char *ways_format(const kp_problem *problem, char *text, size_t size)
{
    char whole[512];
    kp_problem_format(problem, whole, sizeof whole);
    const char *at = strstr(whole, ",alg=");
    snprintf(text, size, "%s", at ? at + 5 : problem->algorithm ? problem->algorithm->name : "");
    return text;
}
