/* Computes how much memory a problem needs, and finds out whether so much memory is free. */
#ifndef KPORT_TOOLS_MEMORY_H
#define KPORT_TOOLS_MEMORY_H

#include "kport.h"

/* Returns the total bytes of the buffers of all processors and, for a reduction, of the table of
 * results (reference.h). If `scratch` is not 0, the function also builds the schedule and adds the
 * bytes of the scratch memory that the schedule needs. */
double memory_wanted(const kp_problem *problem, int scratch);

/* Returns 1 if the free memory is at least `times` times as large as the memory that the problem
 * needs. Otherwise prints an error message and returns 0. */
int memory_fits(const kp_problem *problem, double times);

#endif
