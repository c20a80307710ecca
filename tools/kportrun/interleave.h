/* One program in many orders: each seed runs in a child process, and outcomes are compared. */
#ifndef KPORT_KPORTRUN_INTERLEAVE_H
#define KPORT_KPORTRUN_INTERLEAVE_H

#include "options.h"

/* Runs the program, whose copies have been loaded, once for each seed of --interleave. `run_job`
 * runs it with options->seed and returns its exit status. Returns kportrun's exit status: that of
 * the first run that failed, or 1 if outcomes differ, or 0. */
int interleave(struct options *options, int (*run_job)(void));

#endif
