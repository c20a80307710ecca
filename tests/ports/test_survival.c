/* Tests what a process may do while it uses kport. It may fork while threads are parked, get
 * signals during every kind of wait, cancel a thread, and be unable to start as many threads as the
 * machine needs. */
#include "tests/common/machine_common.h"

#include <kport.h>

#include <dirent.h>
#include <grp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* --- A child process. It ends with 0, or with the line of the check that failed --- */

#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            return __LINE__;                                                                       \
        }                                                                                          \
    } while (0)

#define SKIPPED 77777

static int line_of_child(int (*body)(void *), void *argument)
{
    int line = 0, ends[2];
    if (pipe(ends) != 0) {
        return __LINE__;
    }
    pid_t child = fork();
    if (child == 0) {
        alarm(ALARM_SECONDS / 2);
        line = body(argument);
        bool told = write(ends[1], &line, sizeof line) == (ssize_t)sizeof line;
        _exit(told ? 0 : 1);
    }
    close(ends[1]);
    int status = -1;
    if (read(ends[0], &line, sizeof line) != (ssize_t)sizeof line) {
        line = __LINE__;
    }
    close(ends[0]);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? line : __LINE__;
}

static int sum_up(kp_proc *self, void *argument)
{
    int64_t sum = 0, one = 1, n = kp_size(kp_world(self));
    (void)argument;
    for (int i = 0; i < 20; i++) {
        int status = kp_allreduce(kp_world(self), &one, &sum, 1, KP_INT64, KP_SUM, NULL);
        if (status != 0 || sum != n) {
            return status != 0 ? status : WRONG_BYTES;
        }
    }
    return 0;
}

/* --- Forks --- */

static int child_is_its_own(void *argument)
{
    kp_config config = {.processors = 3};
    (void)argument;
    /* Under sanitizers and qemu the child of a process with threads cannot start threads. */
    if (SANITIZED || EMULATED) {
        return 0;
    }
    HOLDS(kp_run(&config, sum_up, NULL, NULL) == 0);
    return 0;
}

static int child_does_nothing(void *argument)
{
    (void)argument;
    return 0;
}

/* Uses objects of the parent in the child. Every call must return an error that says so. */
static int child_of_program(void *argument)
{
    kp_proc *self = argument;
    kp_plan *plan;
    kp_group *group;
    double data[16];
    kp_arguments a = {.operation = KP_CONCAT, .out = data, .in = data + 1, .b = 8};
    HOLDS(kp_barrier(kp_world(self)) == KP_EFAILED);
    HOLDS(strstr(kp_error(self)->sentence, "belongs to the parent of this process"));
    HOLDS(kp_exchange(kp_world(self), NULL, 0, NULL, 0) == KP_EFAILED);
    HOLDS(kp_plan_make(kp_world(self), &a, &plan) == KP_EFAILED);
    HOLDS(kp_group_create(self, (int[]){kp_processor(self)}, 1, &group) == KP_EFAILED);
    HOLDS(kp_fail(self, "in a child") == KP_EFAILED);
    HOLDS(kp_rank(kp_world(self)) == kp_processor(self));
    HOLDS(kp_barrier(NULL) == KP_EARGUMENT);
    HOLDS(kp_barrier((kp_group *)(void *)data) == KP_EENDED);
    return 0;
}

static _Atomic int line_of_fork;

/* Forks while the other processors are parked in the barrier, or are about to park. */
static int forks_among_parked(kp_proc *self, void *argument)
{
    int line = 0;
    if (kp_processor(self) == 0) {
        nap(3000);
        line = line_of_child(child_of_program, self);
        line = line ? line : line_of_child(child_does_nothing, NULL);
        atomic_store(&line_of_fork, line);
    }
    int status = kp_barrier(kp_world(self));
    return status != 0 ? status : sum_up(self, argument);
}

static int use_of_parent(void *argument)
{
    kp_machine *machine = argument;
    kp_proc *self;
    HOLDS(kp_machine_run(machine, sum_up, NULL, NULL) == KP_EFAILED);
    HOLDS(strstr(kp_last_error()->sentence, "belongs to the parent of this process"));
    HOLDS(kp_machine_attach(machine, 0, &self) == KP_EFAILED && !self);
    HOLDS(kp_machine_destroy(machine) == 0);
    HOLDS(kp_machine_destroy(machine) == KP_EENDED);
    return child_is_its_own(NULL);
}

