/* Tests reductions: faulty schedules that the checker must refuse, users' operators that combine in
 * the order of the ranks, and equal bits on every run. */
#include "tests/common/schedule_common.h"

#include "kport.h"
#include "lib/problem/operation.h"

/* --- Faults in a schedule: an allreduce in which each of three processors sends its operand to the
 * two others --- */

static const char *fault;

static int is(const char *name)
{
    return strcmp(fault, name) == 0;
}

static void wrong_receives(kp_builder *b, int rank)
{
    kp_piece in = kp_run_of(KP_IN, 0, 2), out = kp_run_of(KP_OUT, 0, 2);
    int before = (rank + 2) % 3, after = (rank + 1) % 3;
    kp_build_combine(b, 0, before, KP_LEFT);
    kp_build_piece(b, in);
    if (!is("nothing there") || rank != 1)
        kp_build_operand(b, out);
    kp_build_combine(b, 1, after, KP_RIGHT);
    kp_build_piece(b, in);
    if (rank == 2 && is("operand of another receive")) {
        kp_build_operand(b, kp_run_of(KP_IN, 1, 1));
        kp_build_operand(b, kp_run_of(KP_IN, 0, 1));
    } else if (rank == 2 && is("left out")) {
        kp_build_operand(b, out);
    } else if (rank == 2 && is("operand too short")) {
        kp_build_operand(b, kp_run_of(KP_IN, 0, 1));
    } else if (rank == 2 && is("operand outside")) {
        kp_build_operand(b, kp_run_of(KP_IN, 1, 2));
    }
}

static int build_wrong(kp_builder *b, const kp_problem *p)
{
    kp_piece in = kp_run_of(KP_IN, 0, 2), out = kp_run_of(KP_OUT, 0, 2);
    kp_piece turned = kp_every(KP_OUT, 1, 2, -1);
    if (is("result sent"))
        kp_build_move(b, out, in);
    kp_build_round(b);
    for (int port = 0; port < 2; port++) {
        kp_build_send(b, port, (p->rank + 1 + port) % 3);
        kp_build_piece(b, is("other places") && p->rank == 1 ? turned
                          : is("result sent")                ? in
                                                             : out);
    }
    wrong_receives(b, p->rank);
    if (is("twice") && p->rank == 1)
        kp_build_fold(b, out, in, KP_RIGHT);
    if (is("fold of nothing") && p->rank == 1)
        kp_build_fold(b, out, kp_run_of(KP_SCRATCH, 0, 2), KP_RIGHT);
    kp_build_scratch(b, 2);
    return KP_OK;
}

static int splits(const kp_problem *p)
{
    return p->b > 1;
}

static void no_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    (void)p;
    *c1 = *c2 = 0;
}

static const kp_algorithm wrong = {.operation = KP_ALLREDUCE,
                                   .name = "wrong",
                                   .splits = splits,
                                   .build = build_wrong,
                                   .stated_cost = no_cost};

static void refused(kp_problem *p, const char *name, const char *sentence)
{
    kp_schedule *schedule;
    kp_error_record error = {.status = KP_OK};
    fault = name;
    if (kp_schedule_build(p, &schedule)) {
        error = *kp_last_error();
    } else {
        if (kp_schedule_check(schedule, &error) == KP_OK)
            fail_msg("%s: the fault was not found", name);
        kp_schedule_free(schedule);
    }
    if (!strstr(error.sentence, sentence))
        fail_msg("%s: the sentence is '%s', not '%s'", name, error.sentence, sentence);
    assert_int_equal(error.status, KP_ESCHEDULE);
}

