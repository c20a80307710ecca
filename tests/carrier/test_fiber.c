/* Tests processors that are fibers: numbers of processors and workers, the order that a seed
 * determines, failures and time limits. It also tests machines that run several times, and many
 * machines at once. The other tests of machines are built a second time with on_fibers.c, so they
 * test fibers too. */
#include "tests/common/machine_common.h"

#include "kport.h"
#include "ports/carrier/fibers.h"

#include <sys/resource.h>
#include <sys/wait.h>

static kp_report report;

static kp_config fibers(int n, int ports, int workers, uint64_t seed)
{
    return (kp_config){.processors = n,
                       .ports = n > ports ? ports : 0,
                       .carrier = KP_CARRIER_FIBERS,
                       .workers = workers < n ? workers : n,
                       .seed = seed};
}

static kp_machine *machine_of(kp_config config)
{
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    return machine;
}

/* --- Sizes --- */

/* Makes calls of every kind and verifies their results. */
static int all_kinds(kp_proc *self, void *arg)
{
    (void)arg;
    kp_group *world = kp_world(self);
    uint64_t n = (uint64_t)kp_size(world), me = (uint64_t)kp_rank(world), sum = 0, told = 0;
    uint64_t *out = malloc(n * sizeof *out), *in = malloc(n * sizeof *in);
    NEED(self, out && in);
    for (uint64_t i = 0; i < n; i++) {
        out[i] = me * n + i;
    }
    NEED(self, ring(world, 20, 1) == 0 && ring(world, 20000, 2) == 0);
    NEED(self, kp_index(world, out, in, sizeof *in, NULL) == 0);
    for (uint64_t i = 0; i < n; i++) {
        NEED(self, in[i] == i * n + me);
    }
    NEED(self, kp_concat(world, &me, in, sizeof *in, NULL) == 0);
    for (uint64_t i = 0; i < n; i++) {
        NEED(self, in[i] == i);
    }
    told = me == n - 1 ? 77 : 0;
    NEED(self, kp_broadcast(world, &told, sizeof told, (int)n - 1, NULL) == 0 && told == 77);
    NEED(self, kp_allreduce(world, &me, &sum, 1, KP_UINT64, KP_SUM, NULL) == 0);
    NEED(self, sum == n * (n - 1) / 2);
    NEED(self, kp_scan(world, &me, &sum, 1, KP_UINT64, KP_SUM, NULL) == 0);
    NEED(self, sum == me * (me + 1) / 2);
    NEED(self, kp_scatter(world, out, &told, sizeof told, 0, NULL) == 0 && told == me);
    free(out);
    free(in);
    return 0;
}

static void sizes_and_workers(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 3, 5, 64, 1000};
    for (int i = 0; i < (SANITIZED ? 5 : 6); i++) {
        for (int workers = 1; workers <= 3; workers++) {
            kp_config config = fibers(sizes[i], 3, workers, 0);
            int status = kp_run(&config, all_kinds, NULL, &report);
            assert_good(status, &report);
            assert_int_equal(report.started, config.workers);
        }
    }
}

static void refused_configs(void **state)
{
    (void)state;
    static const struct {
        kp_config config;
        const char *named;
    } bad[] = {
        {{.processors = 3, .carrier = (kp_carrier)3}, "carrier is 3"},
        {{.processors = 3, .carrier = (kp_carrier)-1}, "carrier is -1"},
        {{.processors = 3, .carrier = KP_CARRIER_FIBERS, .workers = 4}, "workers is 4"},
        {{.processors = 3, .carrier = KP_CARRIER_FIBERS, .workers = -1}, "workers is -1"},
        {{.processors = 3, .workers = 1}, "workers is 1"},
        {{.processors = 3, .seed = 1}, "seed is 1"},
        {{.processors = 3, .carrier = KP_CARRIER_FIBERS, .stack_bytes = 100},
         "stack_bytes is 100; it may be 16384 or more"}, /* independent of the system's minimum for
                                                            threads */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        kp_machine *machine;
        assert_int_equal(kp_machine_create(&bad[i].config, &machine), KP_EARGUMENT);
        assert_non_null(strstr(kp_last_error()->sentence, bad[i].named));
    }
    kp_proc *self;
    kp_machine *machine = machine_of(fibers(3, 2, 2, 0));
    assert_int_equal(kp_machine_attach(machine, 0, &self), KP_EARGUMENT);
    assert_non_null(strstr(kp_last_error()->sentence, "fibers"));
    assert_int_equal(kp_machine_run(machine, all_kinds, NULL, &report), 0);
    assert_int_equal(kp_machine_destroy(machine), 0);
    assert_non_null(kp_fibers());
}

