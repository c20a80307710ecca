/* Tests algorithms that the caller gives by kp_hints. Their schedules must be checked once for all
 * members before they are executed. A wrong schedule must be refused at every member, and the group
 * must still work. */
#include "tests/common/machine_common.h"

#include <kport.h>

#include "lib/check/verdict.h"

#define N    4
#define MOST 64 /* the most bytes of a block */

/* --- Counting the checks. The linker replaces the checker by the function below (-Wl,--wrap, in
 * meson.build) --- */

static atomic_int checks, builds;

int __real_kp_schedule_check_bounded(const struct kp_schedule *schedule);
int __wrap_kp_schedule_check_bounded(const struct kp_schedule *schedule);
int __wrap_kp_schedule_check_bounded(const struct kp_schedule *schedule)
{
    atomic_fetch_add(&checks, 1);
    return __real_kp_schedule_check_bounded(schedule);
}

/* --- A concatenation in which each processor sends its block to all others, to k of them in a
 * round --- */

enum fault {
    NONE,
    WRONG_BLOCK, /* processor 1 exchanges the places of the blocks of processors 2 and 3 */
    MISSING_BLOCK,
    NO_PORT,
    PORT_TWICE,
    TOO_MANY, /* more messages in a round than ports */
    SENT_TOO_EARLY,
    TWO_TO_ONE,
    NOBODY_TAKES,
    /* Processor 1 uses the place of its own block for another block first. This is wrong only in
     * place, where its own block lies there from the start. */
    OWN_PLACE_IS_USED,
    C1_STATED,
    C2_STATED,
    C2_STATED_FOR_LONG_BLOCKS,
};

static enum fault fault;

static int64_t place_of(const kp_problem *p, int peer)
{
    return fault == WRONG_BLOCK && p->rank == 1 && peer >= 2 ? 5 - peer : peer;
}

static void one_message(kp_builder *b, const kp_problem *p, int distance)
{
    bool mine = p->rank == 1;
    int to = (p->rank + distance) % p->n, from = (p->rank + p->n - distance) % p->n;
    int port = (distance - 1) % p->k;
    int out_port = mine && fault == NO_PORT ? 7 : mine && fault == PORT_TWICE ? 0 : port;
    kp_build_send(b, out_port, to);
    kp_build_piece(b, mine && fault == SENT_TOO_EARLY ? kp_run_of(KP_IN, to, 1)
                                                      : kp_run_of(KP_OUT, 0, 1));
    if (mine && fault == TWO_TO_ONE) {
        kp_build_send(b, out_port + 1, to);
        kp_build_piece(b, kp_run_of(KP_OUT, 0, 1));
    }
    if (p->rank == 0 && fault == NOBODY_TAKES)
        return;
    kp_build_receive(b, port, from);
    kp_build_piece(b, kp_run_of(KP_IN, place_of(p, from), 1));
}

static int build(kp_builder *b, const kp_problem *p)
{
    atomic_fetch_add(&builds, p->rank == 0);
    bool late = p->rank == 1 && (fault == MISSING_BLOCK || fault == OWN_PLACE_IS_USED);
    if (!late)
        kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int distance = 1; distance < p->n; distance++) {
        if (fault == TOO_MANY ? distance == 1 : (distance - 1) % p->k == 0)
            kp_build_round(b);
        one_message(b, p, distance);
        if (distance == 1 && late && fault == OWN_PLACE_IS_USED)
            kp_build_move(b, kp_run_of(KP_IN, 0, 1), kp_run_of(KP_IN, 1, 1));
    }
    if (late && fault == OWN_PLACE_IS_USED)
        kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 1, 1));
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    uint64_t rounds = ((uint64_t)p->n - 1 + (uint64_t)p->k - 1) / (uint64_t)p->k;
    bool more = fault == C2_STATED || (fault == C2_STATED_FOR_LONG_BLOCKS && p->b > 8);
    *c1 = rounds + (fault == C1_STATED);
    *c2 = rounds * p->b + more;
}

