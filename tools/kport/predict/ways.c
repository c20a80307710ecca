#include "tools/kport/predict/ways.h"

#include "tools/kport/command.h"
#include "tools/kport/schedule/facts.h"

#include "lib/problem/fields.h"
#include "lib/problem/problem.h"

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
    if (lengths->count == MOST_LENGTHS) {
        fprintf(stderr, "kport: %s has more than %d lengths\n", option, MOST_LENGTHS);
        return EXIT_IMPOSSIBLE;
    }
    if (b % unit != 0) {
        fprintf(stderr,
                "kport: %s has %llu; it may be a multiple of %llu, the bytes of an element\n",
                option, (unsigned long long)b, (unsigned long long)unit);
        return EXIT_IMPOSSIBLE;
    }
    lengths->list[lengths->count++] = b;
    return EXIT_DONE;
}

static bool read_length(const char *text, size_t length, uint64_t *b)
{
    return kp_word_number((struct kp_word){text, length}, b) && *b >= 1 && *b <= MOST_LENGTH;
}

static int refuse_lengths(const char *option, const char *text)
{
    fprintf(stderr,
            "kport: %s is \"%.60s\"; it may be a list such as 8,1K,64K, or MIN:MAX, with 1 <= MIN "
            "<= MAX <= 1024G\n",
            option, text);
    return EXIT_IMPOSSIBLE;
}

int lengths_read(const char *option, const char *text, uint64_t unit, struct lengths *lengths)
{
    const char *colon = strchr(text, ':');
    uint64_t low, high;
    int status = EXIT_DONE;
    lengths->count = 0;
    if (colon) {
        if (!read_length(text, (size_t)(colon - text), &low) ||
            !read_length(colon + 1, strlen(colon + 1), &high) || low > high)
            return refuse_lengths(option, text);
        for (uint64_t b = low; b <= high && !status; b *= 2)
            status = add_length(option, b, unit, lengths);
        return status;
    }
    for (const char *at = text; !status; at++) {
        size_t length = strcspn(at, ",");
        if (!read_length(at, length, &low))
            return refuse_lengths(option, text);
        status = add_length(option, low, unit, lengths);
        at += length;
        if (!*at)
            break;
    }
    return status;
}

/* --- Algorithms --- */

static void add_all(const kp_problem *problem, struct ways *ways)
{
    const kp_algorithm *algorithm;
    ways->all = true;
    for (int i = 0; (algorithm = kp_algorithm_at(i)) && ways->count < MOST_WAYS; i++) {
        if (algorithm->operation == problem->operation)
            ways->list[ways->count++] = (struct way){.algorithm = algorithm};
    }
}

/* Reads "NAME/parameter=value/parameter=value". */
static int read_way(struct kp_word word, const kp_problem *problem, struct way *way)
{
    kp_problem with = *problem;
    struct kp_word name = {word.text, 0};
    with.algorithm = NULL;
    memset(with.values, 0, sizeof with.values);
    while (name.length < word.length && name.text[name.length] != '/')
        name.length++;
    if (kp_fields_algorithm(problem->operation, name, &with.algorithm))
        return facts_refuse();
    for (size_t at = name.length; at < word.length;) {
        struct kp_field field = {.key = {word.text + at + 1, 0}};
        const char *end = word.text + word.length, *c = field.key.text;
        for (; c < end && *c != '=' && *c != '/'; c++)
            field.key.length++;
        field.value = (struct kp_word){c + (c < end && *c == '='), 0};
        for (c = field.value.text; c < end && *c != '/'; c++)
            field.value.length++;
        if (kp_fields_parameter(&field, &with))
            return facts_refuse();
        at = (size_t)(c - word.text);
    }
    way->algorithm = with.algorithm;
    memcpy(way->values, with.values, sizeof way->values);
    return EXIT_DONE;
}

int ways_read(const char *option, const char *text, const kp_problem *problem, struct ways *ways)
{
    *ways = (struct ways){.count = 0};
    if (!text && problem->algorithm) {
        ways->list[0].algorithm = problem->algorithm;
        memcpy(ways->list[0].values, problem->values, sizeof problem->values);
        ways->count = 1;
        return EXIT_DONE;
    }
    if (!text) {
        add_all(problem, ways);
        return EXIT_DONE;
    }
    for (const char *at = text;; at++) {
        struct kp_word word = {at, strcspn(at, ",")};
        if (ways->count == MOST_WAYS) {
            fprintf(stderr, "kport: %s has more than %d algorithms\n", option, MOST_WAYS);
            return EXIT_IMPOSSIBLE;
        }
        int status = read_way(word, problem, &ways->list[ways->count++]);
        at += word.length;
        if (status || !*at)
            return status;
    }
}

int ways_problem(const struct ways *ways, const struct way *way, const kp_problem *base, uint64_t b,
                 const kp_model *model, kp_problem *problem, bool *serves)
{
    *problem = *base;
    problem->b = b;
    problem->algorithm = way->algorithm;
    memcpy(problem->values, way->values, sizeof problem->values);
    *serves = kp_problem_check(problem) == KP_OK && kp_tune(problem, model) == KP_OK;
    return *serves || ways->all ? EXIT_DONE : facts_refuse();
}

const char *ways_format(const kp_problem *problem, char *text, size_t size)
{
    char whole[512];
    kp_problem_format(problem, whole, sizeof whole);
    const char *at = strstr(whole, ",alg=");
    snprintf(text, size, "%s", at ? at + 5 : problem->algorithm ? problem->algorithm->name : "");
    return text;
}
