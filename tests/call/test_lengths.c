/* Tests operations whose blocks have lengths of their own, on threads. Every byte of every buffer,
 * of its gaps and of its guards is verified. The calls use all algorithms, layouts and kinds of
 * lengths, in the world and in groups. Invalid arguments must be refused. */
#include "tests/common/lengths_common.h"

#include "lib/algorithms/table.h"
#include "lib/problem/problem.h"

#include <sys/resource.h>

static const kp_operation operations[] = {KP_INDEXV, KP_CONCATV, KP_SCATTERV, KP_GATHERV};
#define OPERATIONS 4

/* --- Calls whose results are verified --- */

#define MOST_JOBS 60000

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

static void run_batch(int n, int k)
{
    kp_config config = {.processors = n, .ports = k};
    kp_report report;
    assert_true(batch.count > 0);
    assert_good(kp_run(&config, do_batch, &batch, &report), &report);
    batch.count = 0;
}

static void add_job(const struct job *job)
{
    assert_true(batch.count < MOST_JOBS);
    batch.jobs[batch.count++] = *job;
}

static uint64_t next_seed = 2022;

/* Adds calls by every algorithm of the four operations. The algorithm's parameter takes every
 * `step`-th value. Root, lengths, layout and in_place change from call to call. */
static void add_every_algorithm(int n, int k, size_t b, int step)
{
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *algorithm = kp_algorithm_at(i);
        kp_problem p = {
            .operation = algorithm->operation, .n = n, .k = k, .b = b, .algorithm = algorithm};
        if (algorithm->operation < KP_INDEXV || algorithm->operation > KP_GATHERV ||
            (algorithm->serves && algorithm->serves(&p)))
            continue;
        bool has_radix = algorithm->parameters[0].name != NULL;
        long low = has_radix ? algorithm->parameters[0].low(&p) : 0;
        long high = has_radix ? algorithm->parameters[0].high(&p) : 0;
        for (long value = low; value <= high; value += step) {
            for (int j = 0; j < 2 * KINDS_OF_LENGTHS; j++, next_seed++) {
                struct job job = {.operation = algorithm->operation,
                                  .hints = {algorithm, {value}},
                                  .lengths = (enum lengths)(j / 2),
                                  .layout = (enum layout)(next_seed % KINDS_OF_LAYOUT),
                                  .root = (int)(next_seed / 3 % (uint64_t)n),
                                  .in_place = j % 2,
                                  .seed = next_seed};
                job.b = job.lengths == ONE_HUGE ? 40 * b : b;
                add_job(&job);
            }
        }
    }
}

static void every_algorithm_moves_every_byte(void **state)
{
    (void)state;
    int most = level == SMALL ? 6 : 12;
    for (int n = 1; n <= (OVER_SOCKETS && level == SMALL ? 11 : 20); n++) {
        for (int k = 1; k <= (n > 1 ? n - 1 : 1); k += n <= most ? 1 : n / 2) {
            add_every_algorithm(n, k, 33, n <= most ? 1 : 4);
            run_batch(n, k);
        }
    }
}

static void long_blocks(void **state)
{
    (void)state;
    static const int shapes[][2] = {{5, 1}, {8, 3}, {9, 8}};
    for (int i = 0; i < scaled(1, 3, 3); i++) {
        add_every_algorithm(shapes[i][0], shapes[i][1], 5000, 2);
        run_batch(shapes[i][0], shapes[i][1]);
    }
}

/* Random calls. In most of them the library chooses the algorithm. */
static void drawn_at_random(void **state)
{
    (void)state;
    uint64_t seed = 20220627;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < scaled(12, 60, 400); i++) {
        int n = 1 + random_below(&seed, 32), k = n > 1 ? 1 + random_below(&seed, n - 1) : 1;
        for (int j = 0; j < 10; j++) {
            struct job job = {.operation = operations[random_below(&seed, OPERATIONS)],
                              .lengths = (enum lengths)random_below(&seed, KINDS_OF_LENGTHS),
                              .layout = (enum layout)random_below(&seed, KINDS_OF_LAYOUT),
                              .b = (size_t)random_below(&seed, random_below(&seed, 2) ? 3000 : 30),
                              .root = random_below(&seed, n),
                              .in_place = random_below(&seed, 2),
                              .seed = random_next(&seed)};
            /* Here the library chooses only the radix, not the algorithm. */
            if (job.operation == KP_INDEXV && j % 3 == 0)
                job.hints.algorithm = j % 2 ? &kp_indexv_radix : &kp_indexv_padded;
            add_job(&job);
        }
        run_batch(n, k);
    }
}

