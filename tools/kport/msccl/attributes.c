#include "tools/kport/msccl/attributes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Reads decimal digits, with a minus sign or without one. */
static bool number(const char *text, int64_t *value)
{
    char *end;
    if (text[0] != '-' && (text[0] < '0' || text[0] > '9'))
        return false;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0;
}

static const char *find(const char **given, const char *name)
{
    for (; *given; given += 2) {
        if (strcmp(given[0], name) == 0)
            return given[1];
    }
    return NULL;
}

bool msccl_attributes(const char *name, const char **given, const struct msccl_attribute *rows,
                      char *error, size_t size)
{
    for (; rows->name; rows++) {
        const char *value = find(given, rows->name);
        if (!value && rows->needed) {
            snprintf(error, size, "<%s> lacks the attribute %s", name, rows->name);
            return false;
        }
        if (!value)
            continue;
        if (rows->text)
            *rows->text = value;
        else if (!number(value, rows->number) || *rows->number < rows->low ||
                 *rows->number > rows->high) {
            snprintf(error, size, "<%s> has %s=\"%.40s\"; it may be %" PRId64 " ... %" PRId64, name,
                     rows->name, value, rows->low, rows->high);
            return false;
        }
    }
    return true;
}
