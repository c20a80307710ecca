/* Ctrl-C (SIGINT) and SIGTERM, for commands that keep what they have done until then. */
#ifndef KPORT_TOOLS_INTERRUPT_H
#define KPORT_TOOLS_INTERRUPT_H

#include <stdbool.h>

/* From now on the first of them is only noted; another one, a quarter of a second later or more,
 * ends the program at once. What was ignored when the program began stays ignored. */
void interrupt_watch(void);

/* Notes a signal that was waited for in another way. */
void interrupt_note(int number);

/* Whether one has come: loops that measure look at it between two measurements. */
bool interrupt_came(void);

/* What a command ends with that would else end with `status`: 128 and the number of the signal, if
 * one has come and nothing else is wrong. */
int interrupt_status(int status);

#endif
