/* A batch is a number of successive calls, with the times at which each processor finished them.
 * The command line times everything in batches. */
#ifndef KPORT_TOOLS_BATCH_H
#define KPORT_TOOLS_BATCH_H

#include "tools/kport/run/part.h"

struct batch {
    int n;
    bool barrier;     /* the calls are kp_barrier, not the call of a part */
    bool followed;    /* each call is timed together with a barrier that follows it, so that it is
                         complete at every processor before the next call begins */
    uint64_t warm_up; /* the number of untimed calls before the batch */
    uint64_t calls;   /* the number of timed calls */
    uint64_t
        samples; /* the number of samples, 1 to `calls`; the calls are divided evenly among them */
    int64_t *stamps; /* room for n * BATCH_STAMPS(samples) times */
};

/* The number of time stamps of one processor: its start, and the end of each sample. It is a
 * multiple of 8, so that no cache line has stamps of two processors. */
#define BATCH_STAMPS(samples) (((samples) + 8) / 8 * 8)

/* One processor's work in a batch: a barrier with all other processors, the calls, and one barrier
 * more. Returns 0 or a status. */
int batch_carry_out(const struct batch *batch, kp_proc *self, const struct part *part);

/* Results after the batch. `batch_calls` is the number of calls in a sample. `batch_sample_ns` is
 * the time from the last processor's start to the last processor's end; the start of a sample is
 * the end of the sample before. `batch_ns` is the sum over all samples. */
uint64_t batch_calls(const struct batch *batch, uint64_t sample);
double batch_sample_ns(const struct batch *batch, uint64_t sample);
double batch_ns(const struct batch *batch);

/* Returns whether every member waits in a call for all members to arrive, also with mailboxes. In
 * other calls a member may run ahead of the others. */
bool batch_call_is_met(const kp_problem *problem);

/* Returns whether all calls in a row begin with the same data. In place, a call may overwrite its
 * own operands: a second index undoes the first, and a second reduction continues the first. */
bool batch_may_repeat(const kp_problem *problem);

/* Passes kp_barrier. An empty kp_exchange would make the calls after it slower between two
 * threads. */
int batch_meet(kp_group *group);

int64_t batch_now_ns(void);

#endif
