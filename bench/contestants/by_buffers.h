/* This header has collectives written by hand, with one barrier for each call. Each member first
 * copies its outgoing data to its buffer, which all members can read. After the barrier it reads
 * the buffers of the other members. There are two copies of all buffers, which calls use in turn.
 * So a member may begin the next call while others still read the buffers of the previous call. */
#ifndef KPORT_BENCH_BY_BUFFERS_H
#define KPORT_BENCH_BY_BUFFERS_H

#include "by_hand.h"

static inline size_t buffer_bytes_of(const struct job *job)
{
    size_t n = (size_t)job->n;
    bool all =
        job->operation == INDEX || job->operation == SCATTER || job->operation == REDUCE_SCATTER;
    return ((all ? n : 1) * job->b + 63) / 64 * 64;
}

static inline void buffer_copy(char *to, const char *from, size_t bytes)
{
    if (bytes == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, bytes);
}

/* Fills the buffer of `rank`. `buffers` points to the buffers of all ranks for this call. */
static inline void pack_buffer(const struct job *job, int rank, const char *out, const char *in,
                               char *buffers, size_t buffer_bytes)
{
    char *buffer = buffers + (size_t)rank * buffer_bytes;
    switch (job->operation) {
    case BROADCAST:
        if (rank == job->root)
            buffer_copy(buffer, in, job->b);
        break;
    case GATHER: /* the buffers are contiguous, so that the root can copy all of them at once */
        buffer_copy(buffers + (size_t)rank * job->b, out, job->b);
        break;
    default:
        buffer_copy(buffer, out, out_blocks(job, rank) * job->b);
    }
}

static inline void take_buffers(const struct job *job, int rank, char *in, const char *buffers,
                                size_t buffer_bytes)
{
    size_t b = job->b, n = (size_t)job->n, own = (size_t)rank;
    switch (job->operation) {
    case INDEX:
        for (size_t i = 0; i < n; i++)
            buffer_copy(in + i * b, buffers + i * buffer_bytes + own * b, b);
        break;
    case CONCAT:
        for (size_t i = 0; i < n; i++)
            buffer_copy(in + i * b, buffers + i * buffer_bytes, b);
        break;
    case BROADCAST:
        if (rank != job->root)
            buffer_copy(in, buffers + (size_t)job->root * buffer_bytes, b);
        break;
    case SCATTER:
        buffer_copy(in, buffers + (size_t)job->root * buffer_bytes + own * b, b);
        break;
    case GATHER:
        if (rank == job->root)
            memcpy(in, buffers, n * b);
        break;
    case REDUCE_SCATTER:
        combine_by_hand(job, in, buffers + own * b, buffer_bytes, job->n);
        break;
    case SCAN:
        combine_by_hand(job, in, buffers, buffer_bytes, rank + 1);
        break;
    default:
        if (job->operation == ALLREDUCE || rank == job->root)
            combine_by_hand(job, in, buffers, buffer_bytes, job->n);
    }
}

#endif