/* --- Straight to the receiver --- */

/* Calls without hints, in which each member has a port for every other one. The lengths lie around
 * that of a slot, `slot` bytes. */
static void add_straight(int n, size_t slot)
{
    const size_t lengths[] = {1, 16, 17, slot - 1, slot, slot + 1, 3 * slot};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (int j = 0; j < OPERATIONS * KINDS_OF_LENGTHS * 2; j++, next_seed++) {
            struct job job = {.operation = operations[j % OPERATIONS],
                              .lengths = (enum lengths)(j / OPERATIONS % KINDS_OF_LENGTHS),
                              .layout = (enum layout)(next_seed % KINDS_OF_LAYOUT),
                              .b = lengths[i],
                              .root = (int)(next_seed / 3 % (uint64_t)n),
                              .in_place = j / OPERATIONS / KINDS_OF_LENGTHS,
                              .seed = next_seed};
            add_job(&job);
        }
    }
}

static void straight_to_the_receiver(void **state)
{
    (void)state;
    /* With 8 bytes there are no slots, with 1000 they would not be aligned; 0 is the default. */
    static const size_t eager[] = {0, 256, 1024, 1000, 8};
    for (int n = 2; n <= (level == SMALL ? 9 : 20); n++) {
        for (size_t i = 0; i < sizeof eager / sizeof eager[0]; i++) {
            kp_config config = {.processors = n, .eager_bytes = eager[i]};
            const size_t bytes = eager[i] ? eager[i] : 8192;
            kp_report report;
            add_straight(n, bytes / (size_t)(n - 1) / 16 * 16 + 1);
            add_straight(n, bytes);
            assert_good(kp_run(&config, do_batch, &batch, &report), &report);
            batch.count = 0;
        }
    }
}

/* Returns the longest block that one member sends to another. */
static uint64_t longest_sent(const struct job *job, int n)
{
    uint64_t longest = 0;
    for (int from = 0; from < n; from++) {
        for (int to = 0; to < n; to++) {
            const bool sends = from != to && (job->operation != KP_SCATTERV || from == job->root) &&
                               (job->operation != KP_GATHERV || to == job->root);
            const size_t bytes = sends ? length_between(job, n, from, to) : 0;
            longest = bytes > longest ? bytes : longest;
        }
    }
    return longest;
}

/* Each call has one round, and adds the longest block of all members to C2. Another member sends it
 * in each call, so the sum is that of no member's own blocks. */
static void straight_costs(void **state)
{
    (void)state;
    if (OVER_A_WIRE)
        skip(); /* no call goes straight there, and a member's C2 is that of its own messages */
    for (int n = 2; n <= 9; n++) {
        const int calls = OPERATIONS * KINDS_OF_LENGTHS;
        kp_config config = {.processors = n};
        kp_report report;
        uint64_t longest = 0;
        for (int i = 0; i < calls; i++, next_seed++) {
            const struct job job = {.operation = operations[i % OPERATIONS],
                                    .lengths = (enum lengths)(i / OPERATIONS),
                                    .b = 20 + next_seed % 9000,
                                    .root = (int)(next_seed % (uint64_t)n),
                                    .seed = next_seed};
            longest += longest_sent(&job, n);
            add_job(&job);
        }
        assert_good(kp_run(&config, do_batch, &batch, &report), &report);
        batch.count = 0;
        assert_int_equal(report.c1, calls);
        assert_int_equal(report.c2, longest);
    }
}

