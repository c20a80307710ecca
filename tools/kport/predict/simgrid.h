/* Runs SimGrid: the replay of a schedule as a time-independent trace, by smpirun. */
#ifndef KPORT_TOOLS_SIMGRID_H
#define KPORT_TOOLS_SIMGRID_H

#include "tools/kport/predict/network.h"

/* Returns whether smpirun is in PATH. */
bool simgrid_is_there(void);

/* A rule of loggp.h that SimGrid's time does not follow: a word for programs, and a sentence. */
struct simgrid_limit {
    const char *word, *sentence;
};

/* The limits of a simulation are a set of bits; bit i stands for the i-th limit. */
#define SIMGRID_LIMITS 5
extern const struct simgrid_limit simgrid_limit_of[SIMGRID_LIMITS];

/* Returns the limits that matter for this schedule, with blocks of b bytes, on this network. */
unsigned simgrid_limits(const kp_schedule *schedule, size_t b, const struct network *network);

/* Returns whether a simulation with these limits has a time. */
bool simgrid_has_time(unsigned limits);

/* Makes a temporary folder with the platform of the network, which is complete and has one. Of a
 * user's platform it finds out whether SimGrid reads it and it has hosts enough. Returns an exit
 * status; if it is not 0, an error message is on stderr. The caller calls `simgrid_end` in any
 * case. */
int simgrid_begin(const struct network *network);
void simgrid_end(void);

/* Stores the simulated time of the schedule, in microseconds, for blocks of b bytes. Returns an
 * exit status; if it is not 0, an error message is on stderr, with what SimGrid said. After Ctrl-C
 * returns EXIT_FAILED without a message. */
int simgrid_time(const kp_schedule *schedule, size_t b, const struct network *network, double *us);

#endif
