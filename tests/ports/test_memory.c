/* Tests a lack of memory or threads. A scenario is repeated: in its i-th repetition the i-th
 * request for memory fails, until no request fails any more. No repetition may crash or hang. Every
 * processor that is affected must get an error with a status and a sentence. The machine must still
 * work, and nothing may stay allocated. */
#include "tests/common/machine_common.h"

#include "tests/common/failing_allocator.h"

#include "lib/draw/draw.h"

#include <kport.h>

#define N 3

/* Returns whether a call may return this status while memory is short. */
static bool is_named(int status)
{
    static const int all[] = {KP_OK,    KP_EMEMORY, KP_EPEER,     KP_EMISMATCH, KP_ETHREAD,
                              KP_ELOST, KP_EFAILED, KP_EDEADLOCK, KP_EENDED};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i] == status)
            return true;
    }
    return false;
}

/* --- What the processors do in the scenarios --- */

/* A scenario: a function that each processor calls, and the machine on which it runs. The variable
 * `wrong` describes the first fault that is found. */
struct act {
    const char *name;
    int (*act)(kp_proc *self);
    kp_config config;
};

static _Atomic(const char *) wrong;
static _Atomic int concerned; /* the number of calls that returned KP_EMEMORY */
static atomic_bool by_mail; /* whether mailboxes are used, so a group is unusable after an error */

/* Checks the status of a processor's call, and its sentence. Returns the status. */
static int named(kp_proc *self, int status)
{
    if (status == KP_EMEMORY)
        atomic_fetch_add(&concerned, 1);
    if (!is_named(status))
        atomic_store(&wrong, "a status that is no consequence of short memory");
    if (status != KP_OK && (kp_error(self)->status != status || !kp_error(self)->sentence[0]))
        atomic_store(&wrong, "an error without its sentence");
    return status;
}

#define CALL(call)                                                                                 \
    do {                                                                                           \
        status = named(self, call);                                                                \
    } while (0)

/* Fills in consecutive values, by which the results are checked. */
static void set(int64_t *values, int count, int64_t first)
{
    for (int i = 0; i < count; i++)
        values[i] = first + i;
}

static void expect(int status, bool right)
{
    if (status == KP_OK && !right)
        atomic_store(&wrong, "a call that returned 0 brought something else");
}

/* the bytes of a block; longer than an eager buffer, so kport must allocate the long one */
#define PACKED_ALONE 5000

static int packed_by_one(kp_proc *self)
{
    static char sent[N * PACKED_ALONE], come[N][PACKED_ALONE];
    kp_group *g = kp_world(self);
    int me = kp_processor(self), status;
    for (size_t i = 0; i < sizeof sent && me == 2; i++)
        sent[i] = (char)(1 + i / PACKED_ALONE);
    memset(come[me], 0, PACKED_ALONE);
    CALL(kp_scatter(g, sent, come[me], PACKED_ALONE, 2, NULL));
    expect(status, come[me][0] == 1 + me && come[me][PACKED_ALONE - 1] == 1 + me);
    return KP_OK;
}

/* Makes every operation once, in place and not. If a call fails, the next calls must still work. */
static int all_operations(kp_proc *self)
{
    kp_group *g = kp_world(self);
    int me = kp_processor(self), status;
    int64_t out[4 * N], in[4 * N], sum = 0;
    set(out, 4 * N, 100 * me);
    CALL(kp_index(g, out, in, 8, NULL));
    expect(status, in[N - 1] == 100 * (N - 1) + me);
    CALL(kp_index(g, KP_IN_PLACE, in, 8, NULL));
    CALL(kp_concat(g, out, in, 8, NULL));
    expect(status, in[1] == 100);
    CALL(kp_broadcast(g, in, sizeof in, 1, NULL));
    CALL(kp_scatter(g, out, in, 8, 2, NULL));
    expect(status, in[0] == 200 + me);
    CALL(kp_gather(g, out, in, 8, 1, NULL));
    CALL(kp_one_to_one(g, out, in, 8, 0, 2, NULL));
    CALL(kp_reduce(g, out, in, 2, KP_INT64, KP_SUM, 1, NULL));
    CALL(kp_allreduce(g, out, &sum, 1, KP_INT64, KP_SUM, NULL));
    expect(status, sum == 300);
    CALL(kp_reduce_scatter(g, out, in, 1, KP_INT64, KP_SUM, NULL));
    CALL(kp_scan(g, out, in, 1, KP_INT64, KP_SUM, NULL));
    CALL(kp_scan_exclusive(g, out, in, 1, KP_INT64, KP_MAXIMUM, NULL));
    CALL(kp_barrier(g));
    return packed_by_one(self);
}

