/* Writes a command's output in one step. The output is collected in memory, and is written when the
 * command has succeeded. So a command that fails prints no partial output. */
#ifndef KPORT_TOOLS_OUTPUT_H
#define KPORT_TOOLS_OUTPUT_H

#include <jansson.h>
#include <stdio.h>

/* Opens a stream that writes to memory. If there is no memory, prints an error message on stderr
 * and returns NULL. Only one such stream may be open at a time. */
FILE *output_begin(void);

/* Closes the stream. If `status` is 0, writes the stream's contents to stdout; otherwise drops the
 * contents. Returns `status`, or EXIT_IMPOSSIBLE if stdout cannot be written or there was no
 * memory. */
int output_end(FILE *out, int status);

/* Does the same as output_end, but writes to the file, pipe or device at `path`. If `path` is "-",
 * the output goes to stdout. A file is either replaced completely or left unchanged. */
int output_end_in(FILE *out, int status, const char *path);

/* Writes a JSON object and a newline to `out`. Its first key is "schema": the name and version of
 * the object's schema, of which doc/manual/reference/output.schema.json has one for each name. Then
 * drops one reference to `object` (json_decref). The object is NULL if there was no memory for it;
 * then output_end says so. */
#define OUTPUT_VERSION " 1"
void output_json(FILE *out, const char *name, json_t *object);

#endif
