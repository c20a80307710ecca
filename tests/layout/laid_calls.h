/* Calls on blocks with layouts, and their expected results, computed without the library from plain
 * lists of elements. A seed determines every byte of every buffer, also between the elements. */
#ifndef KPORT_TESTS_LAID_CALLS_H
#define KPORT_TESTS_LAID_CALLS_H

#include "tests/layout/naive.h"

#define GUARD_BYTES 32

/* `count` repetitions of a layout. */
struct shape {
    kp_layout *layout;
    size_t count;
    struct naive naive; /* of one repetition */
};

/* A call that all members make. */
struct laid_job {
    kp_operation operation;
    kp_hints hints;
    const struct shape *out, *in;
    int root, to;
    bool in_place;
    bool by_plan; /* a plan makes the call twice */
    uint64_t seed;
};

/* A buffer of `blocks` blocks. */
struct laid_buffer {
    const struct shape *shape;
    int blocks;
    ptrdiff_t low;
    size_t bytes;
    unsigned char *memory, *data, *expected;
    uint64_t key;
};

static inline size_t shape_bytes(const struct shape *shape)
{
    return shape->count * naive_bytes(&shape->naive);
}

/* Calls `visit` for each byte of the data of a block, in order, with its offset from the buffer's
 * address. */
typedef void visit_byte(void *context, ptrdiff_t offset);

static inline void each_byte(const struct shape *shape, int block, visit_byte *visit, void *context)
{
    const struct naive *n = &shape->naive;
    const ptrdiff_t extent = n->upper - n->lower, first = (ptrdiff_t)shape->count * block;
    for (size_t r = 0; r < shape->count; r++) {
        for (size_t i = 0; i < n->count; i++) {
            for (size_t j = 0; j < element_bytes(n->elements[i]); j++)
                visit(context,
                      (first + (ptrdiff_t)r) * extent + n->elements[i].offset + (ptrdiff_t)j);
        }
    }
}

struct range {
    ptrdiff_t low, high;
};

static inline void widen(void *context, ptrdiff_t offset)
{
    struct range *range = context;
    range->low = offset < range->low ? offset : range->low;
    range->high = offset + 1 > range->high ? offset + 1 : range->high;
}

static inline unsigned char laid_byte(uint64_t key, ptrdiff_t offset)
{
    return (unsigned char)random_of(key, (uint64_t)offset, 7);
}

/* Returns the key of the initial contents of a buffer. */
static inline uint64_t laid_key(const struct laid_job *job, int rank, kp_space space)
{
    return random_of(job->seed, (uint64_t)rank, (uint64_t)space);
}

static inline void laid_make(struct laid_buffer *b, const struct shape *shape, int blocks,
                             uint64_t key)
{
    struct range range = {0, 0};
    *b = (struct laid_buffer){.shape = shape, .blocks = blocks, .key = key};
    for (int i = 0; i < blocks; i++)
        each_byte(shape, i, widen, &range);
    b->low = range.low;
    b->bytes = (size_t)(range.high - range.low) + (size_t)2 * GUARD_BYTES;
    b->memory = malloc(b->bytes);
    b->expected = malloc(b->bytes);
    b->data = b->memory + GUARD_BYTES - range.low;
    for (size_t i = 0; i < b->bytes; i++)
        b->memory[i] = b->expected[i] = laid_byte(key, (ptrdiff_t)i - GUARD_BYTES + range.low);
}

static inline void laid_free(struct laid_buffer *b)
{
    free(b->memory);
    free(b->expected);
}

struct collected {
    unsigned char *bytes;
    size_t count;
    uint64_t key;
    struct laid_buffer *into; /* where the bytes go; NULL: they are collected */
};

static inline void collect(void *context, ptrdiff_t offset)
{
    struct collected *c = context;
    c->bytes[c->count++] = laid_byte(c->key, offset);
}

static inline void spread(void *context, ptrdiff_t offset)
{
    struct collected *c = context;
    c->into->expected[GUARD_BYTES - c->into->low + offset] = c->bytes[c->count++];
}

/* Writes what block `from_block` of `from` contains at first to block `block` of the expected
 * contents. The sender's buffer is `in` if its data are in place. */
static inline void expect_block(const struct laid_job *job, struct laid_buffer *in, int block,
                                int from, int from_block, bool from_in)
{
    const struct shape *shape = from_in ? job->in : job->out;
    struct collected c = {.bytes = malloc(shape_bytes(shape) + 1), .into = in};
    c.key = laid_key(job, from, from_in ? KP_IN : KP_OUT);
    each_byte(shape, from_block, collect, &c);
    c.count = 0;
    each_byte(in->shape, block, spread, &c);
    free(c.bytes);
}

static inline bool rooted(kp_operation operation)
{
    return operation == KP_BROADCAST || operation == KP_SCATTER || operation == KP_GATHER ||
           operation == KP_ONE_TO_ONE;
}

/* Returns whether the member with this rank passes KP_IN_PLACE. */
static inline bool is_in_place(const struct laid_job *job, int rank)
{
    return job->in_place && (!rooted(job->operation) || rank == job->root) &&
           job->operation != KP_BROADCAST && job->operation != KP_ONE_TO_ONE;
}

