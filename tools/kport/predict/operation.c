/* Reads the operation that `kport compare` is asked about. */
#include "tools/kport/predict/operation.h"

#include "tools/kport/command.h"
#include "tools/kport/schedule/facts.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_N 64

const char *operation_key(const char *keys, const char *key)
{
    const size_t length = strlen(key);
    for (const char *at = keys + (*keys == ':'); *at; at += strcspn(at, ","), at += *at == ',') {
        if (strncmp(at, key, length) == 0 && at[length] == '=')
            return at + length + 1;
    }
    return NULL;
}

/* Reads n or k, which an option or a key gives. */
static int read_number(const char *operation, const char *keys, const char *key, uint64_t *number)
{
    const char *value = operation_key(keys, key);
    if (!value)
        return EXIT_DONE;
    if (*number) {
        fprintf(stderr,
                "kport compare: --%s is given, and %s stands in \"%.200s\"; it may be one of "
                "them\n",
                key, key, operation);
        return EXIT_IMPOSSIBLE;
    }
    *number = strtoull(value, NULL, 10); /* kp_problem_parse refuses what is no number */
    return EXIT_DONE;
}

/* The length is given by -m alone, as there are several. */
static int refuse_length(const char *operation, const char *keys)
{
    static const char *const lengths[] = {"b", "count"};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const char *value = operation_key(keys, lengths[i]);
        if (!value)
            continue;
        fprintf(stderr,
                "kport compare: %s stands in \"%.200s\"; the option -m gives the lengths, as in -m "
                "%.*s\n",
                lengths[i], operation, (int)strcspn(value, ","), value);
        return EXIT_IMPOSSIBLE;
    }
    return EXIT_DONE;
}

int operation_read(const char *operation, uint64_t n, uint64_t k, kp_problem *problem)
{
    char text[600];
    size_t name = strcspn(operation, ":");
    const char *keys = operation + name + (operation[name] == ':');
    const bool has_n = operation_key(keys, "n"), has_k = operation_key(keys, "k");
    if (strlen(operation) > 500) {
        fprintf(stderr, "kport compare: the operation is longer than 500 characters\n");
        return EXIT_IMPOSSIBLE;
    }
    if (refuse_length(operation, keys) || read_number(operation, keys, "n", &n) ||
        read_number(operation, keys, "k", &k))
        return EXIT_IMPOSSIBLE;
    n = n ? n : USUAL_N;
    k = k ? k : n > 1 ? n - 1 : 1;
    int length = snprintf(text, sizeof text, "%.*s:b=0", (int)name, operation);
    if (!has_n)
        length += snprintf(text + length, sizeof text - (size_t)length, ",n=%" PRIu64, n);
    if (!has_k)
        length += snprintf(text + length, sizeof text - (size_t)length, ",k=%" PRIu64, k);
    snprintf(text + length, sizeof text - (size_t)length, "%s%s", *keys ? "," : "", keys);
    return kp_problem_parse(text, problem) ? facts_refuse() : EXIT_DONE;
}
