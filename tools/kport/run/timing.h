/* Timing one problem: a first look, a warm-up, then batches of calls in a row, until there are as
 * many as wanted or time is up. Each batch is a run of a machine, a new one where that costs
 * little: where its threads and mailboxes happen to lie is a part of its speed, and one machine
 * would be one sample of that. Between batches processors sleep and others can be timed in turn.
 * Used by `kport bench`. */
#ifndef KPORT_TOOLS_TIMING_H
#define KPORT_TOOLS_TIMING_H

#include "tools/kport/run/batch.h"

#include <stdatomic.h>

/* What is timed: a problem with nothing left open, or the barrier of its n processors. */
struct task {
    kp_problem problem;
    bool barrier;
    bool left_open; /* nobody has named the algorithm: calls leave it open too */
};

struct timing_how {
    uint64_t seed;       /* of the data */
    uint64_t iterations; /* calls; 0: as many as `seconds` allow */
    uint64_t warm_up;    /* calls before; TIMING_WARM_UP: as many as some milliseconds take */
    bool check;          /* every byte after every batch; else only of the first look */
    bool followed;       /* a barrier after each call, timed with it */
};
#define TIMING_WARM_UP UINT64_MAX

#define TIMING_BATCHES 100

/* Microseconds a call. */
struct timing_result {
    double average, least, most, p50, p90, p99;
    uint64_t iterations; /* calls timed */
    uint64_t samples;    /* that times were taken of, each of one call or some in a row */
    uint64_t wrong;      /* times that a processor's bytes were wrong */
    double batch_us[TIMING_BATCHES]; /* average of each batch, of the first so many */
    int batches;
};

struct timing {
    const struct task *task;
    const struct timing_how *how;
    const kp_config *config;
    kp_machine **machine;   /* the caller's, who ends it; NULL in it: there is none yet */
    bool renews;            /* a new one for the next batch */
    struct part *parts;     /* by processor */
    unsigned char *memory;  /* all of their buffers */
    size_t *places;         /* where each one's begin */
    unsigned char *results; /* of a reduction (reference.h) */
    struct batch batch;
    size_t room; /* stamps there is room for */
    bool verify; /* of the batch under way */
    _Atomic uint64_t wrong;
    double look_ns;    /* what it costs that all processors look at the clock once */
    double compare_ns; /* of a run of one call with all bytes compared, if that is asked for */
    double call_ns;    /* of a call, as far as is known */
    double *samples;
    size_t sample_count, sample_room;
    double ns; /* of all calls timed */
    struct timing_result result;
    char sentence[512]; /* why it failed */
};

/* Makes the machine, if there is none, and the buffers, does one call, compares every byte, and
 * warms up. 0, or a status; the sentence says why then. timing_end in any case. */
int timing_begin(struct timing *timing, const struct task *task, const struct timing_how *how,
                 const kp_config *config, kp_machine **machine);

/* The next batch, of about so many nanoseconds and up to so many calls. */
int timing_batch(struct timing *timing, double ns, uint64_t most_calls);

/* What came out of all batches. */
void timing_conclude(struct timing *timing);

void timing_end(struct timing *timing);

/* The string that tells the task, as kp_problem_format does. */
void task_format(const struct task *task, char *text, size_t size);

#endif
