/* Tests groups: with their processors in any order, disjoint, overlapping, created and freed
 * repeatedly. Calls to several groups in the same order on all processors must never deadlock.
 * Other deadlocks must be detected. */
#include "tests/common/machine_common.h"

#define N 8

static kp_report report;

static int run_on(int n, kp_program *program, void *arg)
{
    kp_config config = {.processors = n, .ports = n > 4 ? 4 : 0};
    return kp_run(&config, program, arg, &report);
}

/* --- The order of the processors in a group --- */

/* Stores permutation number `which` of 0 ... n - 1. */
static void order_of(int *order, int n, int which)
{
    for (int i = 0; i < n; i++) {
        order[i] = i;
    }
    for (int i = n; i > 1; i--) {
        int j = which % i, kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
        which /= i;
    }
}

/* Makes groups of four of the five processors, in all 24 orders. The fifth processor is not a
 * member, so it must get an error. */
static int all_orders(kp_proc *self, void *arg)
{
    (void)arg;
    int me = kp_processor(self);
    for (int which = 0; which < 24; which++) {
        int order[4], rank = -1;
        order_of(order, 4, which);
        kp_group *group;
        for (int i = 0; i < 4; i++) {
            order[i] += which % 2; /* processors 0 ... 3 or 1 ... 4 */
            rank = order[i] == me ? i : rank;
        }
        if (rank < 0) {
            NEED(self, kp_group_create(self, order, 4, &group) == KP_EARGUMENT);
            continue;
        }
        NEED(self, kp_group_create(self, order, 4, &group) == 0);
        NEED(self, kp_rank(group) == rank && kp_size(group) == 4 && kp_ports(group) == 3);
        NEED(self, kp_group_self(group) == self);
        for (int i = 0; i < 4; i++) {
            NEED(self, kp_group_processor(group, i) == order[i]);
        }
        NEED(self, kp_group_processor(group, 4) == -1 && kp_group_processor(group, -1) == -1);
        NEED(self, ring(group, 8, (uint64_t)which) == 0);
        NEED(self, ring(group, 20000, (uint64_t)which) == 0);
        NEED(self, kp_group_free(group) == 0);
    }
    return 0;
}

static void every_order(void **state)
{
    (void)state;
    kp_config config = {.processors = 5, .ports = 3};
    int status = kp_run(&config, all_orders, NULL, &report);
    assert_good(status, &report);
}

static int sizes(kp_proc *self, void *arg)
{
    (void)arg;
    int me = kp_processor(self), all[N];
    for (int i = 0; i < N; i++) {
        all[i] = i;
    }
    for (int n = 1; n <= N; n++) {
        kp_group *group;
        NEED(self, kp_group_create(self, all, n, &group) == (me < n ? 0 : KP_EARGUMENT));
        if (me < n) {
            NEED(self, kp_ports(group) == (n == 1 ? 1 : n - 1 < 4 ? n - 1 : 4));
            NEED(self, group != kp_world(self)); /* not the world's handle, so it can be freed */
            NEED(self, ring(group, 100, 1) == 0);
            kp_outgoing out = {4, (me + 1) % n, "x", 1}; /* there is no port 4 */
            int status = kp_exchange(group, &out, 1, NULL, 0);
            NEED(self, status == KP_EPORT || status == KP_EARGUMENT || status == KP_EPEER);
            NEED(self, ring(group, 9000, 1) == 0);
            NEED(self, kp_group_free(group) == 0);
        }
    }
    return 0;
}

static void every_size(void **state)
{
    (void)state;
    int status = run_on(N, sizes, NULL);
    assert_good(status, &report);
}

/* --- Disjoint and crossing groups --- */

