/* What the library chooses on this machine, as the programs that time and draw have to know it. */
#ifndef KPORT_TOOLS_CHOICE_H
#define KPORT_TOOLS_CHOICE_H

#include "kport.h"

/* Puts into the problem what kp_predict chooses of what it leaves open, by the profile that
 * KPORT_TUNE or the cache gives. The first call looks for one and says on stderr if it is refused;
 * all calls are one thread's. An exit status; other than 0 after a message. */
int choice_make(const kp_config *machine, kp_problem *problem);

/* The same of a problem string, written over. */
int choice_write(const kp_config *machine, char *text, size_t size);

#endif
