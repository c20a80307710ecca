/* Standard output and standard error of the ranks. What a rank writes comes out when its line is
 * complete, so that lines of several ranks never mix. */
#ifndef KPORT_KPORTRUN_LINES_H
#define KPORT_KPORTRUN_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* Takes over `stdout` and `stderr` of libc. `rank` returns the rank of the calling thread or fiber,
 * or -1. With `prefix` every line of a rank begins with its number. Returns false if there is no
 * memory. */
bool lines_begin(int ranks, bool prefix, int (*rank)(void));

/* Makes `put` take all complete lines instead of the two standard files. Called before the ranks
 * write. */
void lines_redirect(void (*put)(int rank, bool is_error, const char *data, size_t bytes));

/* Brings out the unfinished lines of one rank, or of all. lines_end waits only briefly for a thread
 * that is writing, because this thread may be the one that has been interrupted. */
void lines_finish(int rank);
void lines_end(void);

#endif