/* Rows and columns of an 8 x 8 square: each processor is in a row, in a column and in the world. */
static int rows_and_columns(kp_proc *self, void *arg)
{
    int rounds = *(int *)arg, me = kp_processor(self), row[8], column[8];
    uint64_t seed = (uint64_t)me;
    kp_group *rows, *columns;
    for (int i = 0; i < 8; i++) {
        row[i] = me / 8 * 8 + i;
        column[i] = (7 - i) * 8 + me % 8;
    }
    NEED(self, kp_group_create(self, row, 8, &rows) == 0);
    NEED(self, kp_group_create(self, column, 8, &columns) == 0);
    for (int i = 0; i < rounds; i++) {
        NEED(self, ring(rows, (size_t)(10 * i % 9000), (uint64_t)(i + me / 8)) == 0);
        random_delay(&seed, 100);
        NEED(self, ring(columns, (size_t)(i % 70), (uint64_t)(i * 8 + me % 8)) == 0);
        if (i % 10 == 0) {
            NEED(self, ring(kp_world(self), 20, (uint64_t)i) == 0);
        }
    }
    NEED(self, kp_group_free(columns) == 0);
    NEED(self, kp_group_free(rows) == 0);
    return 0;
}

static void square(void **state)
{
    (void)state;
    int rounds = scaled(30, 300, 3000);
    int status = run_on(64, rows_and_columns, &rounds);
    assert_good(status, &report);
    assert_int_equal(report.c1, rounds * 2 + (rounds + 9) / 10);
}

/* Disjoint pairs. One pair makes many rounds while the other processors only wait, so the pair must
 * not need them. */
static int one_pair_works(kp_proc *self, void *arg)
{
    (void)arg;
    int me = kp_processor(self);
    kp_group *pair;
    NEED(self, kp_group_create(self, (int[]){me | 1, me & ~1}, 2, &pair) == 0);
    for (uint64_t i = 0; i < (me < 2 ? 2000U : 3U); i++) {
        NEED(self, ring(pair, 8, i) == 0);
    }
    NEED(self, kp_group_free(pair) == 0);
    NEED(self, ring(kp_world(self), 8, 1) == 0);
    return 0;
}

static void disjoint(void **state)
{
    (void)state;
    for (int n = 2; n <= N; n += 2) {
        int status = run_on(n, one_pair_works, NULL);
        assert_good(status, &report);
    }
}

/* Each processor is in 120 groups at the same time. */
static int in_many_groups(kp_proc *self, void *arg)
{
    (void)arg;
    kp_group *groups[120];
    int order[5];
    for (int i = 0; i < 120; i++) {
        order_of(order, 5, i);
        NEED(self, kp_group_create(self, order, 5, &groups[i]) == 0);
    }
    for (int times = 0; times < 2; times++) {
        for (int i = 0; i < 120; i++) {
            NEED(self, ring(groups[i * 7 % 120], (size_t)i, (uint64_t)i) == 0);
        }
    }
    for (int i = 0; i < 120; i++) {
        NEED(self, kp_group_free(groups[i * 11 % 120]) == 0);
    }
    return 0;
}

static void many_groups(void **state)
{
    (void)state;
    int status = run_on(5, in_many_groups, NULL);
    assert_good(status, &report);
}

/* --- Groups created and freed --- */

/* Each member frees its handle as soon as its call returns. Other members may still be in the call,
 * and may still be reading the message that this member sent. */
static int make_and_free(kp_proc *self, void *arg)
{
    int times = *(int *)arg, me = kp_processor(self), order[4] = {3, 1, 0, 2};
    uint64_t seed = (uint64_t)me;
    for (int i = 0; i < times; i++) {
        kp_group *group;
        NEED(self, kp_group_create(self, order, 4, &group) == 0);
        size_t bytes = i % 5 == 0 ? 9000 : i % 5 == 1 ? 4000 : 30;
        NEED(self, ring(group, bytes, (uint64_t)i) == 0);
        if (i % 7 == 0) {
            random_delay(&seed, 50);
        }
        NEED(self, kp_group_free(group) == 0);
    }
    return 0;
}

static void freed_at_once(void **state)
{
    (void)state;
    int times = scaled(2000, 20000, 200000);
    int status = run_on(4, make_and_free, &times);
    assert_good(status, &report);
}

/* Processors 0 and 1 free their handles and create the group again while processor 2 keeps its
 * handle. The new handles must belong to the same group. */
static int member_comes_back(kp_proc *self, void *arg)
{
    (void)arg;
    int me = kp_processor(self), order[3] = {1, 2, 0};
    kp_group *group;
    NEED(self, kp_group_create(self, order, 3, &group) == 0);
    for (int i = 0; i < 200; i++) {
        NEED(self, ring(group, i % 3 == 0 ? 8500 : 25, (uint64_t)i) == 0);
        if (i % (me + 3) == 0 && me != 2) {
            NEED(self, kp_group_free(group) == 0);
            NEED(self, kp_group_create(self, order, 3, &group) == 0);
            NEED(self, kp_rank(group) == (me == 0 ? 2 : 0));
        }
    }
    NEED(self, kp_group_free(group) == 0);
    return 0;
}

