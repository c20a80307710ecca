/* Tests the collective operations on blocks with layouts: a number of small layouts with every
 * operation and algorithm, random layouts, and what must be refused. */
#include "tests/layout/laid_calls.h"

#include "tests/common/profile_common.h"

static const kp_operation operations[] = {KP_INDEX,   KP_CONCAT, KP_BROADCAST,
                                          KP_SCATTER, KP_GATHER, KP_ONE_TO_ONE};
#define OPERATIONS 6

/* --- Batches of calls --- */

#define MOST_JOBS 20000

static struct batch {
    int count;
    struct laid_job jobs[MOST_JOBS];
} batch;

static kp_config machine_kind;

static int do_batch(kp_proc *self, void *argument)
{
    const struct batch *all = argument;
    int status = 0;
    for (int i = 0; i < all->count && !status; i++)
        status = laid_do(kp_world(self), &all->jobs[i]);
    return status;
}

static int run_batch(int n, int k, kp_report *report)
{
    kp_config config = machine_kind;
    config.processors = n;
    config.ports = k;
    return kp_run(&config, do_batch, &batch, report);
}

static void assert_batch(int n, int k)
{
    kp_report report;
    assert_true(batch.count > 0);
    assert_good(run_batch(n, k, &report), &report);
    batch.count = 0;
}

/* --- Small layouts, exhaustively --- */

/* Blocks of six doubles, by trees. */
static struct node a_double = {.kind = A_TYPE, .type = KP_FLOAT64};
static struct node pair = {
    .kind = VECTOR, .count = 2, .length = 1, .stride = 5, .child = {&a_double}};
static const struct node trees[] = {
    {.kind = A_TYPE, .type = KP_FLOAT64},
    {.kind = VECTOR, .count = 6, .length = 1, .stride = 3, .child = {&a_double}},
    {.kind = VECTOR, .count = 3, .length = 2, .stride = -4, .child = {&a_double}},
    {.kind = INDEXED,
     .count = 3,
     .lengths = {2, 1, 3},
     .displacements = {9, 0, 4},
     .child = {&a_double}},
    {.kind = RESIZED, .stride = -3, .extent = 96, .child = {&pair}},
    {.kind = STRUCT,
     .count = 2,
     .lengths = {1, 5},
     .displacements = {17, -40},
     .child = {&a_double, &a_double}},
};
static const size_t counts[] = {6, 1, 1, 1, 3, 1};
#define SHAPES 6
static struct shape shapes[SHAPES];

static int make_shapes(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        shapes[i].count = counts[i];
        naive_of(&trees[i], &shapes[i].naive);
        if (layout_of(&trees[i], &shapes[i].layout) || shape_bytes(&shapes[i]) != 48)
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

static uint64_t next_seed = 1;

static void add_pairs(const kp_algorithm *algorithm, long value, int n, int step)
{
    const int first = step < SHAPES * SHAPES ? step : SHAPES * SHAPES;
    for (int i = (int)(next_seed % (uint64_t)first); i < SHAPES * SHAPES; i += step) {
        next_seed++;
        assert_true(batch.count < MOST_JOBS);
        batch.jobs[batch.count++] =
            (struct laid_job){.operation = algorithm->operation,
                              .hints = {.algorithm = algorithm, .values = {value}},
                              .out = &shapes[i / SHAPES],
                              .in = &shapes[i % SHAPES],
                              .root = (int)(next_seed % (uint64_t)n),
                              .to = (int)(next_seed / 3 % (uint64_t)n),
                              .in_place = next_seed % 4 == 0,
                              .by_plan = next_seed % 7 == 0,
                              .seed = next_seed};
    }
}

static void add_every_algorithm(int n, int k, int step)
{
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *algorithm = kp_algorithm_at(i);
        const kp_problem p = {
            .operation = algorithm->operation, .n = n, .k = k, .b = 48, .algorithm = algorithm};
        bool ours = false;
        for (int j = 0; j < OPERATIONS; j++)
            ours = ours || operations[j] == algorithm->operation;
        if (!ours || (algorithm->serves && algorithm->serves(&p)))
            continue;
        const bool has_radix = algorithm->parameters[0].low != NULL;
        const long low = has_radix ? algorithm->parameters[0].low(&p) : 0;
        const long high = has_radix ? algorithm->parameters[0].high(&p) : 0;
        for (long value = low; value <= high && value < low + 4; value++)
            add_pairs(algorithm, value, n, step);
    }
}

