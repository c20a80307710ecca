/* Tests the operations whose blocks have layouts and lengths of their own: all algorithms, with one
 * layout for all blocks, or with a layout for each block. Expected results are computed without the
 * library. */
#include "tests/layout/laid_calls.h"

#define MOST_MEMBERS 16

/* --- Layouts of six doubles --- */

static struct node a_double = {.kind = A_TYPE, .type = KP_FLOAT64};
static struct node trees[] = {
    {.kind = CONTIGUOUS, .count = 6, .child = {&a_double}},
    {.kind = VECTOR, .count = 6, .length = 1, .stride = 3, .child = {&a_double}},
    {.kind = VECTOR, .count = 3, .length = 2, .stride = 4, .child = {&a_double}},
    {.kind = INDEXED,
     .count = 3,
     .lengths = {2, 1, 3},
     .displacements = {9, 0, 4},
     .child = {&a_double}},
    {.kind = STRUCT,
     .count = 2,
     .lengths = {1, 5},
     .displacements = {57, 0},
     .child = {&a_double, &a_double}},
};
#define SHAPES 5
static struct shape shapes[SHAPES];

static int make_shapes(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        shapes[i].count = 1;
        naive_of(&trees[i], &shapes[i].naive);
        if (layout_of(&trees[i], &shapes[i].layout))
            return -1;
    }
    return 0;
}

static int free_shapes(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        kp_layout_free(shapes[i].layout);
    return 0;
}

/* --- A call --- */

struct job {
    const kp_algorithm *algorithm;
    long value;
    kp_operation operation;
    int root;
    bool w, in_place, gaps;
    uint64_t seed;
};

/* A buffer: for each block its shape, its count, and where it begins. */
struct blocks {
    int count;
    const struct shape *shape[MOST_MEMBERS];
    const kp_layout *layouts[MOST_MEMBERS];
    size_t counts[MOST_MEMBERS], displacements[MOST_MEMBERS];
    ptrdiff_t begin[MOST_MEMBERS];
    size_t bytes;
    unsigned char *memory, *expected;
};

static bool for_all(const struct job *job)
{
    return job->operation == KP_CONCATV || job->operation == KP_GATHERV;
}

/* Returns the count of the block from one member to another. In place, blocks that take each
 * other's places have equal counts. */
static size_t count_of(const struct job *job, int from, int to)
{
    const bool swapped = job->operation == KP_INDEXV && job->in_place && from > to;
    const uint64_t a = (uint64_t)(swapped ? to : from), b = (uint64_t)(swapped ? from : to);
    return random_of(job->seed, a, for_all(job) ? 0 : b) % 4;
}

/* The byte at `i` of the data from one member to another. */
static unsigned char data_byte(const struct job *job, int from, int to, size_t i)
{
    return (unsigned char)random_of(job->seed + 1,
                                    (uint64_t)from * 64 + (uint64_t)(for_all(job) ? 0 : to), i);
}

struct writer {
    const struct job *job;
    unsigned char *memory;
    int from, to;
    size_t at;
};

static void write_byte(void *context, ptrdiff_t offset)
{
    struct writer *w = context;
    w->memory[offset] = data_byte(w->job, w->from, w->to, w->at++);
}

/* Writes the block from one member to another at its place. */
static void write_block(const struct job *job, const struct blocks *b, unsigned char *memory, int i,
                        int from, int to)
{
    struct writer w = {job, memory + GUARD_BYTES + b->begin[i], from, to, 0};
    for (size_t r = 0; r < b->counts[i]; r++) {
        each_byte(b->shape[i], 0, write_byte, &w);
        w.memory += b->shape[i]->naive.upper - b->shape[i]->naive.lower;
    }
}

/* Chooses shapes and places. `out` says which member is the sender of all blocks. */
static void lay(const struct job *job, struct blocks *b, int count, int rank, bool out)
{
    uint64_t seed = random_of(job->seed, (uint64_t)rank, out);
    const int one = random_below(&seed, SHAPES);
    ptrdiff_t at = 0;
    *b = (struct blocks){.count = count};
    for (int i = 0; i < count; i++) {
        const int peer = count == 1 ? job->root : i;
        b->shape[i] = &shapes[job->w ? random_below(&seed, SHAPES) : one];
        b->layouts[i] = b->shape[i]->layout;
        b->counts[i] = out ? count_of(job, rank, peer) : count_of(job, peer, rank);
        const ptrdiff_t extent = b->shape[i]->naive.upper - b->shape[i]->naive.lower;
        at += job->gaps ? random_below(&seed, 3) * extent : 0;
        b->begin[i] = at;
        b->displacements[i] = (size_t)(job->w ? at : at / extent);
        at += (ptrdiff_t)b->counts[i] * extent;
    }
    b->bytes = (size_t)at + (size_t)2 * GUARD_BYTES;
    b->memory = malloc(b->bytes);
    b->expected = malloc(b->bytes);
    memset(b->memory, 0xA5, b->bytes);
    memset(b->expected, 0xA5, b->bytes);
}