/* --- The order in which fibers run --- */

#define STEPS 400

static int steps[STEPS], taken;

static int note_steps(kp_proc *self, void *arg)
{
    (void)arg;
    for (int i = 0; i < 10; i++) {
        if (taken < STEPS) {
            steps[taken++] = kp_processor(self);
        }
        NEED(self, ring(kp_world(self), 8, (uint64_t)i) == 0);
    }
    return 0;
}

static uint64_t run_seeded(kp_machine *machine, int *order)
{
    taken = 0;
    int status = kp_machine_run(machine, note_steps, NULL, &report);
    assert_good(status, &report);
    memcpy(order, steps, sizeof steps);
    return kp_machine_trace(machine);
}

static void equal_seeds_equal_orders(void **state)
{
    (void)state;
    static int first[STEPS], again[STEPS];
    uint64_t traces[20];
    for (int i = 0; i < 20; i++) {
        kp_machine *machine = machine_of(fibers(9, 2, 1, (uint64_t)i + 1));
        traces[i] = run_seeded(machine, first);
        assert_int_not_equal(traces[i], 0);
        /* A second run of a machine must have the same order. */
        assert_int_equal(run_seeded(machine, again), traces[i]);
        assert_memory_equal(first, again, sizeof first);
        kp_machine_destroy(machine);
        machine = machine_of(fibers(9, 2, 1, (uint64_t)i + 1));
        assert_int_equal(run_seeded(machine, again), traces[i]);
        assert_memory_equal(first, again, sizeof first);
        kp_machine_destroy(machine);
        for (int other = 0; other < i; other++) {
            assert_int_not_equal(traces[i], traces[other]);
        }
    }
}

/* Without a seed fibers run in turn. The first round runs them in the order 0 ... 8. In each later
 * round the fiber that arrived last runs first. */
static void without_a_seed_in_turn(void **state)
{
    (void)state;
    static int order[STEPS];
    kp_machine *machine = machine_of(fibers(9, 2, 1, 0));
    assert_int_equal(run_seeded(machine, order), 0);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 9; i++) {
            int rotated = (i + 9 - round % 9) % 9;
            assert_int_equal(order[round * 9 + i], rotated);
        }
    }
    kp_machine_destroy(machine);
}

/* --- Every fiber has its own error --- */

static int makes_errors(kp_proc *self, void *arg)
{
    (void)arg;
    int me = kp_processor(self);
    kp_group *world = kp_world(self), *none;
    NEED(self, kp_last_error()->status == 0);
    if (me % 3 == 0) {
        NEED(self, kp_group_create(self, &me, -me - 1, &none) == KP_EARGUMENT);
    }
    for (int i = 0; i < 5; i++) {
        NEED(self, ring(world, 8, 1) == 0);
        NEED(self, kp_last_error()->status == (me % 3 == 0 ? KP_EARGUMENT : 0));
        NEED(self, me % 3 != 0 || names(kp_last_error()->sentence, me + 1));
    }
    return 0;
}

static void latest_errors_are_a_fibers_own(void **state)
{
    (void)state;
    for (int workers = 1; workers <= 3; workers++) {
        kp_config config = fibers(20, 1, workers, workers == 1 ? 5 : 0);
        int status = kp_run(&config, makes_errors, NULL, &report);
        assert_good(status, &report);
    }
}

/* --- Failures --- */

static int crosswise(kp_proc *self, void *unkept)
{
    kp_group *other;
    int n = kp_size(kp_world(self)), all[MOST_PROCESSORS];
    for (int i = 0; i < n; i++) {
        all[i] = n - 1 - i;
    }
    NEED(self, kp_group_create(self, all, n, &other) == 0);
    int status = ring(kp_processor(self) == 0 ? kp_world(self) : other, 8, 1);
    return unkept ? status : keep(self, status);
}

static void deadlock(void **state)
{
    (void)state;
    for (int n = 2; n <= 50; n += 6) {
        for (int workers = 1; workers <= 3; workers++) {
            kp_machine *machine = machine_of(fibers(n, 2, workers, workers == 1 ? 3 : 0));
            for (int i = 0; i < 5; i++) {
                assert_int_equal(kp_machine_run(machine, crosswise, NULL, &report), KP_EDEADLOCK);
                assert_non_null(strstr(report.error.sentence, "; processor 0 in "));
                for (int p = 0; p < n; p++) {
                    assert_int_equal(outcomes[p].status, KP_EDEADLOCK);
                }
            }
            assert_int_equal(kp_machine_destroy(machine), 0);
        }
    }
}

