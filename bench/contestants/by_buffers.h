/* This header has collectives written by hand, with one barrier for each call. Each member first
 * copies its outgoing data to its row, which all members can read. After the barrier it reads the
 * rows of the other members. There are two copies of all rows, which calls use in turn. So a member
 * may begin the next call while others still read the rows of the previous call. */
#ifndef KPORT_BENCH_BY_BUFFERS_H
#define KPORT_BENCH_BY_BUFFERS_H

#include "by_hand.h"

static inline size_t row_bytes_of(const struct job *job)
{
    size_t n = (size_t)job->n;
    bool all =
        job->operation == INDEX || job->operation == SCATTER || job->operation == REDUCE_SCATTER;
    return ((all ? n : 1) * job->b + 63) / 64 * 64;
}

static inline void row_copy(char *to, const char *from, size_t bytes)
{
    if (bytes == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, bytes);
}

/* Fills the row of `rank`. `rows` points to the rows of all ranks for this call. */
static inline void fill_row(const struct job *job, int rank, const char *out, const char *in,
                            char *rows, size_t row_bytes)
{
    char *row = rows + (size_t)rank * row_bytes;
    switch (job->operation) {
    case BROADCAST:
        if (rank == job->root)
            row_copy(row, in, job->b);
        break;
    case GATHER: /* the rows are contiguous, so that the root can copy all of them at once */
        row_copy(rows + (size_t)rank * job->b, out, job->b);
        break;
    default:
        row_copy(row, out, out_blocks(job, rank) * job->b);
    }
}

static inline void take_rows(const struct job *job, int rank, char *in, const char *rows,
                             size_t row_bytes)
{
    size_t b = job->b, n = (size_t)job->n, own = (size_t)rank;
    switch (job->operation) {
    case INDEX:
        for (size_t i = 0; i < n; i++)
            row_copy(in + i * b, rows + i * row_bytes + own * b, b);
        break;
    case CONCAT:
        for (size_t i = 0; i < n; i++)
            row_copy(in + i * b, rows + i * row_bytes, b);
        break;
    case BROADCAST:
        if (rank != job->root)
            row_copy(in, rows + (size_t)job->root * row_bytes, b);
        break;
    case SCATTER:
        row_copy(in, rows + (size_t)job->root * row_bytes + own * b, b);
        break;
    case GATHER:
        if (rank == job->root)
            memcpy(in, rows, n * b);
        break;
    case REDUCE_SCATTER:
        combine_by_hand(job, in, rows + own * b, row_bytes, job->n);
        break;
    case SCAN:
        combine_by_hand(job, in, rows, row_bytes, rank + 1);
        break;
    default:
        if (job->operation == ALLREDUCE || rank == job->root)
            combine_by_hand(job, in, rows, row_bytes, job->n);
    }
}

#endif
