/* Defines a job: what a contestant has to do, with the sizes and contents of its buffers.
 * Contestants inside the benchmark's driver and contestants that are programs of their own use the
 * same definitions. Both C and C++ files include this header. */
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
    BROADCAST, /* the root's `in` is broadcast */
    SCATTER,
    GATHER,
    ROUND_TRIP, /* one thread sends a word to another thread, which sends it back */
    THROUGHPUT, /* one thread sends words to another thread; a call is one word */
    CREATE,     /* n threads are created, exist at the same time, and are ended */
    FIBERS,     /* a machine of n fibers is created, used and ended */
    PROGRAM,    /* calls of several kinds, one after the other (programs.h) */
    WHOLE,      /* a complete program with numerical work (apps/) */
    PING_PONG, /* member 0 sends a message of 8 bytes with a tag to member 1, which sends it back */
    WINDOW,    /* member 0 starts WINDOW_MESSAGES messages of 8 bytes and waits for all of them;
                  then member 1, which has received them, sends one back */
    OPERATIONS,
    ALLREDUCE, /* alone only for MPI; the following ones occur only as calls of a PROGRAM */
    REDUCE,
    REDUCE_SCATTER,
    SCAN
};

/* The operators of reductions. An operand consists of words of 8 bytes. */
enum combination {
    SUM_OF_DOUBLES,
    MAXIMUM_OF_DOUBLES,
    SUM_OF_INTEGERS,
    MAXIMUM_OF_INTEGERS
};

enum threshold {
    NO_THRESHOLD,
    EAGER,  /* the length above which messages are no longer packed into eager buffers */
    SHARED, /* the length above which sender and receiver each copy a part of a message */
    PAST    /* the length above which copies bypass the cache when they write */
};

#define WINDOW_MESSAGES 64

struct job {
    int32_t operation;
    int32_t n;
    int32_t k;     /* the number of kport's ports; 0: n - 1 */
    int32_t radix; /* the radix of kport's index algorithm; 0: the library's choice */
    int32_t pin;   /* 1: threads are pinned to cores (contestants/pin.h) */
    /* 0: a call begins only after the previous call is complete at all processors; 1: there is no
     * barrier between calls. */
    int32_t batch;
    int32_t fibers;  /* 1: kport's processors are fibers on two worker threads */
    int32_t patient; /* 1: a thread that waits for a word looks for it seldom; the contestant sets
                        this field */
    int32_t root;
    int32_t combination;
    int32_t number; /* a number that is added to the ranks in the contents of blocks, so that
                       different calls and groups have different contents */
    int32_t list;   /* the list of calls of a PROGRAM (enum program_list), or the number of a WHOLE
                       program */
    /* 1: the processors of a PROGRAM form two groups, and each group makes the calls. */
    int32_t halves;
    int32_t before; /* 1: every processor makes a kp_send_recv before the PROGRAM */
    /* The threshold (enum threshold) that the row is about. The row compares what kport does below
     * this threshold with what kport does above it. */
    int32_t threshold;
    int32_t alone;   /* 1: each call of a PROGRAM is timed in a loop of its own; the contestant sets
                        this field */
    int32_t started; /* 1: the call is started, and waited for at once */
    uint64_t b; /* the bytes of a block or of a reduction's operand; the size of a WHOLE program */
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

/* `out_blocks` returns the number of blocks in a member's outgoing buffer, and `in_blocks` in its
 * incoming buffer. */
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

/* --- Contents of blocks: words made from sender, receiver and position (reductions: programs.c)
 * --- */

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

/* `block_for` returns the receiver of block number `place` of an outgoing buffer, or -1 if all
 * members get the same block. `block_from` returns the sender of block number `place` of an
 * incoming buffer. Both functions add `job->number` to the rank. */
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

/* --- Messages between the driver and a contestant that is a separate program --- */

struct request {
    struct job job;
    uint64_t calls;
    int32_t verify; /* 1: one verified call is made before the timed calls */
    int32_t unused;
};

/* Computes when the timed part of a job begins, from the starts of all members. `one` is the start
 * of one more member, and `so_far` is the result for the members before it (0: there are none).
 * Usually the timed part begins with the last member's start. From then to the last member's end
 * there are exactly as many calls as are timed (team.c). In a batch members run ahead, and the last
 * member may start when all others are done. So in a batch the timed part begins with the first
 * member's start. */
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
    int64_t start_ns, end_ns; /* `start_ns`: when the timed part begins (begin_of) in this process;
                                 `end_ns`: when the last member of this process ends */
    int64_t cpu_ns; /* the processor time that all threads of the process used for this request */
    int32_t status;
    /* The rank of the process. The first reply of a process contains only this rank. */
    int32_t rank;
};

#endif
