/* Checks the schedule of one problem, or the schedules of all algorithms. */
#ifndef KPORT_TOOLS_CHECK_ALL_H
#define KPORT_TOOLS_CHECK_ALL_H

#include "kport.h"

/* Checks the schedule of one problem. If `topology` is not NULL, also checks that this architecture
 * permits the schedule. Returns an exit status; if it is not 0, an error message is on stderr. */
int check_one(const kp_problem *problem, const kp_topology *topology);

/* Checks the schedules of all algorithms for every n up to `max_n`. `jobs` threads share the work;
 * if `jobs` is 0, there is one thread for each core. Returns an exit status. */
int check_all(int max_n, int jobs);

#endif
