/* Checking one schedule, or all there are. */
#ifndef KPORT_TOOLS_CHECK_ALL_H
#define KPORT_TOOLS_CHECK_ALL_H

#include "kport.h"

/* On an architecture, if `topology` is not NULL. An exit status; other than 0 after a sentence on
 * stderr. */
int check_one(const kp_problem *problem, const kp_topology *topology);

/* Everything for n up to max_n, on so many threads; 0: as many as there are cores. */
int check_all(int max_n, int jobs);

#endif