static const kp_algorithm own = {.operation = KP_CONCAT,
                                 .name = "mine",
                                 .summary = "straight to everybody",
                                 .source = "this test",
                                 .build = build,
                                 .stated_cost = stated_cost};
static const kp_hints hints = {.algorithm = &own}, trusting = {.algorithm = &own, .trusted = 1};

static bool concatenated(const unsigned char *in, int n, size_t b)
{
    for (size_t i = 0; i < (size_t)n * b; i++) {
        if (in[i] != 10 + i / b)
            return false;
    }
    return true;
}

/* Makes one call. Sets *wrong if the call gave a wrong result, or if it failed and wrote something
 * nevertheless. */
static int concat(kp_group *group, size_t b, const kp_hints *by, bool in_place, bool *wrong)
{
    unsigned char out[MOST], in[N * MOST];
    int me = kp_rank(group);
    memset(out, 10 + me, sizeof out);
    memset(in, 99, sizeof in);
    memset(in + (size_t)me * b, 10 + me, b);
    int status = kp_concat(group, in_place ? KP_IN_PLACE : out, in, b, by);
    *wrong = !status && !concatenated(in, kp_size(group), b);
    for (int i = 0; i < kp_size(group) && status; i++)
        *wrong = *wrong || (i != me && in[(size_t)i * b] != 99);
    return status;
}

/* Makes a call by an algorithm of the library, which must succeed after an error too. The earlier
 * error stays recorded. */
static int works_on(kp_proc *self, void *argument)
{
    (void)argument;
    bool wrong;
    int status = concat(kp_world(self), 8, NULL, false, &wrong);
    NEED(self, status == 0 && !wrong);
    return 0;
}

static void run(int n, int k, kp_program *program, void *argument)
{
    kp_report report;
    atomic_store(&checks, 0);
    atomic_store(&builds, 0);
    int status = kp_run(&(kp_config){.processors = n, .ports = k}, program, argument, &report);
    if (status)
        fail_msg("fault %d: %s", (int)fault, report.error.sentence);
}

/* --- Correct algorithms --- */

static int right_program(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    bool wrong;
    for (int i = 0; i < 40; i++) {
        size_t b = 1 + (size_t)i % 20;
        int status = concat(world, b, &hints, i % 8 == 7, &wrong);
        NEED(self, status == 0 && !wrong);
    }
    NEED(self, concat(world, 0, &hints, false, &wrong) == 0);
    return works_on(self, argument);
}

/* A correct schedule must be checked once for calls out of place and once for calls in place, for
 * all members and all lengths. */
static void right_ones_run(void **state)
{
    (void)state;
    fault = NONE;
    for (int k = 1; k < N; k++) {
        run(N, k, right_program, NULL);
        assert_int_equal(atomic_load(&checks), 2);
        assert_int_equal(atomic_load(&builds), 1);
    }
}

static void the_librarys_are_not_checked(void **state)
{
    (void)state;
    run(N, 1, works_on, NULL);
    assert_int_equal(atomic_load(&checks), 0);
}

/* --- Wrong algorithms --- */

static int wrong_program(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int me = kp_processor(self);
    bool wrong, in_place = fault == OWN_PLACE_IS_USED;
    (void)argument;
    for (int times = 0; times < 2; times++) {
        int status = keep(self, concat(world, 24, &hints, in_place, &wrong));
        NEED(self, !wrong && outcomes[me].error.status == status);
        NEED(self, works_on(self, NULL) == 0);
    }
    return 0;
}

