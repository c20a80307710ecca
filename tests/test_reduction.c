/* Reductions: what the checker refuses, users' operators in the order of the processors, the same
 * bits on every run. */
#include "tests/schedule_common.h"

#include "kport.h"
#include "lib/operation.h"

/* --- Planted faults: an allreduce of three processors that all send their operand to all --- */

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
            "round 0: processor 1 receives from 0 on port 0 a message, and combines with a place "
            "before anything has arrived there");
    refused(&p, "twice", "round 0: processor 1 counts the operand of processor 1 twice");
    refused(&p, "left out",
            "round 0: processor 2 receives from 0 on port 1 into place 0 of in, which is written "
            "twice in the round");
    refused(&p, "other places",
            "round 0: processor 0 receives from 1 on port 1 a message, and combines operands of "
            "different places");
    refused(&p, "operand of another receive", "an operand that is written in the same round");
    refused(&p, "operand too short", "processor 2 combines a message with operands of another");
    refused(&p, "operand outside", "processor 2 uses a piece that lies outside its space");
    refused(&p, "result sent", "which is sent, so read, in the same round");
    refused(&p, "fold of nothing",
            "round 0: processor 1 combines with a place before anything has arrived there");
    p.op = KP_COMPOSE; /* 0, 2, 1 is no order */
    p.b = 4;
    refused(&p, "none", "at the end the result of processor 0 is not combined in the order of the");
    p.op = NULL;
    p.n = 4;
    p.b = 2;
    refused(&p, "none", "round 0: processor");
}

/* One that leaves a processor out, one that adds where nothing is to be added. */
static void whose_operands(void **state)
{
    (void)state;
    kp_problem p = parse("scan:n=4,k=1,count=1");
    struct kp_schedule *s = build(&p);
    kp_error_record error;
    assert_int_equal(kp_schedule_check(s, NULL), KP_OK);
    kp_schedule_free(s);
    kp_algorithm shifted = *kp_algorithm_find(KP_SCAN, "doubling");
    shifted.operation = KP_ALLREDUCE; /* a scan is no allreduce */
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
    refused(&p, "none", "round 0: processor 0 combines, in an operation that does not");
}

/* --- Users' operators: an element is an interval of ranks, and joins only its neighbour --- */

struct interval {
    int first, end;
    char right; /* 0 once something was joined out of order */
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

#define ELEMENTS 60 /* at most, and at most so many processors: */
#define MOST_N   12

/* One reduction, of whatever kind. */
struct work {
    kp_operation operation;
    kp_how how; /* without an algorithm the call gets NULL */
    size_t count;
    kp_type type;
    const kp_operator *op;
};

static int call(kp_group *world, const struct work *w, const void *out, void *in, int root)
{
    const kp_how *how = w->how.algorithm ? &w->how : NULL;
    switch (w->operation) {
    case KP_REDUCE:
        return kp_reduce(world, out, in, w->count, w->type, w->op, root, how);
    case KP_ALLREDUCE:
        return kp_allreduce(world, out, in, w->count, w->type, w->op, how);
    case KP_REDUCE_SCATTER:
        return kp_reduce_scatter(world, out, in, w->count, w->type, w->op, how);
    case KP_SCAN:
        return kp_scan(world, out, in, w->count, w->type, w->op, how);
    default:
        return kp_scan_exclusive(world, out, in, w->count, w->type, w->op, how);
    }
}

static const char *name_of(const struct work *w)
{
    static char name[80];
    snprintf(name, sizeof name, "%s, algorithm %s, count %zu", kp_operation_name(w->operation),
             w->how.algorithm ? w->how.algorithm->name : "left open", w->count);
    return name;
}

/* NULL: it serves. */
static const char *why_not(const kp_algorithm *algorithm, int n, int k, const struct work *w)
{
    kp_problem p = {.operation = algorithm->operation,
                    .n = n,
                    .k = k,
                    .type = w->type,
                    .op = w->op,
                    .algorithm = algorithm};
    return algorithm->serves ? algorithm->serves(&p) : NULL;
}

static int join_all(kp_proc *self, void *argument)
{
    const struct work *work = argument;
    kp_group *world = kp_world(self);
    kp_operation operation = work->operation;
    int n = kp_size(world), me = kp_rank(world), roots = kp_operation_has_root(operation) ? n : 1;
    int end = operation == KP_SCAN ? me + 1 : operation == KP_SCAN_EXCLUSIVE ? me : n;
    struct interval out[ELEMENTS * MOST_N], in[ELEMENTS];
    for (int i = 0; i < ELEMENTS * n; i++)
        out[i] = (struct interval){me, me + 1, 1};
    for (int root = 0; root < roots; root++) {
        memset(in, 0x11, sizeof in);
        int status = call(world, work, out, in, root);
        for (size_t i = 0; i < work->count && !status && (roots == 1 || me == root); i++) {
            if (end > 0 && (in[i].first != 0 || in[i].end != end || in[i].right != 1))
                return kp_fail(self, "the operands were not joined in the order of the ranks");
        }
        if (status)
            return status;
    }
    return 0;
}

/* All n, and the odd k. */
static void join_everywhere(struct work *work)
{
    for (int n = 1; n <= MOST_N; n++) {
        for (int k = 1; k <= most_ports(n); k += 2) {
            kp_config config = {.processors = n, .ports = k};
            kp_report report;
            if (kp_run(&config, join_all, work, &report))
                fail_msg("%s, n=%d, k=%d: %s", name_of(work), n, k, report.error.sentence);
        }
    }
}

static void users_operators_keep_the_order(void **state)
{
    (void)state;
    int served = 0;
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *algorithm = kp_algorithm_at(i);
        int joined = 0;
        kp_operator op = {.name = "join",
                          .combine = join,
                          .context = &joined,
                          .element_bytes = sizeof(struct interval)};
        struct work work = {.operation = algorithm->operation,
                            .how = {.algorithm = algorithm},
                            .count = 5,
                            .type = KP_OPAQUE,
                            .op = &op};
        if (!kp_operation_reduces(work.operation) || why_not(algorithm, 4, 1, &work))
            continue;
        served++;
        join_everywhere(&work);
        assert_true(joined > 0);
    }
    assert_true(served >= 5); /* one for each reduction */
}

