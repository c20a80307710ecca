/* Tests the reduce-scatter in which every result has a length of its own. Every result is compared
 * with one that is computed without the library, and no other byte may change. */
#include "tests/common/machine_common.h"

#include "kport.h"
#include "lib/problem/operator.h"
#include "lib/schedule/elements.h"
#include "tools/kport/run/reference_reduce.h"

#define MOST_N      12
#define GUARD_BYTES 64
#define GUARD       0xA5

enum pattern {
    EQUAL,
    ALL_ZERO,
    ONE_ALONE, /* one processor has a result, the others have none */
    ONE_HUGE,  /* one result is 40 times as long as the others */
    RISING,    /* 0, 1, 2 ... elements */
    DRAWN,     /* at random; a quarter of them 0 */
    PATTERNS
};

struct job {
    const kp_algorithm *algorithm; /* NULL: the library chooses */
    kp_type type;
    const kp_operator *op;
    enum pattern pattern;
    size_t count; /* about so many elements */
    int in_place, plan;
    uint64_t seed;
};

#define MOST_JOBS 4096
static struct batch {
    int count;
    struct job jobs[MOST_JOBS];
} batch;

static size_t count_of(const struct job *job, int n, int i)
{
    const uint64_t drawn = random_of(job->seed, (uint64_t)n, (uint64_t)i);
    const bool chosen = (int)(job->seed % (uint64_t)n) == i;
    switch (job->pattern) {
    case EQUAL:
        return job->count;
    case ALL_ZERO:
        return 0;
    case ONE_ALONE:
        return chosen ? job->count : 0;
    case ONE_HUGE:
        return chosen ? 40 * job->count : job->count;
    case RISING:
        return (size_t)i;
    default:
        return drawn % 4 == 0 ? 0 : drawn / 4 % (job->count + 1);
    }
}

/* A buffer with guards before and behind it. */
struct guarded {
    unsigned char *memory, *data;
    size_t bytes;
};

static struct guarded guarded_make(size_t bytes)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 64, bytes + (size_t)2 * GUARD_BYTES) != 0)
        abort();
    memset(memory, GUARD, bytes + (size_t)2 * GUARD_BYTES);
    return (struct guarded){memory, (unsigned char *)memory + GUARD_BYTES, bytes};
}

static bool guards_are_whole(const struct guarded *g)
{
    return all_are(g->memory, GUARD_BYTES, GUARD) &&
           all_are(g->data + g->bytes, GUARD_BYTES, GUARD);
}

struct member {
    const struct job *job;
    int n, me;
    size_t element, counts[MOST_N], own_bytes, all_bytes;
    struct guarded out, in, expected;
};

static kp_problem of_bytes(const struct job *job, size_t bytes)
{
    return (kp_problem){.type = job->type, .op = job->op, .b = bytes};
}

static void member_make(struct member *m, const struct job *job, kp_group *group)
{
    *m = (struct member){.job = job, .n = kp_size(group), .me = kp_rank(group)};
    kp_problem p = {.operation = KP_REDUCE_SCATTERV, .type = job->type, .op = job->op};
    m->element = kp_element_bytes(&p);
    for (int i = 0; i < m->n; i++) {
        m->counts[i] = count_of(job, m->n, i);
        m->all_bytes += m->counts[i] * m->element;
    }
    m->own_bytes = m->counts[m->me] * m->element;
    m->out = guarded_make(m->all_bytes);
    m->in = guarded_make(job->in_place ? m->all_bytes : m->own_bytes);
    m->expected = guarded_make(m->own_bytes);
    unsigned char *at = job->in_place ? m->in.data : m->out.data;
    for (int i = 0; i < m->n; i++) {
        p = of_bytes(job, m->counts[i] * m->element);
        reference_operands(&p, job->seed, (size_t)m->me, (size_t)i, at);
        at += p.b;
    }
    p = of_bytes(job, m->own_bytes);
    reference_combined(&p, job->seed, (size_t)m->n, (size_t)m->me, m->expected.data);
}

static void member_free(struct member *m)
{
    free(m->out.memory);
    free(m->in.memory);
    free(m->expected.memory);
}