static const struct wrong {
    enum fault fault;
    int k;
    const char *says;
} all[] = {
    {WRONG_BLOCK, 1,
     "at the end processor 1 holds the block of processor 3 in place 2 of in, where the block of "
     "processor 2 belongs"},
    {MISSING_BLOCK, 1, "at the end processor 1 holds nothing in place 1 of in"},
    {NO_PORT, 1, "round 0: processor 1 sends to 2 on port 7, which is no port of it"},
    {PORT_TWICE, 2,
     "round 0: processor 1 sends to 3 on port 0, which is in use in this round already"},
    {TOO_MANY, 1, "round 0: processor 0 sends 3 messages, but has only 1 port"},
    {SENT_TOO_EARLY, 1,
     "round 0: processor 1 sends to 2 on port 0 from place 2 of in, before anything has arrived "
     "there"},
    {TWO_TO_ONE, 2, "round 0: processor 1 sends two messages to 2, the second on port"},
    {NOBODY_TAKES, 1, "but 0 expects nothing from it"},
    {OWN_PLACE_IS_USED, 1, "to place 1 of in, which is sent in the same round"},
    {C1_STATED, 1,
     "concat:n=4,k=1,b=24,alg=mine has C1 = 3 and C2 = 72; its stated_cost says 4 and 72"},
    {C2_STATED, 2, "has C1 = 2 and C2 = 48; its stated_cost says 2 and 49"},
    {C2_STATED_FOR_LONG_BLOCKS, 1, "its stated_cost says 3 and 73"},
};

/* One member checks the schedule for all members, and all members must get the error. */
static void wrong_ones_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        fault = all[i].fault;
        bool by_builder = fault == TWO_TO_ONE || fault == NOBODY_TAKES;
        run(N, all[i].k, wrong_program, NULL);
        for (int j = 0; j < N; j++) {
            const kp_error_record *error = &outcomes[j].error;
            if (outcomes[j].status != KP_ESCHEDULE || !strstr(error->sentence, all[i].says))
                fail_msg("fault %d, processor %d: status %d: %s", (int)fault, j, outcomes[j].status,
                         error->sentence);
            if (fault == NO_PORT)
                assert_true(error->round == 0 && error->processor == 1 && error->port == 7 &&
                            error->peer == 2);
        }
        assert_int_equal(atomic_load(&checks), by_builder ? 0 : 1);
        assert_int_equal(atomic_load(&builds), 1);
    }
}

/* An algorithm may be correct for one b but wrong for another, or it may be wrong only in place. */
static int sometimes_program(kp_proc *self, void *argument)
{
    bool wrong, in_place = fault == OWN_PLACE_IS_USED;
    (void)argument;
    for (int times = 0; times < 2; times++) {
        NEED(self, concat(kp_world(self), 8, &hints, false, &wrong) == 0 && !wrong);
        int status = concat(kp_world(self), in_place ? 8 : 9, &hints, in_place, &wrong);
        NEED(self, status == KP_ESCHEDULE && !wrong);
    }
    return 0;
}

static void each_use_is_looked_at(void **state)
{
    (void)state;
    fault = C2_STATED_FOR_LONG_BLOCKS;
    run(N, 1, sometimes_program, NULL);
    assert_int_equal(atomic_load(&checks), 1);
    fault = OWN_PLACE_IS_USED;
    run(N, 1, sometimes_program, NULL);
    assert_int_equal(atomic_load(&checks), 2);
}

static int planned_program(kp_proc *self, void *argument)
{
    static unsigned char out[N][8], in[N][N * 8];
    int me = kp_processor(self);
    kp_plan *plan = NULL;
    kp_arguments arguments = {
        .operation = KP_CONCAT, .out = out[me], .in = in[me], .b = 8, .hints = argument};
    memset(out[me], 10 + me, sizeof out[me]);
    if (argument != &trusting && fault != NONE) {
        NEED(self, kp_plan_make(kp_world(self), &arguments, &plan) == KP_ESCHEDULE && !plan);
        return works_on(self, argument);
    }
    NEED(self, kp_plan_make(kp_world(self), &arguments, &plan) == KP_OK);
    int status = kp_plan_execute(plan);
    NEED(self, status == KP_OK && concatenated(in[me], N, 8) == (fault == NONE || me != 1));
    return kp_plan_free(plan);
}

