/* A batch is a number of successive calls that are timed. The calls of a batch are divided into
 * samples, and each processor reads the clock at the end of each sample. The commands that measure
 * times do so in batches. */
#ifndef KPORT_TOOLS_BATCH_H
#define KPORT_TOOLS_BATCH_H

#include "kport.h"

#include <stdbool.h>
#include <stdint.h>

struct batch {
    int n;
    bool barrier;     /* the calls are kp_barrier, which has no arguments */
    bool followed;    /* each call is timed together with a barrier that follows it; so a call is
                         complete at every processor before the next call begins */
    uint64_t warm_up; /* the number of calls before the batch that are not timed */
    uint64_t calls;   /* the number of timed calls */
    uint64_t samples; /* the number of samples, from 1 to `calls` */
    int64_t *times;   /* the times of all processors; the array has n * BATCH_TIMES(samples)
                          elements */
};

/* The number of elements of `times` that belong to one processor. A processor has one time
 * for the start of the batch and one for the end of each sample. The number is a multiple of 8, so
 * that no cache line has times of two processors. */
#define BATCH_TIMES(samples) (((samples) + 8) / 8 * 8)

/* Carries out the batch. Every processor calls this function. The processor makes the warm-up
 * calls, passes a barrier, makes the timed calls, and passes a second barrier. Returns 0 or a
 * status. */
int batch_carry_out(const struct batch *batch, kp_proc *self, const kp_arguments *arguments);

/* These functions read the results of a batch. `batch_calls` returns the number of calls in a
 * sample. `batch_sample_ns` returns the nanoseconds of a sample. The first sample starts when the
 * last processor starts; any other sample starts when the last processor ends the sample before. A
 * sample ends when the last processor ends it. `batch_ns` returns the sum over all samples. */
uint64_t batch_calls(const struct batch *batch, uint64_t sample);
double batch_sample_ns(const struct batch *batch, uint64_t sample);
double batch_ns(const struct batch *batch);

/* Returns whether every member waits in a call of this problem until all members have arrived, even
 * with mailboxes. A member may leave a call of any other problem before all members have
 * arrived. */
bool batch_call_is_met(const kp_problem *problem);

/* Returns whether successive calls of this problem all begin with the same data. A call in place
 * may overwrite its own operands. For instance, a second index undoes the first, and a second
 * reduction continues with the result of the first. */
bool batch_may_repeat(const kp_problem *problem);

/* Passes a kp_barrier. An empty kp_exchange is not used, because between two threads it would make
 * the calls after it slower. */
int batch_meet(kp_group *group);

int64_t batch_now_ns(void);

#endif