static int lengths(kp_proc *self)
{
    kp_group *g = kp_world(self);
    int me = kp_processor(self), status;
    int64_t out[2 * N], in[2 * N];
    size_t counts[N] = {16, 16, 16}, displacements[N] = {32, 16, 0};
    kp_hints hints;
    set(out, 2 * N, 100 * me);
    CALL(kp_indexv(g, out, counts, NULL, in, counts, displacements, NULL));
    expect(status, in[4] == 2 * me);
    CALL(kp_indexv(g, KP_IN_PLACE, NULL, NULL, in, counts, NULL, NULL));
    if (kp_hints_parse(KP_INDEXV, "padded", &hints) == KP_OK)
        CALL(kp_indexv(g, out, counts, NULL, in, counts, NULL, &hints));
    CALL(kp_concatv(g, out, 16, in, counts, NULL, NULL));
    expect(status, in[2] == 100);
    CALL(kp_scatterv(g, out, counts, NULL, in, 16, 1, NULL));
    CALL(kp_gatherv(g, out, 16, in, counts, NULL, 0, NULL));
    CALL(kp_reduce_scatterv(g, out, in, (size_t[]){2, 0, 4}, KP_INT64, KP_SUM, NULL));
    expect(status, me == 1 || in[0] == 300 + 2 * 3 * (me != 0));
    CALL(kp_reduce_scatterv(g, KP_IN_PLACE, in, (size_t[]){2, 0, 4}, KP_INT64, KP_SUM, NULL));
    return KP_OK;
}

/* Rounds with messages that are packed and messages that are lent for zero copy. */
static int rounds(kp_proc *self)
{
    static char sent[N][20000], come[N][20000];
    kp_group *g = kp_world(self);
    int status, me = kp_processor(self), next = (me + 1) % N, last = (me + N - 1) % N;
    for (int i = 0; i < 4; i++) {
        kp_outgoing out = {0, next, sent[me], i % 2 ? sizeof *sent : 40};
        kp_incoming in = {0, last, come[me], sizeof *come, 1};
        CALL(kp_exchange(g, &out, 1, &in, 1));
        expect(status, in.bytes == out.bytes);
    }
    CALL(kp_send_recv(g, sent[me], 8, next, come[me], 8, last));
    CALL(kp_send_recv(g, sent[me], 8, me, come[me], 8, me));
    return KP_OK;
}

/* Two overlapping groups, called in the same order by all processors. */
static int groups(kp_proc *self)
{
    kp_group *pair = NULL, *all = NULL;
    int status, me = kp_processor(self), sum = 0, one = 1;
    if (me < 2) {
        CALL(kp_group_create(self, (int[]){1, 0}, 2, &pair));
        if (status)
            return status; /* this processor returns, so that no other waits for it */
        CALL(kp_allreduce(pair, &one, &sum, 1, KP_INT32, KP_SUM, NULL));
        expect(status, sum == 2);
    }
    CALL(kp_group_create(self, (int[]){2, 1, 0}, 3, &all));
    if (status == KP_OK)
        CALL(kp_allreduce(all, &one, &sum, 1, KP_INT32, KP_SUM, NULL));
    int ended = status;
    kp_group_free(all);
    kp_group_free(pair);
    return ended;
}