static void plans_too(void **state)
{
    (void)state;
    fault = NONE;
    run(N, 1, planned_program, (void *)&hints);
    assert_int_equal(atomic_load(&checks), 1);
    fault = WRONG_BLOCK;
    run(N, 1, planned_program, (void *)&hints);
    assert_int_equal(atomic_load(&checks), 1);
    run(N, 1, planned_program, (void *)&trusting);
    assert_int_equal(atomic_load(&checks), 0);
}

/* --- Algorithms that the caller trusts, so they are not checked --- */

static int trusting_program(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    bool wrong, wrongly = kp_processor(self) == 1;
    for (int times = 0; times < 3; times++)
        NEED(self, concat(world, 8, &trusting, false, &wrong) == 0 && wrong == wrongly);
    NEED(self, atomic_load(&checks) == 0);
    NEED(self, kp_barrier(world) == 0);
    NEED(self, concat(world, 8, &hints, false, &wrong) == KP_ESCHEDULE && !wrong);
    NEED(self, concat(world, 8, &trusting, false, &wrong) == 0 && wrong == wrongly);
    int status = concat(world, 8, wrongly ? &hints : &trusting, false, &wrong);
    NEED(self, status == (wrongly ? KP_ESCHEDULE : KP_EPEER));
    return works_on(self, argument);
}

static void trust_is_each_calls_own(void **state)
{
    (void)state;
    fault = WRONG_BLOCK;
    run(N, 1, trusting_program, NULL);
    assert_int_equal(atomic_load(&checks), 1);
}

/* --- Roots, lengths, reductions --- */

/* A broadcast from the root to all. With NO_PORT, rank 2 (relative to the root) receives on a port
 * that does not exist. */
static int build_star(kp_builder *b, const kp_problem *p)
{
    for (int i = 1; i < p->n; i++) {
        kp_build_round(b);
        if (p->rank == 0) {
            kp_build_send(b, 0, i);
            kp_build_piece(b, kp_run_of(KP_OUT, 0, 1));
        } else if (p->rank == i) {
            kp_build_receive(b, i == 2 && fault == NO_PORT ? 7 : 0, 0);
            kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
        }
    }
    return KP_OK;
}

static const kp_algorithm star = {.operation = KP_BROADCAST, .name = "star", .build = build_star};

static int rooted_program(kp_proc *self, void *argument)
{
    static const kp_hints by = {.algorithm = &star};
    for (int root = 0; root < N; root++) {
        int data = kp_processor(self) == root ? 1000 + root : 0;
        int status = keep(self, kp_broadcast(kp_world(self), &data, sizeof data, root, &by));
        NEED(self, fault == NONE ? status == 0 && data == 1000 + root : status == KP_ESCHEDULE);
    }
    return works_on(self, argument);
}

/* The sentence must have ranks relative to the root, as the algorithm has them. The record must
 * have the processors' numbers in the machine. */
static void roots(void **state)
{
    (void)state;
    fault = NONE;
    run(N, 1, rooted_program, NULL);
    assert_int_equal(atomic_load(&checks), 1);
    fault = NO_PORT;
    run(N, 1, rooted_program, NULL);
    assert_int_equal(atomic_load(&checks), 1);
    const kp_error_record *error = &outcomes[0].error; /* the error of the call with root 3 */
    assert_non_null(strstr(error->sentence, "round 1: processor 2 receives from 0 on port 7"));
    assert_int_equal(error->processor, 1);
    assert_int_equal(error->peer, 3);
}

/* Adds at processor 0 and sends the sum back. This is wrong for operators that are not
 * commutative. */
static int build_sums(kp_builder *b, const kp_problem *p)
{
    bool low = p->rank == 0;
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
    kp_build_round(b);
    if (low) {
        kp_build_combine(b, 0, 1, KP_LEFT);
        kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
    } else {
        kp_build_send(b, 0, 0);
        kp_build_piece(b, kp_run_of(KP_OUT, 0, 1));
    }
    kp_build_round(b);
    (low ? kp_build_send : kp_build_receive)(b, 0, low ? 1 : 0);
    kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
    return KP_OK;
}

