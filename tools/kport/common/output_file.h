/* Writes the files that a command produces. Each function returns 0, or, if the file cannot be
 * written, prints the reason on stderr and returns EXIT_IMPOSSIBLE (command.h). */
#ifndef KPORT_TOOLS_OUTPUT_FILE_H
#define KPORT_TOOLS_OUTPUT_FILE_H

#include <stddef.h>

/* Tests whether a file can be written at `path`. A command calls this function before it starts its
 * work. */
int output_file_check(const char *path);

/* Refuses a path at which a regular file is that is not empty. For what people edit: a second call
 * of the command must not undo their work. */
int output_file_is_free(const char *path);

/* Replaces the contents of the regular file at `path` by the text, or creates the file. After an
 * error an existing file is unchanged. If `path` names a pipe, a device or a folder, the function
 * fails. */
int output_file(const char *path, const char *text, size_t length);

/* Does the same as output_file, but if `path` names an existing pipe or device, writes the text
 * into it. */
int output_file_or_pipe(const char *path, const char *text, size_t length);

#endif
