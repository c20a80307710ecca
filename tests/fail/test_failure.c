/* Tests which error the other processors get when a processor leaves, fails, is cancelled, or waits
 * forever. No other event may be reported as a failure. */
#include "tests/common/machine_common.h"

#include "kport/collective.h"
#include "kport/diagnosis.h"

#include <fcntl.h>
#include <sys/mman.h>

#define MANY 24

static kp_report report;

static int run_on(int n, unsigned time_limit_ms, kp_program *program, void *arg)
{
    kp_config config = {.processors = n, .ports = n > 2 ? 2 : 1, .time_limit_ms = time_limit_ms};
    return kp_run(&config, program, arg, &report);
}

/* --- Ways to leave a run --- */

struct leaving {
    int (*leave)(kp_proc *);
    int status;   /* the status of the other processors; 0: KP_ELOST or KP_EFAILED */
    int returned; /* the status that the run returns */
    int who;
    int rounds;  /* the rounds that all processors make before `who` leaves */
    long before; /* the microseconds that `who` waits after these rounds */
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
    NEED(self, ring(kp_world(self), 8, 0) == KP_EFAILED); /* its own later calls must fail too */
    return status;
}

static int by_exit(kp_proc *self)
{
    (void)self;
    pthread_exit(NULL);
}

MAY_VANISH static int by_cancel(kp_proc *self)
{
    (void)self;
    pthread_cancel(pthread_self());
    pthread_testcancel();
    return 0;
}

MAY_VANISH static int some_leave(kp_proc *self, void *arg)
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
    NEED(self, ring(world, 8, 100) == outcomes[kp_processor(self)].status); /* the same status */
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
            if (!MAY_EXIT && (way.leave == by_exit || way.leave == by_cancel)) {
                continue;
            }
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

/* --- Cancelling another thread --- */

static pthread_t victim_thread;
static _Atomic int victim_known;
static bool victim_sleeps;

MAY_VANISH static int cancel_zero(kp_proc *self, void *arg)
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
    for (uint64_t i = 0; status == 0; i++) { /* until processor 0 is gone */
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
    THREADS_ONLY();
    for (int i = 0; i < scaled(10, 60, 600); i++) {
        victim_known = 0;
        /* ThreadSanitizer crashes if a thread is cancelled in its version of nanosleep. */
        victim_sleeps = i % 2 == 0 && !WATCHES_THREADS;
        assert_int_equal(run_on(4, 0, cancel_zero, NULL), KP_ELOST);
        for (int other = 1; other < 4; other++) {
            assert_outcome(other, KP_ELOST, 0);
        }
        assert_int_equal(report.error.processor, 0);
    }
}

/* A wait is no cancellation point. A thread that is cancelled while it waits must complete its
 * round. */
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
    THREADS_ONLY();
    for (int i = 0; i < 10; i++) {
        victim_known = 0;
        int status = run_on(2, 0, cancel_waiting, NULL);
        assert_good(status, &report);
    }
}

/* --- A failure affects only the groups of the processor that failed --- */

/* Processor 0 leaves the group {0, 1}. Processor 1 gets the error, works on in {1, 2, 3} and
 * returns 0. So 2 and 3 must get no error. */
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

/* A group with a processor that is gone must be unusable from the start. */
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

/* --- kp_fail without a reason --- */

static int fails_without_a_reason(kp_proc *self, void *arg)
{
    (void)arg;
    kp_group *alone;
    int status = kp_processor(self) == 0 ? kp_fail(self, NULL) : kp_barrier(kp_world(self));
    (void)keep(self, kp_group_create(self, (int[]){kp_processor(self)}, 1, &alone));
    return status;
}

/* Writes the diagnosis to NULL, which must be refused. */
static void write_nowhere(const kp_diagnosis *diagnosis, void *arg)
{
    *(int *)arg = kp_diagnosis_text(diagnosis, NULL, 9) == 0 &&
                  strstr(kp_last_error()->sentence, "text is NULL; it must be where it is written");
}

