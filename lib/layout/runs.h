/* These functions make the runs of layouts. */
#ifndef KPORT_LIB_LAYOUT_RUNS_H
#define KPORT_LIB_LAYOUT_RUNS_H

#include "lib/layout/layout.h"
#include "lib/schedule/vector.h"

/* The most runs of a layout. */
#define KP_MOST_RUNS ((size_t)1 << 22)

/* Adds `count` repetitions of a list of runs, `step` bytes apart, the first one shifted by
 * `offset`. Runs that go on at equal distances are joined. Returns 0, or a status with an error: if
 * there is no memory, or there are too many runs. */
int kp_runs_repeat(struct kp_vector *to, const struct kp_run *runs, size_t runs_count, size_t count,
                   ptrdiff_t step, ptrdiff_t offset);

/* Replaces a run by `count` repetitions, `step` bytes apart, if these are one run. Otherwise
 * returns false, and the run is unchanged. */
bool kp_run_repeat(struct kp_run *run, size_t count, ptrdiff_t step);

#endif