/* Outgoing and incoming blocks alternate in the same memory. */
static int interleaved(kp_proc *self, void *argument)
{
    (void)argument;
    enum {
        N = 5
    };
    unsigned char memory[2 * N];
    size_t counts[N], displacements[N];
    int me = kp_processor(self);
    for (int i = 0; i < N; i++) {
        counts[i] = 1;
        displacements[i] = (size_t)(2 * i);
        memory[2 * i] = (unsigned char)(10 * me + i);
    }
    int status = kp_alltoallv(kp_world(self), memory, counts, displacements, memory + 1, counts,
                              displacements, NULL);
    for (int i = 0; i < N && !status; i++) {
        NEED(self, memory[2 * i] == 10 * me + i);
        NEED(self, memory[2 * i + 1] == 10 * i + me);
    }
    return status;
}

static void blocks_of_both_buffers_between_each_other(void **state)
{
    (void)state;
    kp_config config = {.processors = 5, .ports = 2};
    kp_report report;
    assert_good(kp_run(&config, interleaved, NULL, &report), &report);
}

/* A concatenation around a ring of four. A member stores the first block that it receives at the
 * place of its own block. It sends the block on from there, and at the end moves the block to its
 * right place. The member's own block comes to its place last. In place, the own block lies there
 * from the start, and the library must not mix up the two blocks. */
static int build_through_own_place(kp_builder *b, const kp_problem *p)
{
    int n = p->n, me = p->rank, to = (me + 1) % n, from = (me + n - 1) % n;
    const kp_piece out[] = {kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, me, 1),
                            kp_run_of(KP_IN, (me + n - 2) % n, 1)};
    for (int round = 0; round < n - 1; round++) {
        kp_build_round(b);
        kp_build_send(b, 0, to);
        kp_build_piece(b, out[round]);
        kp_build_receive(b, 0, from);
        kp_build_piece(b, kp_run_of(KP_IN, round == 0 ? me : (from + n - round) % n, 1));
    }
    kp_build_move(b, kp_run_of(KP_IN, me, 1), kp_run_of(KP_IN, from, 1));
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, me, 1));
    return KP_OK;
}

static void a_block_passes_where_another_is_sent_from(void **state)
{
    (void)state;
    static const kp_algorithm own = {
        .operation = KP_CONCATV, .name = "through", .build = build_through_own_place};
    for (int i = 0; i < 60; i++) {
        struct job job = {.operation = KP_CONCATV,
                          .hints = {.algorithm = &own},
                          .lengths = i % 3 ? RANDOM_LENGTHS : ALL_EQUAL,
                          .layout = (enum layout)(i % KINDS_OF_LAYOUT),
                          .b = 5000,
                          .in_place = i % 2,
                          .seed = (uint64_t)i};
        add_job(&job);
    }
    run_batch(4, 1);
}

/* A scatter whose schedule is built for each root (own_root). In such a schedule ranks are not
 * counted from the root. */
static int build_for_root(kp_builder *b, const kp_problem *p)
{
    if (p->rank == p->root)
        kp_build_move(b, kp_run_of(KP_OUT, p->root, 1), kp_run_of(KP_IN, 0, 1));
    for (int to = 0; to < p->n; to++) {
        if (to == p->root)
            continue;
        kp_build_round(b);
        if (p->rank == p->root) {
            kp_build_send(b, 0, to);
            kp_build_piece(b, kp_run_of(KP_OUT, to, 1));
        } else if (p->rank == to) {
            kp_build_receive(b, 0, p->root);
            kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
        }
    }
    return KP_OK;
}

static void a_schedule_for_every_root(void **state)
{
    (void)state;
    static const kp_algorithm own = {
        .operation = KP_SCATTERV, .name = "one-by-one", .own_root = 1, .build = build_for_root};
    for (int i = 0; i < 20; i++) {
        struct job job = {.operation = KP_SCATTERV,
                          .hints = {.algorithm = &own},
                          .b = 200,
                          .root = i % 5,
                          .in_place = i / 5 % 2,
                          .seed = (uint64_t)i};
        add_job(&job);
    }
    run_batch(5, 1);
}

/* --- Groups --- */