static int make_call(kp_group *group, const struct job *job, struct blocks *out, struct blocks *in,
                     bool in_place)
{
    const kp_hints hints = {.algorithm = job->algorithm, .values = {job->value}};
    /* A single block has no displacement. */
    const void *from = out->memory + GUARD_BYTES + (for_all(job) ? out->begin[0] : 0);
    void *to = in->memory + GUARD_BYTES + (job->operation == KP_SCATTERV ? in->begin[0] : 0);
    const size_t *out_at = job->gaps ? out->displacements : NULL;
    const size_t *in_at = job->gaps ? in->displacements : NULL;
    const kp_layout *x = out->layouts[0], *y = in->layouts[0];
    if (in_place && job->operation == KP_SCATTERV)
        to = KP_IN_PLACE;
    else if (in_place)
        from = KP_IN_PLACE;
    if (job->w)
        return kp_indexw(group, from, out->counts, out_at, out->layouts, to, in->counts, in_at,
                         in->layouts, &hints);
    if (job->operation == KP_INDEXV)
        return kp_indexv_layout(group, from, out->counts, out_at, x, to, in->counts, in_at, y,
                                &hints);
    if (job->operation == KP_CONCATV)
        return kp_concatv_layout(group, from, out->counts[0], x, to, in->counts, in_at, y, &hints);
    if (job->operation == KP_SCATTERV)
        return kp_scatterv_layout(group, from, out->counts, out_at, x, to, in->counts[0], y,
                                  job->root, &hints);
    return kp_gatherv_layout(group, from, out->counts[0], x, to, in->counts, in_at, y, job->root,
                             &hints);
}

/* Fills the buffers, and computes what they must contain afterwards. */
static void fill_buffers(const struct job *job, struct blocks *out, struct blocks *in, int rank,
                         bool in_place)
{
    const bool scatter = job->operation == KP_SCATTERV;
    for (int i = 0; i < out->count; i++)
        write_block(job, out, out->memory, i, rank, i);
    for (int i = 0; i < in->count && in_place && !scatter; i++) {
        if (job->operation == KP_INDEXV || i == rank)
            write_block(job, in, in->memory, i, rank, i);
    }
    memcpy(out->expected, out->memory, out->bytes);
    for (int i = 0; i < in->count && !(in_place && scatter); i++)
        write_block(job, in, in->expected, i, scatter ? job->root : i, rank);
}

static int do_job(kp_group *group, const struct job *job)
{
    struct blocks out, in;
    const int n = kp_size(group), rank = kp_rank(group);
    const bool root = rank == job->root, scatter = job->operation == KP_SCATTERV;
    const bool rooted_job = scatter || job->operation == KP_GATHERV;
    const bool in_place = job->in_place && (root || !rooted_job);
    const int outs = job->operation == KP_INDEXV || (scatter && root) ? n : scatter ? 0 : 1;
    lay(job, &out, outs, rank, true);
    lay(job, &in, scatter ? 1 : job->operation == KP_GATHERV && !root ? 0 : n, rank, false);
    if (for_all(job))
        out.counts[0] = count_of(job, rank, 0);
    fill_buffers(job, &out, &in, rank, in_place);
    int status = make_call(group, job, &out, &in, in_place);
    const char *what = NULL;
    if (status)
        what = kp_error(kp_group_self(group))->sentence;
    else if (memcmp(in.memory, in.expected, in.bytes) != 0)
        what = "wrong bytes in the incoming buffer or beside its elements";
    else if (memcmp(out.memory, out.expected, out.bytes) != 0)
        what = "the outgoing buffer was changed";
    if (what && status != KP_ELOST && status != KP_EFAILED) {
        char sentence[KP_SENTENCE_BYTES + 100];
        snprintf(sentence, sizeof sentence, "%s, algorithm %s, w %d, in place %d, seed %llu: %s",
                 kp_operation_name(job->operation), job->algorithm ? job->algorithm->name : "open",
                 (int)job->w, (int)job->in_place, (unsigned long long)job->seed, what);
        status = kp_fail(kp_group_self(group), sentence);
    }
    for (int i = 0; i < 2; i++) {
        free((i ? &out : &in)->memory);
        free((i ? &out : &in)->expected);
    }
    return status;
}

/* --- Batches --- */

#define MOST_JOBS 4000

static struct batch {
    int count;
    struct job jobs[MOST_JOBS];
} batch;

static int do_batch(kp_proc *self, void *argument)
{
    const struct batch *all = argument;
    int status = 0;
    for (int i = 0; i < all->count && !status; i++)
        status = do_job(kp_world(self), &all->jobs[i]);
    return status;
}

static uint64_t next_seed = 1;

static void add(kp_operation operation, const kp_algorithm *algorithm, long value, int n)
{
    for (int i = 0; i < scaled(3, 8, 40); i++, next_seed++) {
        assert_true(batch.count < MOST_JOBS);
        batch.jobs[batch.count++] = (struct job){.algorithm = algorithm,
                                                 .value = value,
                                                 .operation = operation,
                                                 .root = (int)(next_seed % (uint64_t)n),
                                                 .w = operation == KP_INDEXV && i % 2,
                                                 .in_place = next_seed % 3 == 0,
                                                 .gaps = next_seed % 5 < 3,
                                                 .seed = next_seed};
    }
}