/* The definition of the operations. */
static inline void expect_all(const struct laid_job *job, struct laid_buffer *in, int n, int rank)
{
    const bool in_place = is_in_place(job, rank);
    if (job->operation == KP_BROADCAST && rank != job->root)
        expect_block(job, in, 0, job->root, 0, true);
    if (job->operation == KP_SCATTER && !in_place)
        expect_block(job, in, 0, job->root, rank, false);
    if (job->operation == KP_ONE_TO_ONE && rank == job->to)
        expect_block(job, in, 0, job->root, 0, false);
    for (int i = 0; i < n; i++) {
        if (job->operation == KP_INDEX)
            expect_block(job, in, i, i, rank, in_place);
        const bool there = is_in_place(job, i);
        if (job->operation == KP_CONCAT || (job->operation == KP_GATHER && rank == job->root))
            expect_block(job, in, i, i, there ? i : 0, there);
    }
}

static inline kp_arguments laid_arguments(const struct laid_job *job, int rank,
                                          struct laid_buffer *out, struct laid_buffer *in)
{
    kp_arguments a = {.operation = job->operation,
                      .out = out->data,
                      .in = in->data,
                      .out_layout = job->out->layout,
                      .in_layout = job->in->layout,
                      .out_count = job->out->count,
                      .in_count = job->in->count,
                      .root = rooted(job->operation) ? job->root : 0,
                      .to = job->operation == KP_ONE_TO_ONE ? job->to : 0,
                      .hints = &job->hints};
    if (is_in_place(job, rank))
        *(job->operation == KP_SCATTER ? (const void **)&a.in : &a.out) = KP_IN_PLACE;
    if (job->operation == KP_BROADCAST)
        a.out = NULL;
    return a;
}

static inline int laid_call(kp_group *group, const kp_arguments *a)
{
    switch (a->operation) {
    case KP_INDEX:
        return kp_index_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_count,
                               a->in_layout, a->hints);
    case KP_CONCAT:
        return kp_concat_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_count,
                                a->in_layout, a->hints);
    case KP_BROADCAST:
        return kp_broadcast_layout(group, a->in, a->in_count, a->in_layout, a->root, a->hints);
    case KP_SCATTER:
        return kp_scatter_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_count,
                                 a->in_layout, a->root, a->hints);
    case KP_GATHER:
        return kp_gather_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_count,
                                a->in_layout, a->root, a->hints);
    default:
        return kp_one_to_one_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_count,
                                    a->in_layout, a->root, a->to, a->hints);
    }
}

/* Over a wire no request can be started. */
static inline int laid_execute(kp_plan *plan, bool starts)
{
#ifndef OVER_WIRE
    kp_request *request = NULL;
    if (starts) {
        const int status = kp_plan_start(plan, &request);
        return status ? status : kp_wait(&request);
    }
#endif
    (void)starts;
    return kp_plan_execute(plan);
}

/* Makes the call twice by a plan: the second time the buffers are filled anew, and the call is
 * started and waited for. */
static inline int laid_by_plan(kp_group *group, const kp_arguments *a, struct laid_buffer *in)
{
    kp_plan *plan;
    kp_arguments given = *a;
    if (!given.out_layout && !given.in_layout)
        return laid_call(group, a);
    int status = kp_plan_make(group, &given, &plan);
    for (int i = 0; i < 2 && !status; i++) {
        for (size_t j = 0; j < in->bytes; j++)
            in->memory[j] = laid_byte(in->key, (ptrdiff_t)j - GUARD_BYTES + in->low);
        /* Nobody fills a buffer anew while others read it. */
        status = kp_barrier(group);
        status = status ? status : laid_execute(plan, i > 0);
    }
    return status ? status : kp_plan_free(plan);
}

/* Makes this member's call and verifies every byte of both buffers. */
static inline int laid_do(kp_group *group, const struct laid_job *job)
{
    struct laid_buffer out, in;
    const int n = kp_size(group), rank = kp_rank(group);
    const bool each_out = job->operation == KP_INDEX || job->operation == KP_SCATTER;
    const bool each_in =
        job->operation == KP_INDEX || job->operation == KP_CONCAT || job->operation == KP_GATHER;
    laid_make(&out, job->out, each_out ? n : 1, laid_key(job, rank, KP_OUT));
    laid_make(&in, job->in, each_in ? n : 1, laid_key(job, rank, KP_IN));
    expect_all(job, &in, n, rank);
    const kp_arguments a = laid_arguments(job, rank, &out, &in);
    int status = job->by_plan ? laid_by_plan(group, &a, &in) : laid_call(group, &a);
    const char *what = NULL;
    if (status)
        what = kp_error(kp_group_self(group))->sentence;
    else if (memcmp(in.memory, in.expected, in.bytes) != 0)
        what = "wrong bytes in the incoming buffer or beside its elements";
    else if (memcmp(out.memory, out.expected, out.bytes) != 0)
        what = "the outgoing buffer was changed";
    if (what && status != KP_ELOST && status != KP_EFAILED) {
        char sentence[KP_SENTENCE_BYTES + 100];
        snprintf(sentence, sizeof sentence, "%s, algorithm %s, in place %d, seed %llu: %s",
                 kp_operation_name(job->operation),
                 job->hints.algorithm ? job->hints.algorithm->name : "open", (int)job->in_place,
                 (unsigned long long)job->seed, what);
        status = kp_fail(kp_group_self(group), sentence);
    }
    laid_free(&out);
    laid_free(&in);
    return status;
}

#endif