static void same_group_again(void **state)
{
    (void)state;
    for (int i = 0; i < scaled(20, 200, 2000); i++) {
        int status = run_on(3, member_comes_back, NULL);
        assert_good(status, &report);
    }
}

/* Every processor creates two handles of the same group. Processor 0 uses both, the others only
 * one. All handles must be handles of one group, also after one of them is freed. */
static int member_taken_twice(kp_proc *self, void *arg)
{
    (void)arg;
    int me = kp_processor(self), order[3] = {2, 1, 0};
    kp_group *first, *second;
    NEED(self, kp_group_create(self, order, 3, &first) == 0);
    NEED(self, ring(first, 100, 1) == 0);
    NEED(self, kp_group_create(self, order, 3, &second) == 0);
    for (uint64_t i = 0; i < 20; i++) {
        NEED(self, ring(me == 0 && i % 2 ? second : first, 700 * i, i) == 0);
    }
    NEED(self, kp_group_free(me == 0 ? first : second) == 0);
    for (uint64_t i = 0; i < 20; i++) {
        NEED(self, ring(me == 0 ? second : first, 700 * i, i) == 0);
    }
    NEED(self, kp_group_free(me == 0 ? second : first) == 0);
    return 0;
}

static void same_list_twice(void **state)
{
    (void)state;
    int status = run_on(3, member_taken_twice, NULL);
    assert_good(status, &report);
}

/* Handles that the program never frees must be freed by the machine. */
static int never_freed(kp_proc *self, void *arg)
{
    int times = *(int *)arg;
    for (int i = 0; i < times; i++) {
        kp_group *group;
        int order[4];
        order_of(order, 4, i);
        NEED(self, kp_group_create(self, order, 4, &group) == 0);
        NEED(self, ring(group, (size_t)(i % 2 * 8999), 2) == 0);
    }
    return 0;
}

static void left_to_the_machine(void **state)
{
    (void)state;
    kp_config config = {.processors = 4};
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    for (int times = 0; times < 40; times++) {
        int status = kp_machine_run(machine, never_freed, &times, &report);
        assert_good(status, &report);
    }
    assert_int_equal(kp_machine_destroy(machine), 0);
}

/* A member frees its handle although a message that it sent was not taken. The error must be
 * reported nevertheless. */
static int untaken_and_freed(kp_proc *self, void *arg)
{
    (void)arg;
    int me = kp_processor(self);
    kp_group *pair;
    NEED(self, kp_group_create(self, (int[]){0, 1}, 2, &pair) == 0);
    kp_outgoing out = {0, 1, "lost", 4};
    NEED(self, kp_exchange(pair, &out, me == 0, NULL, 0) == 0);
    int freed = kp_group_free(pair);
    NEED(self, freed == 0 || (me == 0 && freed == KP_EUNTAKEN));
    outcomes[me].status = freed;
    return 0;
}

static void untaken_in_a_freed_group(void **state)
{
    (void)state;
    int status = run_on(2, untaken_and_freed, NULL);
    assert_true(status == 0 || status == KP_EUNTAKEN);
    assert_true(outcomes[0].status == KP_EUNTAKEN || report.error.status == KP_EUNTAKEN);
}

/* --- Errors --- */

