/* Carrying out a problem on real threads: time and again, every byte of every repeat verified. */
#ifndef KPORT_TOOLS_MEASURE_H
#define KPORT_TOOLS_MEASURE_H

#include "kport.h"

#include <stdbool.h>
#include <stdint.h>

struct measurement {
    bool verified; /* not where KPORT_INTERNAL_NO_VERIFY is set: a test compares the time without */
    uint64_t repeats; /* that were done: fewer than wanted if it was interrupted */
    uint64_t calls;   /* in a row in each repeat, so that a repeat can be timed */
    double median_us, min_us;
    int workers;       /* threads, where the processors are fibers */
    const char *guard; /* what is between their stacks */
    uint64_t trace;    /* of the order of execution, where it is a seed's */
};

/* How it is carried out. */
struct measure_how {
    uint64_t seed; /* of the data */
    uint64_t repeats;
    kp_config machine; /* processors and ports follow from the problem */
    bool barrier;      /* the calls are kp_barrier among the problem's n processors */
    bool single;       /* one call a repeat, for a picture */
    bool once;         /* no warm-up, one call a repeat: what is done depends on no clock */
};

/* Runs and verifies `repeats` times after a warm-up, or until interrupted; times are there if any
 * repeat was done. An exit status; other than 0 after a message on stderr. */
int measure(const kp_problem *problem, const struct measure_how *how, struct measurement *result);
#endif
