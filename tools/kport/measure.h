/* Carrying out a problem on real threads: time and again, every byte of every repeat verified. */
#ifndef KPORT_TOOLS_MEASURE_H
#define KPORT_TOOLS_MEASURE_H

#include "kport.h"

#include <stdint.h>

struct measurement {
    uint64_t calls; /* in a row in each repeat, so that a repeat can be timed */
    double median_us, min_us;
};

/* Runs and verifies `repeats` times after a warm-up. An exit status; other than 0 after a message
 * on stderr. */
int measure(const kp_problem *problem, uint64_t seed, uint64_t repeats, struct measurement *result);

#endif
