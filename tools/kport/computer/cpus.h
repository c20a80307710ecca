/* What --bind says, as lists of CPUs. */
#ifndef KPORT_TOOLS_CPUS_H
#define KPORT_TOOLS_CPUS_H

#include <stdbool.h>

/* Stores a new text for kp_config's `cpus`. Otherwise prints an error message that begins with
 * `who`, and returns false. */
bool computer_cpus(const char *who, const char *bind, char **cpus);

#endif
