/* Measures the candidates of a problem against each other, for `kport tune` and its audit. A
 * candidate is an algorithm with values for its parameters. A contest is the measurement of all
 * candidates of one problem. */
#ifndef KPORT_TOOLS_TUNING_H
#define KPORT_TOOLS_TUNING_H

#include "kport.h"
#include "tools/kport/tune/time.h"

#include <stdbool.h>
#include <stdint.h>

/* A candidate in a contest, with its measured time. */
struct contender {
    kp_problem problem; /* the problem with the candidate's algorithm and all parameters */
    uint64_t c1, c2;
    double expected; /* the time that is expected before the measurement; candidates are measured in
                        the order of this time */
    double us;       /* the measured time in microseconds; 0: not measured */
    enum contender_kind {
        CONTENDER_OPEN,     /* not measured, because there was no time */
        CONTENDER_BOUNDED,  /* not measured, because its rounds alone take too long; `us` is c1 *
                               beta_us */
        CONTENDER_LOOKED,   /* only measured briefly, because it is far from the best */
        CONTENDER_MEASURED, /* sampled, in turns with other candidates; `us` is the median of its
                               samples */
    } kind;
    bool must; /* the candidate is sampled even if it is far from the best */
    double *samples;
    int count;
};

struct contest {
    struct timed_machine *timing;
    double beta_us; /* the time of an empty round, in microseconds */
    double seconds; /* how many seconds the contest may take */
    double far;     /* a candidate is far from the best if its brief measurement is more than `far`
                       times the best time */
    struct contender *list;
    int count;
};

/* The operations that are tuned, in the order in which they are measured. The array ends with
 * KP_OPERATIONS. */
extern const kp_operation tuned_operations[];

/* Returns the problem that is measured for this operation, with blocks of b bytes. */
kp_problem tuned_problem(kp_operation operation, int n, int k, size_t b);

/* Returns whether the buffers of all processors are small enough for the problem to be measured. */
bool tuned_fits(const kp_problem *problem);

/* Returns whether the next contest, with blocks four times as long, can end within `seconds`
 * seconds. It needs several measurements, each of which may take four times as long as the longest
 * measurement so far. */
bool contest_may_follow(const struct timed_machine *timing, double seconds);

/* Lists the candidates of the problem in `contest`: each algorithm that can solve the problem, with
 * a few values of its parameters. Returns false if there is no memory. */
bool contest_make(struct contest *contest, const kp_problem *problem);

/* Adds the candidate to the contest, unless the contest already has it. Returns false if there is
 * no memory. */
bool contest_has(struct contest *contest, const kp_problem *candidate);
void contest_free(struct contest *contest);

/* Carries out the contest. First measures each candidate briefly, in the order of the expected
 * times. Then takes samples of the candidates that are not far from the best, in turns. The nearest
 * candidates get the most samples. On an error prints an error message on stderr and returns false.
 * After an interrupt also returns false. */
bool contest_run(struct contest *contest);

/* Takes samples of the candidates a second time, for at most `contest->seconds` seconds. The time
 * of a candidate becomes the smaller one of its two medians, because a disturbance of the computer
 * may last for seconds. */
bool contest_again(struct contest *contest);

/* Measures beta and tau in microseconds. `beta_us` is the time of an empty round. `tau_us` is the
 * time that each byte adds to a round in which every processor sends to the next processor. On an
 * error prints an error message on stderr and returns false. After an interrupt also returns
 * false. */
bool measure_round(struct timed_machine *timing, double *beta_us, double *tau_us);

#endif
