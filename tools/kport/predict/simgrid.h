/* Runs SimGrid: the replay of a schedule as a time-independent trace, by smpirun. */
#ifndef KPORT_TOOLS_SIMGRID_H
#define KPORT_TOOLS_SIMGRID_H

#include "tools/kport/predict/network.h"

/* Returns whether smpirun is in PATH. */
bool simgrid_is_there(void);

/* Makes a temporary folder with the platform of the network, which is complete and has one. Returns
 * an exit status; if it is not 0, an error message is on stderr. The caller calls `simgrid_end` in
 * any case. */
int simgrid_begin(const struct network *network);
void simgrid_end(void);

/* Stores the simulated time of the schedule, in microseconds, for blocks of b bytes. Returns an
 * exit status; if it is not 0, an error message is on stderr, with what SimGrid said. After Ctrl-C
 * returns EXIT_FAILED without a message. */
int simgrid_time(const kp_schedule *schedule, size_t b, const struct network *network, double *us);

#endif