/* Returns what is wrong after the call, or NULL. */
static const char *fault_of(const struct member *m)
{
    const kp_problem own = of_bytes(m->job, m->own_bytes);
    unsigned char *operand = malloc(m->all_bytes + 1), *at = m->out.data;
    const char *fault = NULL;
    if (reference_differs(&own, m->expected.data, m->in.data) >= 0)
        fault = "a wrong result";
    else if (!guards_are_whole(&m->in) || !guards_are_whole(&m->out))
        fault = "bytes beside a buffer were changed";
    for (int i = 0; i < m->n && !m->job->in_place; i++) {
        const kp_problem p = of_bytes(m->job, m->counts[i] * m->element);
        reference_operands(&p, m->job->seed, (size_t)m->me, (size_t)i, operand);
        if (memcmp(operand, at, p.b) != 0)
            fault = "an operand was changed";
        at += p.b;
    }
    free(operand);
    return fault;
}

static int make_call(struct member *m, kp_group *group)
{
    const struct job *job = m->job;
    const kp_hints hints = {.algorithm = job->algorithm};
    const void *out = job->in_place ? KP_IN_PLACE : m->out.data;
    if (!job->plan)
        return kp_reduce_scatterv(group, out, m->in.data, m->counts, job->type, job->op,
                                  job->algorithm ? &hints : NULL);
    kp_plan *plan;
    int status = kp_plan_make(group,
                              &(kp_arguments){.operation = KP_REDUCE_SCATTERV,
                                              .out = out,
                                              .in = m->in.data,
                                              .out_counts = m->counts,
                                              .type = job->type,
                                              .op = job->op,
                                              .hints = &hints},
                              &plan);
    status = status ? status : kp_plan_execute(plan);
    return status ? status : kp_plan_free(plan);
}

static int do_job(kp_group *group, const struct job *job)
{
    struct member m;
    member_make(&m, job, group);
    kp_proc *self = kp_group_self(group);
    int status = make_call(&m, group);
    const char *fault = status ? kp_error(self)->sentence : fault_of(&m);
    char sentence[KP_SENTENCE_BYTES + 200];
    snprintf(sentence, sizeof sentence, "%s of %s by %s, pattern %d, %zu elements%s, seed %llu: %s",
             job->op->name, kp_type_name(job->type),
             job->algorithm ? job->algorithm->name : "choice", (int)job->pattern, job->count,
             job->in_place ? " in place" : "", (unsigned long long)job->seed, fault ? fault : "");
    member_free(&m);
    if (status == KP_ELOST || status == KP_EFAILED || !fault)
        return status;
    return kp_fail(self, sentence);
}

static int do_batch(kp_proc *self, void *argument)
{
    const struct batch *all = argument;
    int status = 0;
    for (int i = 0; i < all->count && !status; i++)
        status = do_job(kp_world(self), &all->jobs[i]);
    return status;
}

static void run_batch(int n, int k, kp_discipline discipline)
{
    kp_config config = {.processors = n, .ports = k, .discipline = discipline};
    kp_report report;
    assert_true(batch.count > 0);
    assert_good(kp_run(&config, do_batch, &batch, &report), &report);
    batch.count = 0;
}

/* --- What is called --- */

static uint64_t next_seed = 24;

static void add_job(struct job job)
{
    assert_true(batch.count < MOST_JOBS);
    job.seed = next_seed++;
    batch.jobs[batch.count++] = job;
}

/* Adds a call for each pattern, by each algorithm that serves the problem, and by choice. */
static void add_patterns(int n, int k, kp_type type, const kp_operator *op, size_t count)
{
    for (int i = -1; i < 0 || kp_algorithm_at(i); i++) {
        const kp_algorithm *algorithm = i < 0 ? NULL : kp_algorithm_at(i);
        const kp_problem p = {.operation = KP_REDUCE_SCATTERV, .n = n, .k = k, .op = op};
        if (algorithm && (algorithm->operation != KP_REDUCE_SCATTERV ||
                          (algorithm->serves && algorithm->serves(&p))))
            continue;
        for (int pattern = 0; pattern < PATTERNS; pattern++)
            add_job((struct job){.algorithm = algorithm,
                                 .type = type,
                                 .op = op,
                                 .pattern = (enum pattern)pattern,
                                 .count = count,
                                 .in_place = (int)next_seed % 2,
                                 .plan = next_seed % 5 == 0});
    }
}

static void every_pattern_by_every_algorithm(void **state)
{
    (void)state;
    for (int n = 1; n <= (level == SMALL ? 7 : MOST_N); n++) {
        for (int k = 1; k <= (n > 1 ? n - 1 : 1); k++) {
            for (int round = 0; round < 2; round++) {
                add_patterns(n, k, KP_FLOAT64, KP_SUM, 5);
                add_patterns(n, k, KP_INT32, KP_COMPOSE, 3);
                add_patterns(n, k, KP_LONG_DOUBLE_INT, KP_MAXLOC, 1);
            }
            run_batch(n, k, KP_ROUNDS_BY_BARRIER);
        }
    }
}

