/* Programs: calls that alternate, as real programs have them. The table of their calls is read by
 * everybody who makes them: kport, by hand, OpenMP, MPI.
 *
 * Any job has parts. Those of a program are its calls, each with buffers of its own; any other job
 * is its only part. */
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

#define MOST_PARTS 16

struct job_part {
    struct job job;
    struct arena arena;   /* of the group's members */
    size_t out_at, in_at; /* where its buffers begin in each member's */
};

struct job_parts {
    int count;
    struct job_part part[MOST_PARTS];
};

const char *list_name(int list);

/* Of the processors with that group: 0, or of a program in halves 0 or 1. `arena` is all
 * processors'. */
void parts_of(const struct job *job, const struct arena *arena, int group, struct job_parts *parts);

static inline int group_size(const struct job *job)
{
    return job->halves ? job->n / 2 : job->n;
}

/* Strides for all parts' buffers. */
void arena_strides(const struct job *job, struct arena *arena);

/* All parts' buffers of the member with that rank in its group. What reductions come to is computed
 * from the operands' formula. */
void parts_fill(const struct job_parts *parts, int rank, char *out, char *in);
bool parts_right(const struct job_parts *parts, int rank, const char *in);

#ifdef __cplusplus
}
#endif

#endif
