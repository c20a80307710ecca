/* Notes Ctrl-C (SIGINT) and SIGTERM for commands that keep their results when a signal stops
 * them. */
#ifndef KPORT_TOOLS_INTERRUPT_H
#define KPORT_TOOLS_INTERRUPT_H

#include <stdbool.h>

/* Starts to watch. The first signal is only noted. A second signal, at least a quarter of a second
 * after the first, ends the program at once. A signal that the program ignored at its start stays
 * ignored. */
void interrupt_watch(void);

/* Notes a signal that the command has received by other means, such as sigwait. */
void interrupt_note(int number);

/* Returns whether a signal has been noted. Loops that measure ask this between two measurements. */
bool interrupt_came(void);

/* Returns the exit status of a command: 128 + the signal's number if `status` is 0 and a signal has
 * been noted, otherwise `status`. */
int interrupt_status(int status);

#endif
