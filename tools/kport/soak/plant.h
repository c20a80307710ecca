/* Shortfalls planted on purpose, so that a test can see the soak find them: the environment
 * variable KPORT_SOAK_PLANT names one. */
#ifndef KPORT_TOOLS_SOAK_PLANT_H
#define KPORT_TOOLS_SOAK_PLANT_H

#include <stdbool.h>

/* False after a message if the variable names none. */
bool soak_plant_read(void);

void soak_plant_after_machine(void);

#endif