static int in_groups(kp_proc *self, void *argument)
{
    static const int first[] = {6, 1, 3}, second[] = {0, 5, 4, 2};
    (void)argument;
    int me = kp_processor(self), in_first = me == 6 || me == 1 || me == 3;
    kp_group *group;
    int status = kp_group_create(self, in_first ? first : second, in_first ? 3 : 4, &group);
    if (status)
        return status;
    for (uint64_t i = 0; i < 60 && !status; i++) {
        struct job job = {.operation = operations[i % OPERATIONS],
                          .lengths = (enum lengths)(i / 4 % KINDS_OF_LENGTHS),
                          .layout = (enum layout)(i / 3 % KINDS_OF_LAYOUT),
                          .b = 200,
                          .root = (int)(i % 3),
                          .in_place = (int)(i / 2 % 2),
                          .seed = 77 * i + (uint64_t)in_first};
        status = do_job(group, &job);
        job.seed = i;
        if (!status && i % 5 == 0)
            status = do_job(kp_world(self), &job);
    }
    int freed = kp_group_free(group);
    return status ? status : freed;
}

static void two_disjoint_groups_at_once(void **state)
{
    (void)state;
    for (int ports = 1; ports <= 3; ports++) {
        kp_config config = {.processors = 7, .ports = ports};
        kp_report report;
        assert_good(kp_run(&config, in_groups, NULL, &report), &report);
    }
}

/* --- Cost and choice --- */

static void require_cost(const char *text, uint64_t c1, uint64_t c2)
{
    kp_problem p;
    kp_schedule *schedule;
    uint64_t stated_c1, stated_c2;
    assert_int_equal(kp_problem_parse(text, &p), KP_OK);
    assert_int_equal(kp_schedule_build(&p, &schedule), KP_OK);
    kp_cost counted = kp_schedule_cost(schedule, p.b);
    p = *kp_schedule_problem(schedule);
    p.algorithm->stated_cost(&p, &stated_c1, &stated_c2);
    if (counted.c1 != c1 || counted.c2 != c2 || stated_c1 != c1 || stated_c2 != c2)
        fail_msg("%s: counted (%d, %d), stated (%d, %d)", text, (int)counted.c1, (int)counted.c2,
                 (int)stated_c1, (int)stated_c2);
    kp_schedule_free(schedule);
}

/* Compares the costs with costs computed by hand. C2 is the sum over the rounds of the number of
 * blocks in the longest message, times b. If each block's length travels with the block, every
 * block has 8 bytes more. */
static void costs_by_hand(void **state)
{
    (void)state;
    require_cost("indexv:n=8,k=1,b=56,alg=radix,r=2", 3, 3 * 4 * (56 + 8));
    require_cost("indexv:n=8,k=1,b=56,alg=padded,r=2", 3, 3 * 4 * 56);
    require_cost("alltoallv:n=8,k=3,b=56,alg=direct", 3, 3 * 56);
    require_cost("indexv:n=6,k=2,b=0,alg=radix,r=3", 2, 5 * 8);
    require_cost("concatv:n=9,k=2,b=7,alg=circulant", 2, 7 + 3 * 7);
    /* The six processors form 3 columns, for 2 ports. */
    require_cost("concatv:n=6,k=2,b=7,alg=circulant", 2, 7 + 2 * 7);
    require_cost("allgatherv:n=7,k=2,b=10,alg=ring", 3, 30);
    require_cost("scatterv:n=9,k=2,b=4,root=5", 2, 4 * 12);
    require_cost("gatherv:n=9,k=2,b=4,root=5", 2, 4 * 12);
    require_cost("scatterv:n=9,k=3,b=4,root=5,alg=direct", 3, 3 * 4);
    require_cost("gatherv:n=9,k=3,b=4,root=5,alg=direct", 3, 3 * 4);
    require_cost("gatherv:n=9,k=8,b=4", 1, 4);
}

/* Returns the sum over the rounds of the number of blocks in the longest message, without the
 * library's cost functions. */
static uint64_t blocks_sent(const kp_schedule *schedule, const kp_problem *p)
{
    uint64_t sum = 0;
    for (int round = 0; round < kp_schedule_rounds(schedule); round++) {
        int64_t longest = 0;
        for (int rank = 0; rank < p->n; rank++) {
            for (int i = 0; i < kp_schedule_sends(schedule, rank, round); i++) {
                int64_t units = kp_schedule_send(schedule, rank, round, i).units;
                longest = units > longest ? units : longest;
            }
        }
        sum += (uint64_t)longest;
    }
    return sum;
}

static long compared;

