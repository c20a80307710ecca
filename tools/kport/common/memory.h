/* Tells whether a problem's buffers fit in memory. */
#ifndef KPORT_TOOLS_MEMORY_H
#define KPORT_TOOLS_MEMORY_H

#include "kport.h"

/* Returns the bytes of the buffers of all processors and of a reduction's table of results. With
 * `scratch`, builds the schedule and adds the bytes of its scratch. */
double memory_wanted(const kp_problem *problem, int scratch);

/* Returns 1 if `times` times the wanted memory is free, otherwise 0 after a message. */
int memory_fits(const kp_problem *problem, double times);

#endif
