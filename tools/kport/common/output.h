/* Standard output, written all at once. A command's output is held in memory until the command has
 * succeeded. */
#ifndef KPORT_TOOLS_OUTPUT_H
#define KPORT_TOOLS_OUTPUT_H

#include <jansson.h>
#include <stdio.h>

/* Opens a stream into memory. Returns NULL after a message on stderr if there is no memory. Only
 * one such stream may be open at a time. */
FILE *output_begin(void);

/* Writes the stream's contents to stdout if `status` is 0, otherwise drops them. Returns `status`,
 * or 1 if stdout cannot be written. */
int output_end(FILE *out, int status);

/* Does the same with a file, a pipe or a device at `path`; "-" is stdout. A file is replaced as a
 * whole or stays unchanged. */
int output_end_in(FILE *out, int status, const char *path);

/* Writes a JSON value and a newline. Takes over the caller's reference to the value. */
void output_json(FILE *out, json_t *value);

#endif
