/* Verifies barriers. A barrier moves no data, so there is nothing to compare. */
#ifndef KPORT_TOOLS_BARRIER_H
#define KPORT_TOOLS_BARRIER_H

#include "kport.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A counter that all processors of a run share. The counter is 0 at the beginning of the run. */
struct barrier_count {
    atomic_uint_least64_t come; /* the number of arrivals at barriers, summed over all processors */
    bool spread; /* the processors are in several processes, so they share no counter. They compare
                    times instead, as the clock of their common computer tells them */
};

/* Makes and verifies `calls` successive barriers. Every processor must call this function. The
 * function fails if this processor leaves a barrier before all processors have arrived there.
 * `barrier` makes one; `hints` is its second argument. `*passed` counts this processor's barriers:
 * the caller sets it to 0 at the beginning of the run, and this function adds 1 for each barrier.
 * Returns 0 or the status of an error. */
typedef int barrier_call(kp_group *world, const kp_hints *hints);
int barrier_verify(struct barrier_count *count, kp_group *world, barrier_call *barrier,
                   const kp_hints *hints, uint64_t calls, uint64_t *passed);

#endif
