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
} calls[LISTS][MOST_STEPS + 1] = {
    [LIST_FIVE] =
        {
            {ALLREDUCE, SUM_OF_DOUBLES, .b = 8},
            {INDEX, .b = 8},
            {INDEX, .b = 128},
            {BROADCAST, .root = FIRST, .b = 64},
            {BROADCAST, .root = LAST, .b = 64},
        },
    /* One iteration of a solver: it computes a norm and exchanges the values at the borders. */
    [LIST_TWO] =
        {
            {ALLREDUCE, SUM_OF_DOUBLES, .b = 8},
            {INDEX, .b = 64},
        },
    /* One iteration of a loop with a leader: it broadcasts parameters, exchanges data, finds the
       largest change and gathers the results. */
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

static void add_step(struct job_steps *steps, const struct job *job, struct arena *used)
{
    steps->step[steps->count++] =
        (struct job_step){.job = *job, .out_at = used->out_stride, .in_at = used->in_stride};
    used->out_stride += most_bytes(job, out_blocks);
    used->in_stride += most_bytes(job, in_blocks);
}

/* Lists the steps of the job with the positions of their buffers. Sets the strides of `used` to the
 * bytes that each processor needs. */
static void lay_out(const struct job *job, int group, struct job_steps *steps, struct arena *used)
{
    steps->count = 0;
    *used = (struct arena){0};
    if (job->operation != PROGRAM) {
        add_step(steps, job, used);
        return;
    }
    for (const struct call *call = calls[job->list]; call->b > 0; call++) {
        struct job one = job_of_call(call, group_size(job));
        one.number = steps->count * job->n + group * one.n;
        add_step(steps, &one, used);
    }
}

void steps_of(const struct job *job, const struct arena *arena, int group, struct job_steps *steps)
{
    struct arena used;
    size_t first = (size_t)(group * group_size(job));
    lay_out(job, group, steps, &used);
    for (int i = 0; i < steps->count; i++) {
        struct job_step *step = &steps->step[i];
        step->arena = *arena;
        if (!arena->in)
            continue;
        step->arena.out += first * arena->out_stride + step->out_at;
        step->arena.in += first * arena->in_stride + step->in_at;
    }
}

void arena_strides(const struct job *job, struct arena *arena)
{
    struct job_steps steps;
    struct arena used;
    lay_out(job, 0, &steps, &used);
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

/* --- Contents of the buffers of all steps --- */

void steps_fill(const struct job_steps *steps, int rank, char *out, char *in)
{
    /* A barrier has no buffers, so there is nothing to fill. */
    for (int i = 0; i < steps->count && in; i++) {
        const struct job_step *step = &steps->step[i];
        if (is_reduction(&step->job))
            fill_operands(&step->job, rank, out + step->out_at, in + step->in_at);
        else
            fill_buffers(&step->job, rank, out + step->out_at, in + step->in_at);
    }
}

bool steps_right(const struct job_steps *steps, int rank, const char *in)
{
    for (int i = 0; i < steps->count && in; i++) {
        const struct job_step *step = &steps->step[i];
        const char *result = in + step->in_at;
        if (!(is_reduction(&step->job) ? result_right(&step->job, rank, result)
                                       : buffers_right(&step->job, rank, result)))
            return false;
    }
    return true;
}
