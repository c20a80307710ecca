/* The CPUs that the option --bind gives. */
#ifndef KPORT_TOOLS_BIND_H
#define KPORT_TOOLS_BIND_H

#include <jansson.h>
#include <stdio.h>

/* Prints a line about the CPUs, which begins with `before`. Prints nothing without --bind. */
void bind_print(const char *before, FILE *out);

/* Returns the value of the key "bind", which is null without --bind. */
json_t *bind_json(void);

#endif