static void compare_costs(const kp_problem *p)
{
    kp_schedule *schedule;
    uint64_t c1, c2;
    bool travels = p->algorithm == &kp_indexv_radix ||
                   (rooted(p->operation) && strcmp(p->algorithm->name, "direct") != 0);
    assert_int_equal(kp_schedule_build(p, &schedule), KP_OK);
    kp_cost counted = kp_schedule_cost(schedule, p->b);
    p->algorithm->stated_cost(p, &c1, &c2);
    uint64_t expected = blocks_sent(schedule, p) * (p->b + (travels ? 8 : 0));
    if (counted.c1 != c1 || counted.c2 != c2 || c2 != expected)
        fail_msg("%s %s n=%d, k=%d, value %ld: counted (%d, %d), stated (%d, %d), expected %d",
                 kp_operation_name(p->operation), p->algorithm->name, p->n, p->k, p->values[0],
                 (int)counted.c1, (int)counted.c2, (int)c1, (int)c2, (int)expected);
    compared++;
    kp_schedule_free(schedule);
}

static void counted_and_stated_cost_are_the_same(void **state)
{
    (void)state;
    static const long radixes[] = {2, 3, 4, 7, 11, 40, 130};
    compared = 0;
    for (int n = 1; n <= (level == SMALL ? 40 : 130); n += n < 30 ? 1 : 3) {
        for (int k = 1; k <= (n > 1 ? n - 1 : 1) && k <= 40; k += n < 12 ? 1 : 4) {
            for (int i = 0; kp_algorithm_at(i); i++) {
                const kp_algorithm *algorithm = kp_algorithm_at(i);
                kp_problem p = {.operation = algorithm->operation,
                                .n = n,
                                .k = k,
                                .b = 5,
                                .algorithm = algorithm};
                if (p.operation < KP_INDEXV || p.operation > KP_GATHERV)
                    continue;
                if (!algorithm->parameters[0].name)
                    compare_costs(&p);
                for (int j = 0; algorithm->parameters[0].name && j < 7; j++) {
                    p.values[0] = radixes[j];
                    if (radixes[j] <= (n > 2 ? n : 2))
                        compare_costs(&p);
                }
            }
        }
    }
    assert_true(compared > 1000);
}

static int two_lengths(kp_proc *self, void *argument)
{
    (void)argument;
    static const kp_hints direct = {.algorithm = &kp_indexv_direct};
    int me = kp_processor(self);
    char out[14] = {0}, in[14];
    size_t out_counts[2] = {me == 0 ? 0 : 9, me == 0 ? 5 : 0};
    size_t in_counts[2] = {me == 0 ? 0 : 5, me == 0 ? 9 : 0};
    return kp_indexv(kp_world(self), out, out_counts, NULL, in, in_counts, NULL, &direct);
}

/* The report must count the true lengths. In the first run C2 is the length of the longer one of
 * two messages. */
static void the_report_counts_what_was_sent(void **state)
{
    (void)state;
    kp_config config = {.processors = 2};
    kp_report report;
    assert_good(kp_run(&config, two_lengths, NULL, &report), &report);
    assert_int_equal(report.c1, 1);
    assert_int_equal(report.c2, 9);
    struct job job = {
        .operation = KP_SCATTERV, .lengths = ALL_EQUAL, .layout = WITH_GAPS, .b = 4, .root = 5};
    add_job(&job);
    config = (kp_config){.processors = 9, .ports = 2};
    assert_good(kp_run(&config, do_batch, &batch, &report), &report);
    batch.count = 0;
    assert_int_equal(report.c1, 2);
    assert_int_equal(report.c2, 4 * 12);
}

/* Padding all blocks to one length is fastest if all are equally long, and slowest if a single
 * block is long. */
static void the_choice_follows_the_lengths(void **state)
{
    (void)state;
    const kp_model model = {.beta_us = 1, .tau_us = 0.001};
    kp_problem equal = {.operation = KP_INDEXV, .n = 64, .k = 1}, mixed_up = equal, big = equal;
    assert_int_equal(kp_tune_lengths(&equal, 8, 8, &model), KP_OK);
    assert_string_equal(equal.algorithm->name, "padded");
    assert_int_equal(kp_tune_lengths(&mixed_up, 100000, 8, &model), KP_OK);
    assert_string_equal(mixed_up.algorithm->name, "radix");
    assert_true(mixed_up.values[0] < 64);
    assert_int_equal(kp_tune_lengths(&big, 1000000, 900000, &model), KP_OK);
    assert_string_equal(big.algorithm->name, "direct");
}