/* Eager buffers of the usual length, and of 16 bytes, so that no message fits. Of the pairs of
 * layouts, every `step`-th is taken, or fewer with sanitizers. */
static void run_both(int n, int k, int step)
{
    step *= SANITIZED ? 6 : 1;
    for (int i = 0; i < 2; i++) {
        machine_kind.eager_bytes = i == 0 ? 0 : 16;
        add_every_algorithm(n, k, step);
        assert_batch(n, k);
    }
    machine_kind.eager_bytes = 0;
}

static void every_algorithm_with_every_pair(void **state)
{
    (void)state;
    for (int n = 1; n <= 5; n++) {
        for (int k = 1; k <= (n > 1 ? n - 1 : 1); k++)
            run_both(n, k, scaled(5, 1, 1));
    }
    run_both(8, 1, scaled(7, 3, 1));
    run_both(8, 7, scaled(7, 3, 1));
    run_both(16, 3, scaled(36, 11, 3));
}

static void by_mailboxes(void **state)
{
    (void)state;
    machine_kind.discipline = KP_ROUNDS_BY_MAILBOXES;
    every_algorithm_with_every_pair(state);
    machine_kind.discipline = KP_ROUNDS_BY_BARRIER;
}

/* --- Random layouts --- */

/* Makes a layout with the elements of `n`, `count` times, in a random order of places, which do not
 * overlap. */
static kp_layout *placed(const struct naive *n, size_t count, struct naive *made, uint64_t *seed)
{
    static ptrdiff_t displacements[MOST_ELEMENTS];
    static const kp_layout *fields[MOST_ELEMENTS];
    static size_t order[MOST_ELEMENTS];
    kp_layout *layout = NULL, *resized = NULL;
    ptrdiff_t at = -random_below(seed, 50);
    memset(made, 0, sizeof *made);
    for (size_t i = 0; i < count * n->count; i++)
        order[i] = i;
    for (size_t i = count * n->count; i-- > 1;) {
        const size_t other = (size_t)random_below(seed, (int)i + 1), kept = order[i];
        order[i] = random_once_in(seed, 2) ? order[i] : order[other];
        order[other] = order[i] == kept ? order[other] : kept;
    }
    for (size_t i = 0; i < count * n->count; i++) {
        const struct element *e = &n->elements[order[i] % n->count];
        at += random_once_in(seed, 2) ? 0 : random_below(seed, 9);
        displacements[order[i]] = at;
        fields[order[i]] = e->type < 0 ? NULL : kp_layout_of((kp_type)e->type);
        made->elements[order[i]] = (struct element){at, e->type};
        at += (ptrdiff_t)element_bytes(*e);
    }
    made->count = count * n->count;
    assert_int_equal(kp_layout_struct(made->count, NULL, displacements, fields, &layout), KP_OK);
    made->lower = kp_layout_lower(layout);
    const size_t extent = kp_layout_extent(layout) + (size_t)random_below(seed, 10);
    made->upper = made->lower + (ptrdiff_t)extent;
    assert_int_equal(kp_layout_resized(layout, made->lower, extent, &resized), KP_OK);
    kp_layout_free(layout);
    return resized;
}

/* A random tree as the outgoing layout, which may overlap, and its elements anywhere as the
 * incoming one. */
static bool tree_fails(const struct node *root, void *context)
{
    uint64_t seed = *(uint64_t *)context;
    static struct shape out, in;
    kp_report report = {.c1 = 0};
    const int n = 1 + random_below(&seed, 6), k = n > 1 ? 1 + random_below(&seed, n - 1) : 1;
    naive_of(root, &out.naive);
    out.count = (size_t)random_below(&seed, 4);
    if (out.naive.too_many || out.count * out.naive.count > MOST_ELEMENTS ||
        layout_of(root, &out.layout))
        return out.naive.too_many ? false : out.count * out.naive.count <= MOST_ELEMENTS;
    in.count = out.count > 0 && random_once_in(&seed, 2) ? out.count : 1;
    in.layout = placed(&out.naive, out.count / in.count, &in.naive, &seed);
    for (int i = 0; i < 8; i++)
        batch.jobs[batch.count++] =
            (struct laid_job){.operation = operations[random_below(&seed, OPERATIONS)],
                              .out = &out,
                              .in = &in,
                              .root = random_below(&seed, n),
                              .to = random_below(&seed, n),
                              .in_place = random_once_in(&seed, 3),
                              .by_plan = random_once_in(&seed, 5),
                              .seed = random_next(&seed)};
    machine_kind.eager_bytes = random_once_in(&seed, 2) ? 0 : 16;
    machine_kind.discipline =
        random_once_in(&seed, 2) ? KP_ROUNDS_BY_MAILBOXES : KP_ROUNDS_BY_BARRIER;
    const int status = run_batch(n, k, &report);
    if (status)
        print_message("%s\n", report.error.sentence);
    machine_kind = (kp_config){.processors = 0};
    batch.count = 0;
    kp_layout_free(in.layout);
    kp_layout_free(out.layout);
    return status;
}

