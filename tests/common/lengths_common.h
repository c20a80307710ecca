/* The tests of calls in which every block has a length of its own share this header. Its functions
 * choose the lengths, place the blocks in the buffers, make the call, and verify every byte without
 * the library. A seed determines what every processor sends to every other processor. */
#ifndef KPORT_TESTS_LENGTHS_COMMON_H
#define KPORT_TESTS_LENGTHS_COMMON_H

#include "tests/common/machine_common.h"
#include "tools/kport/common/operation_call.h"

#include "kport.h"

#define MOST_MEMBERS 40
#define GUARD_BYTES  32
#define UNTOUCHED    0xA5

enum lengths {
    RANDOM_LENGTHS, /* 0 to b bytes; a quarter of the blocks have 0 bytes */
    ALL_ZERO,
    ONE_HUGE, /* one block has b bytes, every other block at most 16 */
    ALL_EQUAL,
    KINDS_OF_LENGTHS
};

enum layout {
    PACKED,         /* the blocks are adjacent, and the call gets no displacements */
    WITH_GAPS,      /* the blocks are in order, with gaps between them */
    PERMUTED,       /* the blocks are in a random order, with gaps between them */
    ONE_BEHIND_ONE, /* the blocks are adjacent, and the call gets displacements */
    KINDS_OF_LAYOUT
};

/* A call that all members of a group make. */
struct job {
    kp_operation operation;
    kp_hints hints;
    enum lengths lengths;
    enum layout layout;
    size_t b;
    int root;
    int in_place;
    uint64_t seed;
};

static inline bool rooted(kp_operation operation)
{
    return operation == KP_SCATTERV || operation == KP_GATHERV;
}

/* Returns the number of bytes that `from` sends to `to`. In a concatenation or gather all receivers
 * get the same block of `from`, so `to` does not matter. */
static inline size_t length_between(const struct job *job, int n, int from, int to)
{
    bool for_all = job->operation == KP_CONCATV || job->operation == KP_GATHERV;
    int a = from, b = for_all ? 0 : to;
    /* In place, the block from a to b is as long as the block from b to a. */
    if (job->operation == KP_INDEXV && job->in_place && a > b) {
        a = to;
        b = from;
    }
    uint64_t draw = random_of(job->seed, (uint64_t)a, (uint64_t)b);
    uint64_t huge = random_mixed(job->seed);
    int huge_a = (int)(huge % (uint64_t)n), huge_b = for_all ? 0 : (int)(huge / 64 % (uint64_t)n);
    if (job->operation == KP_SCATTERV)
        huge_a = job->root;
    switch (job->lengths) {
    case ALL_ZERO:
        return 0;
    case ALL_EQUAL:
        return job->b;
    case ONE_HUGE:
        if ((a == huge_a && b == huge_b) ||
            (job->in_place && job->operation == KP_INDEXV && b == huge_a && a == huge_b))
            return job->b;
        return draw % 17;
    default:
        return draw % 4 == 0 ? 0 : draw / 4 % (job->b + 1);
    }
}

static inline uint64_t block_key(const struct job *job, int from, int to)
{
    bool for_all = job->operation == KP_CONCATV || job->operation == KP_GATHERV;
    return random_of(job->seed + 1, (uint64_t)from, for_all ? 0 : (uint64_t)to);
}

/* A buffer, with the lengths (`counts`) and positions (`displacements`) of its blocks. */
struct blocks {
    int count;
    size_t counts[MOST_MEMBERS], displacements[MOST_MEMBERS];
    bool packed; /* whether the call gets NULL as displacements */
    size_t bytes;
    unsigned char *memory, *data, *expected;
};

static inline const size_t *displacements_of(const struct blocks *blocks)
{
    return blocks->packed ? NULL : blocks->displacements;
}