static const kp_algorithm sums = {.operation = KP_ALLREDUCE, .name = "sums", .build = build_sums};

static int reducing_program(kp_proc *self, void *argument)
{
    static const kp_hints by = {.algorithm = &sums};
    int64_t one[2] = {1 + kp_processor(self), 5}, sum[2] = {0};
    kp_group *world = kp_world(self);
    NEED(self, kp_allreduce(world, one, sum, 2, KP_INT64, KP_SUM, &by) == 0);
    NEED(self, sum[0] == 3 && sum[1] == 10);
    NEED(self, kp_allreduce(world, one, sum, 1, KP_INT64, KP_COMPOSE, &by) == KP_ESCHEDULE);
    NEED(self, strstr(kp_error(self)->sentence, "in the order of the processors"));
    NEED(self, kp_allreduce(world, one, sum, 2, KP_INT64, KP_SUM, &by) == 0);
    return works_on(self, argument);
}

static void reductions(void **state)
{
    (void)state;
    run(2, 1, reducing_program, NULL);
}

/* Each processor sends each block to its receiver. Every block has its own length. */
static int build_lengths(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int distance = 1; distance < p->n; distance++) {
        int to = (p->rank + distance) % p->n, from = (p->rank + p->n - distance) % p->n;
        kp_build_round(b);
        kp_build_send(b, 0, to);
        kp_build_piece(b, kp_run_of(KP_OUT, fault == WRONG_BLOCK ? from : to, 1));
        kp_build_receive(b, 0, from);
        kp_build_piece(b, kp_run_of(KP_IN, from, 1));
    }
    return KP_OK;
}

static const kp_algorithm with_lengths = {
    .operation = KP_INDEXV, .name = "lengths", .build = build_lengths};

static int lengths_program(kp_proc *self, void *argument)
{
    static const kp_hints by = {.algorithm = &with_lengths};
    unsigned char out[N * (N + 1)], in[N * N];
    int me = kp_processor(self);
    size_t out_counts[N], in_counts[N];
    for (int i = 0; i < N; i++) {
        out_counts[i] = (size_t)i + 1;
        in_counts[i] = (size_t)me + 1;
    }
    memset(out, 10 + me, sizeof out);
    memset(in, 99, sizeof in);
    int status = kp_indexv(kp_world(self), out, out_counts, NULL, in, in_counts, NULL, &by);
    NEED(self, status == (fault == NONE ? KP_OK : KP_ESCHEDULE));
    for (int i = 0; i < N * (me + 1); i++)
        NEED(self, in[i] == (fault == NONE ? 10 + i / (me + 1) : 99));
    return works_on(self, argument);
}

static void lengths(void **state)
{
    (void)state;
    fault = NONE;
    run(N, 1, lengths_program, NULL);
    assert_int_equal(atomic_load(&checks), 1);
    fault = WRONG_BLOCK;
    run(N, 1, lengths_program, NULL);
    assert_int_equal(atomic_load(&checks), 1);
}

/* --- Routing with total exchanges by an algorithm of the caller --- */

static int build_index(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
    for (int distance = 1; distance < p->n; distance++) {
        kp_build_round(b);
        kp_build_send(b, 0, distance);
        kp_build_piece(b, kp_run_of(KP_OUT, fault == WRONG_BLOCK ? 1 : distance, 1));
        kp_build_receive(b, 0, p->n - distance);
        kp_build_piece(b, kp_run_of(KP_IN, p->n - distance, 1));
    }
    return KP_OK;
}

static const kp_algorithm exchange = {
    .operation = KP_INDEX, .name = "mine", .symmetry = KP_CYCLIC, .build = build_index};