/* --- A block that goes by way of a processor without memory for it --- */

#define LONG_BLOCK ((size_t)64 << 20)

static int without_memory(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    kp_hints hints;
    int status = kp_hints_parse(KP_INDEXV, "radix,r=2", &hints), me = kp_rank(world), n = 4;
    unsigned char small_out[4] = {1, 2, 3, 4}, small_in[4], *big = argument;
    size_t out_counts[4] = {1, 1, 1, 1}, in_counts[4] = {1, 1, 1, 1};
    size_t out_displacements[4] = {0, 1, 2, 3}, in_displacements[4] = {0, 1, 2, 3};
    struct rlimit limit, less;
    const void *out = small_out;
    void *in = small_in;
    /* The long block goes from processor 0 to processor 3 by way of processor 1. */
    if (me == 0) {
        out_counts[3] = LONG_BLOCK;
        out = big;
    } else if (me == 3) {
        in_counts[0] = LONG_BLOCK;
        in = big + LONG_BLOCK + n;
        in_displacements[1] = LONG_BLOCK;
        in_displacements[2] = LONG_BLOCK + 1;
        in_displacements[3] = LONG_BLOCK + 2;
    }
    if (me == 0) {
        long pages = 0;
        FILE *f = fopen("/proc/self/statm", "r");
        NEED(self, f && fscanf(f, "%ld", &pages) == 1 && fclose(f) == 0);
        NEED(self, getrlimit(RLIMIT_AS, &limit) == 0);
        less = limit;
        less.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + LONG_BLOCK / 2;
        NEED(self, setrlimit(RLIMIT_AS, &less) == 0);
    }
    status = status ? status : kp_exchange(world, NULL, 0, NULL, 0);
    int call = kp_indexv(world, out, out_counts, out_displacements, in, in_counts, in_displacements,
                         &hints);
    kp_error_record error = *kp_error(self);
    status = status ? status : kp_exchange(world, NULL, 0, NULL, 0);
    if (me == 0)
        NEED(self, setrlimit(RLIMIT_AS, &limit) == 0);
    NEED(self, call == (me == 1 || me == 3 ? KP_EMEMORY : KP_OK));
    NEED(self, call == KP_OK || (names(error.sentence, 1) && error.processor == 1));
    const unsigned char *from_2 = (const unsigned char *)in + in_displacements[2];
    NEED(self, *from_2 == (unsigned char)(me + 1));
    struct job job = {.operation = KP_INDEXV, .b = 100, .hints = hints, .seed = 8};
    return status ? status : do_job(world, &job);
}

static void a_block_is_lost_for_want_of_memory(void **state)
{
    (void)state;
#ifdef OVER_WIRE
    /* Over a wire, kport refuses a whole message for which there is no memory. */
    skip();
#endif
    /* Sanitizers need memory of their own, and qemu ignores the limit of memory. */
    if (SANITIZED || EMULATED)
        skip();
    unsigned char *big = calloc(2, LONG_BLOCK + 8);
    kp_config config = {.processors = 4, .ports = 1};
    kp_report report;
    assert_non_null(big);
    big[1] = 2;
    big[2] = 3;
    assert_good(kp_run(&config, without_memory, big, &report), &report);
    free(big);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(every_algorithm_moves_every_byte),
        TEST(long_blocks),
        TEST(drawn_at_random),
        TEST(straight_to_the_receiver),
        TEST(straight_costs),
        TEST(blocks_of_both_buffers_between_each_other),
        TEST(a_block_passes_where_another_is_sent_from),
        TEST(a_schedule_for_every_root),
        TEST(two_disjoint_groups_at_once),
        TEST(costs_by_hand),
        TEST(counted_and_stated_cost_are_the_same),
        TEST(the_report_counts_what_was_sent),
        TEST(the_choice_follows_the_lengths),
        TEST(a_block_is_lost_for_want_of_memory),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