static void without_a_reason(void **state)
{
    (void)state;
    int refused = 0;
    kp_config config = {.processors = 2, .on_failure = write_nowhere, .on_failure_arg = &refused};
    kp_report told;
    assert_int_equal(kp_run(&config, fails_without_a_reason, NULL, &told), KP_EFAILED);
    assert_non_null(strstr(told.error.sentence, "processor 0: no reason"));
    assert_true(refused);
    assert_outcome(0, KP_EFAILED, 0);
    kp_group *none;
    assert_int_equal(kp_group_create(NULL, (int[]){0}, 1, &none), KP_EARGUMENT);
}

/* A group must be unusable from the start too if one of its processors has called kp_fail and is
 * still running. */
static _Atomic int has_failed, has_heard;

static int group_with_the_failed(kp_proc *self, void *arg)
{
    (void)arg;
    kp_group *pair;
    if (kp_processor(self) == 0) {
        int status = kp_fail(self, "no more ink");
        atomic_store(&has_failed, 1);
        while (!atomic_load(&has_heard)) {
            nap(1000);
        }
        return status;
    }
    while (!atomic_load(&has_failed)) {
        sched_yield();
    }
    int status = kp_group_create(self, (int[]){1, 0}, 2, &pair);
    keep(self, status != 0 ? status : ring(pair, 8, 1));
    atomic_store(&has_heard, 1);
    return 0;
}

static void group_with_one_that_failed(void **state)
{
    (void)state;
    THREADS_ONLY();
    has_failed = has_heard = 0;
    assert_int_equal(run_on(2, 10000, group_with_the_failed, NULL), KP_EFAILED);
    assert_outcome(1, KP_EFAILED, 0);
}

/* A round that never happened must not leave an error about a message that nobody took. */
static int sends_to_the_gone(kp_proc *self, void *arg)
{
    (void)arg;
    if (kp_processor(self) != 0) {
        keep(self, ring(kp_world(self), 8, 1));
    }
    return 0;
}

static void no_untaken_without_a_round(void **state)
{
    (void)state;
    int status = run_on(3, 0, sends_to_the_gone, NULL);
    assert_outcome(1, KP_ELOST, 0);
    assert_outcome(2, KP_ELOST, 0);
    assert_true(status == 0 || status == KP_ELOST);
    assert_int_equal(report.error.status, status);
}

/* --- Runs without a loss --- */

/* A processor ends after its last round while others are still leaving this round. This is no
 * loss. */
static int one_round(kp_proc *self, void *arg)
{
    uint64_t seed = random_of((uint64_t)(uintptr_t)arg, (uint64_t)kp_processor(self), 1);
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

/* --- The time limit --- */

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
    if (threads_for(4) == 1) {
        skip(); /* with one worker, a processor that sleeps blocks all others */
    }
    long span = 5000000; /* so long that on a busy machine nobody else is late */
    assert_int_equal(run_on(4, 500, one_sleeps, &span), KP_ETIMEOUT);
    for (int p = 0; p < 4; p++) {
        assert_outcome(p, KP_ETIMEOUT, 2);
    }
    span = 30000;
    int status = run_on(4, 100000, one_sleeps, &span);
    assert_good(status, &report);
}

/* Memory that a call has lent must not be read after the call has returned, even if the time limit
 * ended the call. The memory is unmapped, so that a late reader crashes. */
static int described_and_late(kp_proc *self, void *arg)
{
    size_t bytes = (size_t)4 << 20;
    int n = kp_size(kp_world(self)), me = kp_processor(self), status = 0;
    unsigned char *room = malloc(bytes);
    for (int i = 0; i < *(int *)arg && status == 0; i++) {
        /* In POSIX this is the only way to get fresh memory. */
        int zeros = open("/dev/zero", O_RDWR);
        void *mine = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, zeros, 0);
        close(zeros);
        NEED(self, mine != MAP_FAILED && room != NULL);
        kp_outgoing out = {0, (me + 1) % n, mine, bytes};
        kp_incoming in = {0, (me + n - 1) % n, room, bytes, 0};
        status = kp_exchange(kp_world(self), &out, 1, &in, 1);
        munmap(mine, bytes);
    }
    free(room);
    return status;
}

static void time_limit_and_described_memory(void **state)
{
    (void)state;
    int rounds = 5;
    for (int i = 0; i < scaled(10, 20, 200); i++) {
        int status = run_on(12, 1, described_and_late, &rounds);
        assert_true(status == 0 || status == KP_ETIMEOUT);
    }
}