/* Chooses the displacements of the blocks. The caller must set `count` and `counts` before. */
static inline void lay(struct blocks *blocks, enum layout layout, uint64_t seed)
{
    int order[MOST_MEMBERS];
    size_t at = 0;
    for (int i = 0; i < blocks->count; i++)
        order[i] = i;
    for (int i = blocks->count - 1; i > 0 && layout == PERMUTED; i--) {
        int other = random_below(&seed, i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    for (int i = 0; i < blocks->count; i++) {
        if (layout == PERMUTED || layout == WITH_GAPS)
            at += (size_t)random_below(&seed, 12);
        blocks->displacements[order[i]] = at;
        at += blocks->counts[order[i]];
    }
    blocks->packed = layout == PACKED;
    blocks->bytes = at;
}

static inline void make(struct blocks *blocks)
{
    size_t bytes = blocks->bytes + (size_t)2 * GUARD_BYTES;
    blocks->memory = malloc(bytes);
    blocks->expected = malloc(bytes);
    memset(blocks->memory, UNTOUCHED, bytes);
    memset(blocks->expected, UNTOUCHED, bytes);
    blocks->data = blocks->memory + GUARD_BYTES;
}

/* Returns whether every byte of the buffer, its guards included, has its expected value. */
static inline bool as_expected(const struct blocks *blocks)
{
    return memcmp(blocks->memory, blocks->expected, blocks->bytes + (size_t)2 * GUARD_BYTES) == 0;
}

static inline void expect_block(struct blocks *blocks, int i, uint64_t key)
{
    fill(blocks->expected + GUARD_BYTES + blocks->displacements[i], blocks->counts[i], key);
}

static inline void discard(struct blocks *blocks)
{
    free(blocks->memory);
    free(blocks->expected);
}

/* A member's outgoing and incoming buffers, and the arguments of its call. */
struct member {
    struct job job;
    int n, rank;
    struct blocks out, in;
    kp_arguments arguments;
};

static inline void member_out(struct member *m)
{
    const struct job *job = &m->job;
    bool at_root = m->rank == job->root;
    m->out.count = job->operation == KP_INDEXV || (job->operation == KP_SCATTERV && at_root) ? m->n
                   : job->operation == KP_SCATTERV                                           ? 0
                                                                                             : 1;
    for (int i = 0; i < m->out.count; i++)
        m->out.counts[i] = length_between(job, m->n, m->rank, i);
    lay(&m->out, job->layout, random_of(job->seed, 2, (uint64_t)m->rank));
    make(&m->out);
    for (int i = 0; i < m->out.count; i++)
        expect_block(&m->out, i, block_key(job, m->rank, i));
    memcpy(m->out.memory, m->out.expected, m->out.bytes + (size_t)2 * GUARD_BYTES);
}

static inline void member_in(struct member *m)
{
    const struct job *job = &m->job;
    bool at_root = m->rank == job->root, one = job->operation == KP_SCATTERV;
    m->in.count = one ? 1 : job->operation == KP_GATHERV && !at_root ? 0 : m->n;
    for (int i = 0; i < m->in.count; i++)
        m->in.counts[i] = length_between(job, m->n, one ? job->root : i, m->rank);
    lay(&m->in, job->layout, random_of(job->seed, 3, (uint64_t)m->rank));
    make(&m->in);
    for (int i = 0; i < m->in.count; i++)
        expect_block(&m->in, i, block_key(job, one ? job->root : i, m->rank));
}

/* Writes the member's own blocks into the incoming buffer, from which a call in place reads
 * them. */
static inline void fill_in_place(struct member *m)
{
    const struct job *job = &m->job;
    for (int i = 0; i < m->in.count; i++) {
        if (job->operation == KP_INDEXV || i == m->rank)
            fill(m->in.data + m->in.displacements[i], m->in.counts[i],
                 block_key(job, m->rank, job->operation == KP_INDEXV ? i : 0));
    }
}

static inline void member_begin(struct member *m, kp_group *group, const struct job *job)
{
    *m = (struct member){.job = *job, .n = kp_size(group), .rank = kp_rank(group)};
    bool at_root = m->rank == job->root;
    member_out(m);
    member_in(m);
    kp_arguments *a = &m->arguments;
    bool one_out = job->operation == KP_CONCATV || job->operation == KP_GATHERV;
    bool one_in = job->operation == KP_SCATTERV;
    *a = (kp_arguments){.operation = job->operation,
                        .out = m->out.data + (one_out ? m->out.displacements[0] : 0),
                        .out_counts = m->out.counts,
                        .out_displacements = displacements_of(&m->out),
                        .out_bytes = m->out.counts[0],
                        .in = m->in.data + (one_in ? m->in.displacements[0] : 0),
                        .in_counts = m->in.counts,
                        .in_displacements = displacements_of(&m->in),
                        .in_bytes = m->in.counts[0],
                        .root = job->root,
                        .hints = &m->job.hints};
    if (!job->in_place || (rooted(job->operation) && !at_root))
        return;
    if (job->operation == KP_SCATTERV) {
        a->in = KP_IN_PLACE;
        memset(m->in.expected, UNTOUCHED, m->in.bytes + (size_t)2 * GUARD_BYTES);
    } else {
        a->out = KP_IN_PLACE;
        fill_in_place(m);
    }
}

static inline void member_end(struct member *m)
{
    discard(&m->out);
    discard(&m->in);
}

static inline int wrong(kp_group *group, const struct job *job, const char *what)
{
    kp_problem p = {.operation = job->operation,
                    .n = kp_size(group),
                    .k = kp_ports(group),
                    .b = job->b,
                    .root = rooted(job->operation) ? job->root : 0,
                    .in_place = job->in_place,
                    .algorithm = job->hints.algorithm};
    char text[160], sentence[KP_SENTENCE_BYTES + 300];
    memcpy(p.values, job->hints.values, sizeof p.values);
    kp_problem_format(&p, text, sizeof text);
    snprintf(sentence, sizeof sentence, "%s (lengths %d, layout %d, seed %llu): %s", text,
             (int)job->lengths, (int)job->layout, (unsigned long long)job->seed, what);
    return kp_fail(kp_group_self(group), sentence);
}

/* Makes this member's call and verifies both buffers. Returns 0 or the status of an error. */
static inline int do_job(kp_group *group, const struct job *job)
{
    struct member m;
    member_begin(&m, group, job);
    int status = operation_call(group, &m.arguments);
    if (status) {
        char sentence[KP_SENTENCE_BYTES];
        snprintf(sentence, sizeof sentence, "%s", kp_error(kp_group_self(group))->sentence);
        status = status == KP_ELOST || status == KP_EFAILED ? status : wrong(group, job, sentence);
    } else if (!as_expected(&m.in)) {
        status = wrong(group, job, "wrong bytes in the incoming buffer or beside its blocks");
    } else if (!as_expected(&m.out)) {
        status = wrong(group, job, "the outgoing buffer was changed");
    }
    member_end(&m);
    return status;
}

#endif
