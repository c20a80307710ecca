/* Whether a problem's buffers fit in memory. */
#ifndef KPORT_TOOLS_MEMORY_H
#define KPORT_TOOLS_MEMORY_H

#include "kport.h"

/* Bytes of the buffers of all processors; with `scratch` also of what the schedule asks for, which
 * is built for that. */
double memory_wanted(const kp_problem *problem, int scratch);

/* Whether `times` as much is free; if not, 0 after a message. */
int memory_fits(const kp_problem *problem, double times);

#endif
