/* Files that a command writes. */
#ifndef KPORT_TOOLS_OUTPUT_FILE_H
#define KPORT_TOOLS_OUTPUT_FILE_H

#include <stddef.h>

/* The file holds the text afterwards; or it is as it was before, the reason stands on stderr, and 1
 * is returned instead of 0. */
int output_file(const char *path, const char *text, size_t length);

#endif