static int bad_lists(kp_proc *self, void *arg)
{
    (void)arg;
    int me = kp_processor(self), other = (me + 1) % 4;
    kp_group *group = (kp_group *)self; /* an invalid handle, which kport must overwrite */
    NEED(self, kp_group_create(self, (int[]){me, 4}, 2, &group) == KP_EARGUMENT);
    NEED(self, kp_group_create(self, (int[]){me, -1}, 2, &group) == KP_EARGUMENT);
    NEED(self, kp_group_create(self, (int[]){me, 2147483647}, 2, &group) == KP_EARGUMENT);
    NEED(self, kp_group_create(self, (int[]){me, me}, 2, &group) == KP_EARGUMENT);
    NEED(self, kp_group_create(self, (int[]){me, other, other}, 3, &group) == KP_EARGUMENT);
    NEED(self, kp_group_create(self, (int[]){other}, 1, &group) == KP_EARGUMENT);
    NEED(self, kp_error(self)->status == KP_EARGUMENT);
    NEED(self, kp_error(self)->sentence[0] != '\0');
    NEED(self, kp_last_error()->status == KP_EARGUMENT);
    NEED(self, kp_group_create(self, (int[]){me}, 0, &group) == KP_EARGUMENT);
    NEED(self, kp_group_create(self, (int[]){me}, -1, &group) == KP_EARGUMENT);
    NEED(self, kp_group_create(self, (int[]){me}, -2147483647 - 1, &group) == KP_EARGUMENT);
    NEED(self, kp_group_create(self, (int[]){0, 1, 2, 3, me}, 5, &group) == KP_EARGUMENT);
    NEED(self, kp_group_create(self, NULL, 2, &group) == KP_EARGUMENT);
    NEED(self, kp_group_create(self, (int[]){me}, 1, NULL) == KP_EARGUMENT);
    NEED(self, kp_group_create(NULL, (int[]){me}, 1, &group) == KP_EARGUMENT);
    NEED(self, kp_group_free(NULL) == 0);
    NEED(self, kp_group_free(kp_world(self)) == KP_EARGUMENT);
    NEED(self, ring(kp_world(self), 30, 2) == 0);
    return 0;
}

static void errors(void **state)
{
    (void)state;
    int status = run_on(4, bad_lists, NULL);
    assert_good(status, &report);
}

/* An error of one member in one group must not affect its other groups. */
static int misuse_in_one(kp_proc *self, void *arg)
{
    (void)arg;
    int me = kp_processor(self);
    kp_group *group;
    NEED(self, kp_group_create(self, (int[]){2, 1, 0}, 3, &group) == 0);
    kp_outgoing out = {0, 0, "x", 1}; /* rank 0 is processor 2, so it sends to itself */
    keep(self, kp_exchange(group, &out, me == 2, NULL, 0));
    NEED(self, ring(kp_world(self), 30, 2) == 0);
    NEED(self, ring(group, 30, 2) == 0);
    NEED(self, kp_group_free(group) == 0);
    return 0;
}

static void misuse_names_the_processor(void **state)
{
    (void)state;
    int status = run_on(3, misuse_in_one, NULL);
    if (status == KP_EFAILED) {
        fail_msg("%s", report.error.sentence);
    }
    assert_outcome(0, KP_EPEER, 2);
    assert_outcome(1, KP_EPEER, 2);
    assert_true(outcomes[2].status == KP_EPORT || outcomes[2].status == KP_EARGUMENT);
    assert_int_equal(outcomes[2].error.processor, 2);
}

/* --- Deadlocks --- */

/* Each processor waits in the pair with its right neighbour, and the neighbour waits in the next
 * pair. So they wait in a circle. */
static int circle(kp_proc *self, void *arg)
{
    int n = *(int *)arg, me = kp_processor(self), right = (me + 1) % n, left = (me + n - 1) % n;
    kp_group *mine, *other;
    NEED(self, kp_group_create(self, (int[]){me, right}, 2, &mine) == 0);
    NEED(self, kp_group_create(self, (int[]){left, me}, 2, &other) == 0);
    NEED(self, ring(kp_world(self), 8, 1) == 0);
    if (me == n - 1) {
        nap(3000);
    }
    int status = keep(self, ring(mine, 8, 2));
    kp_group_free(mine);
    kp_group_free(other);
    return status;
}

static void deadlock_circles(void **state)
{
    (void)state;
    static const int sizes[] = {2, 3, 4, 24, 64};
    for (int times = 0; times < scaled(4, 60, 400); times++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            int n = sizes[i];
            assert_int_equal(run_on(n, circle, &n), KP_EDEADLOCK);
            assert_int_equal(report.error.status, KP_EDEADLOCK);
            for (int p = 0; p < n; p++) {
                const kp_error_record *record = &outcomes[p].error;
                assert_int_equal(outcomes[p].status, KP_EDEADLOCK);
                assert_int_equal(record->status, KP_EDEADLOCK);
                assert_in_range(record->processor, 0, n - 1);
                assert_true(names(record->sentence, record->processor));
                assert_true(names(record->sentence, (record->processor + 1) % n));
            }
        }
    }
}

