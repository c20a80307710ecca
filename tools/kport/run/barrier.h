/* The barrier as a problem, "barrier:n=4": it moves nothing, has no schedule, and so is none of the
 * library's operations. Shared by `kport run` and `kport bench`. */
#ifndef KPORT_TOOLS_BARRIER_H
#define KPORT_TOOLS_BARRIER_H

#include "kport.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a problem string begins as one of a barrier does. */
bool barrier_is_meant(const char *text);

/* Reads n, and k if it is there (n - 1 if not), into `problem`, whose other fields are 0. An exit
 * status; other than 0 after a message on stderr. */
int barrier_read(const char *text, kp_problem *problem);

/* Writes the string, with k where that is not n - 1. */
void barrier_format(const kp_problem *problem, char *text, size_t size);

/* What all processors of a run count together, all 0 at its beginning. */
struct barrier_count {
    atomic_uint_least64_t come; /* processors, to any of the barriers */
};

/* The part of one processor in verifying so many barriers in a row: nobody may leave one before all
 * have come to it. `passed` is how many it has verified before; they are added to it. `barrier` is
 * kp_barrier, or a test's. 0 or a status. */
int barrier_verify(struct barrier_count *count, kp_group *world, int (*barrier)(kp_group *),
                   uint64_t calls, uint64_t *passed);

#endif
