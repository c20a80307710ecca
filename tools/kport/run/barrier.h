/* Reads and writes the problem string of a barrier, such as "barrier:n=4", and verifies barriers. A
 * barrier moves no data and has no schedule, so it is no kp_operation. `kport run` and `kport
 * bench` use these functions. */
#ifndef KPORT_TOOLS_BARRIER_H
#define KPORT_TOOLS_BARRIER_H

#include "kport.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether a problem string names the barrier. */
bool barrier_is_meant(const char *text);

/* Reads n and k from the problem string into `problem`, and sets all other fields to 0. If the
 * string has no k, k is n - 1. Returns an exit status; if it is not 0, an error message is on
 * stderr. */
int barrier_read(const char *text, kp_problem *problem);

/* Writes the problem string of a barrier. k is left out of the string if it is n - 1. */
void barrier_format(const kp_problem *problem, char *text, size_t size);

/* A counter that all processors of a run share. The counter is 0 at the beginning of the run. */
struct barrier_count {
    atomic_uint_least64_t come; /* the number of arrivals at barriers, summed over all processors */
    bool spread; /* the processors are in several processes, so they share no counter. They compare
                    times instead, as the clock of their common computer tells them */
};

/* Makes and verifies `calls` successive barriers. Every processor must call this function. The
 * function fails if this processor leaves a barrier before all processors have arrived there.
 * `barrier` is kp_barrier, or a function that a test provides. `*passed` counts this processor's
 * barriers: the caller sets it to 0 at the beginning of the run, and this function adds 1 for each
 * barrier. Returns 0 or the status of an error. */
int barrier_verify(struct barrier_count *count, kp_group *world, int (*barrier)(kp_group *),
                   uint64_t calls, uint64_t *passed);

#endif