static void forks(void **state)
{
    (void)state;
    for (int discipline = 0; discipline < 2; discipline++) {
        kp_config config = {.processors = 4, .discipline = (kp_discipline)discipline};
        kp_machine *machine;
        kp_report report;
        assert_int_equal(kp_machine_create(&config, &machine), 0);
        for (int i = 0; i < scaled(3, 20, 200); i++) {
            assert_good(kp_machine_run(machine, forks_among_parked, NULL, &report), &report);
            assert_int_equal(atomic_load(&line_of_fork), 0);
            /* The pool's threads are parked. The main thread, which forks here, is not one of
             * them. */
            assert_int_equal(line_of_child(use_of_parent, machine), 0);
            assert_int_equal(line_of_child(child_does_nothing, NULL), 0);
        }
        assert_good(kp_machine_run(machine, sum_up, NULL, &report), &report);
        assert_int_equal(kp_machine_destroy(machine), 0);
    }
}

/* --- Signals. The handler has no SA_RESTART, so every system call is interrupted --- */

static atomic_int shots, shooting, targets_alive;
static pthread_t targets[8];

static void on_signal(int number)
{
    (void)number;
    atomic_fetch_add(&shots, 1);
}

static void *shoot(void *argument)
{
    int n = *(int *)argument;
    while (atomic_load(&shooting)) {
        for (int i = 0; i < n && atomic_load(&targets_alive) == n; i++) {
            pthread_kill(targets[i], SIGUSR1);
        }
        nap(50); /* otherwise the threads would do nothing but handle signals */
    }
    return NULL;
}

/* Each processor is late in turn, so the others wait for it. No thread may end while it gets
 * signals, nor before the first signal. */
static int waits(kp_proc *self, void *argument)
{
    int me = kp_processor(self), n = kp_size(kp_world(self)), status = 0;
    (void)argument;
    targets[me] = pthread_self();
    atomic_fetch_add(&targets_alive, 1);
    while (me == 0 && atomic_load(&shots) == 0)
        nap(100); /* the others wait for it in their first call */
    for (int i = 0; i < 3 * n && status == 0; i++) {
        int64_t value = i, sum = 0;
        if (i % n == me) {
            nap(2000);
        }
        status = kp_broadcast(kp_world(self), &value, 8, i % n, NULL);
        status = status != 0 ? status : kp_barrier(kp_world(self));
        value = me;
        status = status != 0
                     ? status
                     : kp_allreduce(kp_world(self), &value, &sum, 1, KP_INT64, KP_SUM, NULL);
        status = status != 0 ? status : sum == n * (n - 1) / 2 ? 0 : WRONG_BYTES;
    }
    atomic_store(&shooting, 0);
    nap(5000); /* until the last signal has arrived */
    return status;
}

static void storm_on(const kp_config *config)
{
    int n = config->processors;
    kp_report report;
    pthread_t shooter;
    atomic_store(&shots, 0);
    atomic_store(&targets_alive, 0);
    atomic_store(&shooting, 1);
    assert_int_equal(pthread_create(&shooter, NULL, shoot, &n), 0);
    int status = kp_run(config, waits, NULL, &report);
    assert_int_equal(pthread_join(shooter, NULL), 0);
    assert_good(status, &report);
    assert_true(atomic_load(&shots) > 0);
}

static void signals(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = on_signal}, before;
    sigaction(SIGUSR1, &action, &before);
    for (int policy = KP_WAIT_AUTO; policy <= KP_WAIT_PARK; policy++) {
        storm_on(&(kp_config){.processors = 4, .wait = (kp_wait_policy)policy});
        storm_on(&(kp_config){
            .processors = 4, .wait = (kp_wait_policy)policy, .discipline = KP_ROUNDS_BY_MAILBOXES});
    }
    /* A signal must neither end a wait nor shorten the time limit. */
    storm_on(&(kp_config){.processors = 4, .time_limit_ms = 60000});
    if (kp_fibers() && !WATCHES_THREADS) {
        storm_on(&(kp_config){.processors = 4, .carrier = KP_CARRIER_FIBERS, .workers = 4});
    }
    sigaction(SIGUSR1, &before, NULL);
}

/* --- The time limit counts until all members have arrived at a call, but not after that --- */

