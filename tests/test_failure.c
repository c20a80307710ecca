/* What becomes of the others when a processor leaves, fails, is cancelled, or waits for ever; and
 * that nothing is called a failure that is none. */
#include "machine_common.h"

enum {
    MANY = 24
};

static kp_report report;

static int run_on(int n, unsigned time_limit_ms, kp_program *program, void *arg)
{
    kp_config config = {.processors = n, .ports = n > 2 ? 2 : 1, .time_limit_ms = time_limit_ms};
    return kp_run(&config, program, arg, &report);
}

/* --- Ways to leave --- */

struct leaving {
    int (*leave)(kp_proc *);
    int status;   /* what the others get; 0: KP_ELOST or KP_EFAILED */
    int returned; /* what the run returns */
    int who;
    int rounds;  /* before it leaves */
    long before; /* microseconds it waits before, so that the others are waiting already */
    size_t bytes;
};

static int by_return(kp_proc *self)
{
    (void)self;
    return 0;
}

static int by_number(kp_proc *self)
{
    (void)self;
    return 42;
}

static int by_status(kp_proc *self)
{
    (void)self;
    return KP_EMEMORY;
}

static int by_kp_fail(kp_proc *self)
{
    int status = kp_fail(self, "the cat has eaten the data");
    NEED(self, ring(kp_world(self), 8, 0) == KP_EFAILED); /* its own later calls fail too */
    return status;
}

static int by_exit(kp_proc *self)
{
    (void)self;
    pthread_exit(NULL);
}

static int by_cancel(kp_proc *self)
{
    (void)self;
    pthread_cancel(pthread_self());
    pthread_testcancel();
    return 0;
}

static int some_leave(kp_proc *self, void *arg)
{
    const struct leaving *way = arg;
    kp_group *world = kp_world(self);
    for (int i = 0; i < way->rounds; i++) {
        NEED(self, ring(world, way->bytes, (uint64_t)i) == 0);
    }
    if (kp_processor(self) == way->who) {
        nap(way->before);
        return way->leave(self);
    }
    keep(self, ring(world, way->bytes, 99));
    NEED(self, ring(world, 8, 100) == outcomes[kp_processor(self)].status); /* and it stays so */
    return outcomes[kp_processor(self)].status;
}

static void assert_left(const struct leaving *way, int n, int returned)
{
    for (int other = 0; other < n; other++) {
        if (other != way->who) {
            int status = way->status != 0                       ? way->status
                         : outcomes[other].status == KP_EFAILED ? KP_EFAILED
                                                                : KP_ELOST;
            assert_outcome(other, status, way->who);
        }
    }
    assert_int_equal(report.error.processor, way->who);
    assert_int_equal(report.error.status, returned);
    if (way->returned != 0) {
        assert_int_equal(returned, way->returned);
    }
}

static const struct leaving ways[] = {
    {.leave = by_return, .status = KP_ELOST, .returned = KP_ELOST},
    {.leave = by_number, .returned = KP_EFAILED},
    {.leave = by_status, .returned = KP_EMEMORY},
    {.leave = by_kp_fail, .status = KP_EFAILED, .returned = KP_EFAILED},
    {.leave = by_exit, .status = KP_ELOST, .returned = KP_ELOST},
    {.leave = by_cancel, .status = KP_ELOST, .returned = KP_ELOST},
};

static void every_way_to_leave(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        for (int variant = 0; variant < 12; variant++) {
            int n = variant % 3 == 0 ? 2 : variant % 3 == 1 ? 5 : MANY;
            struct leaving way = ways[i];
            way.who = variant % n;
            way.rounds = variant % 4;
            way.before = variant % 2 == 0 ? 0 : 20000;
            way.bytes = variant < 6 ? 30 : 10000;
            begin(NULL);
            int returned = run_on(n, 0, some_leave, &way);
            assert_left(&way, n, returned);
            if (way.leave == by_kp_fail) {
                assert_non_null(strstr(outcomes[(way.who + 1) % n].error.sentence, "the cat has"));
                assert_non_null(strstr(report.error.sentence, "the cat has"));
            }
        }
    }
}

/* --- Cancelled from outside --- */

static pthread_t victim_thread;
static _Atomic int victim_known;
static bool victim_sleeps;

static int cancel_zero(kp_proc *self, void *arg)
{
    (void)arg;
    int me = kp_processor(self), status = 0;
    if (me == 0) {
        victim_thread = pthread_self();
        atomic_store(&victim_known, 1);
        while (victim_sleeps) {
            nap(1000);
        }
    } else if (me == 1) {
        while (!atomic_load(&victim_known)) {
            nap(100);
        }
        nap(2000);
        pthread_cancel(victim_thread);
    }
    for (uint64_t i = 0; status == 0; i++) { /* until it is gone */
        status = ring(kp_world(self), i % 2 ? 10 : 10000, i);
        if (me == 0) {
            pthread_testcancel();
        }
    }
    return keep(self, status);
}