static void drawn_at_random(void **state)
{
    (void)state;
    uint64_t seed = 19;
    for (int i = 0; i < scaled(60, 200, 2000); i++) {
        uint64_t of_tree = random_next(&seed);
        struct node *root = random_node(&seed, 1 + random_below(&seed, 3));
        if (tree_fails(root, &of_tree)) {
            node_shrink(root, tree_fails, &of_tree);
            fail_msg("tree %d, seed %llu", i, (unsigned long long)of_tree);
        }
        node_free(root);
    }
}

/* --- Long blocks, and more instructions than are kept --- */

static void long_blocks_and_long_code(void **state)
{
    (void)state;
    static struct shape columns, lines;
    struct node column = {
        .kind = VECTOR, .count = 50, .length = 1, .stride = 8, .child = {&a_double}};
    struct node narrow = {.kind = RESIZED, .extent = 8, .child = {&column}};
    naive_of(&narrow, &columns.naive);
    assert_int_equal(layout_of(&narrow, &columns.layout), KP_OK);
    columns.count = 8;
    naive_of(&trees[0], &lines.naive);
    assert_int_equal(layout_of(&trees[0], &lines.layout), KP_OK);
    lines.count = 400;
    for (int n = 4; n <= 64; n *= 4) {
        for (int i = 0; i < OPERATIONS; i++) {
            batch.jobs[batch.count++] = (struct laid_job){
                .operation = operations[i], .out = &columns, .in = &lines, .to = n - 1, .seed = 5};
            batch.jobs[batch.count++] = (struct laid_job){
                .operation = operations[i], .out = &lines, .in = &lines, .to = 0, .seed = 6};
        }
        assert_batch(n, n - 1);
    }
    kp_layout_free(columns.layout);
}

#ifndef OVER_WIRE /* there, no group survives calls that are refused */

/* Blocks without gaps are copied past the cache, if the call moves more than it holds. */
static void past_the_cache(void **state)
{
    const kp_config before = machine_kind;
    kp_profile *profile = read_small_caches();
    machine_kind.profile = profile;
    machine_kind.eager_bytes = 64; /* longer blocks stay in place */
    long_blocks_and_long_code(state);
    machine_kind = before;
    kp_profile_free(profile);
}

/* --- Calls that are kept --- */

/* A call that differs from a kept one in a count or a layout is another call. A plan and a kept
 * call keep layouts that the program has freed. */
static int kept_calls(kp_proc *self, void *unused)
{
    kp_group *world = kp_world(self);
    const kp_layout *ints = kp_layout_of(KP_INT32);
    const int out[] = {1, 2, 3, 4, 5, 6, 7, 8};
    int in[8];
    kp_layout *every_other;
    kp_plan *plan;
    (void)unused;
    NEED(self, kp_layout_vector(2, 1, 2, ints, &every_other) == KP_OK);
    const kp_arguments a = {.operation = KP_INDEX,
                            .out = out,
                            .in = in,
                            .out_layout = every_other,
                            .out_count = 1,
                            .in_layout = ints,
                            .in_count = 2};
    NEED(self, kp_plan_make(world, &a, &plan) == KP_OK);
    for (int i = 0; i < 3; i++) {
        memset(in, 0, sizeof in);
        NEED(self, kp_index_layout(world, out, 1, every_other, in, 2, ints, NULL) == KP_OK);
        NEED(self, in[0] == 1 && in[1] == 3 && in[2] == 0);
        NEED(self, kp_index_layout(world, out, 2, ints, in, 2, ints, NULL) == KP_OK);
        NEED(self, in[0] == 1 && in[1] == 2 && in[2] == 0);
        NEED(self, kp_index_layout(world, out, 2, every_other, in, 2, ints, NULL) == KP_EARGUMENT);
        NEED(self,
             kp_index_layout(world, in, 1, every_other, in + 2, 2, ints, NULL) == KP_EARGUMENT);
        NEED(self, kp_index_layout(world, NULL, 1, every_other, in, 2, ints, NULL) == KP_EARGUMENT);
    }
    kp_layout_free(every_other);
    NEED(self, kp_plan_execute(plan) == KP_OK && in[0] == 1 && in[1] == 3);
    return kp_plan_free(plan);
}