#define SHOTS 4

static void on_signal_nap(int number)
{
    (void)number;
    nap(20000);
    atomic_fetch_add(&shots, 1);
}

/* Stops processor 1 at random moments, each time for longer than the time limit. */
static void *stop_one(void *argument)
{
    unsigned seed = *(unsigned *)argument;
    while (atomic_load(&shooting)) {
        seed = seed * 1103515245u + 12345u;
        nap(200 + seed / 65536 % 1000);
        if (atomic_load(&targets_alive) == 2) {
            pthread_kill(targets[1], SIGUSR1);
            nap(20000);
        }
    }
    return NULL;
}

struct late {
    kp_hints hints;
    size_t words;         /* of a block */
    bool begins_in_round; /* the call's first episode is that of round 0, and not before it */
    atomic_int within;
};

#define MOST_WORDS 1024 /* more than an eager buffer holds */

static int late_within(kp_proc *self, void *argument)
{
    struct late *late = argument;
    int me = kp_processor(self), status = 0;
    size_t counts[2] = {8 * late->words, 8 * late->words};
    int64_t out[2 * MOST_WORDS] = {0}, in[2 * MOST_WORDS] = {0};
    targets[me] = pthread_self();
    atomic_fetch_add(&targets_alive, 1);
    while (status == 0 && in[late->words] == 0) {
        out[0] = out[late->words] = me == 1 && atomic_load(&shots) >= SHOTS;
        status = kp_indexv(kp_world(self), out, counts, NULL, in, counts, NULL, &late->hints);
    }
    /* If the error is that of a later episode, all members had already arrived at the call. */
    if (status == KP_ETIMEOUT && (kp_error(self)->round >= 0) != late->begins_in_round)
        atomic_fetch_add(&late->within, 1);
    atomic_store(&shooting, 0);
    return 0;
}

static void late_in_calls(struct late *late)
{
    struct sigaction action = {.sa_handler = on_signal_nap}, before;
    kp_config config = {.processors = 2, .time_limit_ms = 4};
    kp_machine *machine;
    sigaction(SIGUSR1, &action, &before);
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    for (unsigned i = 0; i < (unsigned)scaled(16, 40, 200); i++) {
        pthread_t stopper;
        atomic_store(&shots, 0);
        atomic_store(&targets_alive, 0);
        atomic_store(&shooting, 1);
        assert_int_equal(pthread_create(&stopper, NULL, stop_one, &i), 0);
        int status = kp_machine_run(machine, late_within, late, NULL);
        assert_int_equal(pthread_join(stopper, NULL), 0);
        assert_true(status == 0 || status == KP_ETIMEOUT);
    }
    assert_int_equal(kp_machine_destroy(machine), 0);
    sigaction(SIGUSR1, &before, NULL);
    assert_int_equal(atomic_load(&late->within), 0);
}

static void late_in_a_call(void **state)
{
    (void)state;
    /* In the general way lengths are compared before round 0. A call that goes directly has round 0
     * and, if blocks are long, an episode at its end. */
    struct late generally = {.hints = {.algorithm = kp_algorithm_find(KP_INDEXV, "direct")},
                             .words = 1};
    struct late directly = {.words = MOST_WORDS, .begins_in_round = true};
    late_in_calls(&generally);
    late_in_calls(&directly);
}

/* --- Cancellation --- */

static atomic_int spins, may_cancel;

/* Computes without a call that is a cancellation point, unless the thread's cancellation type is
 * PTHREAD_CANCEL_DEFERRED. */
MAY_VANISH static int computes(kp_proc *self, void *argument)
{
    int type = *(int *)argument;
    if (kp_processor(self) != 1) {
        return keep(self, kp_barrier(kp_world(self)));
    }
    targets[1] = pthread_self();
    pthread_setcanceltype(type, NULL);
    atomic_store(&may_cancel, 1);
    for (;;) {
        atomic_fetch_add(&spins, 1);
        if (type == PTHREAD_CANCEL_DEFERRED) {
            pthread_testcancel();
        }
    }
    return 0;
}

static void *cancel_it(void *argument)
{
    (void)argument;
    while (!atomic_load(&may_cancel)) {
        sched_yield();
    }
    pthread_cancel(targets[1]);
    return NULL;
}