static int plans(kp_proc *self)
{
    kp_group *g = kp_world(self);
    int status = KP_OK, me = kp_processor(self);
    int64_t out[N], in[N];
    size_t counts[N] = {8, 8, 8};
    const kp_arguments made[] = {
        {.operation = KP_INDEX, .out = out, .in = in, .b = 8},
        {.operation = KP_ALLREDUCE,
         .out = out,
         .in = in,
         .count = N,
         .type = KP_INT64,
         .op = KP_SUM},
        {.operation = KP_INDEX, .out = KP_IN_PLACE, .in = in, .b = 8},
        {.operation = KP_INDEXV, .out = out, .in = in, .out_counts = counts, .in_counts = counts},
    };
    set(out, N, 100 * me);
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        kp_plan *plan = NULL;
        CALL(kp_plan_make(g, &made[i], &plan));
        for (int times = 0; times < 2 && plan; times++)
            CALL(kp_plan_execute(plan));
        /* The processor calls the barrier instead of executing the plan that it could not make. So
         * the others get KP_EMISMATCH. */
        if (!plan)
            CALL(kp_barrier(g));
        if (!plan)
            CALL(kp_barrier(g));
        if (kp_plan_free(plan) != KP_OK)
            status = KP_EARGUMENT; /* a plan that was made must be freed without an error */
        (void)named(self, status);
    }
    return KP_OK;
}

/* Routes messages of several lengths to any processor. The arrived messages belong to the
 * caller. */
static int routes(kp_proc *self)
{
    static const char text[5000];
    int status, me = kp_processor(self);
    for (int i = 0; i < 2; i++) {
        kp_arrivals arrivals;
        kp_arrival one = {.source = 0};
        kp_parcel parcels[] = {{(me + 1) % N, text, sizeof text}, {me, text, 8}, {2, text, 100}};
        size_t bytes = 0;
        CALL(kp_route(kp_world(self), parcels, 3, &arrivals, NULL));
        if (status == KP_EDEADLOCK)
            atomic_store(&wrong, "who had no memory was waited for");
        while (kp_route_next(&arrivals, &one))
            bytes += one.bytes;
        expect(status, bytes == sizeof text + 8 + (me == 2 ? 300 : 0));
        kp_route_free(&arrivals);
    }
    return KP_OK;
}

/* Algorithms of the caller, which kport checks. build_right sends each block to its receiver, and
 * build_wrong sends the next block instead. If there is no memory for the check, the next call must
 * make the check. */
static int build_around(kp_builder *b, const kp_problem *p, int too_far)
{
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int distance = 1; distance < p->n; distance++) {
        int to = (p->rank + distance) % p->n, from = (p->rank + p->n - distance) % p->n;
        kp_build_round(b);
        kp_build_send(b, 0, to);
        kp_build_piece(b, kp_run_of(KP_OUT, to + too_far, 1));
        kp_build_receive(b, 0, from);
        kp_build_piece(b, kp_run_of(KP_IN, from, 1));
    }
    return KP_OK;
}

static int build_right(kp_builder *b, const kp_problem *p)
{
    return build_around(b, p, 0);
}

static int build_wrong(kp_builder *b, const kp_problem *p)
{
    return build_around(b, p, 1);
}

static int own_algorithms(kp_proc *self)
{
    static const kp_algorithm right = {
        .operation = KP_INDEX, .name = "right", .build = build_right};
    static const kp_algorithm wrongly = {
        .operation = KP_INDEX, .name = "wrong", .build = build_wrong};
    static const kp_hints by_right = {.algorithm = &right}, by_wrong = {.algorithm = &wrongly};
    int me = kp_processor(self), status, failed = 0;
    int64_t out[N], in[N];
    set(out, N, 100 * me);
    for (int i = 0; i < 3; i++) {
        CALL(kp_index(kp_world(self), out, in, 8, &by_right));
        expect(status, in[N - 1] == 100 * (N - 1) + me);
        failed += status != KP_OK;
    }
    if (failed > 1 && !atomic_load(&by_mail))
        atomic_store(&wrong, "a check that had no memory is not made again");
    status = kp_index(kp_world(self), out, in, 8, &by_wrong);
    expect(status, false);
    return status == KP_ESCHEDULE ? KP_OK : named(self, status);
}

