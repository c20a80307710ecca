/* Checks one schedule, or the schedules of all algorithms. */
#ifndef KPORT_TOOLS_CHECK_ALL_H
#define KPORT_TOOLS_CHECK_ALL_H

#include "kport.h"

/* Checks one schedule; also against an architecture if `topology` is not NULL. Returns an exit
 * status, other than 0 after a sentence on stderr. */
int check_one(const kp_problem *problem, const kp_topology *topology);

/* Checks all schedules for n up to `max_n`, on `jobs` threads; 0 jobs: one thread per core. Returns
 * an exit status. */
int check_all(int max_n, int jobs);

#endif