/* The library's choice has to serve as well. */
static void the_order_with_the_algorithm_left_open(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 5, ELEMENTS};
    int reductions = 0;
    for (kp_operation operation = 0; operation < KP_OPERATIONS; operation++) {
        if (!kp_operation_reduces(operation))
            continue;
        reductions++;
        for (int i = 0; i < 3; i++) {
            int joined = 0;
            kp_operator op = {.name = "join",
                              .combine = join,
                              .context = &joined,
                              .element_bytes = sizeof(struct interval)};
            struct work work = {
                .operation = operation, .count = counts[i], .type = KP_OPAQUE, .op = &op};
            join_everywhere(&work);
            assert_true(joined > 0);
        }
    }
    assert_int_equal(reductions, 5);
}

/* --- Numbers of packets --- */

static int64_t operand(int rank, int i)
{
    return 1000 * (rank + 1) + (int64_t)i * i;
}

static int sum_to_every_root(kp_proc *self, void *argument)
{
    const struct work *work = argument;
    kp_group *world = kp_world(self);
    int n = kp_size(world), me = kp_rank(world), count = (int)work->count;
    int64_t out[ELEMENTS], in[ELEMENTS];
    for (int i = 0; i < count; i++)
        out[i] = operand(me, i);
    for (int root = 0; root < n; root++) {
        memset(in, -1, sizeof in);
        int status = call(world, work, out, in, root);
        if (status)
            return status;
        for (int i = 0; i < ELEMENTS; i++) {
            int64_t sum = 0;
            for (int rank = 0; rank < n; rank++)
                sum += operand(rank, i);
            if (in[i] != (i < count && me == root ? sum : -1))
                return kp_fail(self, "the wrong sum, or one where none belongs");
        }
    }
    return 0;
}

/* 23 elements or 9: packets of two lengths, and as many packets as elements. */
static int sum_in_packets(const kp_algorithm *algorithm, int n, int k, int packets)
{
    struct work work = {.operation = KP_REDUCE,
                        .how = {.algorithm = algorithm, .values = {packets}},
                        .count = (n + k) % 2 ? 9 : 23,
                        .type = KP_INT64,
                        .op = KP_SUM};
    kp_config config = {.processors = n, .ports = k};
    kp_report report;
    if (why_not(algorithm, n, k, &work))
        return 0;
    if (kp_run(&config, sum_to_every_root, &work, &report))
        fail_msg("%s, %d packets, n=%d, k=%d: %s", name_of(&work), packets, n, k,
                 report.error.sentence);
    return 1;
}

