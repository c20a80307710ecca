/* Makes `kport soak` go wrong on purpose, so that a test can see whether the command notices it.
 * The environment variable KPORT_SOAK_PLANT says what goes wrong: a changed byte, a call that is
 * left out, a processor that waits for ever, an error about another processor, or a leak. */
#ifndef KPORT_TOOLS_SOAK_PLANT_H
#define KPORT_TOOLS_SOAK_PLANT_H

#include <stdbool.h>

/* `soak_plant_read` reads the variable. If the variable has an unknown value, the function prints
 * an error message and returns false. `soak_plant_after_machine` makes the leak, if the variable
 * names one. */
bool soak_plant_read(void);

void soak_plant_after_machine(void);

#endif