static void planted_faults(void **state)
{
    (void)state;
    kp_problem p = {.operation = KP_ALLREDUCE, .n = 3, .k = 2, .b = 2, .algorithm = &wrong};
    kp_schedule *schedule;
    fault = "none";
    schedule = build(&p);
    assert_int_equal(kp_schedule_check(schedule, NULL), KP_OK);
    kp_schedule_free(schedule);
    refused(&p, "nothing there",
            "round 0: processor 1 receives from 0 on port 0 a message, and combines with place "
            "0 of in before anything has arrived there");
    refused(&p, "twice", "round 0: processor 1 counts the operand of processor 1 twice");
    refused(&p, "left out",
            "round 0: processor 2 receives from 0 on port 1 into place 0 of in, which is written "
            "twice in the round");
    refused(&p, "other places",
            "round 0: processor 0 receives from 1 on port 1 a message, and combines operands of "
            "different places");
    refused(&p, "operand of another receive", "an operand that is written in the same round");
    refused(&p, "operand too short",
            "processor 2 combines a message of 2 elements with operands of 1");
    refused(&p, "operand outside", "processor 2 uses places ");
    refused(&p, "result sent", "which is sent, so read, in the same round");
    refused(
        &p, "fold of nothing",
        "round 0: processor 1 combines with place 0 of scratch before anything has arrived there");
    p.op = KP_COMPOSE; /* compose needs the order of the ranks; here it is 0, 2, 1 */
    p.b = 4;
    refused(&p, "none", "at the end the result of processor 0 is not combined in the order of the");
    p.op = NULL;
    p.n = 4;
    p.b = 2;
    refused(&p, "none", "round 0: processor");
}

/* Two schedules that combine the wrong operands: one leaves an operand out, the other adds one too
 * many. */
static void whose_operands(void **state)
{
    (void)state;
    kp_problem p = parse("scan:n=4,k=1,count=1");
    struct kp_schedule *s = build(&p);
    kp_error_record error;
    assert_int_equal(kp_schedule_check(s, NULL), KP_OK);
    kp_schedule_free(s);
    kp_algorithm shifted = *kp_algorithm_find(KP_SCAN, "doubling");
    shifted.operation = KP_ALLREDUCE; /* as an allreduce, a scan leaves operands out */
    p.operation = KP_ALLREDUCE;
    p.algorithm = &shifted;
    s = build(&p);
    assert_int_equal(kp_schedule_check(s, &error), KP_ESCHEDULE);
    assert_string_equal(error.sentence,
                        "at the end the result of processor 0 lacks the operand of processor 1");
    kp_schedule_free(s);
    kp_algorithm whole = *kp_algorithm_find(KP_ALLREDUCE, "recursive-doubling");
    whole.operation = KP_SCAN;
    p.operation = KP_SCAN;
    p.algorithm = &whole;
    s = build(&p);
    assert_int_equal(kp_schedule_check(s, &error), KP_ESCHEDULE);
    assert_string_equal(error.sentence, "at the end the result of processor 0 has, but should not "
                                        "have, the operand of processor 1");
    kp_schedule_free(s);
}

/* A message whose pieces depend on each other: the result of one piece is the operand of the next,
 * or a place is written twice. */
static int build_chain(kp_builder *b, const kp_problem *p)
{
    (void)p;
    kp_build_scratch(b, 3);
    kp_build_move(b, kp_run_of(KP_OUT, 0, 2), kp_run_of(KP_SCRATCH, 0, 2));
    kp_build_round(b);
    kp_build_send(b, 0, 1 - p->rank);
    kp_build_piece(b, kp_run_of(KP_OUT, 0, 2));
    kp_build_combine(b, 0, 1 - p->rank, KP_RIGHT);
    if (is("twice in a message")) {
        kp_build_piece(b, kp_run_of(KP_SCRATCH, 0, 1));
        kp_build_piece(b, kp_run_of(KP_SCRATCH, 0, 1));
        return KP_OK;
    }
    kp_build_piece(b, kp_run_of(KP_SCRATCH, 1, 2));
    kp_build_operand(b, kp_run_of(KP_SCRATCH, 0, 2));
    return KP_OK;
}

static void chains_in_a_message(void **state)
{
    (void)state;
    static const kp_algorithm row = {.operation = KP_ALLREDUCE,
                                     .name = "chain",
                                     .splits = splits,
                                     .build = build_chain,
                                     .stated_cost = no_cost};
    kp_problem p = {.operation = KP_ALLREDUCE, .n = 2, .k = 1, .b = 2, .algorithm = &row};
    refused(&p, "chain",
            "place 0 of scratch (from element 1 on), an operand that is written in the same");
    refused(&p, "twice in a message", "(from element 0 on), which is written twice by the message");
}

