/* Watches for Ctrl-C (SIGINT) and SIGTERM. A command that uses these functions stops its work at
 * the first signal, but still prints the results that it has. */
#ifndef KPORT_TOOLS_INTERRUPT_H
#define KPORT_TOOLS_INTERRUPT_H

#include <stdbool.h>

/* Starts to watch for SIGINT and SIGTERM. The first signal is only recorded (interrupt_came). A
 * second signal ends the program at once if it arrives more than a quarter of a second after the
 * first. If one of the two signals was ignored when the program started, this signal stays
 * ignored. */
void interrupt_watch(void);

/* Records a signal that the command itself has received, for instance by sigwait. */
void interrupt_note(int number);

/* `interrupt_pending` returns the number of the recorded signal, or 0. `interrupt_hold` says that
 * several processes carry out the command, each of which gets signals of its own. From then on, the
 * two functions below know the signal that the processes have agreed on last (interrupt_agree; 0:
 * none), because all processes must stop at the same place. */
int interrupt_pending(void);
void interrupt_hold(void);
void interrupt_agree(int number);

/* Returns whether a signal has been recorded. A loop of measurements calls this function between
 * two measurements. */
bool interrupt_came(void);

/* Returns the exit status of a command: 128 + the signal's number if `status` is 0 and a signal has
 * been recorded, otherwise `status`. */
int interrupt_status(int status);

#endif
