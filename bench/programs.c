#include "programs.h"

/* --- The calls of each program --- */

enum which_rank {
    FIRST,
    MIDDLE,
    LAST
};

static const struct call {
    enum operation operation;
    enum combination combination;
    enum which_rank root;
    uint64_t b;
} calls[LISTS][MOST_PARTS + 1] = {
    [LIST_FIVE] =
        {
            {ALLREDUCE, SUM_OF_DOUBLES, .b = 8},
            {INDEX, .b = 8},
            {INDEX, .b = 128},
            {BROADCAST, .root = FIRST, .b = 64},
            {BROADCAST, .root = LAST, .b = 64},
        },
    /* One step of a solver: it computes a norm and exchanges the values at the borders. */
    [LIST_TWO] =
        {
            {ALLREDUCE, SUM_OF_DOUBLES, .b = 8},
            {INDEX, .b = 64},
        },
    /* One step of a loop with a leader: it broadcasts parameters, exchanges data, finds the largest
       change and gathers the results. */
    [LIST_FOUR] =
        {
            {BROADCAST, .root = FIRST, .b = 256},
            {INDEX, .b = 32},
            {ALLREDUCE, MAXIMUM_OF_DOUBLES, .b = 8},
            {GATHER, .root = FIRST, .b = 16},
        },
    [LIST_SIXTEEN] =
        {
            {ALLREDUCE, SUM_OF_DOUBLES, .b = 8},
            {BROADCAST, .root = FIRST, .b = 8},
            {INDEX, .b = 8},
            {ALLREDUCE, MAXIMUM_OF_INTEGERS, .b = 8},
            {CONCAT, .b = 8},
            {BROADCAST, .root = LAST, .b = 1024},
            {INDEX, .b = 128},
            {REDUCE, SUM_OF_DOUBLES, .root = FIRST, .b = 32},
            {SCATTER, .root = FIRST, .b = 64},
            {ALLREDUCE, SUM_OF_DOUBLES, .b = 128},
            {GATHER, .root = LAST, .b = 64},
            {SCAN, SUM_OF_INTEGERS, .b = 8},
            {CONCAT, .b = 256},
            {BROADCAST, .root = MIDDLE, .b = 64},
            {REDUCE_SCATTER, SUM_OF_INTEGERS, .b = 16},
            {BROADCAST, .root = FIRST, .b = 4096},
        },
};

const char *list_name(int list)
{
    static const char *const names[LISTS] = {
        [LIST_FIVE] = "five", [LIST_TWO] = "two", [LIST_FOUR] = "four", [LIST_SIXTEEN] = "sixteen"};
    return names[list];
}

static struct job job_of_call(const struct call *call, int n)
{
    const int32_t roots[] = {[FIRST] = 0, [MIDDLE] = n / 2, [LAST] = n - 1};
    return (struct job){.operation = call->operation,
                        .n = n,
                        .batch = 1, /* there are no barriers between calls */
                        .root = roots[call->root],
                        .combination = call->combination,
                        .b = call->b};
}

/* --- The positions of buffers --- */

/* Returns how many bytes the rank with the most blocks needs. `blocks` is out_blocks or
 * in_blocks. */
static size_t most_bytes(const struct job *job, size_t (*blocks)(const struct job *job, int rank))
{
    size_t root = blocks(job, job->root), other = blocks(job, job->root == 0 ? job->n - 1 : 0);
    return stride_of((root > other ? root : other) * job->b);
}

static void add_part(struct job_parts *parts, const struct job *job, struct arena *used)
{
    parts->part[parts->count++] =
        (struct job_part){.job = *job, .out_at = used->out_stride, .in_at = used->in_stride};
    used->out_stride += most_bytes(job, out_blocks);
    used->in_stride += most_bytes(job, in_blocks);
}

/* Lists the parts of the job with the positions of their buffers. Sets the strides of `used` to the
 * bytes that each processor needs. */
