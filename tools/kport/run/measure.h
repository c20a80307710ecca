/* Times a problem on a machine in several repeats, and verifies every byte after each repeat. A
 * repeat is a series of successive calls. */
#ifndef KPORT_TOOLS_MEASURE_H
#define KPORT_TOOLS_MEASURE_H

#include "kport.h"

#include <stdbool.h>
#include <stdint.h>

struct measurement {
    bool verified;    /* the results were verified; false only if KPORT_INTERNAL_NO_VERIFY is set in
                         the environment; a test sets it to measure the time of verifying */
    uint64_t repeats; /* the number of complete repeats; after an interrupt this is less than the
                         wanted number */
    uint64_t calls;   /* the number of calls in each repeat */
    double median_us, min_us;
    int workers;       /* the number of threads that carry fibers */
    const char *guard; /* a text that says what protects the stacks of fibers from overflow */
    uint64_t trace; /* a hash of the order in which fibers ran, if a seed determines this order */
};

/* The settings of a measurement. */
struct measure_settings {
    uint64_t seed; /* the seed of the data */
    uint64_t repeats;
    kp_config machine; /* the machine's configuration, except `processors` and `ports`, which are
                          the problem's n and k */
    bool barrier;      /* the calls are calls of kp_barrier, among the problem's n processors */
    bool single; /* each repeat has only one call, so that a trace shows each call separately */
    bool once; /* there is no warm-up, and each repeat has one call; so the number of calls does not
                  depend on measured times */
};

/* Runs a warm-up, and then runs and verifies `repeats` repeats. An interrupt ends the measurement
 * early. The times in `result` are valid if at least one repeat is complete. Returns an exit
 * status; if it is not 0, an error message is on stderr. */
int measure(const kp_problem *problem, const struct measure_settings *settings,
            struct measurement *result);
#endif
