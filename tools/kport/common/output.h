/* Standard output, all at once: what a command prints is held back until it has succeeded. */
#ifndef KPORT_TOOLS_OUTPUT_H
#define KPORT_TOOLS_OUTPUT_H

#include <jansson.h>
#include <stdio.h>

/* A stream that is kept in memory; NULL, with a message on stderr, if there is no memory. One at a
 * time. */
FILE *output_begin(void);

/* With status 0 writes it to stdout, otherwise drops it. The status, or 1 if it could not be
 * written. */
int output_end(FILE *out, int status);

/* The same to a file, which is written as a whole or left as it was, or to a pipe or device; "-" is
 * stdout. */
int output_end_in(FILE *out, int status, const char *path);

/* Writes a JSON value and a line end, takes the reference. */
void output_json(FILE *out, json_t *value);

#endif
