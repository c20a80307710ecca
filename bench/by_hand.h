/* The collectives as one writes them over shared memory: a barrier, copies straight from the
 * others' buffers, a barrier. For any barrier, in C and C++. */
#ifndef KPORT_BENCH_BY_HAND_H
#define KPORT_BENCH_BY_HAND_H

#include "job.h"

/* Everybody's buffers; rank i's begin at i * stride. */
struct arena {
    char *out, *in;
    size_t out_stride, in_stride;
};

static inline char *out_of(const struct arena *arena, int rank)
{
    return arena->out + (size_t)rank * arena->out_stride;
}

static inline char *in_of(const struct arena *arena, int rank)
{
    return arena->in + (size_t)rank * arena->in_stride;
}

/* A line between neighbours' buffers, so that they neither share one nor start at the same place of
 * every page. */
static inline size_t stride_of(size_t bytes)
{
    return (bytes + 63) / 64 * 64 + 64;
}

static inline void arena_strides(const struct job *job, struct arena *arena)
{
    size_t out = 0, in = 0;
    for (int rank = 0; rank < job->n && rank < 2; rank++) { /* the root, and one that is none */
        out = out_blocks(job, rank) > out ? out_blocks(job, rank) : out;
        in = in_blocks(job, rank) > in ? in_blocks(job, rank) : in;
    }
    arena->out_stride = stride_of(out * job->b);
    arena->in_stride = stride_of(in * job->b);
}

/* Where a block of another one lies that is to be `rank`'s: what is between two barriers. */
static inline void copy_by_hand(const struct job *job, const struct arena *arena, int rank)
{
    size_t b = job->b;
    char *in = in_of(arena, rank);
    int n = job->n;
    switch (job->operation) {
    case INDEX:
        for (int i = 0; i < n; i++)
            memcpy(in + (size_t)i * b, out_of(arena, i) + (size_t)rank * b, b);
        break;
    case CONCAT:
        for (int i = 0; i < n; i++)
            memcpy(in + (size_t)i * b, out_of(arena, i), b);
        break;
    case BROADCAST:
        if (rank != 0)
            memcpy(in, in_of(arena, 0), b);
        break;
    case SCATTER:
        memcpy(in, out_of(arena, 0) + (size_t)rank * b, b);
        break;
    case GATHER: /* each its own, so that all cores copy */
        memcpy(in_of(arena, 0) + (size_t)rank * b, out_of(arena, rank), b);
        break;
    default:
        break;
    }
}

#endif
