/* The program's file: where it is, and what it needs before it can be loaded. */
#ifndef KPORT_KPORTRUN_PROGRAM_H
#define KPORT_KPORTRUN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* Finds a program as a shell does: a name without a slash is looked for in PATH, and then in the
 * current folder. Opens it and stores its path, which the caller frees. Returns the file, or prints
 * an error message, stores the exit status and returns -1. */
int program_open(const char *name, char **path, int *status);

/* The runtime of ThreadSanitizer or AddressSanitizer must be loaded before anything else. If the
 * program is linked with one that is not in this process, starts kportrun again with it
 * preloaded. */
void program_preload(int file, char **arguments);

#endif
