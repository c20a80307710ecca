/* A batch is a series of successive calls that are timed. It is divided into samples, each of which
 * has some of the calls. Each processor reads the clock at the end of each sample. All commands
 * that measure times measure batches. */
#ifndef KPORT_TOOLS_BATCH_H
#define KPORT_TOOLS_BATCH_H

#include "kport.h"

#include <stdbool.h>
#include <stdint.h>

struct batch {
    int first, n;     /* the processors of this process: their times are measured */
    bool spread;      /* there are processors in other processes. A sample takes as long as in the
                         process in which it takes longest */
    bool barrier;     /* the calls are calls of kp_barrier, which has no arguments */
    bool followed;    /* a barrier follows each call and is timed together with it; so a call is
                         complete at every processor before the next call begins */
    uint64_t warm_up; /* the number of untimed calls before the timed calls */
    uint64_t calls;   /* the number of timed calls */
    uint64_t samples; /* the number of samples, from 1 to `calls` */
    int64_t *times; /* n * BATCH_TIMES(samples) elements, for the times at which the processors read
                       the clock */
};

/* The number of elements that each processor has in the array `times`. The processor needs an
 * element for the start of the batch and one for the end of each sample. The number is a multiple
 * of 8, so that no cache line has times of two processors. */
#define BATCH_TIMES(samples) (((samples) + 8) / 8 * 8)

/* Carries out the batch. Every processor must call this function. The function makes the warm-up
 * calls, a barrier, the timed calls, and a second barrier. Returns 0 or the status of an error. */
int batch_carry_out(const struct batch *batch, kp_proc *self, const kp_arguments *arguments);

/* These functions read the results of a batch. `batch_calls` returns the number of calls in sample
 * number `sample`. `batch_sample_ns` returns the nanoseconds of this sample. A sample ends when the
 * last processor has completed its calls. The first sample starts when the last processor starts
 * the batch; any other sample starts when the previous sample ends. `batch_ns` returns the
 * nanoseconds of all samples together. */
uint64_t batch_calls(const struct batch *batch, uint64_t sample);
double batch_sample_ns(const struct batch *batch, uint64_t sample);
double batch_ns(const struct batch *batch);

/* Returns true if all members must have begun a call of this problem before any member can leave
 * it, with mailboxes too. */
bool batch_call_is_met(const kp_problem *problem);

/* Returns whether all successive calls of this problem begin with the same data. Calls in place may
 * overwrite their data: a second index undoes the first, and a second reduction continues with the
 * result of the first. */
bool batch_may_repeat(const kp_problem *problem);

/* Calls kp_barrier. An empty kp_exchange would serve too, but between two threads it would make the
 * later calls slower. */
int batch_meet(kp_group *group);

int64_t batch_now_ns(void);

#endif