static void forced_numbers_of_packets(void **state)
{
    (void)state;
    static const char *const names[] = {"pipelined", "circulant"};
    for (int i = 0; i < 2; i++) {
        const kp_algorithm *algorithm = kp_algorithm_find(KP_REDUCE, names[i]);
        int done = 0;
        assert_non_null(algorithm);
        assert_string_equal(algorithm->parameters[0].name, "packets");
        for (int n = 2; n <= 8; n++) {
            for (int k = 1; k <= most_ports(n) && k <= 3; k++) {
                for (int packets = 1; packets <= 9; packets++)
                    done += sum_in_packets(algorithm, n, k, packets);
            }
        }
        assert_true(done >= 7 * 9); /* with one port at least */
    }
}

/* --- The same bits --- */

#define MOST_SUMMED 8 /* processors */

struct sums {
    struct work work;
    int run;
    double of[2][MOST_SUMMED][ELEMENTS];
};

/* Thirds of numbers of different sizes and signs: what rounds away depends on the order. */
static double summand(int rank, int i)
{
    uint64_t seed = 17 + 1000 * (uint64_t)rank + (uint64_t)i;
    uint64_t draw = draw_number(&seed);
    return (rank % 2 ? -1 : 1) * (double)(draw >> (draw % 16)) / 3.0;
}

static int add_up(kp_proc *self, void *argument)
{
    struct sums *sums = argument;
    int me = kp_processor(self), n = kp_size(kp_world(self));
    double operands[ELEMENTS * MOST_SUMMED];
    for (int i = 0; i < (int)sums->work.count * n; i++)
        operands[i] = summand(me, i);
    double *in = sums->of[sums->run][me];
    memset(in, 0, sizeof sums->of[0][0]);
    return call(kp_world(self), &sums->work, operands, in, n - 1);
}

static void same_bits_of(struct sums *sums, int n, int k)
{
    for (sums->run = 0; sums->run < 2; sums->run++) {
        kp_config config = {.processors = n, .ports = k};
        kp_report report;
        if (kp_run(&config, add_up, sums, &report))
            fail_msg("%s, n=%d, k=%d: %s", name_of(&sums->work), n, k, report.error.sentence);
    }
    size_t bytes = sizeof sums->of[0][0];
    if (sums->of[0][n - 1][0] == 0)
        fail_msg("%s, n=%d, k=%d: nothing came", name_of(&sums->work), n, k);
    for (int me = 0; me < n; me++) {
        if (memcmp(sums->of[0][me], sums->of[1][me], bytes) != 0)
            fail_msg("%s, n=%d, k=%d: other bits in the second run at processor %d",
                     name_of(&sums->work), n, k, me);
        if (sums->work.operation == KP_ALLREDUCE &&
            memcmp(sums->of[0][me], sums->of[0][0], bytes) != 0)
            fail_msg("%s, n=%d, k=%d: processor %d has other bits than processor 0",
                     name_of(&sums->work), n, k, me);
    }
}

/* That the order shows in the bits: else there is nothing to find. */
static void order_shows(int n)
{
    int differing = 0;
    for (int i = 0; i < 3 * n + 1; i++) {
        double up = 0, down = 0;
        for (int rank = 0; rank < n; rank++) {
            up += summand(rank, i);
            down += summand(n - 1 - rank, i);
        }
        differing += memcmp(&up, &down, sizeof up) != 0;
    }
    assert_true(differing > 0);
}

static void same_bits_everywhere(void **state)
{
    (void)state;
    static const int sizes[] = {3, 5, 7, 8};
    static struct sums sums;
    for (int size = 0; size < 4; size++)
        order_shows(sizes[size]);
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *algorithm = kp_algorithm_at(i);
        int done = 0;
        if (!kp_operation_reduces(algorithm->operation))
            continue;
        sums.work = (struct work){.operation = algorithm->operation,
                                  .how = {.algorithm = algorithm},
                                  .type = KP_FLOAT64,
                                  .op = KP_SUM};
        for (int size = 0; size < 4; size++) {
            int n = sizes[size];
            for (int k = 1; k <= 2; k++) {
                if (why_not(algorithm, n, k, &sums.work))
                    continue;
                done++;
                sums.work.count = (size_t)n - 1;
                same_bits_of(&sums, n, k);
                sums.work.count = 3 * (size_t)n + 1;
                same_bits_of(&sums, n, k);
            }
        }
        if (!done)
            fail_msg("%s never serves", name_of(&sums.work));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_faults),
        cmocka_unit_test(whose_operands),
        cmocka_unit_test(only_reductions_combine),
        cmocka_unit_test(users_operators_keep_the_order),
        cmocka_unit_test(the_order_with_the_algorithm_left_open),
        cmocka_unit_test(forced_numbers_of_packets),
        cmocka_unit_test(same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
