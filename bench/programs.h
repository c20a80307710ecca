/* Programs: calls that alternate, as in real programs. All contestants read the table of their
 * calls: kport, by hand, OpenMP, MPI.
 *
 * Every job has parts. The parts of a program are its calls, each with buffers of its own. Any
 * other job is its only part. */
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
    struct arena arena;   /* the buffers of the group's members */
    size_t out_at, in_at; /* the places of its buffers in those of each member */
};

struct job_parts {
    int count;
    struct job_part part[MOST_PARTS];
};

const char *list_name(int list);

/* Lists the parts for the processors of a group: 0, or, in a program in halves, 0 or 1. `arena` has
 * the buffers of all processors. */
void parts_of(const struct job *job, const struct arena *arena, int group, struct job_parts *parts);

static inline int group_size(const struct job *job)
{
    return job->halves ? job->n / 2 : job->n;
}

/* Sets strides with room for the buffers of all parts. */
void arena_strides(const struct job *job, struct arena *arena);

/* `parts_fill` fills the buffers of all parts of the member with that rank in its group;
 * `parts_right` verifies them. The results of reductions are computed from the formula of the
 * operands. */
void parts_fill(const struct job_parts *parts, int rank, char *out, char *in);
bool parts_right(const struct job_parts *parts, int rank, const char *in);

#ifdef __cplusplus
}
#endif

#endif