/* In a group with mailboxes these calls work by the barrier. */
static void a_group_with_mailboxes(void **state)
{
    (void)state;
    add_patterns(5, 2, KP_INT16, KP_MAXIMUM, 6);
    add_patterns(5, 2, KP_FLOAT64, KP_SUM, 700);
    run_batch(5, 2, KP_ROUNDS_BY_MAILBOXES);
}

static void every_operator_on_every_type(void **state)
{
    (void)state;
    int known = 0;
    for (int op = 0; op < KP_BUILTINS; op++) {
        for (int type = 0; type < KP_TYPES; type++) {
            const kp_operator *operator_ = &kp_builtin_operators[op];
            if (!kp_operator_loops(operator_, (kp_type)type).combine)
                continue;
            for (int i = 0; i < 3; i++)
                add_job((struct job){.type = (kp_type)type,
                                     .op = operator_,
                                     .pattern = i % 2 ? RISING : DRAWN,
                                     .count = 9,
                                     .in_place = i == 2});
            known++;
        }
    }
    assert_int_equal(known, 2 * 14 + 2 * 11 + 3 * 12 + 3 * 8 + 14 + 2 * 6);
    run_batch(4, 1, KP_ROUNDS_BY_BARRIER);
}

static void long_operands(void **state)
{
    (void)state;
    add_patterns(8, 3, KP_FLOAT32, KP_SUM, 3000);
    add_patterns(8, 3, KP_COMPLEX_LONG_DOUBLE, KP_PRODUCT, 300);
    run_batch(8, 3, KP_ROUNDS_BY_BARRIER);
}

/* --- Operators of the user --- */

/* An element is an interval of ranks. It may be joined only with its neighbour. */
struct interval {
    int first, end;
    int64_t element; /* the number of the element; elements of different numbers never meet */
};

static atomic_int joined_wrong;

static void join(void *to, const void *left, const void *right, size_t count, void *context)
{
    const struct interval *l = left, *r = right;
    struct interval *result = to;
    (void)context;
    if ((uintptr_t)left % _Alignof(struct interval) || (uintptr_t)right % _Alignof(struct interval))
        atomic_fetch_add(&joined_wrong, 1);
    for (size_t i = 0; i < count; i++) {
        if (l[i].end != r[i].first || l[i].element != r[i].element)
            atomic_fetch_add(&joined_wrong, 1);
        result[i] = (struct interval){l[i].first, r[i].end, l[i].element};
    }
}

static int join_all(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const int n = kp_size(world), me = kp_rank(world);
    size_t counts[MOST_N];
    struct interval out[4 * MOST_N], in[4];
    (void)argument;
    for (int turn = 0; turn < 6; turn++) {
        /* The context, and the address of the operator, are others in every call. */
        kp_operator op[2] = {{.name = "join",
                              .combine = join,
                              .context = &turn,
                              .element_bytes = sizeof(struct interval)}};
        op[1] = op[0];
        size_t all = 0;
        for (int i = 0; i < n; i++)
            counts[i] = (size_t)((i + turn) % 4);
        for (int i = 0; i < n; i++) {
            for (size_t j = 0; j < counts[i]; j++, all++)
                out[all] = (struct interval){me, me + 1, (int64_t)all};
        }
        NEED(self,
             kp_reduce_scatterv(world, out, in, counts, KP_OPAQUE, &op[turn % 2], NULL) == KP_OK);
        for (size_t j = 0; j < counts[me]; j++)
            NEED(self, in[j].first == 0 && in[j].end == n);
    }
    return 0;
}

static void users_operators_see_only_elements_in_order(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST_N; n++) {
        kp_config config = {.processors = n, .ports = n > 2 ? 2 : 1};
        kp_report report;
        atomic_store(&joined_wrong, 0);
        assert_good(kp_run(&config, join_all, NULL, &report), &report);
        assert_int_equal(atomic_load(&joined_wrong), 0);
    }
}

/* --- Costs --- */

static int one_long_result(kp_proc *self, void *argument)
{
    const kp_algorithm *algorithm =
        kp_algorithm_find(KP_REDUCE_SCATTERV, argument ? argument : "circulant");
    const kp_hints hints = {.algorithm = algorithm};
    const size_t counts[4] = {0, 100, 1, 0};
    int32_t out[101] = {0}, in[100];
    return kp_reduce_scatterv(kp_world(self), out, in, counts, KP_INT32, KP_SUM, &hints);
}

