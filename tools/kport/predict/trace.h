/* Writes a schedule in the formats of two simulators. */
#ifndef KPORT_TOOLS_TRACE_H
#define KPORT_TOOLS_TRACE_H

#include "kport.h"

#include <stdio.h>

/* Writes the schedule as a time-independent trace of SimGrid, for blocks of b bytes. The trace is
 * one text for all ranks. In a round a rank waits `startup_us`, begins its receives, waits
 * `overhead_us` if it sends, begins its sends, waits for its receives, waits `overhead_us` if it
 * receives, and waits for its sends. */
void trace_write(const kp_schedule *schedule, size_t b, double startup_us, double overhead_us,
                 FILE *out);

/* The same as a format of `kport export`, without the waiting. Returns an exit status. */
int write_simgrid(const kp_schedule *schedule, FILE *out);

/* Writes the schedule as a GOAL text for LogGOPSim (Hoefler, Schneider and Lumsdaine 2010). Port i
 * is the network interface i; the ports share one processing element. LogGOPSim keeps the number of
 * an interface in a byte, so more than 256 ports are refused. Returns an exit status; if it is not
 * 0, an error message is on stderr. */
int write_goal(const kp_schedule *schedule, FILE *out);

#endif
