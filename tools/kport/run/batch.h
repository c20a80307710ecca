/* Calls in a row, and when each processor was done with them: what everything that is timed here is
 * timed by. */
#ifndef KPORT_TOOLS_BATCH_H
#define KPORT_TOOLS_BATCH_H

#include "tools/kport/run/part.h"

struct batch {
    int n;
    bool barrier;     /* the calls are kp_barrier, not a part's */
    bool followed;    /* a barrier after each call, timed with it: complete everywhere before the
                         next one begins */
    uint64_t warm_up; /* calls before, that are not timed */
    uint64_t calls;   /* that are */
    uint64_t
        samples; /* 1 ... calls: after how many of them, as far apart as can be, time is taken */
    int64_t *stamps; /* room for n times BATCH_STAMPS(samples) */
};

/* A processor's time stamps, its start the first of them, in cache lines of its own. */
#define BATCH_STAMPS(samples) (((samples) + 8) / 8 * 8)

/* The part of one processor: all of them meet, do the calls, and meet. 0 or a status. */
int batch_carry_out(const struct batch *batch, kp_proc *self, const struct part *part);

/* After it: how many calls a sample is, and its nanoseconds: from the last processor's start to the
 * last one's end, a start being the end of the sample before. They add up to batch_ns. */
uint64_t batch_calls(const struct batch *batch, uint64_t sample);
double batch_sample_ns(const struct batch *batch, uint64_t sample);
double batch_ns(const struct batch *batch);

/* Whether all have to come before any may leave a call by the mailboxes too. Where not, calls in a
 * row run ahead of each other. */
bool batch_call_is_met(const kp_problem *problem);

/* Whether calls in a row are each the same: in place, one may change what it begins with. An index
 * undoes itself when called again, a reduction goes on. */
bool batch_may_repeat(const kp_problem *problem);

/* All processors of the group come. Not by an empty kp_exchange: after one, calls between two
 * threads take some nanoseconds longer. */
int batch_meet(kp_group *group);

int64_t batch_now_ns(void);

#endif