/* A call is refused because there is no memory for its scratch. A later call that is equal must not
 * use what the refused call left behind. */
static int after_a_refusal(kp_proc *self)
{
    kp_group *g = kp_world(self);
    int me = kp_processor(self), status;
    int64_t out[100 * N], in[100 * N];
    set(out, 100 * N, 1000 * me);
    for (int i = 0; i < 8; i++) {
        bool in_place = i % 4 == 3;
        memcpy(in, out, sizeof in);
        if (i == 3 && me == 0)
            fail_request(1);
        CALL(kp_barrier(g));
        CALL(kp_index(g, in_place ? KP_IN_PLACE : out, in, 800, NULL));
        expect(status, in[100 * (N - 1)] == 1000 * (N - 1) + 100 * me);
    }
    return KP_OK;
}

/* Uses so many schedules that the machine drops some and builds them again. */
static int many_plans(kp_proc *self)
{
    static const char *const ways[] = {"radix,r=2", "radix,r=3", "literal",
                                       "ring",      "in-turn",   "torus"};
    int64_t out[8 * N], in[8 * N];
    int status;
    memset(out, 0, sizeof out);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        kp_hints hints;
        if (kp_hints_parse(KP_INDEX, ways[i], &hints) != KP_OK)
            continue;
        status = kp_index(kp_world(self), out, in, 64, &hints);
        if (status != KP_EUNSERVED && status != KP_EPEER)
            CALL(status);
    }
    return KP_OK;
}

/* Calls that differ, and a processor that ends early. The errors must be those that the headers
 * document. */
static int quarrels(kp_proc *self)
{
    kp_group *g = kp_world(self);
    int me = kp_processor(self), status;
    int64_t out[N], in[N];
    set(out, N, 1000 * me);
    CALL(me == 0 ? kp_barrier(g) : kp_index(g, out, in, sizeof out[0], NULL));
    if (me == 1)
        return KP_OK;
    CALL(kp_index(g, out, in, sizeof out[0], NULL));
    return status;
}

static void hear(const kp_diagnosis *diagnosis, void *argument)
{
    char text[4000];
    (void)argument;
    if (kp_diagnosis_text(diagnosis, text, sizeof text) == 0)
        atomic_store(&wrong, "a diagnosis without a text");
}

/* --- One repetition --- */

static int work(kp_proc *self, void *argument)
{
    const struct act *act = argument;
    return act->act(self);
}

static int good(kp_proc *self, void *argument)
{
    (void)argument;
    int64_t sum = 0, one = 1;
    int status = kp_allreduce(kp_world(self), &one, &sum, 1, KP_INT64, KP_SUM, NULL);
    return status ? status : sum == kp_size(kp_world(self)) ? 0 : WRONG_BYTES;
}

static void check(const struct act *act, long i, bool right, const char *what, const char *detail)
{
    if (!right)
        fail_msg("%s, request %ld fails: %s: %s", act->name, i, what, detail);
}

