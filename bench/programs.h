/* Defines programs: lists of calls of several kinds that are made one after the other, as in real
 * programs. All contestants (kport, programs written by hand, OpenMP, MPI) read the same lists.
 *
 * Every job consists of steps. The steps of a PROGRAM are its calls, and each of them has buffers
 * of its own. Any other job has one step, the job itself. */
#ifndef KPORT_BENCH_PROGRAMS_H
#define KPORT_BENCH_PROGRAMS_H

#include "contestants/by_hand.h"

#ifdef __cplusplus
extern "C" {
#endif

enum program_list {
    LIST_FIVE,
    LIST_TWO,
    LIST_FOUR,
    LIST_SIXTEEN,
    LISTS
};

#define MOST_STEPS 16

struct job_step {
    struct job job;
    struct arena arena;   /* the buffers of all members of the group for this step */
    size_t out_at, in_at; /* the positions of this step's buffers in the buffers of a member */
};

struct job_steps {
    int count;
    struct job_step step[MOST_STEPS];
};

const char *list_name(int list);

/* Lists the steps that the processors of a group carry out. `group` is the number of the group: 0
 * or 1 if the job's processors form two groups (`halves`), otherwise 0. `arena` has the buffers of
 * all processors. */
void steps_of(const struct job *job, const struct arena *arena, int group, struct job_steps *steps);

static inline int group_size(const struct job *job)
{
    return job->halves ? job->n / 2 : job->n;
}

/* Sets the strides of `arena` to the bytes that a processor needs for all steps. */
void arena_strides(const struct job *job, struct arena *arena);

/* `steps_fill` fills the buffers of all steps of the member with this rank in its group.
 * `steps_right` returns whether the incoming buffers hold the right results. `steps_right` computes
 * the results of reductions from the formula of the operands. */
void steps_fill(const struct job_steps *steps, int rank, char *out, char *in);
bool steps_right(const struct job_steps *steps, int rank, const char *in);

#ifdef __cplusplus
}
#endif

#endif