/* Processors 1 and *arg exit. The other processors make calls without them, also the processors on
 * the same worker. */
MAY_VANISH static int one_exits(kp_proc *self, void *arg)
{
    int n = kp_size(kp_world(self)), me = kp_processor(self), others[MOST_PROCESSORS], count = 0;
    kp_group *rest;
    for (int i = 0; i < n; i++) {
        if (i != 1 && i != *(int *)arg) {
            others[count++] = i;
        }
    }
    if (me == 1 || me == *(int *)arg) {
        pthread_exit(NULL);
    }
    NEED(self, kp_group_create(self, others, count, &rest) == 0);
    for (int i = 0; i < 50; i++) {
        NEED(self, ring(rest, 30, (uint64_t)i) == 0);
    }
    kp_group_free(rest);
    return 0;
}

static void exit_within_a_fiber(void **state)
{
    (void)state;
    if (WATCHES_THREADS) { /* a thread must end on the stack on which it began */
        skip();
    }
    for (int workers = 1; workers <= 3; workers++) {
        kp_machine *machine = machine_of(fibers(12, 1, workers, 0));
        for (int second = 2; second < 12; second += 3) {
            assert_int_equal(kp_machine_run(machine, one_exits, &second, &report), KP_ELOST);
            assert_true(report.error.processor == 1 || report.error.processor == second);
            int status = kp_machine_run(machine, all_kinds, NULL, &report);
            assert_good(status, &report);
            assert_int_equal(report.started, workers);
        }
        assert_int_equal(kp_machine_destroy(machine), 0);
    }
}

/* Processors 0 and 1 exchange messages for longer than the time limit of the others. */
static int two_dawdle(kp_proc *self, void *arg)
{
    (void)arg;
    int me = kp_processor(self);
    kp_group *pair;
    if (me > 1) {
        return keep(self, ring(kp_world(self), 8, 1));
    }
    NEED(self, kp_group_create(self, (int[]){0, 1}, 2, &pair) == 0);
    int status = 0;
    for (int i = 0; i < 100 && status == 0; i++) {
        nap(2000);
        for (int j = 0; j < 100 && status == 0; j++) {
            status = ring(pair, 8, 2);
        }
    }
    NEED(self, status == 0); /* the others' time limit must not affect this pair */
    kp_group_free(pair);
    return keep(self, ring(kp_world(self), 8, 1));
}

static int last_sleeps(kp_proc *self, void *arg)
{
    (void)arg;
    if (kp_processor(self) == kp_size(kp_world(self)) - 1) {
        nap(200000);
    }
    return keep(self, ring(kp_world(self), 8, 1));
}

static void time_limit(void **state)
{
    (void)state;
    for (int workers = 1; workers <= 3; workers++) {
        kp_config config = fibers(9, 1, workers, 0);
        config.time_limit_ms = 20;
        assert_int_equal(kp_run(&config, two_dawdle, NULL, &report), KP_ETIMEOUT);
        for (int p = 0; p < 9; p++) {
            assert_int_equal(outcomes[p].status, KP_ETIMEOUT);
        }
    }
    /* Two of the three workers are parked while the last processor sleeps. */
    kp_config config = fibers(9, 1, 3, 0);
    config.time_limit_ms = 20;
    assert_int_equal(kp_run(&config, last_sleeps, NULL, &report), KP_ETIMEOUT);
    config.time_limit_ms = 100000;
    int status = kp_run(&config, last_sleeps, NULL, &report);
    assert_good(status, &report);
}

/* --- Machines --- */

static void kept_and_run_again(void **state)
{
    (void)state;
    for (int workers = 1; workers <= 3; workers++) {
        kp_machine *machine = machine_of(fibers(40, 1, workers, 0));
        for (int i = 0; i < (SANITIZED ? 20 : scaled(300, 1000, 20000)); i++) {
            int status = kp_machine_run(machine, note_steps, NULL, &report);
            assert_good(status, &report);
        }
        assert_int_equal(kp_machine_destroy(machine), 0);
    }
}

/* Runs other machines from within a fiber. The fiber's worker then waits like a thread. */
static int runs_another(kp_proc *self, void *arg)
{
    (void)arg;
    kp_config threads = {.processors = 3}, more = fibers(7, 1, 2, 0);
    NEED(self, ring(kp_world(self), 8, 1) == 0);
    NEED(self, kp_run(&threads, all_kinds, NULL, NULL) == 0);
    NEED(self, kp_run(&more, all_kinds, NULL, NULL) == 0);
    NEED(self, kp_run(&more, crosswise, self, NULL) == KP_EDEADLOCK);
    NEED(self, kp_last_error()->status == KP_EDEADLOCK);
    return ring(kp_world(self), 8, 2);
}