/* --- A machine's threads survive all failures --- */

static int shows_its_thread(kp_proc *self, void *arg)
{
    (void)arg;
    if (kp_processor(self) == 0) {
        victim_thread = pthread_self();
    }
    pthread_testcancel();
    return ring(kp_world(self), 8, 1);
}

/* Processor 0 waits for the others in the world, and they wait for it in a group. */
static int crosswise(kp_proc *self, void *arg)
{
    (void)arg;
    kp_group *other;
    NEED(self, kp_group_create(self, (int[]){4, 3, 2, 1, 0}, 5, &other) == 0);
    return ring(kp_processor(self) == 0 ? kp_world(self) : other, 8, 1);
}

/* Cancels a thread between two runs. The next run may report the loss or succeed, but not hang. */
static void cancelled_between_runs(void **state)
{
    (void)state;
    if (!MAY_EXIT) {
        skip();
    }
    kp_config config = {.processors = 3};
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    for (int i = 0; i < 10; i++) {
        int status = kp_machine_run(machine, shows_its_thread, NULL, &report);
        assert_good(status, &report);
        pthread_cancel(victim_thread);
        status = kp_machine_run(machine, shows_its_thread, NULL, &report);
        /* With fewer workers the error may name another processor of the cancelled worker. */
        bool its_own = report.error.processor == 0 || threads_for(3) < 3;
        assert_true(status == 0 || (status == KP_ELOST && its_own));
    }
    assert_int_equal(kp_machine_destroy(machine), 0);
}

static void pool_after_failures(void **state)
{
    (void)state;
    kp_config config = {.processors = 5, .ports = 2};
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    int n = 5;
    for (int i = 0; i < scaled(120, 1200, 12000); i++) {
        struct leaving way = ways[MAY_EXIT ? i % 6 : i % 4]; /* the last two ways exit the thread */
        way.who = i / 6 % n;
        way.rounds = i % 4;
        way.bytes = i % 5 == 0 ? 9000 : 10;
        int returned = kp_machine_run(machine, some_leave, &way, &report);
        assert_left(&way, n, returned);
        if (i % 3 == 0) {
            assert_int_equal(kp_machine_run(machine, crosswise, NULL, &report), KP_EDEADLOCK);
        }
        int status = kp_machine_run(machine, one_round, (void *)(uintptr_t)i, &report);
        assert_good(status, &report);
        assert_int_equal(report.started, threads_for(5));
    }
    assert_int_equal(kp_machine_destroy(machine), 0);
}

/* Processor 1 fails in a call for which the others have lent memory already. This incomplete
 * episode must not affect the next run, where the episode of that number has small messages. */
static int one_misses_a_long_call(kp_proc *self, void *arg)
{
    static char room[3][1 << 17];
    char mine = 0, all[3];
    int me = kp_processor(self), status = 0;
    bool fails = *(const bool *)arg;
    kp_group *world = kp_world(self);
    for (int i = 0; i < (fails ? 5 : 20) && !status; i++)
        status = kp_concat(world, &mine, all, 1, NULL);
    if (!fails || status)
        return status;
    if (me == 1)
        return kp_fail(self, "on purpose");
    return kp_broadcast(world, room[me], sizeof room[me], 0, NULL);
}

static void described_by_a_run_that_failed(void **state)
{
    (void)state;
    kp_config config = {.processors = 3};
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    for (int i = 0; i < 5; i++) {
        bool fails = true;
        assert_int_equal(kp_machine_run(machine, one_misses_a_long_call, &fails, &report),
                         KP_EFAILED);
        fails = false;
        int status = kp_machine_run(machine, one_misses_a_long_call, &fails, &report);
        assert_good(status, &report);
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
        TEST(group_with_one_that_failed),
        TEST(without_a_reason),
        TEST(no_untaken_without_a_round),
        TEST(no_false_loss),
        TEST(time_limit),
        TEST(time_limit_and_described_memory),
        TEST(cancelled_between_runs),
        TEST(pool_after_failures),
        TEST(described_by_a_run_that_failed),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