/* The report counts the true lengths, in each round those of the longest message: nothing is
 * padded. On one port the long sum travels in each of three rounds around the ring, and in both
 * rounds of the circulant graph, once with the short sum. Over a wire a processor counts only its
 * own messages. */
static void the_report_counts_what_was_sent(void **state)
{
    (void)state;
#ifdef OVER_WIRE
    skip();
#endif
    kp_config config = {.processors = 4, .ports = 1};
    kp_report report;
    assert_good(kp_run(&config, one_long_result, (void *)"ring", &report), &report);
    assert_int_equal(report.c1, 3);
    assert_int_equal(report.c2, 3 * 400);
    assert_good(kp_run(&config, one_long_result, NULL, &report), &report);
    assert_int_equal(report.c1, 2);
    assert_int_equal(report.c2, 404 + 400);
}

/* --- Members that differ --- */

static struct quarrel {
    int odd; /* the member that gives another count */
    size_t count;
    kp_type type;
    const kp_operator *op;
    const void *out_of_odd;
    bool null_counts, other_operation;
    int status_of_odd, status_of_others;
    const char *says; /* "@" stands for the place of the call */
} quarrels[] = {
    {.odd = 2,
     .count = 5,
     .status_of_odd = KP_EMISMATCH,
     .status_of_others = KP_EMISMATCH,
     .says =
         "processor 2 gives 5 elements for the result of processor 1 (counts[1]@), but processor "
         "1 gives 4 (counts[1]@)"},
    {.odd = 1,
     .count = 0,
     .status_of_odd = KP_EMISMATCH,
     .status_of_others = KP_EMISMATCH,
     .says =
         "processor 0 gives 4 elements for the result of processor 1 (counts[1]@), but processor "
         "1 gives 0 (counts[1]@)"},
    {.odd = 0,
     .count = 4,
     .type = KP_FLOAT32,
     .status_of_odd = KP_EMISMATCH,
     .status_of_others = KP_EMISMATCH,
     .says = "type=float32"},
    {.odd = 0,
     .count = 4,
     .op = KP_PRODUCT,
     .status_of_odd = KP_EMISMATCH,
     .status_of_others = KP_EMISMATCH,
     .says = "op=product"},
    {.odd = 1,
     .count = 4,
     .op = KP_MINLOC,
     .status_of_odd = KP_EARGUMENT,
     .status_of_others = KP_EPEER,
     .says = "operator minloc does not know elements of type int32"},
    {.odd = 2,
     .count = (size_t)-3,
     .status_of_odd = KP_EARGUMENT,
     .status_of_others = KP_EPEER,
     .says = "counts[1] is 18446744073709551613 (as a signed number -3)"},
    {.odd = 2,
     .count = 4,
     .null_counts = true,
     .status_of_odd = KP_EARGUMENT,
     .status_of_others = KP_EPEER,
     .says = "counts is NULL"},
#ifndef OVER_WIRE /* there the group is unusable after such an error */
    {.odd = 0,
     .count = 4,
     .other_operation = true,
     .status_of_odd = KP_EMISMATCH,
     .status_of_others = KP_EMISMATCH,
     .says = "reduce-scatter:"},
#endif
};

static int quarrel_once(kp_proc *self, void *argument)
{
    const struct quarrel *q = argument;
    kp_group *world = kp_world(self);
    const bool odd = kp_rank(world) == q->odd;
    size_t counts[3] = {2, odd ? q->count : 4, 3}, right[3] = {1, 1, 1};
    int32_t out[12] = {1, 1, 1}, in[12], before[12];
    memset(in, 0x55, sizeof in);
    memcpy(before, in, sizeof in);
    const kp_type type = odd && q->type ? q->type : KP_INT32;
    const kp_operator *op = odd && q->op ? q->op : KP_SUM;
    int status = odd && q->other_operation
                     ? kp_reduce_scatter(world, out, in, 2, type, op, NULL)
                     : kp_reduce_scatterv(world, out, in, odd && q->null_counts ? NULL : counts,
                                          type, op, NULL);
    NEED(self, status == (odd ? q->status_of_odd : q->status_of_others));
    keep(self, status);
    NEED(self, memcmp(in, before, sizeof in) == 0);
    /* The group works on. */
    NEED(self, kp_reduce_scatterv(world, out, in, right, KP_INT32, KP_SUM, NULL) == KP_OK);
    NEED(self, in[0] == 3);
    return 0;
}