/* In an exclusive scan processor 0 must get nothing, so a schedule that writes processor 0's
 * incoming buffer is wrong. */
static void nothing_is_written(void **state)
{
    (void)state;
    kp_algorithm shifted = *kp_algorithm_find(KP_SCAN, "doubling");
    shifted.operation = KP_SCAN_EXCLUSIVE;
    kp_problem p = {.operation = KP_SCAN_EXCLUSIVE, .n = 4, .k = 1, .b = 8, .algorithm = &shifted};
    refused(&p, "none",
            "at the end the result of processor 0 is something, where nothing was to be written");
}

static int build_neither(kp_builder *b, const kp_problem *p)
{
    (void)p;
    kp_build_round(b);
    kp_build_combine(b, 0, 1, KP_COPY);
    return KP_OK;
}

static void a_side_is_needed(void **state)
{
    (void)state;
    static const kp_algorithm row = {.operation = KP_ALLREDUCE,
                                     .name = "neither",
                                     .build = build_neither,
                                     .stated_cost = no_cost};
    kp_problem p = {.operation = KP_ALLREDUCE, .n = 2, .k = 1, .b = 8, .algorithm = &row};
    refused(&p, "none", "round 0: processor 0 combines neither on the left nor on the right");
}

static int build_combining(kp_builder *b, const kp_problem *p)
{
    kp_build_round(b);
    kp_build_send(b, 0, 1 - p->rank);
    kp_build_piece(b, kp_run_of(KP_OUT, 0, 1));
    kp_build_combine(b, 0, 1 - p->rank, KP_LEFT);
    kp_build_piece(b, kp_run_of(KP_IN, 1 - p->rank, 1));
    return KP_OK;
}

static void only_reductions_combine(void **state)
{
    (void)state;
    static const kp_algorithm row = {.operation = KP_CONCAT,
                                     .name = "combining",
                                     .build = build_combining,
                                     .stated_cost = no_cost};
    kp_problem p = {.operation = KP_CONCAT, .n = 2, .k = 1, .b = 8, .algorithm = &row};
    refused(&p, "none", "round 0: processor 0 combines, but concat is no reduction");
}

/* --- Users' operators: an element is an interval of ranks, and may be joined only with its
 * neighbour --- */

struct interval {
    int first, end;
    char right; /* whether all intervals were joined in the right order */
};

static void join(void *to, const void *left, const void *right, size_t count, void *context)
{
    const struct interval *l = left, *r = right;
    struct interval *result = to;
    for (size_t i = 0; i < count; i++) {
        struct interval joined = {l[i].first, r[i].end, 0};
        joined.right = l[i].right && r[i].right && l[i].end == r[i].first;
        result[i] = joined;
    }
    __atomic_fetch_add((int *)context, 1, __ATOMIC_RELAXED);
}

#define ELEMENTS 5

struct work {
    const kp_algorithm *algorithm;
    kp_operator op;
    int joined;
    int open; /* whether the library chooses the algorithm */
};

static int call(kp_group *world, const struct work *work, const void *out, void *in, int root)
{
    const kp_hints named = {.algorithm = work->algorithm}, *hints = work->open ? NULL : &named;
    size_t counts[12];
    switch (work->algorithm->operation) {
    case KP_REDUCE:
        return kp_reduce(world, out, in, ELEMENTS, KP_OPAQUE, &work->op, root, hints);
    case KP_ALLREDUCE:
        return kp_allreduce(world, out, in, ELEMENTS, KP_OPAQUE, &work->op, hints);
    case KP_REDUCE_SCATTER:
        return kp_reduce_scatter(world, out, in, ELEMENTS, KP_OPAQUE, &work->op, hints);
    case KP_REDUCE_SCATTERV:
        for (int i = 0; i < 12; i++)
            counts[i] = ELEMENTS;
        return kp_reduce_scatterv(world, out, in, counts, KP_OPAQUE, &work->op, hints);
    case KP_SCAN:
        return kp_scan(world, out, in, ELEMENTS, KP_OPAQUE, &work->op, hints);
    default:
        return kp_scan_exclusive(world, out, in, ELEMENTS, KP_OPAQUE, &work->op, hints);
    }
}

