/* Measures candidates, for `kport tune` and its audit. */
#ifndef KPORT_TOOLS_TUNING_H
#define KPORT_TOOLS_TUNING_H

#include "kport.h"
#include "tools/kport/tune/time.h"

#include <stdbool.h>
#include <stdint.h>

/* A candidate for a problem, and its measurement. */
struct contender {
    kp_problem problem; /* has nothing left open */
    uint64_t c1, c2;
    double expected; /* the time expected before measuring; candidates with the least are measured
                        first */
    double us;       /* 0: not measured */
    enum contender_kind {
        CONTENDER_OPEN,     /* not measured, for want of time */
        CONTENDER_BOUNDED,  /* not measured, because its rounds alone take too long; `us` is their
                               time */
        CONTENDER_LOOKED,   /* looked at briefly: far from the best */
        CONTENDER_MEASURED, /* `us` is the median of samples taken in turns */
    } kind;
    bool must; /* takes samples even if it is far from the best */
    double *samples;
    int count;
};

struct contest {
    struct timed_machine *timing;
    double beta_us; /* the time of an empty round */
    double seconds; /* the time limit of the contest */
    double far; /* a candidate whose first measurement is this many times the best is not sampled */
    struct contender *list;
    int count;
};

/* The operations that are tuned, in the order of measurement; ends with KP_OPERATIONS. */
extern const kp_operation tuned_operations[];

/* Returns the problem to measure for an operation and blocks of b bytes. */
kp_problem tuned_problem(kp_operation operation, int n, int k, size_t b);

/* Returns whether all buffers of the problem together are small enough to be measured. */
bool tuned_fits(const kp_problem *problem);

/* Returns whether a contest for blocks four times as long can still end within `seconds`. It takes
 * some measurements, each of which may take four times as long as the longest one so far. */
bool contest_may_follow(const struct timed_machine *timing, double seconds);

/* Lists the candidates: for each algorithm that serves the problem, a few values of its parameters.
 * Returns false if there is no memory. */
bool contest_make(struct contest *contest, const kp_problem *problem);

/* Adds the candidate to the contest if it is not there. Returns false if there is no memory. */
bool contest_has(struct contest *contest, const kp_problem *candidate);
void contest_free(struct contest *contest);

/* Measures the candidates. Looks at each one in the expected order, then takes samples in turns of
 * those near the best, and more samples of the nearest. Returns false after a message on stderr or
 * at an interrupt. */
bool contest_run(struct contest *contest);

/* Takes samples once more, within `seconds` again. The smaller of a candidate's two medians counts,
 * because disturbances of a machine last for seconds. */
bool contest_again(struct contest *contest);

/* Measures the microseconds of an empty round (beta), and of each byte more in a round in which
 * every processor sends to the next one (tau). Returns false after a message or at an interrupt. */
bool measure_round(struct timed_machine *timing, double *beta_us, double *tau_us);

#endif