static void *on_a_thread(void *arg)
{
    kp_config config = fibers(6, 1, 2, 0);
    for (int i = 0; i < 3; i++) {
        kp_report own;
        if (kp_run(&config, runs_another, NULL, &own) != 0) {
            *(kp_report *)arg = own;
        }
    }
    return NULL;
}

static void machines_beside_and_within_each_other(void **state)
{
    (void)state;
    pthread_t threads[3];
    static kp_report failed[3];
    memset(failed, 0, sizeof failed);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, on_a_thread, &failed[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert_good(failed[i].error.status, &failed[i]);
    }
}

/* The two members of each pair are on different workers, which wake each other. */
static int pairs_across(kp_proc *self, void *arg)
{
    (void)arg;
    int n = kp_size(kp_world(self)), me = kp_processor(self), half = n / 2;
    int members[2] = {me % half, me % half + half};
    kp_group *pair;
    NEED(self, kp_group_create(self, members, 2, &pair) == 0);
    for (int i = 0; i < (SANITIZED ? 60 : 300); i++) {
        NEED(self, ring(pair, i % 50 == 0 ? 10000 : 8, (uint64_t)i) == 0);
    }
    NEED(self, kp_group_free(pair) == 0);
    return 0;
}

static void many_groups_over_two_workers(void **state)
{
    (void)state;
    for (int policy = 0; policy < 4; policy++) {
        for (int n = 2; n <= 60; n += 58) {
            kp_config config = fibers(n, 1, 2, 0);
            config.wait = (kp_wait_policy)policy;
            int status = kp_run(&config, pairs_across, NULL, &report);
            assert_good(status, &report);
        }
    }
}

/* --- Thousands of fibers --- */

static int barriers_and_two_calls(kp_proc *self, void *arg)
{
    kp_group *world = kp_world(self);
    for (int i = 0; i < *(int *)arg; i++) {
        NEED(self, kp_exchange(world, NULL, 0, NULL, 0) == 0);
    }
    uint64_t told = kp_rank(world) == 7 ? 99 : 0, one = 1, sum = 0;
    NEED(self, kp_broadcast(world, &told, sizeof told, 7, NULL) == 0 && told == 99);
    NEED(self, kp_allreduce(world, &one, &sum, 1, KP_UINT64, KP_SUM, NULL) == 0);
    NEED(self, sum == (uint64_t)kp_size(world));
    return 0;
}

static void thousands(void **state)
{
    (void)state;
    int barriers = 20;
    for (int n = SANITIZED ? 500 : 2000; n <= (level == STRESS ? 32000
                                               : SANITIZED     ? 500
                                                               : 8000);
         n *= 4) {
        kp_config config = fibers(n, 8, 2, 0);
        int status = kp_run(&config, barriers_and_two_calls, &barriers, &report);
        assert_good(status, &report);
    }
}

/* A hundred thousand fibers with 8 ports need at most 4 GiB. A child process runs them, so that its
 * memory can be measured. */
static void a_hundred_thousand(void **state)
{
    (void)state;
    if (level != STRESS || SANITIZED) {
        skip();
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct timespec begin, end;
        struct rusage usage;
        int barriers = 100;
        kp_config config = fibers(100000, 8, 2, 0);
        clock_gettime(CLOCK_MONOTONIC, &begin);
        int status = kp_run(&config, barriers_and_two_calls, &barriers, &report);
        clock_gettime(CLOCK_MONOTONIC, &end);
        getrusage(RUSAGE_SELF, &usage);
        fprintf(stderr, "100,000 fibers: status %d, %.1f s, %ld MiB\n", status,
                (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9,
                usage.ru_maxrss / 1024);
        _exit(status != 0 ? 1 : usage.ru_maxrss / 1024 > 4096 ? 2 : 0);
    }
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(sizes_and_workers),
        TEST(refused_configs),
        TEST(equal_seeds_equal_orders),
        TEST(without_a_seed_in_turn),
        TEST(latest_errors_are_a_fibers_own),
        TEST(deadlock),
        TEST(exit_within_a_fiber),
        TEST(time_limit),
        TEST(kept_and_run_again),
        TEST(machines_beside_and_within_each_other),
        TEST(many_groups_over_two_workers),
        TEST(thousands),
        TEST(a_hundred_thousand),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