static int routing_program(kp_proc *self, void *argument)
{
    static const kp_route_hints by = {.index = {.algorithm = &exchange}};
    int me = kp_processor(self), to = (me + 1) % N, from = (me + N - 1) % N;
    kp_parcel parcel = {.to = to, .data = &me, .bytes = sizeof me};
    kp_arrivals arrivals;
    kp_arrival one = {.source = 0};
    int status = kp_route(kp_world(self), &parcel, 1, &arrivals, &by);
    NEED(self, status == (fault == NONE ? KP_OK : KP_ESCHEDULE));
    NEED(self, kp_route_next(&arrivals, &one) == (status == KP_OK));
    NEED(self, status != KP_OK || (one.source == from && *(const int *)one.data == from));
    kp_route_free(&arrivals);
    return works_on(self, argument);
}

static void routes(void **state)
{
    (void)state;
    fault = NONE;
    run(N, 1, routing_program, NULL);
    assert_int_equal(atomic_load(&checks), 1);
    fault = WRONG_BLOCK;
    run(N, 1, routing_program, NULL);
    assert_int_equal(atomic_load(&checks), 1);
}

/* --- Schedules too large to be checked --- */

#define MANY 1025       /* the number of processors */
static int64_t scratch; /* the units of scratch that the schedule asks for */

/* A concatenation in which the distance doubles in every round. */
static int build_far(kp_builder *b, const kp_problem *p)
{
    kp_build_scratch(b, scratch);
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
    for (int held = 1; held < p->n; held *= 2) {
        int more = held < p->n - held ? held : p->n - held;
        kp_build_round(b);
        kp_build_send(b, 0, p->n - held);
        kp_build_piece(b, kp_run_of(KP_IN, 0, more));
        kp_build_receive(b, 0, held);
        kp_build_piece(b, kp_run_of(KP_IN, held, more));
    }
    return KP_OK;
}

static const kp_algorithm far_away = {
    .operation = KP_CONCAT, .name = "far", .symmetry = KP_CYCLIC, .build = build_far};

static atomic_int refusals;

static int many_program(kp_proc *self, void *argument)
{
    unsigned char mine = (unsigned char)kp_processor(self), in[MANY];
    const kp_hints *by = argument;
    int status = kp_concat(kp_world(self), &mine, in, 1, by);
    if (status == KP_EUNCHECKED) {
        NEED(self, strstr(kp_error(self)->sentence, "before it is used: n is 1025"));
        atomic_fetch_add(&refusals, 1);
        status = kp_concat(kp_world(self), &mine, in, 1, NULL);
    }
    for (int i = 0; i < MANY; i++)
        NEED(self, in[i] == (unsigned char)i);
    return status;
}

static void many(int64_t asked, const kp_hints *by, int refused, int checked)
{
    kp_report report;
    const kp_config config = {
        .processors = MANY, .ports = 1, .carrier = KP_CARRIER_FIBERS, .workers = 2};
    scratch = asked;
    atomic_store(&checks, 0);
    atomic_store(&refusals, 0);
    if (kp_run(&config, many_program, (void *)by, &report))
        fail_msg("%s", report.error.sentence);
    assert_int_equal(atomic_load(&refusals), refused);
    assert_int_equal(atomic_load(&checks), checked);
}

/* The checker needs 1025 (1 + 1025 + scratch) cells for this schedule. It checks schedules of up to
 * 2^24 cells. */
static void too_large(void **state)
{
    (void)state;
    static const kp_hints asked = {.algorithm = &far_away};
    static const kp_hints trusted = {.algorithm = &far_away, .trusted = 1};
    int64_t enough = (INT64_C(1) << 24) / MANY - MANY - 1;
    if (!kp_fibers())
        skip();
    many(enough, &asked, 0, 1);
    many(enough + 1, &asked, MANY, 1);
    many(enough + 1, &trusted, 0, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(right_ones_run),
        TEST(the_librarys_are_not_checked),
        TEST(wrong_ones_are_refused),
        TEST(each_use_is_looked_at),
        TEST(plans_too),
        TEST(trust_is_each_calls_own),
        TEST(roots),
        TEST(reductions),
        TEST(lengths),
        TEST(routes),
        TEST(too_large),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
