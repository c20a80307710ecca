/* A job for contestants, the same inside the driver and in programs of their own: a problem, the
 * sizes and contents of its buffers, and the clock. Read by C and C++. */
#ifndef KPORT_BENCH_JOB_H
#define KPORT_BENCH_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum operation {
    BARRIER,
    INDEX,
    CONCAT,
    BROADCAST, /* of the root's `in` */
    SCATTER,
    GATHER,
    ROUND_TRIP, /* a word from one thread to another and back */
    THROUGHPUT, /* words in one direction; a call is one word */
    CREATE,     /* n threads that all exist at the same time: created and ended */
    FIBERS,     /* a machine of n fibers: created, used and ended */
    PROGRAM,    /* the calls of a list, one after the other (programs.h) */
    WHOLE,      /* a whole program with numerical work (apps/) */
    OPERATIONS,
    ALLREDUCE, /* the operations from here on are only calls of a program */
    REDUCE,
    REDUCE_SCATTER,
    SCAN
};

/* The operators of reductions, on words of 8 bytes. */
enum combination {
    SUM_OF_DOUBLES,
    MAXIMUM_OF_DOUBLES,
    SUM_OF_INTEGERS,
    MAXIMUM_OF_INTEGERS
};

enum threshold {
    NO_THRESHOLD,
    EAGER,  /* messages are packed, or left in place */
    SHARED, /* messages are copied by the receiver, or by both ends */
    PAST    /* messages are written to the cache, or past it */
};

struct job {
    int32_t operation;
    int32_t n;
    int32_t k;       /* kport's ports; 0: n - 1 */
    int32_t radix;   /* kport's radix of the index; 0: the library's choice */
    int32_t pin;     /* threads are pinned to cores (place.h) */
    int32_t batch;   /* 0: a call begins after the one before is complete on all processors */
    int32_t fibers;  /* kport's processors are fibers on two threads */
    int32_t patient; /* a thread that waits for a word looks seldom; set by the contestant */
    int32_t root;
    int32_t combination;
    int32_t number;    /* the number of rank 0 in the blocks' contents */
    int32_t list;      /* the list of a program, or the number of a whole program */
    int32_t halves;    /* each half of a program's processors makes the calls as a group */
    int32_t before;    /* every processor makes a kp_send_recv before the program */
    int32_t threshold; /* an enum threshold: the threshold whose two sides are compared */
    int32_t alone;     /* each call of a program has a loop of its own; set by the contestant */
    uint64_t b; /* the bytes of a block, or of a reduction's operand; the size of a whole program */
};

static inline int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* --- Buffers --- */

static inline bool has_root(const struct job *job)
{
    return job->operation == BROADCAST || job->operation == SCATTER || job->operation == GATHER ||
           job->operation == REDUCE;
}

static inline bool is_reduction(const struct job *job)
{
    return job->operation >= ALLREDUCE;
}

/* The numbers of blocks that a member's outgoing and incoming buffers have room for. */
static inline size_t out_blocks(const struct job *job, int rank)
{
    size_t n = (size_t)job->n;
    switch (job->operation) {
    case INDEX:
    case REDUCE_SCATTER:
        return n;
    case SCATTER:
        return rank == job->root ? n : 0;
    case CONCAT:
    case GATHER:
    case ALLREDUCE:
    case REDUCE:
    case SCAN:
        return 1;
    default:
        return 0;
    }
}

static inline size_t in_blocks(const struct job *job, int rank)
{
    size_t n = (size_t)job->n;
    switch (job->operation) {
    case INDEX:
    case CONCAT:
        return n;
    case GATHER:
        return rank == job->root ? n : 0;
    case REDUCE:
        return rank == job->root ? 1 : 0;
    case BROADCAST:
    case SCATTER:
    case ALLREDUCE:
    case REDUCE_SCATTER:
    case SCAN:
        return 1;
    default:
        return 0;
    }
}

/* --- Contents: words with sender, receiver and place; for reductions see programs.c --- */

static inline void fill_block(char *block, size_t b, int from, int to)
{
    uint64_t seed = ((uint64_t)from << 32 | (uint64_t)(uint32_t)to) * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i + 8 <= b; i += 8) {
        uint64_t word = seed + (uint64_t)(i + 1) * UINT64_C(0xc2b2ae3d27d4eb4f);
        memcpy(block + i, &word, 8);
    }
}

static inline bool block_is(const char *block, size_t b, int from, int to)
{
    uint64_t seed = ((uint64_t)from << 32 | (uint64_t)(uint32_t)to) * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i + 8 <= b; i += 8) {
        uint64_t word = seed + (uint64_t)(i + 1) * UINT64_C(0xc2b2ae3d27d4eb4f), is;
        memcpy(&is, block + i, 8);
        if (is != word)
            return false;
    }
    return true;
}

/* `block_for` returns the receiver of a block of the outgoing buffer, or -1 if all members get the
 * same block. `block_from` returns the sender of a block of the incoming buffer. */
static inline int block_for(const struct job *job, size_t place)
{
    return job->operation == INDEX || job->operation == SCATTER ? job->number + (int)place : -1;
}

static inline int block_from(const struct job *job, size_t place)
{
    return job->number +
           (job->operation == BROADCAST || job->operation == SCATTER ? job->root : (int)place);
}

static inline void fill_buffers(const struct job *job, int rank, char *out, char *in)
{
    for (size_t i = 0; i < out_blocks(job, rank); i++)
        fill_block(out + i * job->b, job->b, job->number + rank, block_for(job, i));
    if (in_blocks(job, rank) > 0)
        memset(in, 0, in_blocks(job, rank) * job->b);
    if (job->operation == BROADCAST && rank == job->root)
        fill_block(in, job->b, job->number + rank, -1);
}

static inline bool buffers_right(const struct job *job, int rank, const char *in)
{
    int to = block_for(job, (size_t)rank);
    for (size_t i = 0; i < in_blocks(job, rank); i++) {
        if (!block_is(in + i * job->b, job->b, block_from(job, i), to))
            return false;
    }
    return true;
}

/* --- Between the driver and a program of its own --- */

struct request {
    struct job job;
    uint64_t calls;
    int32_t verify; /* one verified call precedes the timed ones */
    int32_t unused;
};

/* Returns the beginning of the timed part, from the beginning so far (0: none) and the start of
 * another member. Usually that is the last member's start: from then to the last member's end there
 * are as many calls as are timed (team.c). In a batch, where members run ahead, it is the first
 * member's start, because the last member may start when all others are done. */
static inline int64_t begin_of(const struct job *job, int64_t so_far, int64_t one)
{
    if (so_far == 0)
        return one;
    return (one > so_far) != (job->batch != 0) ? one : so_far;
}

enum reply_status {
    DONE,
    WRONG_DATA,
    NO_MEMORY,
    NOT_SERVED
};

struct reply {
    int64_t start_ns, end_ns; /* this process's beginning (begin_of) and last end */
    int64_t cpu_ns;           /* the processor time of all threads for this request */
    int32_t status;
    int32_t rank; /* the rank of the process; a first reply without a request has nothing else */
};

#endif