/* Creates, runs and destroys a machine while the i-th request fails. */
static void live(const struct act *act, long i)
{
    kp_machine *machine;
    kp_report report = {.started = 0};
    memset(&report, 0, sizeof report);
    atomic_store(&by_mail, act->config.discipline == KP_ROUNDS_BY_MAILBOXES);
    fail_request(i);
    int status = kp_machine_create(&act->config, &machine);
    if (status == KP_OK)
        status = kp_machine_run(machine, work, (void *)act, &report);
    fail_none();
    check(act, i, is_named(status), "a status without a reason", kp_strerror(status));
    check(act, i, status == KP_OK || kp_last_error()->status == status, "another error is kept",
          kp_last_error()->sentence);
    check(act, i, status != KP_ETHREAD || names(report.error.sentence, report.started),
          "it does not say how many threads there were", report.error.sentence);
    check(act, i, !atomic_load(&wrong), "wrong", atomic_load(&wrong));
    if (!machine)
        return;
    status = kp_machine_run(machine, good, NULL, &report);
    check(act, i, status == KP_OK, "the machine does not work on", report.error.sentence);
    check(act, i, kp_machine_destroy(machine) == KP_OK, "it cannot be destroyed",
          kp_last_error()->sentence);
}

/* Repeats the scenario until no request fails. Returns the number of requests. */
static long every_request(const struct act *act)
{
    long i = 0;
    bool failed;
    do {
        long before = atomic_load(&blocks);
        i++;
        atomic_store(&wrong, NULL);
        live(act, i);
        failed = atomic_load(&has_failed);
        if (atomic_load(&blocks) != before)
            fail_msg("%s, request %ld fails: %ld blocks are left", act->name, i,
                     atomic_load(&blocks) - before);
    } while (failed);
    return i - 1;
}

/* --- Without a machine: building the schedules of all algorithms --- */

static FILE *nowhere;

#define DRAWN 5 /* the most processors in a picture; more would add only equal requests */

/* Builds a schedule, checks it and draws it. */
static int build_one(const kp_problem *problem)
{
    kp_schedule *schedule = NULL;
    kp_error_record error = {.status = KP_OK};
    int status = kp_schedule_build(problem, &schedule);
    if (status == KP_OK)
        status = kp_schedule_check(schedule, &error);
    if (status == KP_OK)
        status = kp_schedule_check_on(schedule, kp_topology_find("switch"), &error);
    bool right = status == KP_OK || (status == KP_ESCHEDULE && strstr(error.sentence, "switch"));
    if (right && problem->n <= DRAWN) {
        int drawn = kp_draw_svg(schedule, problem->root, nowhere);
        status = drawn ? drawn : status;
    }
    kp_schedule_free(schedule);
    return status == KP_ESCHEDULE && strstr(error.sentence, "switch") ? KP_OK : status;
}

/* Repeats a problem until no request fails. Returns the number of requests. */
static long every_request_of(const kp_problem *problem)
{
    long i = 0;
    bool failed;
    char text[200];
    kp_problem_format(problem, text, sizeof text);
    do {
        long before = atomic_load(&blocks);
        fail_request(++i);
        int status = build_one(problem);
        failed = atomic_load(&has_failed);
        fail_none();
        if (status != (failed ? KP_EMEMORY : KP_OK) && !(failed && status == KP_OK))
            fail_msg("%s, request %ld: status %d: %s", text, i, status, kp_last_error()->sentence);
        if (status != KP_OK && kp_last_error()->status != status)
            fail_msg("%s, request %ld: another error is kept: %s", text, i,
                     kp_last_error()->sentence);
        if (atomic_load(&blocks) != before)
            fail_msg("%s, request %ld: %ld blocks are left", text, i,
                     atomic_load(&blocks) - before);
    } while (failed);
    return i - 1;
}

static void schedules(void **state)
{
    (void)state;
    long requests_made = 0;
    int built = 0;
    nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *algorithm = kp_algorithm_at(i);
        for (int n = 4; n <= scaled(4, 9, 9); n++) {
            kp_problem p = {.operation = algorithm->operation,
                            .n = n,
                            .k = 1 + n % 2,
                            .per_process = algorithm->stated_between && n % 2 == 0 ? 2 : 0,
                            .b = 8,
                            .algorithm = algorithm};
            if (kp_tune(&p, NULL) != KP_OK)
                continue;
            requests_made += every_request_of(&p);
            built++;
        }
    }
    fclose(nowhere);
    assert_true(built > 40 && requests_made > 10 * built);
}