static void cancelled(void **state)
{
    (void)state;
    for (int i = 0; i < scaled(10, 60, 600); i++) {
        victim_known = 0;
        victim_sleeps = i % 2 == 0;
        assert_int_equal(run_on(4, 0, cancel_zero, NULL), KP_ELOST);
        for (int other = 1; other < 4; other++) {
            assert_outcome(other, KP_ELOST, 0);
        }
        assert_int_equal(report.error.processor, 0);
    }
}

/* Waits are no cancellation points: who is cancelled while it waits finishes its round. */
static int cancel_waiting(kp_proc *self, void *arg)
{
    (void)arg;
    int me = kp_processor(self), old;
    kp_outgoing out = {0, 1 - me, &(char[20000]){0}, 20000};
    char *room = malloc(20000);
    kp_incoming in = {0, 1 - me, room, 20000, 0};
    if (me == 0) {
        victim_thread = pthread_self();
        atomic_store(&victim_known, 1);
    } else {
        while (!atomic_load(&victim_known)) {
            sched_yield();
        }
        nap(5000);
        pthread_cancel(victim_thread);
        nap(5000);
    }
    int status = 0;
    for (int i = 0; i < 100 && status == 0; i++) {
        out.bytes = in.bytes = i % 2 ? 20 : 20000;
        status = kp_exchange(kp_world(self), &out, 1, &in, 1);
    }
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    free(room);
    return keep(self, status);
}

static void waits_are_no_cancellation_points(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        victim_known = 0;
        int status = run_on(2, 0, cancel_waiting, NULL);
        assert_good(status, &report);
    }
}

/* --- A failure goes as far as the groups do --- */

/* 0 leaves group {0, 1}; 1 sees it, works on with {1, 2}, returns 0: 2 and 3 never hear of it. */
static int others_work_on(kp_proc *self, void *arg)
{
    bool passed_on = *(bool *)arg;
    int me = kp_processor(self);
    kp_group *left = NULL, *right = NULL;
    if (me <= 1) {
        NEED(self, kp_group_create(self, (int[]){0, 1}, 2, &left) == 0);
    }
    if (me >= 1) {
        NEED(self, kp_group_create(self, (int[]){1, 2, 3}, 3, &right) == 0);
    }
    if (me == 0) {
        return 0;
    }
    if (me == 1) {
        NEED(self, keep(self, ring(left, 8, 1)) == KP_ELOST);
        if (passed_on) {
            return KP_ELOST;
        }
    }
    int status = 0;
    for (uint64_t i = 0; i < 20 && status == 0; i++) {
        status = ring(right, 100 * i, i);
    }
    if (me > 1) {
        keep(self, status);
    }
    kp_group_free(right);
    kp_group_free(left);
    return me == 1 ? 0 : status;
}

static void failure_stays_in_its_groups(void **state)
{
    (void)state;
    bool passed_on = false;
    (void)!run_on(4, 0, others_work_on, &passed_on);
    assert_outcome(1, KP_ELOST, 0);
    assert_int_equal(outcomes[2].status, 0);
    assert_int_equal(outcomes[3].status, 0);
    passed_on = true;
    assert_true(run_on(4, 0, others_work_on, &passed_on) != 0);
    assert_int_equal(report.error.processor, 0);
    for (int i = 2; i < 4; i++) {
        assert_true(outcomes[i].status == KP_EFAILED || outcomes[i].status == KP_ELOST);
        assert_outcome(i, outcomes[i].status, 1);
    }
}

/* A group made after its member is gone is dead from the start. */
static int group_with_the_dead(kp_proc *self, void *arg)
{
    (void)arg;
    int me = kp_processor(self);
    if (me == 0) {
        return 0;
    }
    nap(20000);
    kp_group *pair;
    NEED(self, kp_group_create(self, (int[]){me, 0}, 2, &pair) == 0);
    keep(self, ring(pair, 8, 1));
    kp_group_free(pair);
    return 0;
}

static void group_made_too_late(void **state)
{
    (void)state;
    (void)!run_on(3, 0, group_with_the_dead, NULL);
    assert_outcome(1, KP_ELOST, 0);
    assert_outcome(2, KP_ELOST, 0);
}

/* --- Deadlocks --- */

/* Each waits in the pair with its right neighbour, which waits in the next pair: a circle. */
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
    static const int sizes[] = {2, 3, 4, MANY, 64};
    for (int times = 0; times < scaled(4, 100, 1000); times++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            int n = sizes[i];
            assert_int_equal(run_on(n, 0, circle, &n), KP_EDEADLOCK);
            assert_int_equal(report.error.status, KP_EDEADLOCK);
            for (int p = 0; p < n; p++) {
                const kp_error_record *record = &outcomes[p].error;
                assert_int_equal(outcomes[p].status, KP_EDEADLOCK);
                assert_int_equal(record->status, KP_EDEADLOCK);
                assert_in_range(record->processor, 0, n - 1);
                assert_in_range(record->peer, 0, n - 1);
                assert_int_not_equal(record->processor, record->peer);
                assert_true(names(record->sentence, record->processor));
                assert_true(names(record->sentence, record->peer));
            }
        }
    }
}