static int join_all(kp_proc *self, void *argument)
{
    const struct work *work = argument;
    kp_group *world = kp_world(self);
    kp_operation operation = work->algorithm->operation;
    int n = kp_size(world), me = kp_rank(world), roots = kp_operation_has_root(operation) ? n : 1;
    int end = operation == KP_SCAN ? me + 1 : operation == KP_SCAN_EXCLUSIVE ? me : n;
    struct interval out[ELEMENTS * 12], in[ELEMENTS];
    for (int i = 0; i < ELEMENTS * n; i++)
        out[i] = (struct interval){me, me + 1, 1};
    for (int root = 0; root < roots; root++) {
        memset(in, 0x11, sizeof in);
        int status = call(world, work, out, in, root);
        for (int i = 0; i < ELEMENTS && !status && (roots == 1 || me == root); i++) {
            if (end > 0 && (in[i].first != 0 || in[i].end != end || in[i].right != 1))
                return kp_fail(self, "the operands were not joined in the order of the ranks");
        }
        if (status)
            return status;
    }
    return 0;
}

static void users_operators_keep_the_order(void **state)
{
    (void)state;
    int served = 0;
    for (int i = 0; kp_algorithm_at(i); i++) {
        struct work work = {.algorithm = kp_algorithm_at(i)};
        if (!kp_operation_reduces(work.algorithm->operation))
            continue;
        work.op = (kp_operator){.name = "join",
                                .combine = join,
                                .context = &work.joined,
                                .element_bytes = sizeof(struct interval)};
        kp_problem p = {.operation = work.algorithm->operation, .n = 4, .k = 1, .op = &work.op};
        p.type = KP_OPAQUE;
        if (work.algorithm->serves && work.algorithm->serves(&p))
            continue;
        served++;
        for (int n = 1; n <= 12; n++) {
            for (int k = 1; k <= most_ports(n); k += 2) {
                work.open = (n + k / 2) % 2;
                kp_config config = {.processors = n, .ports = k};
                kp_report report;
                if (kp_run(&config, join_all, &work, &report))
                    fail_msg("%s, n=%d, k=%d: %s", work.algorithm->name, n, k,
                             report.error.sentence);
            }
        }
        assert_true(work.joined > 0);
    }
    assert_true(served >= 6); /* each of the six reductions has an algorithm */
}

/* --- Equal bits --- */

#define MOST_COUNT 40
#define MOST_N     8

struct sums {
    const kp_algorithm *algorithm;
    int count, run;
    double of[2][MOST_N][MOST_COUNT];
};

/* Adds numbers whose sum is rounded differently in every order. */
static int add_up(kp_proc *self, void *argument)
{
    struct sums *sums = argument;
    kp_group *world = kp_world(self);
    int me = kp_rank(world), n = kp_size(world);
    double out[MOST_N * MOST_COUNT], *in = sums->of[sums->run][me];
    size_t count = (size_t)sums->count;
    uint64_t seed = 17 + (uint64_t)me;
    kp_hints hints = {.algorithm = sums->algorithm};
    size_t counts[MOST_N];
    for (int i = 0; i < n * sums->count; i++)
        out[i] = (double)draw_number(&seed) / 3.0 - 1e18;
    switch (sums->algorithm->operation) {
    case KP_REDUCE:
        return kp_reduce(world, out, in, count, KP_FLOAT64, KP_SUM, n / 2, &hints);
    case KP_ALLREDUCE:
        return kp_allreduce(world, out, in, count, KP_FLOAT64, KP_SUM, &hints);
    case KP_REDUCE_SCATTER:
        return kp_reduce_scatter(world, out, in, count, KP_FLOAT64, KP_SUM, &hints);
    case KP_REDUCE_SCATTERV:
        for (int i = 0; i < n; i++)
            counts[i] = count;
        return kp_reduce_scatterv(world, out, in, counts, KP_FLOAT64, KP_SUM, &hints);
    case KP_SCAN:
        return kp_scan(world, out, in, count, KP_FLOAT64, KP_SUM, &hints);
    default:
        return kp_scan_exclusive(world, out, in, count, KP_FLOAT64, KP_SUM, &hints);
    }
}