/* --- The scenarios --- */

static const struct {
    const char *name;
    int (*act)(kp_proc *self);
    kp_on_failure *hear;
} acts[] = {
    {"all operations", all_operations, NULL},
    {"lengths", lengths, NULL},
    {"rounds", rounds, NULL},
    {"groups", groups, NULL},
    {"plans", plans, NULL},
    {"many plans", many_plans, NULL},
    {"own algorithms", own_algorithms, NULL},
    {"routes", routes, NULL},
    {"quarrels", quarrels, hear},
};

static void every_act(const kp_config *config, const char *name)
{
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
        char text[80];
        snprintf(text, sizeof text, "%s, %s", acts[i].name, name);
        struct act act = {text, acts[i].act, *config};
        act.config.on_failure = acts[i].hear;
        atomic_store(&concerned, 0);
        long made = every_request(&act);
        if (level != SMALL)
            printf("%s: %ld requests, %d calls without memory\n", text, made,
                   atomic_load(&concerned));
        assert_true(made > 8);
        assert_true(atomic_load(&concerned) > 0);
    }
}

static void on_threads(void **state)
{
    (void)state;
    every_act(&(kp_config){.processors = N, .plan_bytes = 4000}, "by the barrier");
}

static void by_mailboxes(void **state)
{
    (void)state;
    every_act(&(kp_config){.processors = N, .discipline = KP_ROUNDS_BY_MAILBOXES},
              "by the mailboxes");
}

static void on_fibers(void **state)
{
    (void)state;
    if (!kp_fibers())
        skip();
    every_act(&(kp_config){.processors = N, .carrier = KP_CARRIER_FIBERS, .workers = 2},
              "on fibers");
}

static void pinned_and_seeded(void **state)
{
    (void)state;
    every_act(&(kp_config){.processors = N, .pin = 1}, "pinned");
    if (kp_fibers())
        every_act(&(kp_config){.processors = N,
                               .carrier = KP_CARRIER_FIBERS,
                               .workers = 1,
                               .seed = 7,
                               .discipline = KP_ROUNDS_BY_MAILBOXES},
                  "seeded");
}

/* A barrier by so many processors that it uses core sets. */
static int meet(kp_proc *self)
{
    int status;
    CALL(kp_barrier(kp_world(self)));
    return status;
}

static void on_cores(void **state)
{
    (void)state;
    if (!kp_pinning())
        skip();
    int enough = 2 * (int)sysconf(_SC_NPROCESSORS_ONLN);
    struct act act = {"on cores", meet, {.processors = enough, .pin = 1}};
    assert_true(every_request(&act) > 8);
    struct act left_open = {"on cores if nothing is said", meet, {.processors = enough}};
    assert_true(every_request(&left_open) > 8);
}

static void recent_calls(void **state)
{
    (void)state;
    struct act act = {"after a refusal", after_a_refusal, {.processors = N}};
    atomic_store(&concerned, 0);
    live(&act, 0);
    assert_int_equal(atomic_load(&concerned), 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest few[] = {TEST(schedules), TEST(on_threads), TEST(by_mailboxes),
                                     TEST(on_fibers), TEST(on_cores),   TEST(recent_calls)};
    const struct CMUnitTest more[] = {TEST(schedules),        TEST(on_threads), TEST(by_mailboxes),
                                      TEST(on_fibers),        TEST(on_cores),   TEST(recent_calls),
                                      TEST(pinned_and_seeded)};
    read_level(argc, argv);
    /* Allocates what the process keeps until its end, before allocations are counted. */
    if (kp_run(&(kp_config){.processors = N}, good, NULL, NULL) != KP_OK)
        return 1;
    return level == SMALL ? cmocka_run_group_tests(few, NULL, NULL)
                          : cmocka_run_group_tests(more, NULL, NULL);
}
