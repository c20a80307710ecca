/* Programmers write collectives by hand over shared memory like this: a member passes a barrier,
 * copies from the other members' buffers, and passes another barrier. This header has the copies,
 * which work with any barrier, in C and C++. */
#ifndef KPORT_BENCH_BY_HAND_H
#define KPORT_BENCH_BY_HAND_H

#include "../job.h"

/* The buffers of all members. `out` has the outgoing and `in` the incoming buffers. The buffer of
 * rank i begins at i times the stride. */
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

/* Returns the distance from one member's buffer to the next one's: `bytes` rounded up to whole
 * cache lines, and one line more. So no two buffers share a line, and the buffers begin at
 * different offsets in their pages. */
static inline size_t stride_of(size_t bytes)
{
    return (bytes + 63) / 64 * 64 + 64;
}

/* Combines `count` operands and stores the result at `to`. Each operand has `words` words. The
 * first operand is at `from`, and successive operands are `stride` bytes apart. If `words` is 1,
 * the result stays in a register until the end. */
#define DEFINE_COMBINE(name, type, combination)                                                    \
    static inline void name(char *to, const char *from, size_t stride, int count, size_t words)    \
    {                                                                                              \
        type *__restrict result = (type *)(void *)to;                                              \
        type all = *(const type *)(const void *)from;                                              \
        for (int i = 1; i < count && words == 1; i++) {                                            \
            type one = *(const type *)(const void *)(from + (size_t)i * stride);                   \
            all = combination;                                                                     \
        }                                                                                          \
        if (words == 1) {                                                                          \
            *result = all;                                                                         \
            return;                                                                                \
        }                                                                                          \
        memcpy(to, from, words * sizeof all);                                                      \
        for (int i = 1; i < count; i++) {                                                          \
            const type *operand = (const type *)(const void *)(from + (size_t)i * stride);         \
            for (size_t word = 0; word < words; word++) {                                          \
                type one = operand[word];                                                          \
                all = result[word];                                                                \
                result[word] = combination;                                                        \
            }                                                                                      \
        }                                                                                          \
    }

DEFINE_COMBINE(add_doubles, double, all + one)
DEFINE_COMBINE(larger_doubles, double, all > one ? all : one)
DEFINE_COMBINE(add_integers, int64_t, all + one)
DEFINE_COMBINE(larger_integers, int64_t, all > one ? all : one)

static inline void combine_by_hand(const struct job *job, char *to, const char *from, size_t stride,
                                   int count)
{
    size_t words = job->b / 8;
    switch (job->combination) {
    case SUM_OF_DOUBLES:
        add_doubles(to, from, stride, count, words);
        break;
    case MAXIMUM_OF_DOUBLES:
        larger_doubles(to, from, stride, count, words);
        break;
    case SUM_OF_INTEGERS:
        add_integers(to, from, stride, count, words);
        break;
    default:
        larger_integers(to, from, stride, count, words);
    }
}

/* Makes the copies that member `rank` has to make between the two barriers. */
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
        if (rank != job->root)
            memcpy(in, in_of(arena, job->root), b);
        break;
    case SCATTER:
        memcpy(in, out_of(arena, job->root) + (size_t)rank * b, b);
        break;
    case GATHER: /* each member copies its own block to the root, so that all cores copy */
        memcpy(in_of(arena, job->root) + (size_t)rank * b, out_of(arena, rank), b);
        break;
    case ALLREDUCE:
    case REDUCE:
    case SCAN:
        if (job->operation != REDUCE || rank == job->root)
            combine_by_hand(job, in, out_of(arena, 0), arena->out_stride,
                            job->operation == SCAN ? rank + 1 : n);
        break;
    case REDUCE_SCATTER:
        combine_by_hand(job, in, out_of(arena, 0) + (size_t)rank * b, arena->out_stride, n);
        break;
    default:
        break;
    }
}

#endif
