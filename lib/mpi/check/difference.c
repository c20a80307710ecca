/* Which arguments of two calls differ, in a sentence that shows both. */
#include "lib/mpi/check/sentence.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A call in the sentence: its function, and where its values begin, "count=1, root=0)". */
struct shown {
    const char *name, *values;
    size_t length; /* of the name */
};

/* Finds the next call from `at` on that is shown with values. */
static bool find_call(const char *at, struct shown *call)
{
    static const char called[] = " called ";
    while ((at = strstr(at, called))) {
        at += strlen(called);
        const size_t length = strcspn(at, " (,");
        if (at[length] == '(') {
            *call = (struct shown){at, at + length + 1, length};
            return true;
        }
    }
    return false;
}

/* Returns the end of the value, which may have brackets itself. */
static const char *end_of(const char *at)
{
    int depth = 0;
    while (*at && (depth > 0 || (*at != ',' && *at != ')'))) {
        depth += (*at == '(') - (*at == ')');
        at++;
    }
    return at;
}

/* Returns the next "key=value" after the one that ends here, or NULL. */
static const char *next_of(const char *end)
{
    return strncmp(end, ", ", 2) == 0 ? end + 2 : NULL;
}

/* Returns the value of this key in the call, or NULL. */
static const char *value_in(const struct shown *call, const char *key, size_t length)
{
    for (const char *at = call->values; at; at = next_of(end_of(at))) {
        if (strncmp(at, key, length) == 0 && at[length] == '=')
            return at + length + 1;
    }
    return NULL;
}

void kp_mpi_say_difference(char *sentence, size_t size)
{
    struct shown one, other;
    char text[300] = "";
    if (!find_call(sentence, &one) || !find_call(one.values, &other) ||
        one.length != other.length || strncmp(one.name, other.name, one.length) != 0)
        return;
    for (const char *at = one.values; at; at = next_of(end_of(at))) {
        const size_t key = strcspn(at, "=,)"), used = strlen(text);
        const char *mine = at + key + 1,
                   *theirs = at[key] == '=' ? value_in(&other, at, key) : NULL;
        const size_t length = theirs ? (size_t)(end_of(mine) - mine) : 0;
        const size_t longer = theirs ? (size_t)(end_of(theirs) - theirs) : 0;
        if (theirs && (length != longer || strncmp(mine, theirs, length) != 0))
            snprintf(text + used, sizeof text - used, "; %.*s differs: %.*s and %.*s", (int)key, at,
                     (int)length, mine, (int)longer, theirs);
    }
    const size_t used = strlen(sentence);
    snprintf(sentence + used, size - used, "%s", text);
}
