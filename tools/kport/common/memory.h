/* Computes how much memory a problem needs, and whether that memory is free. */
#ifndef KPORT_TOOLS_MEMORY_H
#define KPORT_TOOLS_MEMORY_H

#include "kport.h"

/* Returns the bytes of the buffers of all processors and of the table of a reduction's results. If
 * `scratch` is not 0, the function also builds the schedule and adds the memory that the schedule
 * needs beside these buffers. */
double memory_wanted(const kp_problem *problem, int scratch);

/* Returns 1 if the free memory is at least `times` times the memory that the problem needs.
 * Otherwise prints an error message and returns 0. */
int memory_fits(const kp_problem *problem, double times);

#endif
