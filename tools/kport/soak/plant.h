/* Plants a shortfall on purpose, so that a test can see that the soak finds it. The environment
 * variable KPORT_SOAK_PLANT names the shortfall. */
#ifndef KPORT_TOOLS_SOAK_PLANT_H
#define KPORT_TOOLS_SOAK_PLANT_H

#include <stdbool.h>

/* Reads the variable. Returns false after a message if the name is unknown. */
bool soak_plant_read(void);

void soak_plant_after_machine(void);

#endif
