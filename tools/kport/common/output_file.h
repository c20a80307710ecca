/* Files that a command writes. Each says on stderr why a file could not be written, and returns 1
 * then; else 0. */
#ifndef KPORT_TOOLS_OUTPUT_FILE_H
#define KPORT_TOOLS_OUTPUT_FILE_H

#include <stddef.h>

/* Whether a file can be written there, tried before anything is done for it. */
int output_file_check(const char *path);

/* The file holds the text afterwards, or it is as it was before. A regular file is replaced;
 * anything else is refused. */
int output_file(const char *path, const char *text, size_t length);

/* The same, but a pipe or a device is written to: nothing of it is replaced. */
int output_file_or_pipe(const char *path, const char *text, size_t length);

#endif
