/* Times one problem for `kport bench` and `kport figures`. After a first call and a warm-up, the
 * caller asks for batches of calls until enough calls are timed. Each batch is a run of a machine.
 * Between batches the processors sleep, so that the contestants of a comparison can be timed in
 * turn.
 *
 * If a new machine costs little time, each batch gets a new machine. The speed depends on the
 * addresses of mailboxes and on the cores of threads. A single machine would show the speed for one
 * choice of addresses and cores only. */
#ifndef KPORT_TOOLS_TIMING_H
#define KPORT_TOOLS_TIMING_H

#include "tools/kport/run/batch.h"
#include "tools/kport/run/part.h"

#include <stdatomic.h>

/* The task to time: a problem that names its algorithm and all parameters, or the barrier of the
 * problem's n processors. */
struct task {
    kp_problem problem;
    bool barrier;
    bool left_open; /* the user has named no algorithm, so the calls pass no hints and the library
                       chooses */
};

struct timing_settings {
    uint64_t seed;       /* the seed of the data */
    uint64_t iterations; /* the number of timed calls; 0: as many as the command has time for */
    uint64_t warm_up;    /* the number of calls in the warm-up; TIMING_WARM_UP: as many as fill some
                            milliseconds */
    bool check;          /* every batch is verified; otherwise only the first call is verified */
    bool followed;       /* each call is timed together with a barrier that follows it */
};
#define TIMING_WARM_UP UINT64_MAX

#define TIMING_BATCHES 100

/* The results. All times are microseconds per call. */
struct timing_result {
    double average, least, most, p50, p90, p99;
    uint64_t iterations; /* the number of timed calls */
    uint64_t samples;    /* the number of samples (timing.c) */
    uint64_t wrong;      /* the number of verifications in which a processor found wrong bytes */
    double batch_us[TIMING_BATCHES]; /* the averages of the first TIMING_BATCHES batches */
    int batches;
};

struct timing {
    const struct task *task;
    const struct timing_settings *settings;
    const kp_config *config;
    kp_machine **machine;   /* a variable of the caller, who ends the machine; `*machine` is NULL if
                               there is no machine yet */
    bool renews;            /* the next batch makes a new machine */
    struct part *parts;     /* the buffers and the call of each processor */
    unsigned char *memory;  /* the memory of all buffers */
    size_t *places;         /* the position of each processor's buffers in `memory` */
    unsigned char *results; /* the table of a reduction's results (reference.h) */
    struct batch batch;
    size_t room; /* the number of times for which `batch.times` has room */
    bool verify; /* the processors verify the current batch */
    _Atomic uint64_t wrong;
    double look_ns;    /* the nanoseconds in which all processors read the clock once */
    double compare_ns; /* the nanoseconds of a run that makes one call and compares all bytes;
                          measured only if `settings->check` is set */
    double call_ns;    /* the nanoseconds of a call, as measured by the latest batch */
    double *samples;
    size_t sample_count, sample_room;
    double ns; /* the sum of the nanoseconds of all timed calls */
    struct timing_result result;
    char sentence[512]; /* the reason why the last function failed */
};

/* Prepares the timing: makes the machine if there is none, makes the buffers, makes and verifies
 * one call, and warms up. Returns 0, or a status after it has set `sentence`. The caller must call
 * timing_end in any case. */
int timing_begin(struct timing *timing, const struct task *task,
                 const struct timing_settings *settings, const kp_config *config,
                 kp_machine **machine);

/* Carries out the next batch. The batch lasts about `ns` nanoseconds and has at most `most_calls`
 * calls. Returns 0 or a status. */
int timing_batch(struct timing *timing, double ns, uint64_t most_calls);

/* Computes the result from the batches so far. */
void timing_conclude(struct timing *timing);

void timing_end(struct timing *timing);

/* Writes the task's problem string, in the form of kp_problem_format. */
void task_format(const struct task *task, char *text, size_t size);

#endif
