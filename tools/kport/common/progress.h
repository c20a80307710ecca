/* Tells on standard error how far a command is: on a terminal as a bar, which the next one
 * replaces, elsewhere as a line after 2 seconds and then every 10 seconds. Commands that end sooner
 * say nothing elsewhere. With --quiet, or if the environment has KPORT_QUIET, nobody is told. Over
 * MPI one process tells.
 *
 * Any thread may call these functions. */
#ifndef KPORT_TOOLS_PROGRESS_H
#define KPORT_TOOLS_PROGRESS_H

#include <stdbool.h>

/* Switches progress off for this program. */
void progress_quiet(void);

/* Returns whether progress is told: it is not switched off, and this process prints. */
bool progress_is_told(void);

/* Begins to tell of a command that has `all` of something to do; `unit` is the word for them, such
 * as "rows" or "s". */
void progress_begin(const char *command, double all, const char *unit);

/* The command that has begun ends in so many seconds at the latest: it is never told that more are
 * left. */
void progress_until(double seconds);

/* Tells that `done` of them are done. `what` is what is done now; NULL: nothing is said of it. */
void progress_at(double done, const char *what);

/* Takes the bar away, so that something else can be written. The next progress_at draws it anew. */
void progress_wipe(void);

/* Takes the bar away for good. */
void progress_end(void);

#endif