/* Two runs must give equal bits. In an allreduce all processors must get equal bits. */
static void same_bits(const kp_algorithm *algorithm, int n, int k, int count)
{
    static struct sums sums;
    sums = (struct sums){.algorithm = algorithm, .count = count};
    for (sums.run = 0; sums.run < 2; sums.run++) {
        kp_config config = {.processors = n, .ports = k};
        kp_report report;
        if (kp_run(&config, add_up, &sums, &report))
            fail_msg("%s, n=%d, k=%d: %s", algorithm->name, n, k, report.error.sentence);
    }
    assert_memory_equal(sums.of[0], sums.of[1], sizeof sums.of[0]);
    for (int me = 0; algorithm->operation == KP_ALLREDUCE && me < n; me++)
        assert_memory_equal(sums.of[0][me], sums.of[0][0], sizeof sums.of[0][0]);
}

static void same_bits_everywhere(void **state)
{
    (void)state;
    static const int sizes[] = {3, 5, 7, 8}, counts[] = {1, 2, MOST_COUNT};
    int tried = 0;
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *algorithm = kp_algorithm_at(i);
        for (int each = 0; each < 4 * 2 * 3; each++) {
            kp_problem p = {.operation = algorithm->operation,
                            .n = sizes[each % 4],
                            .k = 1 + each / 4 % 2,
                            .algorithm = algorithm};
            if (!kp_operation_reduces(p.operation) || (algorithm->serves && algorithm->serves(&p)))
                continue;
            same_bits(algorithm, p.n, p.k, counts[each / 8]);
            tried++;
        }
    }
    assert_true(tried > 200);
}

/* --- Eager buffers of odd lengths: the operands in them must be aligned nevertheless --- */

static void aligned_sum(void *to, const void *left, const void *right, size_t count, void *context)
{
    const int64_t *l = left, *r = right;
    int64_t *result = to;
    if (((uintptr_t)to | (uintptr_t)left | (uintptr_t)right) % 16 != 0)
        __atomic_store_n((int *)context, 1, __ATOMIC_RELAXED);
    for (size_t i = 0; i < 2 * count; i++)
        result[i] = l[i] + r[i];
}

static int sum_pairs(kp_proc *self, void *argument)
{
    _Alignas(16) int64_t out[6] = {1, 2, 3, 4, 5, 6}, in[6];
    int n = kp_size(kp_world(self));
    kp_operator op = {
        .combine = aligned_sum, .context = argument, .element_bytes = 16, .commutative = 1};
    int status = 0;
    for (int i = 0; i < 12 && !status; i++) {
        size_t count = 1 + (size_t)i % 3;
        status = kp_allreduce(kp_world(self), out, in, count, KP_OPAQUE, &op, NULL);
        if (!status && in[2 * count - 1] != n * 2 * (int64_t)count)
            return kp_fail(self, "a wrong sum");
    }
    return status;
}

static void eager_buffers_are_aligned(void **state)
{
    (void)state;
    /* One to four processors, by both disciplines. Two processors have a separate place for short
     * messages, and so have mailboxes. */
    for (int each = 0; each < 8; each++) {
        int misaligned = 0;
        kp_config config = {.processors = 1 + each / 2,
                            .eager_bytes = 1000,
                            .discipline = (kp_discipline)(each % 2)};
        assert_int_equal(kp_run(&config, sum_pairs, &misaligned, NULL), 0);
        assert_int_equal(misaligned, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_faults),
        cmocka_unit_test(whose_operands),
        cmocka_unit_test(only_reductions_combine),
        cmocka_unit_test(nothing_is_written),
        cmocka_unit_test(chains_in_a_message),
        cmocka_unit_test(a_side_is_needed),
        cmocka_unit_test(users_operators_keep_the_order),
        cmocka_unit_test(same_bits_everywhere),
        cmocka_unit_test(eager_buffers_are_aligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
