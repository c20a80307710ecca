/* Files that a command writes. Each function returns 0, or 1 after a message on stderr that says
 * why the file cannot be written. */
#ifndef KPORT_TOOLS_OUTPUT_FILE_H
#define KPORT_TOOLS_OUTPUT_FILE_H

#include <stddef.h>

/* Tests that a file can be written at `path`. Commands call this before they start to work. */
int output_file_check(const char *path);

/* Replaces the regular file at `path` by the text. On an error the old file is unchanged. A path
 * that is no regular file is refused. */
int output_file(const char *path, const char *text, size_t length);

/* Does the same, but writes into an existing pipe or device instead of refusing it. */
int output_file_or_pipe(const char *path, const char *text, size_t length);

#endif
