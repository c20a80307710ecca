#include "tools/kport/common/options.h"

#include "lib/problem/operation.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int options_number(const char *what, const char *text, uint64_t low, uint64_t high,
                   uint64_t *number)
{
    uint64_t value = 0;
    const char *c = text;
    int over = 0;
    for (; *c >= '0' && *c <= '9'; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        over = over || value > (UINT64_MAX - digit) / 10;
        value = value * 10 + digit;
    }
    if (c == text || *c || over || value < low || value > high) {
        fprintf(stderr, "kport: %s is \"%s\"; it may be %" PRIu64 " ... %" PRIu64 "\n", what, text,
                low, high);
        return 0;
    }
    *number = value;
    return 1;
}

/* How many letters the names have in common from their first letter on. */
static size_t common(const char *name, const char *argument)
{
    size_t length = 0;
    while (name[length] && name[length] == tolower((unsigned char)argument[length]))
        length++;
    return length;
}

/* Returns whether the names have the same letters, perhaps in another order. */
static bool same_letters(const char *name, const char *argument)
{
    int counts[UCHAR_MAX + 1] = {0};
    for (; *name && *argument; name++, argument++) {
        counts[(unsigned char)*name]++;
        counts[(unsigned char)*argument]--;
    }
    for (int i = 0; i <= UCHAR_MAX; i++) {
        if (counts[i] != 0)
            return false;
    }
    return !*name && !*argument;
}

/* How near an option's name is to what was given. 0: so far that the option is not meant. */
static size_t nearness(const char *name, const char *argument)
{
    name += strspn(name, "-");
    argument += strspn(argument, "-");
    const size_t same = common(name, argument);
    const bool letter = name[1] == '\0';
    return same_letters(name, argument) ? SIZE_MAX : same > 1 || letter ? same : 0;
}

/* Returns kport's or MPI's name of an operation that has the most first letters of this text, at
 * least three, or NULL. */
static const char *nearest_operation(const char *text)
{
    const char *nearest = NULL;
    size_t most = 2;
    text += strncmp(text, "MPI_", 4) == 0 ? 4 : 0;
    for (int i = 0; i < KP_OPERATIONS; i++) {
        const struct kp_operation_row *row = kp_operation_row((kp_operation)i);
        const char *const names[] = {row->name, row->alias};
        for (int j = 0; j < 2; j++) {
            if (common(names[j], text) > most) {
                most = common(names[j], text);
                nearest = names[j];
            }
        }
    }
    return nearest;
}

int options_operation(const char *what, const char *text, const char *more, int *operation)
{
    *operation = text ? kp_operation_find(text, strlen(text)) : -1;
    if (*operation >= 0)
        return 1;
    const char *meant = text ? nearest_operation(text) : NULL;
    if (text)
        fprintf(stderr, "kport: %s is \"%.60s\"; %s%s%sit may be", what, text, meant ? "is " : "",
                meant ? meant : "", meant ? " meant? " : "");
    else
        fprintf(stderr, "kport: %s is not given; it may be", what);
    for (int i = 0; i < KP_OPERATIONS; i++) {
        const struct kp_operation_row *row = kp_operation_row((kp_operation)i);
        fprintf(stderr, "%s %s (%s)", i > 0 ? "," : "", row->name, row->alias);
    }
    fprintf(stderr, "%s\n", more);
    return 0;
}

static int wrong(const struct command *command, const char *argument)
{
    fprintf(stderr, "kport %s: \"%s\" is not understood; usage: kport %s %s\n", command->name,
            argument, command->name, command->usage);
    return OPTIONS_WRONG;
}

/* Returns the key of a problem string that the option has the name of, or NULL. */
static const char *key_named(const struct command *command, const char *argument)
{
    static const char *const keys[] = {"n",       "k",      "b",       "count", "alg",
                                       "root",    "type",   "op",      "pin",   "carrier",
                                       "workers", "rounds", "in_place"};
    const char *name = argument + strspn(argument, "-");
    const size_t length = strcspn(name, "=");
    if (!strstr(command->usage, "PROBLEM") && !strstr(command->usage, "OPERATION"))
        return NULL;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strlen(keys[i]) == length && strncmp(keys[i], name, length) == 0)
            return keys[i];
    }
    return NULL;
}

