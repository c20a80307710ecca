/* Reads the attributes of an XML element. An element has a table with a row for each attribute that
 * is read; other attributes are passed over. */
#ifndef KPORT_TOOLS_MSCCL_ATTRIBUTES_H
#define KPORT_TOOLS_MSCCL_ATTRIBUTES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A row has either a number or a text. */
struct msccl_attribute {
    const char *name;
    int64_t *number;
    const char **text;
    int64_t low, high; /* the smallest and the largest number */
    /* false: the attribute may be missing. Then the number or the text stays as it was. */
    bool needed;
};

/* Reads the attributes of the element `name` into the rows, of which the last has no name. `given`
 * has names and values in turn, and ends with NULL. Returns false after an error, and writes a
 * sentence to `error`. */
bool msccl_attributes(const char *name, const char **given, const struct msccl_attribute *rows,
                      char *error, size_t size);

#endif