static void every_algorithm(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 3, 5, 8, MOST_MEMBERS};
    for (int s = 0; s < 6; s++) {
        const int n = sizes[s], k = n > 2 ? 2 : 1;
        for (int i = 0; kp_algorithm_at(i); i++) {
            const kp_algorithm *algorithm = kp_algorithm_at(i);
            const kp_problem p = {
                .operation = algorithm->operation, .n = n, .k = k, .b = 48, .algorithm = algorithm};
            if (algorithm->operation < KP_INDEXV || algorithm->operation > KP_GATHERV ||
                (algorithm->serves && algorithm->serves(&p)))
                continue;
            const bool has_radix = algorithm->parameters[0].low != NULL;
            const long low = has_radix ? algorithm->parameters[0].low(&p) : 0;
            const long high = has_radix ? algorithm->parameters[0].high(&p) : 0;
            for (long value = low; value <= high; value += 3)
                add(algorithm->operation, algorithm, value, n);
        }
        kp_config config = {.processors = n, .ports = k};
        kp_report report;
        assert_good(kp_run(&config, do_batch, &batch, &report), &report);
        batch.count = 0;
    }
}

/* Without a name of an algorithm, and with a port for every other member, blocks without gaps go
 * straight to their receivers. If one member's data have gaps, all make the call in another way. */
static void straight_to_the_receiver(void **state)
{
    (void)state;
    for (int n = 2; n <= MOST_MEMBERS; n++) {
        for (int operation = KP_INDEXV; operation <= KP_GATHERV; operation++)
            add((kp_operation)operation, NULL, 0, n);
        kp_config config = {.processors = n};
        kp_report report;
        assert_good(kp_run(&config, do_batch, &batch, &report), &report);
        batch.count = 0;
    }
}

/* --- What must be refused --- */

static int refused(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const int kind = *(const int *)argument, rank = kp_rank(world);
    const kp_layout *doubles = shapes[0].layout, *spread = shapes[1].layout;
    const size_t ones[] = {1, 1, 1}, eights[] = {48, 48, 48}, same[] = {0, 0, 0},
                 huge[] = {1, SIZE_MAX / 2, 1}, apart[] = {0, 48, 96};
    const kp_layout *const all[] = {doubles, doubles, doubles};
    double out[100] = {0}, in[100];
    int status = KP_OK;
    if (kind == 0) /* as many bytes, but not of the same type */
        status =
            rank == 1
                ? kp_indexv_layout(world, out, eights, NULL, NULL, in, eights, NULL, NULL, NULL)
                : kp_indexv_layout(world, out, ones, NULL, doubles, in, ones, NULL, spread, NULL);
    else if (kind == 1)
        status = kp_indexv_layout(world, out, ones, NULL, doubles, in, ones, same, doubles, NULL);
    else if (kind == 2)
        status = kp_indexv_layout(world, out, huge, NULL, doubles, in, ones, NULL, doubles, NULL);
    else if (kind == 3)
        status = kp_indexw(world, out, ones, apart, all, NULL, ones, apart, all, NULL);
    else if (rank == 1)
        status = kp_indexv(world, out, eights, NULL, in, eights, NULL, NULL);
    else
        status = kp_indexw(world, out, ones, apart, all, in, ones, apart, all, NULL);
    (void)keep(self, status);
    return kp_barrier(world) == KP_OK ? KP_OK : 1;
}

static void what_is_refused(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *words;
    } expected[] = {{KP_EMISMATCH, "signatures differ"},
                    {KP_EARGUMENT, "incoming blocks overlap"},
                    {KP_EARGUMENT, "block 1 of out"},
                    {KP_EARGUMENT, "in is NULL"},
                    {KP_EMISMATCH, "indexv"}};
#ifdef OVER_WIRE
    const int kinds = 4; /* over a wire, no group survives calls that differ */
#else
    const int kinds = 5;
#endif
    for (int kind = 0; kind < kinds; kind++) {
        kp_config config = {.processors = 3, .ports = 1};
        kp_report report;
        int seen = 0;
        assert_good(kp_run(&config, refused, &kind, &report), &report);
        for (int i = 0; i < 3; i++) {
            seen += outcomes[i].status == expected[kind].status &&
                    strstr(outcomes[i].error.sentence, expected[kind].words);
            assert_true(outcomes[i].status == expected[kind].status ||
                        outcomes[i].status == KP_EPEER);
        }
        if (seen == 0)
            fail_msg("kind %d: %s", kind, outcomes[0].error.sentence);
    }
}

int main(int argc, char **argv)
{
    read_level(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(every_algorithm),
        TEST(straight_to_the_receiver),
        TEST(what_is_refused),
    };
    return cmocka_run_group_tests(tests, make_shapes, free_shapes);
}