/* Refuses an option that the command does not have. Names the key that has its name, or the option
 * that begins most alike. */
static int unknown(const struct command *command, const struct option_row *rows,
                   const char *argument)
{
    const struct option_row *nearest = NULL;
    const char *key = key_named(command, argument);
    for (; rows->name && !key; rows++) {
        if (nearness(rows->name, argument) > (nearest ? nearness(nearest->name, argument) : 0))
            nearest = rows;
    }
    const char *word = argument + strspn(argument, "-");
    const bool carries = strcmp(word, "fibers") == 0 || strcmp(word, "threads") == 0;
    fprintf(stderr, "kport %s: \"%s\" is not understood; ", command->name, argument);
    if (carries && key_named(command, "--carrier"))
        fprintf(stderr, "what carries the processors is a key, as in index:carrier=%s; ", word);
    else if (key)
        fprintf(stderr, "%s is a key, which stands behind the operation, as in index:%s=...; ", key,
                key);
    else if (nearest)
        fprintf(stderr, "is %s meant? ", nearest->name);
    fprintf(stderr, "kport help %s tells the options\n", command->name);
    return OPTIONS_WRONG;
}

static int refuse_flags_value(const struct command *command, const struct option_row *row,
                              const char *argument)
{
    fprintf(stderr, "kport %s: \"%s\" is not understood; %s has no value\n", command->name,
            argument, row->name);
    return OPTIONS_WRONG;
}

static int refuse_no_value(const struct command *command, const struct option_row *row)
{
    fprintf(stderr, "kport %s: %s needs a value; kport help %s tells which\n", command->name,
            row->name, command->name);
    return OPTIONS_WRONG;
}

/* Finds the row of an option. A name of one letter may have one dash or two, as in -n or --n. */
static const struct option_row *find(const struct option_row *rows, const char *argument,
                                     const char **value)
{
    const size_t dashes = strncmp(argument, "--", 2) == 0 ? 2 : 1;
    for (; rows->name; rows++) {
        const size_t own = strspn(rows->name, "-"), length = strlen(rows->name) - own;
        const char *end = argument + dashes + length;
        if ((own != dashes && length > 1) ||
            strncmp(argument + dashes, rows->name + own, length) != 0)
            continue;
        *value = *end == '=' ? end + 1 : NULL;
        if (*end == '\0' || *value)
            return rows;
    }
    return NULL;
}

int options_read(const struct command *command, const struct option_row *rows, int count,
                 char **arguments, const char **others, int most)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const char *argument = arguments[i], *value = NULL;
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)
            return command_help(command) == EXIT_DONE ? OPTIONS_HELP : OPTIONS_WRONG;
        if (argument[0] != '-' || argument[1] == '\0') {
            if (kept == most)
                return wrong(command, argument);
            others[kept++] = argument;
            continue;
        }
        const struct option_row *row = find(rows, argument, &value);
        if (!row)
            return unknown(command, rows, argument);
        if (row->kind == OPTION_FLAG && value)
            return refuse_flags_value(command, row, argument);
        if (row->kind == OPTION_FLAG) {
            *(int *)row->target = 1;
            continue;
        }
        if (row->kind == OPTION_PERHAPS) {
            *(const char **)row->target = value ? value : "";
            continue;
        }
        if (!value && i + 1 < count)
            value = arguments[++i];
        if (!value)
            return refuse_no_value(command, row);
        if (row->kind == OPTION_TEXT) {
            *(const char **)row->target = value;
            continue;
        }
        if (!options_number(row->name, value, row->low, row->high, row->target))
            return OPTIONS_WRONG;
    }
    return kept;
}

int options_status(int result)
{
    return result == OPTIONS_HELP ? EXIT_DONE : EXIT_IMPOSSIBLE;
}
