/* Predicts the time of a schedule whose messages go over a network's library: each message costs
 * the processors at both ends some work, and processors that share a core do their work in turns.
 */
#ifndef KPORT_LIB_COST_WORK_H
#define KPORT_LIB_COST_WORK_H

#include "kport/schedule.h"

/* Predicts the time of a problem whose algorithm and parameters are given, in microseconds. Stores
 * in `rounds_us` the part of the rounds and messages; the rest is that of the bytes. `crowd`
 * processors share a core. `c1` is the C1 that the algorithm states. If the schedule is not counted
 * because its C1 alone takes `most_us` or longer, returns the time of its C1. A negative `most_us`
 * is no limit. Returns a negative number, with an error set, if the schedule cannot be built. */
double kp_work_predict(const kp_problem *problem, double crowd, uint64_t c1, double most_us,
                       double *rounds_us);

#endif
