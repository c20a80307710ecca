/* Times one problem for `kport bench` and `kport figures`. After a first call and a warm-up
 * (timing_begin), the caller asks for batches of calls (batch.h) until enough calls are timed. Each
 * batch is a run of a machine. Between batches the processors sleep, so that the caller can time
 * the peers in turns with kport.
 *
 * If a new machine costs little time, each batch gets a new machine. The speed of a machine depends
 * on the addresses of its mailboxes and on the cores of its threads. A single machine would show
 * the speed for only one choice of addresses and cores.
 *
 * With several processes (processes.h), all of them call these functions, with numbers on which
 * they have agreed. Then all batches of a table share a machine. */
#ifndef KPORT_TOOLS_TIMING_H
#define KPORT_TOOLS_TIMING_H

#include "tools/kport/run/batch.h"
#include "tools/kport/run/participant.h"

#include <stdatomic.h>

/* The task to be timed: the calls of a problem that names its algorithm and all parameters, or the
 * barriers of the problem's n processors. */
struct task {
    kp_problem problem;
    bool barrier;
    bool left_open; /* the user has named no algorithm, so the calls pass no hints and the library
                       chooses the algorithm */
};

struct timing_settings {
    uint64_t seed;       /* the seed of the data */
    uint64_t iterations; /* the number of timed calls; 0: as many as there is time for */
    uint64_t warm_up; /* the number of calls in the warm-up; TIMING_WARM_UP: as many calls as take
                         some milliseconds */
    bool check;       /* every batch is verified; otherwise only the first call is verified */
    bool followed;    /* each call is timed together with a barrier that follows it */
};
#define TIMING_WARM_UP UINT64_MAX

#define TIMING_BATCHES 100

/* The result of a timing. All times are microseconds per call. */
struct timing_result {
    double average, least, most, p50, p90, p99;
    uint64_t iterations; /* the number of timed calls */
    uint64_t samples;    /* the number of samples (batch.h) */
    uint64_t wrong;      /* the number of verifications in which a processor found wrong bytes */
    double batch_us[TIMING_BATCHES]; /* the average of each of the first TIMING_BATCHES batches */
    int batches;
};

struct timing {
    const struct task *task;
    const struct timing_settings *settings;
    const kp_config *config;
    kp_machine **machine; /* the caller's variable for the machine, which is NULL until there is
                             one; the caller ends the machine */
    bool renews;          /* the next batch gets a new machine */
    struct participant *participants; /* for each processor of this process, its buffers and the
                                         arguments of its call */
    unsigned char *memory;            /* the memory of all buffers */
    size_t *offsets;                  /* the position of each processor's buffers in `memory` */
    unsigned char *results;           /* the table of a reduction's results (reference.h) */
    struct batch batch;
    size_t room; /* the number of times for which `batch.times` has room */
    bool verify; /* the processors verify the results of the current batch */
    _Atomic uint64_t wrong;
    double look_ns;    /* the nanoseconds that it takes all processors to read the clock once */
    double compare_ns; /* the nanoseconds of a run that makes one call and verifies all bytes;
                          measured only if `settings->check` is set */
    double call_ns;    /* the nanoseconds of a call, as measured by the latest batch */
    double *samples;
    size_t sample_count, sample_room;
    double ns; /* the sum of the nanoseconds of all timed calls */
    struct timing_result result;
    char sentence[512]; /* says why timing_begin or timing_batch has failed */
};

/* Prepares the timing: makes the buffers, makes the machine if there is none, makes and verifies
 * one call, and makes the warm-up. Returns 0 or the status of an error (its reason is in
 * `sentence`). The caller must call timing_end in any case. */
int timing_begin(struct timing *timing, const struct task *task,
                 const struct timing_settings *settings, const kp_config *config,
                 kp_machine **machine);

/* Carries out the next batch. The batch lasts about `ns` nanoseconds and has at most `most_calls`
 * calls. Returns 0 or the status of an error (its reason is in `sentence`). */
int timing_batch(struct timing *timing, double ns, uint64_t most_calls);

/* Computes `result` from all batches that have been carried out. `wrong` is that of the process
 * that has found the most. Returns an exit status, which is not 0 if another process has failed. */
int timing_conclude(struct timing *timing);

void timing_end(struct timing *timing);

/* Writes the problem string of the task to `text`. */
void task_format(const struct task *task, char *text, size_t size);

#endif