/* Processor 2 has ended, and 0 and 1 wait for each other in two groups. kport must find this
 * deadlock although processor 2 does not wait. */
static int deadlock_beside_ended(kp_proc *self, void *arg)
{
    (void)arg;
    int me = kp_processor(self);
    kp_group *first, *second;
    if (me == 2) {
        return 0;
    }
    NEED(self, kp_group_create(self, (int[]){0, 1}, 2, &first) == 0);
    NEED(self, kp_group_create(self, (int[]){1, 0}, 2, &second) == 0);
    keep(self, ring(me == 0 ? first : second, 8, 2));
    kp_group_free(first);
    kp_group_free(second);
    return 0;
}

static void deadlock_with_ended(void **state)
{
    (void)state;
    for (int i = 0; i < scaled(50, 1000, 10000); i++) {
        (void)!run_on(3, deadlock_beside_ended, NULL);
        for (int p = 0; p < 2; p++) {
            assert_int_equal(outcomes[p].status, KP_EDEADLOCK);
            assert_true(names(outcomes[p].error.sentence, 0));
            assert_true(names(outcomes[p].error.sentence, 1));
        }
    }
}

/* --- Programs without a deadlock: kport must not report one --- */

struct traffic {
    int n, groups, events;
    uint64_t seed;
    int members[12][16], counts[12];
};

static void traffic_make(struct traffic *traffic, uint64_t seed)
{
    traffic->seed = seed;
    for (int g = 0; g < traffic->groups; g++) {
        int order[16];
        for (int i = 0; i < traffic->n; i++) {
            int j = random_below(&seed, i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        traffic->counts[g] = 1 + random_below(&seed, traffic->n);
        memcpy(traffic->members[g], order, sizeof order);
    }
}

/* Every processor goes through the same random list of events and takes part in those of its own
 * groups. */
static int take_part(kp_proc *self, void *arg)
{
    const struct traffic *traffic = arg;
    kp_group *groups[12] = {NULL};
    uint64_t common = traffic->seed,
             own = random_of(traffic->seed, (uint64_t)kp_processor(self), 3);
    for (int e = 0; e < traffic->events; e++) {
        int g = random_below(&common, traffic->groups);
        size_t bytes = random_below(&common, 10) == 0 ? 9000 : (size_t)random_below(&common, 60);
        bool member = false;
        for (int i = 0; i < traffic->counts[g]; i++) {
            member = member || traffic->members[g][i] == kp_processor(self);
        }
        if (member) {
            if (groups[g] == NULL) {
                NEED(self, kp_group_create(self, traffic->members[g], traffic->counts[g],
                                           &groups[g]) == 0);
            }
            random_delay(&own, 300);
            int status = ring(groups[g], bytes, (uint64_t)e);
            NEED(self, status != WRONG_BYTES);
            if (status != 0) {
                return status;
            }
            /* If the other members still have their handles, the group stays the same. Otherwise a
             * new group is made. */
            if (random_below(&own, 20) == 0) {
                NEED(self, kp_group_free(groups[g]) == 0);
                groups[g] = NULL;
            }
        }
    }
    for (int g = 0; g < traffic->groups; g++) {
        kp_group_free(groups[g]);
    }
    return 0;
}

static void no_false_deadlock(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (uint64_t)scaled(12, 40, 200); seed++) {
        struct traffic traffic = {.n = 2 + (int)(seed % 15), .groups = 12};
        traffic.events = scaled(400, 1500, 3000);
        traffic_make(&traffic, seed);
        int status = run_on(traffic.n, take_part, &traffic);
        assert_good(status, &report);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(every_order),
        TEST(every_size),
        TEST(square),
        TEST(disjoint),
        TEST(many_groups),
        TEST(freed_at_once),
        TEST(same_group_again),
        TEST(same_list_twice),
        TEST(left_to_the_machine),
        TEST(untaken_in_a_freed_group),
        TEST(errors),
        TEST(misuse_names_the_processor),
        TEST(deadlock_circles),
        TEST(deadlock_with_ended),
        TEST(no_false_deadlock),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
