/* Carries out a problem on a machine several times and verifies every byte after every repeat. */
#ifndef KPORT_TOOLS_MEASURE_H
#define KPORT_TOOLS_MEASURE_H

#include "kport.h"

#include <stdbool.h>
#include <stdint.h>

struct measurement {
    bool verified;    /* false if KPORT_INTERNAL_NO_VERIFY is set, by which a test measures what
                         verifying costs */
    uint64_t repeats; /* the number of repeats done, fewer than wanted after an interrupt */
    uint64_t calls; /* the number of calls in each repeat, large enough for a repeat to be timed */
    double median_us, min_us;
    int workers;       /* the number of threads that carry fibers */
    const char *guard; /* what separates the stacks of fibers */
    uint64_t trace;    /* a hash of the order of execution, if a seed chose the order */
};

/* How the problem is carried out. */
struct measure_settings {
    uint64_t seed; /* the seed of the data */
    uint64_t repeats;
    kp_config machine; /* `processors` and `ports` are set from the problem */
    bool barrier;      /* the calls are kp_barrier among the problem's n processors */
    bool single;       /* each repeat has one call, so that a trace shows each call by itself */
    bool once; /* no warm-up, and one call in each repeat, so that the clock decides nothing */
};

/* Runs and verifies `repeats` repeats after a warm-up, or stops at an interrupt. The times are
 * valid if at least one repeat was done. Returns an exit status, other than 0 after a message on
 * stderr. */
int measure(const kp_problem *problem, const struct measure_settings *settings,
            struct measurement *result);
#endif
