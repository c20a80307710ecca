/* Times one problem: a first call, a warm-up, then batches of calls until the wanted number of
 * calls is timed or time is up. Each batch is a run of a machine. If it costs little, each batch
 * gets a new machine: the places of threads and mailboxes influence the speed, and one machine
 * would be a single sample of that. Between batches the processors sleep, so that peers can be
 * timed in turn. `kport bench` and `kport figures` use it. */
#ifndef KPORT_TOOLS_TIMING_H
#define KPORT_TOOLS_TIMING_H

#include "tools/kport/run/batch.h"

#include <stdatomic.h>

/* The task to time: a problem with nothing left open, or the barrier of its n processors. */
struct task {
    kp_problem problem;
    bool barrier;
    bool left_open; /* the user has named no algorithm; then calls have no hints */
};

struct timing_settings {
    uint64_t seed;       /* the seed of the data */
    uint64_t iterations; /* the number of calls; 0: as many as `seconds` of the command allow */
    uint64_t warm_up;    /* the number of untimed calls before; TIMING_WARM_UP: as many as fill some
                            milliseconds */
    bool check;    /* verify all bytes after every batch; otherwise only after the first call */
    bool followed; /* each call is timed together with a barrier that follows it */
};
#define TIMING_WARM_UP UINT64_MAX

#define TIMING_BATCHES 100

/* The results; times are microseconds per call. */
struct timing_result {
    double average, least, most, p50, p90, p99;
    uint64_t iterations; /* the number of timed calls */
    uint64_t samples; /* the number of samples; a sample is one call or several successive calls */
    uint64_t wrong;   /* the number of times that a processor had wrong bytes */
    double batch_us[TIMING_BATCHES]; /* the averages of the first TIMING_BATCHES batches */
    int batches;
};

struct timing {
    const struct task *task;
    const struct timing_settings *settings;
    const kp_config *config;
    kp_machine **machine; /* the caller's variable; the caller ends the machine; *machine is NULL if
                             there is none yet */
    bool renews;          /* the next batch gets a new machine */
    struct part *parts;   /* an array with an element for each processor */
    unsigned char *memory;  /* the memory of all buffers */
    size_t *places;         /* the place of each processor's buffers in `memory` */
    unsigned char *results; /* the table of a reduction's results (reference.h) */
    struct batch batch;
    size_t room; /* the number of stamps that fit */
    bool verify; /* the current batch is verified */
    _Atomic uint64_t wrong;
    double look_ns;    /* the time that all processors need to read the clock once */
    double compare_ns; /* the time of a run with one call and a comparison of all bytes, if
                          `how->check` is set */
    double call_ns;    /* the time of a call, by the latest batch */
    double *samples;
    size_t sample_count, sample_room;
    double ns; /* the sum over all timed calls */
    struct timing_result result;
    char sentence[512]; /* the reason of a failure */
};

/* Makes the machine if there is none, makes the buffers, does one call, verifies every byte, and
 * warms up. Returns 0, or a status; then `sentence` has the reason. timing_end must be called in
 * any case. */
int timing_begin(struct timing *timing, const struct task *task,
                 const struct timing_settings *settings, const kp_config *config,
                 kp_machine **machine);

/* Carries out the next batch, of about `ns` nanoseconds and at most `most_calls` calls. Returns 0
 * or a status. */
int timing_batch(struct timing *timing, double ns, uint64_t most_calls);

/* Computes the result from all batches. */
void timing_conclude(struct timing *timing);

void timing_end(struct timing *timing);

/* Writes the task's problem string, as kp_problem_format does. */
void task_format(const struct task *task, char *text, size_t size);

#endif
