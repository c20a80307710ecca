/* Writes the files that a command produces. Each function returns 0. If the file cannot be written,
 * the function prints the reason on stderr and returns 1. */
#ifndef KPORT_TOOLS_OUTPUT_FILE_H
#define KPORT_TOOLS_OUTPUT_FILE_H

#include <stddef.h>

/* Tests whether a file can be written at `path`. A command calls this function before it starts its
 * work. */
int output_file_check(const char *path);

/* Replaces the regular file at `path` by the text, or creates the file. After an error the old file
 * is unchanged. If `path` names a pipe, a device or a folder, the function fails. */
int output_file(const char *path, const char *text, size_t length);

/* Does the same as output_file, but also accepts an existing pipe or device and writes into it. */
int output_file_or_pipe(const char *path, const char *text, size_t length);

#endif