/* 2 ends well, 0 and 1 wait for one another in two groups: known though not all of them wait. */
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
        (void)!run_on(3, 0, deadlock_beside_ended, NULL);
        for (int p = 0; p < 2; p++) {
            assert_int_equal(outcomes[p].status, KP_EDEADLOCK);
            assert_true(names(outcomes[p].error.sentence, 0));
            assert_true(names(outcomes[p].error.sentence, 1));
        }
    }
}

/* --- No deadlock where there is none --- */

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
            int j = below(&seed, i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        traffic->counts[g] = 1 + below(&seed, traffic->n);
        memcpy(traffic->members[g], order, sizeof order);
    }
}

/* Every processor goes through the same list of events and takes part in those of its groups. */
static int take_part(kp_proc *self, void *arg)
{
    const struct traffic *traffic = arg;
    kp_group *groups[12] = {NULL};
    uint64_t common = traffic->seed, own = key_of(traffic->seed, (uint64_t)kp_processor(self), 3);
    for (int e = 0; e < traffic->events; e++) {
        int g = below(&common, traffic->groups);
        size_t bytes = below(&common, 10) == 0 ? 9000 : (size_t)below(&common, 60);
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
            if (below(&own, 20) == 0) { /* the others hold it, or it is made anew */
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
    for (uint64_t seed = 1; seed <= (uint64_t)scaled(12, 60, 1000); seed++) {
        struct traffic traffic = {.n = 2 + (int)(seed % 15), .groups = 12};
        traffic.events = scaled(400, 1500, 4000);
        traffic_make(&traffic, seed);
        int status = run_on(traffic.n, 0, take_part, &traffic);
        assert_good(status, &report);
    }
}

/* The last round is over for one and it ends while the others are still on their way out of it:
 * that is no loss. */
static int one_round(kp_proc *self, void *arg)
{
    uint64_t seed = key_of((uint64_t)(uintptr_t)arg, (uint64_t)kp_processor(self), 1);
    size_t bytes = (uintptr_t)arg % 2 == 0 ? 40 : 20000;
    random_delay(&seed, 60);
    int status = ring(kp_world(self), bytes, 4);
    random_delay(&seed, 60);
    return status;
}

static void no_false_loss(void **state)
{
    (void)state;
    for (int n = 2; n <= 9; n++) {
        kp_config config = {.processors = n, .wait = (kp_wait_policy)(n % 4)};
        kp_machine *machine;
        assert_int_equal(kp_machine_create(&config, &machine), 0);
        for (int i = 0; i < scaled(300, 3000, 30000); i++) {
            int status = kp_machine_run(machine, one_round, (void *)(uintptr_t)i, &report);
            assert_good(status, &report);
        }
        assert_int_equal(kp_machine_destroy(machine), 0);
    }
}

/* --- Time limit --- */

static int one_sleeps(kp_proc *self, void *arg)
{
    if (kp_processor(self) == 2) {
        nap(*(long *)arg);
    }
    return keep(self, ring(kp_world(self), 8, 1));
}

static void time_limit(void **state)
{
    (void)state;
    long span = 300000;
    assert_int_equal(run_on(4, 30, one_sleeps, &span), KP_ETIMEOUT);
    for (int p = 0; p < 4; p++) {
        assert_outcome(p, KP_ETIMEOUT, 2);
    }
    span = 30000;
    int status = run_on(4, 100000, one_sleeps, &span);
    assert_good(status, &report);
}

/* --- A pool survives all of it --- */

static void pool_after_failures(void **state)
{
    (void)state;
    kp_config config = {.processors = 5, .ports = 2};
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    int n = 5;
    for (int i = 0; i < scaled(120, 1200, 12000); i++) {
        struct leaving way = ways[i % 6];
        way.who = i / 6 % n;
        way.rounds = i % 4;
        way.bytes = i % 5 == 0 ? 9000 : 10;
        int returned = kp_machine_run(machine, some_leave, &way, &report);
        assert_left(&way, n, returned);
        if (i % 3 == 0) {
            assert_int_equal(kp_machine_run(machine, circle, &n, &report), KP_EDEADLOCK);
        }
        int status = kp_machine_run(machine, one_round, (void *)(uintptr_t)i, &report);
        assert_good(status, &report);
        assert_int_equal(report.started, 5);
    }
    assert_int_equal(kp_machine_destroy(machine), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(every_way_to_leave),
        TEST(cancelled),
        TEST(waits_are_no_cancellation_points),
        TEST(failure_stays_in_its_groups),
        TEST(group_made_too_late),
        TEST(deadlock_circles),
        TEST(deadlock_with_ended),
        TEST(no_false_deadlock),
        TEST(no_false_loss),
        TEST(time_limit),
        TEST(pool_after_failures),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
