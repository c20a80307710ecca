/* Measuring candidates: what `kport tune` and its audit share. */
#ifndef KPORT_TOOLS_TUNING_H
#define KPORT_TOOLS_TUNING_H

#include "kport.h"
#include "tools/kport/tune/time.h"

#include <stdbool.h>
#include <stdint.h>

/* A candidate for one problem, and what was measured of it. */
struct contender {
    kp_problem problem; /* nothing left open */
    uint64_t c1, c2;
    double expected; /* by what is known beforehand; who is expected to be fast goes first */
    double us;       /* 0: not measured */
    enum contender_kind {
        CONTENDER_OPEN,     /* not looked at, for want of time */
        CONTENDER_BOUNDED,  /* left out: its rounds alone take so long; us is that time */
        CONTENDER_LOOKED,   /* one short look: far from the best */
        CONTENDER_MEASURED, /* the median of samples taken in turns */
    } kind;
    bool must; /* is sampled however far it is */
    double *samples;
    int count;
};

struct contest {
    struct timed_machine *timing;
    double beta_us; /* of an empty round */
    double seconds; /* the contest is to end within that time */
    double far;     /* who took so many times the best in the first look is left at that */
    struct contender *list;
    int count;
};

/* The operations that are tuned, in the order in which they are measured; KP_OPERATIONS ends them.
 */
extern const kp_operation tuned_operations[];

/* The problem that is measured for an operation and blocks of b bytes. */
kp_problem tuned_problem(kp_operation operation, int n, int k, size_t b);

/* Whether its buffers, together, are small enough to be measured. */
bool tuned_fits(const kp_problem *problem);

/* Whether a contest for blocks four times as long as those of the last one can still end in that
 * time: some measurements, each of which may take four times as long. */
bool contest_may_follow(const struct timed_machine *timing, double seconds);

/* The few values of everything that serves. False: no memory. */
bool contest_make(struct contest *contest, const kp_problem *problem);

/* Whether that candidate is in it; it is put there if not. False: no memory. */
bool contest_has(struct contest *contest, const kp_problem *candidate);
void contest_free(struct contest *contest);

/* Measures them: a look at each, the expected first, then samples in turns of those that came near
 * the best, more of those that are nearest. False after a message on stderr, or when interrupted.
 */
bool contest_run(struct contest *contest);

/* Samples once more, some time later, within `seconds` again; of the two medians the smaller one
 * counts, for each candidate: what slows a machine down does so for seconds. */
bool contest_again(struct contest *contest);

/* Microseconds of an empty round, and of a byte more in a round in which every processor sends to
 * the next one. False after a message, or when interrupted. */
bool measure_round(struct timed_machine *timing, double *beta_us, double *tau_us);

#endif