static void cancelled(void **state)
{
    (void)state;
    int types[] = {PTHREAD_CANCEL_DEFERRED, PTHREAD_CANCEL_ASYNCHRONOUS};
    kp_config config = {.processors = 3};
    kp_machine *machine;
    kp_report report;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    for (int i = 0; i < scaled(10, 40, 400); i++) {
        pthread_t canceller;
        atomic_store(&may_cancel, 0);
        assert_int_equal(pthread_create(&canceller, NULL, cancel_it, NULL), 0);
        int status = kp_machine_run(machine, computes, &types[SANITIZED ? 0 : i % 2], &report);
        assert_int_equal(pthread_join(canceller, NULL), 0);
        assert_int_equal(status, KP_ELOST);
        assert_outcome(0, KP_ELOST, 1);
        assert_outcome(2, KP_ELOST, 1);
        assert_good(kp_machine_run(machine, sum_up, NULL, &report), &report);
    }
    assert_int_equal(kp_machine_destroy(machine), 0);
}

/* --- More threads than the user may start --- */

#define MANY  100
#define LIMIT 30

static int count_threads(void)
{
    DIR *folder = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    if (folder) {
        closedir(folder);
    }
    return count;
}

/* Returns whether the process soon has only one thread. The kernel lists a thread for a moment
 * after it was joined. */
static bool is_alone_soon(void)
{
    for (int i = 0; i < 2000 && count_threads() != 1; i++) {
        usleep(1000);
    }
    return count_threads() == 1;
}

/* Changes to a new user, if the process belongs to root. The limit of threads does not apply to
 * root. For another user the limit counts all processes of this user, and only a new user has
 * none. */
static bool become_nobody(void)
{
    uid_t user = 400000000u + (uid_t)getpid();
    return geteuid() != 0 || (setgroups(0, NULL) == 0 && setgid(user) == 0 && setuid(user) == 0);
}

static bool limit_threads(rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NPROC, &limit) != 0) {
        return false;
    }
    limit.rlim_cur = most < limit.rlim_max ? most : limit.rlim_max;
    return setrlimit(RLIMIT_NPROC, &limit) == 0;
}

static int beyond_limit(void *argument)
{
    const kp_config *config = argument;
    bool root = geteuid() == 0;
    kp_machine *machine;
    kp_report report;
    if (!become_nobody()) {
        return SKIPPED;
    }
    HOLDS(kp_machine_create(config, &machine) == 0);
    for (int i = 0; i < 3; i++) {
        /* A user that is not new has other processes, so with a limit of 1 no thread can be
         * started. */
        HOLDS(limit_threads(root ? LIMIT : 1));
        HOLDS(kp_machine_run(machine, sum_up, NULL, &report) == KP_ETHREAD);
        HOLDS(report.error.status == KP_ETHREAD && kp_last_error()->status == KP_ETHREAD);
        HOLDS(report.started < (root ? LIMIT : 1) && report.started >= (root ? LIMIT - 4 : 0));
        HOLDS(names(report.error.sentence, report.started) && names(report.error.sentence, MANY));
        HOLDS(SANITIZED || is_alone_soon()); /* the threads that were started must have ended */
        HOLDS(limit_threads(RLIM_INFINITY));
        HOLDS(kp_machine_run(machine, sum_up, NULL, &report) == 0 && report.started == MANY);
        HOLDS(kp_machine_destroy(machine) == 0);
        HOLDS(kp_machine_create(config, &machine) == 0);
    }
    HOLDS(kp_machine_destroy(machine) == 0);
    return 0;
}

static void too_many_threads(void **state)
{
    (void)state;
    if (EMULATED) {
        skip(); /* qemu 7.2 fails an assertion when the child of a process with threads starts a
                   thread */
    }
    kp_config threads = {.processors = MANY, .stack_bytes = SMALL_STACK};
    kp_config fibers = {.processors = MANY, .carrier = KP_CARRIER_FIBERS, .workers = MANY};
    int line = line_of_child(beyond_limit, &threads);
    if (line == SKIPPED) {
        skip(); /* as in some containers, the process cannot become another user */
    }
    assert_int_equal(line, 0);
    if (kp_fibers()) {
        assert_int_equal(line_of_child(beyond_limit, &fibers), 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(forks), TEST(signals), TEST(late_in_a_call), TEST(cancelled), TEST(too_many_threads),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
