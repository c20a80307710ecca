/* The barrier as a problem string, "barrier:n=4". A barrier moves no data and has no schedule, so
 * it is no kp_operation. `kport run` and `kport bench` share this file. */
#ifndef KPORT_TOOLS_BARRIER_H
#define KPORT_TOOLS_BARRIER_H

#include "kport.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether a problem string begins with "barrier". */
bool barrier_is_meant(const char *text);

/* Reads n, and k (default n - 1), into `problem`; sets its other fields to 0. Returns an exit
 * status, other than 0 after a message on stderr. */
int barrier_read(const char *text, kp_problem *problem);

/* Writes the problem string, with k only if k is not n - 1. */
void barrier_format(const kp_problem *problem, char *text, size_t size);

/* The counter that all processors of a run share; 0 at the beginning of the run. */
struct barrier_count {
    atomic_uint_least64_t come; /* the number of arrivals, summed over all barriers */
};

/* One processor's work in the verification of `calls` successive barriers: no processor may leave a
 * barrier before all have arrived. `*passed` is the number of barriers that this processor has
 * verified before; `calls` is added to it. `barrier` is kp_barrier or a test's function. Returns 0
 * or a status. */
int barrier_verify(struct barrier_count *count, kp_group *world, int (*barrier)(kp_group *),
                   uint64_t calls, uint64_t *passed);

#endif
