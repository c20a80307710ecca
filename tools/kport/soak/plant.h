/* Makes something go wrong in `kport soak` on purpose, so that a test can see whether the command
 * detects it. The environment variable KPORT_SOAK_PLANT says what goes wrong: a changed byte, a
 * call that is left out, a processor that waits for ever, an error that names the wrong processor,
 * or a leak. */
#ifndef KPORT_TOOLS_SOAK_PLANT_H
#define KPORT_TOOLS_SOAK_PLANT_H

#include <stdbool.h>

/* `soak_plant_read` reads KPORT_SOAK_PLANT. If its value is unknown, the function prints an error
 * message and returns false. `soak_plant_after_machine` makes a leak, if KPORT_SOAK_PLANT asks for
 * one. It is called after the trials of each machine. */
bool soak_plant_read(void);

void soak_plant_after_machine(void);

#endif