static void lay_out(const struct job *job, int group, struct job_parts *parts, struct arena *used)
{
    parts->count = 0;
    *used = (struct arena){0};
    if (job->operation != PROGRAM) {
        add_part(parts, job, used);
        return;
    }
    for (const struct call *call = calls[job->list]; call->b > 0; call++) {
        struct job one = job_of_call(call, group_size(job));
        one.number = parts->count * job->n + group * one.n;
        add_part(parts, &one, used);
    }
}

void parts_of(const struct job *job, const struct arena *arena, int group, struct job_parts *parts)
{
    struct arena used;
    size_t first = (size_t)(group * group_size(job));
    lay_out(job, group, parts, &used);
    for (int i = 0; i < parts->count; i++) {
        struct job_part *part = &parts->part[i];
        part->arena = *arena;
        if (!arena->in)
            continue;
        part->arena.out += first * arena->out_stride + part->out_at;
        part->arena.in += first * arena->in_stride + part->in_at;
    }
}

void arena_strides(const struct job *job, struct arena *arena)
{
    struct job_parts parts;
    struct arena used;
    lay_out(job, 0, &parts, &used);
    arena->out_stride = used.out_stride;
    arena->in_stride = used.in_stride;
}

/* --- Contents of reductions --- */

/* Returns element `i` of the rank's operand in block number `place`. Elements are small, so a
 * double holds every sum exactly. */
static int64_t element(const struct job *job, int rank, size_t place, size_t i)
{
    return (int64_t)(((size_t)(job->number + rank) * 7919 + place * 104729 + i * 1299709) % 8191);
}

static void write_element(const struct job *job, char *to, int64_t value)
{
    double as_double = (double)value;
    if (job->combination == SUM_OF_DOUBLES || job->combination == MAXIMUM_OF_DOUBLES)
        memcpy(to, &as_double, sizeof as_double);
    else
        memcpy(to, &value, sizeof value);
}

/* Returns the combination of element `i` of ranks 0 to `ranks` - 1. */
static int64_t combined(const struct job *job, int ranks, size_t place, size_t i)
{
    int64_t all = element(job, 0, place, i);
    for (int rank = 1; rank < ranks; rank++) {
        int64_t one = element(job, rank, place, i);
        if (job->combination == SUM_OF_DOUBLES || job->combination == SUM_OF_INTEGERS)
            all += one;
        else if (one > all)
            all = one;
    }
    return all;
}

static void fill_operands(const struct job *job, int rank, char *out, char *in)
{
    for (size_t place = 0; place < out_blocks(job, rank); place++) {
        for (size_t i = 0; i < job->b / 8; i++)
            write_element(job, out + place * job->b + i * 8, element(job, rank, place, i));
    }
    memset(in, 0, in_blocks(job, rank) * job->b);
}

static bool result_right(const struct job *job, int rank, const char *in)
{
    int ranks = job->operation == SCAN ? rank + 1 : job->n;
    size_t place = job->operation == REDUCE_SCATTER ? (size_t)rank : 0;
    for (size_t i = 0; i < in_blocks(job, rank) * job->b / 8; i++) {
        char wanted[8];
        write_element(job, wanted, combined(job, ranks, place, i));
        if (memcmp(in + i * 8, wanted, 8) != 0)
            return false;
    }
    return true;
}

/* --- Contents of the buffers of all parts --- */

void parts_fill(const struct job_parts *parts, int rank, char *out, char *in)
{
    /* A barrier has no buffers, so there is nothing to fill. */
    for (int i = 0; i < parts->count && in; i++) {
        const struct job_part *part = &parts->part[i];
        if (is_reduction(&part->job))
            fill_operands(&part->job, rank, out + part->out_at, in + part->in_at);
        else
            fill_buffers(&part->job, rank, out + part->out_at, in + part->in_at);
    }
}

bool parts_right(const struct job_parts *parts, int rank, const char *in)
{
    for (int i = 0; i < parts->count && in; i++) {
        const struct job_part *part = &parts->part[i];
        const char *result = in + part->in_at;
        if (!(is_reduction(&part->job) ? result_right(&part->job, rank, result)
                                       : buffers_right(&part->job, rank, result)))
            return false;
    }
    return true;
}