/* Over a wire no member knows where another one has made its call. */
static bool says_at_places(const char *sentence, const char *pattern)
{
    for (const char *at; (at = strchr(pattern, '@')); pattern = at + 1) {
        const char place[] = ", ../tests/call/test_operand_lengths.c:";
        char part[200];
        snprintf(part, sizeof part, "%.*s%s", (int)(at - pattern), pattern,
                 OVER_A_WIRE ? "" : place);
        const char *found = strstr(sentence, part);
        if (!found)
            return false;
        sentence = found + strlen(part);
    }
    return strstr(sentence, pattern);
}

static void members_that_differ_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof quarrels / sizeof quarrels[0]; i++) {
        kp_config config = {.processors = 3, .ports = 1};
        kp_report report;
        assert_good(kp_run(&config, quarrel_once, &quarrels[i], &report), &report);
        for (int me = 0; me < 3; me++) {
            const char *sentence = outcomes[me].error.sentence;
            const char *count = strstr(sentence, ",count=");
            /* "count" is there only in the other call, reduce-scatter. */
            if (!says_at_places(sentence, quarrels[i].says) ||
                (count && !quarrels[i].other_operation))
                fail_msg("case %zu, processor %d: '%s'", i, me, outcomes[me].error.sentence);
        }
    }
}

/* --- Buffers that are refused --- */

static int refuse(kp_proc *self, const void *out, void *in, const size_t *counts, const char *says)
{
    kp_group *world = kp_world(self);
    NEED(self, kp_reduce_scatterv(world, out, in, counts, KP_INT64, KP_SUM, NULL) == KP_EARGUMENT);
    if (!strstr(kp_error(self)->sentence, says))
        return kp_fail(self, kp_error(self)->sentence);
    return 0;
}

static int refuse_all(kp_proc *self, void *argument)
{
    const size_t counts[2] = {1, 2}, zero[2] = {0, 0};
    int64_t data[8] = {0};
    (void)argument;
    int status = refuse(self, NULL, data, counts, "out is NULL");
    status = status ? status : refuse(self, data, NULL, counts, "in is NULL");
    status = status ? status : refuse(self, KP_IN_PLACE, NULL, counts, "in is NULL");
    status = status ? status : refuse(self, data, data + 2, counts, "out and in overlap");
    status = status ? status : refuse(self, data, KP_IN_PLACE, counts, "in may be KP_IN_PLACE");
    status = status ? status
                    : refuse(self, (char *)data + 4, data + 6, counts,
                             "out is at an address that is no multiple of 8, as int64 wants it");
    NEED(self, status || kp_reduce_scatterv(kp_world(self), NULL, NULL, zero, KP_INT64, KP_SUM,
                                            NULL) == KP_OK);
    return status;
}

static void wrong_buffers_are_refused(void **state)
{
    (void)state;
    kp_config config = {.processors = 2};
    kp_report report;
    assert_good(kp_run(&config, refuse_all, NULL, &report), &report);
}

static int foreign_fields(kp_proc *self, void *argument)
{
    const size_t counts[1] = {1};
    int64_t out[1] = {7}, in[1];
    kp_plan *plan;
    const kp_arguments right = {.operation = KP_REDUCE_SCATTERV,
                                .out = out,
                                .in = in,
                                .type = KP_INT64,
                                .op = KP_SUM,
                                .out_counts = counts};
    (void)argument;
    for (int i = 0; i < 4; i++) {
        kp_arguments a = right;
        a.in_counts = i == 0 ? counts : NULL;
        a.out_displacements = i == 1 ? counts : NULL;
        a.out_bytes = i == 2;
        a.count = i == 3;
        NEED(self, kp_plan_make(kp_world(self), &a, &plan) == KP_EARGUMENT);
        NEED(self, strstr(kp_error(self)->sentence, "given, but reduce-scatterv has none"));
    }
    NEED(self, kp_plan_make(kp_world(self), &right, &plan) == KP_OK);
    NEED(self, kp_plan_execute(plan) == KP_OK && in[0] == 7);
    return kp_plan_free(plan);
}

static void plans_refuse_fields_that_are_not_theirs(void **state)
{
    (void)state;
    kp_config config = {.processors = 1};
    kp_report report;
    assert_good(kp_run(&config, foreign_fields, NULL, &report), &report);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(every_pattern_by_every_algorithm),
        TEST(a_group_with_mailboxes),
        TEST(every_operator_on_every_type),
        TEST(long_operands),
        TEST(users_operators_see_only_elements_in_order),
        TEST(the_report_counts_what_was_sent),
        TEST(members_that_differ_are_named),
        TEST(wrong_buffers_are_refused),
        TEST(plans_refuse_fields_that_are_not_theirs),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