static void kept_calls_are_those_of_their_layouts(void **state)
{
    (void)state;
    kp_config config = {.processors = 1};
    kp_report report;
    assert_good(kp_run(&config, kept_calls, NULL, &report), &report);
}

/* --- What must be refused --- */

static kp_layout *two_ints, *an_int_and_a_float, *crossed;

/* Makes a call that fails, and keeps the outcome. The group works on. */
static int mismatch(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const int *kind = argument;
    const bool odd = kp_rank(world) == 1;
    double out[64] = {0}, in[64];
    int status;
    if (*kind == 0)
        status = kp_index_layout(world, out, 1, odd ? an_int_and_a_float : two_ints, in, 1,
                                 odd ? an_int_and_a_float : two_ints, NULL);
    else if (*kind == 1)
        status = odd ? kp_index(world, out, in, 8, NULL)
                     : kp_index_layout(world, out, 8, NULL, in, 8, NULL, NULL);
    else if (*kind == 2)
        status =
            kp_index_layout(world, out, 1, two_ints, in, odd ? 1 : 8, odd ? two_ints : NULL, NULL);
    else if (*kind == 3)
        status = kp_index_layout(world, out, 2, two_ints, in, 1, crossed, NULL);
    else
        status = kp_concat_layout(world, in, 1, two_ints, in, 1, two_ints, NULL);
    (void)keep(self, status);
    NEED(self, kp_index_layout(world, out, 1, two_ints, in, 8, kp_layout_of(KP_INT32), NULL) ==
                   KP_EARGUMENT);
    return kp_barrier(world) == KP_OK ? KP_OK : 1;
}

static void run_mismatch(int kind, int status, const char *words, const char *others)
{
    kp_config config = {.processors = 3, .ports = 1};
    kp_report report;
    assert_good(kp_run(&config, mismatch, &kind, &report), &report);
    for (int i = 0; i < 3; i++) {
        const int expected = others && i == 1 ? KP_EPEER : status;
        if (outcomes[i].status != expected ||
            !strstr(outcomes[i].error.sentence, others && i == 1 ? others : words))
            fail_msg("kind %d, processor %d: status %d: %s", kind, i, outcomes[i].status,
                     outcomes[i].error.sentence);
    }
}

static void what_differs_is_named(void **state)
{
    (void)state;
    assert_int_equal(kp_layout_vector(2, 1, 3, kp_layout_of(KP_INT32), &two_ints), KP_OK);
    const kp_layout *fields[] = {kp_layout_of(KP_INT32), kp_layout_of(KP_FLOAT32)};
    const ptrdiff_t displacements[] = {0, 8}, same[] = {0, 0};
    assert_int_equal(kp_layout_struct(2, NULL, displacements, fields, &an_int_and_a_float), KP_OK);
    fields[1] = kp_layout_of(KP_INT32);
    const size_t lengths[] = {2, 2};
    assert_int_equal(kp_layout_struct(2, lengths, same, fields, &crossed), KP_OK);
    run_mismatch(0, KP_EMISMATCH, "vector(2, 1, 3, int32)", NULL);
    run_mismatch(0, KP_EMISMATCH, "struct(int32, float32)", NULL);
    run_mismatch(1, KP_EMISMATCH, "8 byte", NULL);
    run_mismatch(2, KP_EARGUMENT, "signatures differ", "signatures differ");
    run_mismatch(3, KP_EARGUMENT, "may be read but not written", NULL);
    run_mismatch(4, KP_EARGUMENT, "overlap", NULL);
    kp_layout_free(two_ints);
    kp_layout_free(an_int_and_a_float);
    kp_layout_free(crossed);
}
#endif

int main(int argc, char **argv)
{
    read_level(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(every_algorithm_with_every_pair),
        TEST(by_mailboxes),
        TEST(drawn_at_random),
        TEST(long_blocks_and_long_code),
#ifndef OVER_WIRE
        TEST(past_the_cache),
        TEST(kept_calls_are_those_of_their_layouts),
        TEST(what_differs_is_named),
#endif
    };
    return cmocka_run_group_tests(tests, make_shapes, free_shapes);
}
