/* A signal that ends the process says which rank it has struck. */
#ifndef KPORT_KPORTRUN_CRASH_H
#define KPORT_KPORTRUN_CRASH_H

#include <stddef.h>

/* Takes the signals of a crash, except those that somebody else takes, as the sanitizers do. `rank`
 * returns the rank of the calling thread or fiber, or -1. The ranks' stacks have `stack_bytes`
 * bytes. `last_call` writes which call the calling rank has made last, or nothing. Returns 0, or -1
 * if there is no memory. */
int crash_begin(int ranks, size_t stack_bytes, int (*rank)(void),
                void (*last_call)(char *text, size_t size));

/* Called by each rank at its beginning, on its own stack. Gives its thread a stack for signals. */
void crash_rank(int rank);

#endif
