/* Tests the machine: sizes and configurations, the pool of threads, disturbances from outside
 * (signals, fork, threads that cannot be started), and that a waiting machine uses no processor
 * time. */
#include "tests/common/machine_common.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static kp_report report;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
/* As without a sanitizer, a request for too much memory must return NULL and not end the test. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void)
{
    return "allocator_may_return_null=1";
}
#endif

/* --- Threads that cannot be started. The test defines pthread_create itself, before libc's --- */

static _Atomic int starts_left = -1; /* threads that can still be started; -1: no limit */
static _Atomic int starts_done;

typedef int creator(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                   void *arg)
{
    static _Atomic(creator *) found;
    creator *real = atomic_load(&found);
    if (real == NULL) {
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
        atomic_store(&found, real);
    }
    if (atomic_load(&starts_left) == 0) {
        return EAGAIN;
    }
    if (atomic_load(&starts_left) > 0) {
        atomic_fetch_sub(&starts_left, 1);
    }
    atomic_fetch_add(&starts_done, 1);
    return real(thread, attributes, body, arg);
}

static _Atomic int programs_begun;

static int count_me(kp_proc *self, void *arg)
{
    (void)arg;
    atomic_fetch_add(&programs_begun, 1);
    return ring(kp_world(self), 20, 1);
}

static void threads_that_do_not_start(void **state)
{
    (void)state;
    THREADS_ONLY();
    for (int limit = 0; limit < 9; limit++) {
        kp_config config = {.processors = 9};
        kp_machine *machine;
        assert_int_equal(kp_machine_create(&config, &machine), 0);
        programs_begun = 0;
        starts_left = limit;
        int status = kp_machine_run(machine, count_me, NULL, &report);
        starts_left = -1;
        assert_int_equal(status, KP_ETHREAD);
        assert_int_equal(report.error.status, KP_ETHREAD);
        assert_int_equal(report.started, limit);
        assert_true(names(report.error.sentence, limit));
        assert_int_equal(programs_begun, 0);
        if (limit % 2 == 0) { /* the machine can be run again */
            status = kp_machine_run(machine, count_me, NULL, &report);
            assert_good(status, &report);
            assert_int_equal(programs_begun, 9);
        }
        assert_int_equal(kp_machine_destroy(machine), 0);
        starts_left = limit;
        status = kp_run(&config, count_me, NULL, &report);
        starts_left = -1;
        assert_int_equal(status, KP_ETHREAD);
        assert_int_equal(report.started, limit);
    }
}

static void stacks_too_large(void **state)
{
    (void)state;
    if (EMULATED) {
        skip(); /* qemu needs memory for every page of a mapping, even if the page is not touched */
    }
    /* On 64 bits the first size is 2^46, if the address space allows it. */
    static const size_t sizes[] = {SIZE_MAX >> (sizeof(size_t) > 4 ? 18 : 1), SIZE_MAX,
                                   SIZE_MAX / 2};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        kp_config config = {.processors = 3, .stack_bytes = sizes[i]};
        int status = kp_run(&config, count_me, NULL, &report);
        assert_true(status == KP_ETHREAD || status == KP_EARGUMENT || status == KP_EMEMORY);
        assert_int_equal(report.error.status, status);
        /* On 32 bits one stack of half the address space may succeed. */
        assert_in_range(report.started, 0, sizeof(size_t) > 4 ? 0 : 1);
    }
}

/* Runs out of address space. A child process does this, because the limit would stay. */
static void out_of_address_space(void **state)
{
    (void)state;
    THREADS_ONLY();
    if (SANITIZED || EMULATED) { /* qemu ignores this limit */
        skip();
    }
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {(rlim_t)700 << 20, (rlim_t)700 << 20};
        kp_config config = {.processors = 64, .ports = 1, .stack_bytes = (size_t)64 << 20};
        setrlimit(RLIMIT_AS, &limit);
        int status = kp_run(&config, count_me, NULL, &report);
        bool right = status == KP_ETHREAD && report.started > 0 && report.started < 64 &&
                     names(report.error.sentence, report.started);
        config.stack_bytes = 0;
        right = right && kp_run(&config, count_me, NULL, &report) == 0;
        _exit(right ? 0 : 1);
    }
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
}

/* --- Sizes and config --- */

static void every_size(void **state)
{
    (void)state;
    static const int all[] = {1, 2, 3, 64, 1000, 4096};
    int count = SANITIZED || level == SMALL ? 5 : 6;
    for (int i = 0; i < count; i++) {
        kp_config config = {.processors = all[i], .stack_bytes = SMALL_STACK};
        config.ports = all[i] > 64 ? 2 : 0;
        programs_begun = 0;
        int status = kp_run(&config, count_me, NULL, &report);
        assert_good(status, &report);
        assert_int_equal(report.started, threads_for(all[i]));
        assert_int_equal(programs_begun, all[i]);
        assert_int_equal(report.c1, all[i] > 1);
        assert_int_equal(report.c2, all[i] > 1 ? 20 : 0);
    }
}

/* In collectives a group of n members has at most n - 1 ports. */
static int check_ports(kp_proc *self, void *arg)
{
    int k = *(int *)arg, n = kp_size(kp_world(self)), most = n > 1 ? n - 1 : 1;
    NEED(self, kp_ports(kp_world(self)) == (k > 0 && k < most ? k : most));
    return ring(kp_world(self), 9000, 1);
}

static void every_config(void **state)
{
    (void)state;
    for (int n = 1; n <= 5; n++) {
        for (int i = -1; i <= n + 2; i++) {
            int k = i == n + 2 ? 1 << 20 : i;
            kp_config config = {.processors = n, .ports = k, .pin = k > 1 && kp_pinning()};
            config.wait = (kp_wait_policy)((n + i + 1) % 4);
            int status = kp_run(&config, check_ports, &k, &report);
            if (k < 0 || k == 1 << 20) {
                assert_int_equal(status, KP_EARGUMENT);
                assert_int_equal(kp_last_error()->status, KP_EARGUMENT);
                assert_true(names(kp_last_error()->sentence, k));
            } else {
                assert_good(status, &report);
            }
        }
    }
    assert_int_equal(kp_run(NULL, count_me, NULL, NULL), 0); /* NULL: every field has its default */
    kp_config config = {.processors = 0};
    int status = kp_run(&config, count_me, NULL, &report);
    assert_good(status, &report);
    assert_in_range(report.started, 1, sysconf(_SC_NPROCESSORS_CONF));
}

static void bad_configs(void **state)
{
    (void)state;
    static const kp_config bad[] = {
        {.processors = -1},
        {.processors = 1048576},
        {.processors = 2147483647},
        {.processors = -2147483647 - 1},
        {.processors = 2, .wait = (kp_wait_policy)9},
        {.processors = 2, .ports = 2147483647},
    };
    kp_machine *machine;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(kp_machine_create(&bad[i], &machine), KP_EARGUMENT);
        assert_int_equal(kp_last_error()->status, KP_EARGUMENT);
        assert_true(kp_last_error()->sentence[0] != '\0');
        assert_int_equal(kp_run(&bad[i], count_me, NULL, &report), KP_EARGUMENT);
    }
    assert_int_equal(kp_machine_create(&bad[0], NULL), KP_EARGUMENT);
    assert_int_equal(kp_run(NULL, NULL, NULL, NULL), KP_EARGUMENT);
    assert_int_equal(kp_machine_destroy(NULL), 0);
    kp_config huge = {.processors = 4, .eager_bytes = SIZE_MAX};
    int status = kp_run(&huge, count_me, NULL, NULL);
    assert_true(status == KP_EARGUMENT || status == KP_EMEMORY);
}

static void texts(void **state)
{
    (void)state;
    static const int all[] = {
#define VALUE(name, value, text) value,
        KP_STATUSES(VALUE)
#undef VALUE
    };
    int least = all[sizeof all / sizeof all[0] - 1];
    assert_true(least <= KP_EENDED);
    for (int status = least; status <= 0; status++) {
        assert_string_not_equal(kp_strerror(status), "unknown status");
        assert_true(kp_strerror(status)[0] != '\0');
    }
    assert_string_equal(kp_strerror(1), "unknown status");
    assert_string_equal(kp_strerror(least - 1), "unknown status");
    assert_string_equal(kp_strerror(-2147483647 - 1), "unknown status");
    assert_string_equal(kp_strerror(2147483647), "unknown status");
    assert_true(kp_version()[0] != '\0');
}

/* There is no memory for the eager buffers, but there is memory for everything else. */
static void no_memory_for_eager_buffers(void **state)
{
    (void)state;
    if (sizeof(size_t) <= 4) {
        skip(); /* on 32 bits the largest request may succeed */
    }
    for (int n = 1; n <= 64; n *= 2) {
        void *used[8];
        for (int i = 0; i < 8; i++) { /* so that fresh memory is not zero by chance */
            used[i] = malloc((size_t)n * 512);
            memset(used[i], 0xff, (size_t)n * 512);
        }
        for (int i = 0; i < 8; i++) {
            free(used[i]);
        }
        kp_config config = {.processors = n, .eager_bytes = SIZE_MAX / 8 / (size_t)n};
        kp_machine *machine;
        assert_int_equal(kp_machine_create(&config, &machine), KP_EMEMORY);
        assert_int_equal(kp_last_error()->status, KP_EMEMORY);
    }
}

/* --- The pool of threads --- */

static pthread_t carriers[3];

static int note_thread(kp_proc *self, void *arg)
{
    (void)arg;
    carriers[kp_processor(self)] = pthread_self();
    return ring(kp_world(self), 30, 2);
}

static int zero_exits(kp_proc *self, void *arg)
{
    (void)arg;
    if (kp_processor(self) == 0) {
        pthread_exit(NULL);
    }
    return 0;
}

/* A machine keeps its threads from run to run. It replaces a thread only if the thread has
 * ended. */
static void threads_are_kept(void **state)
{
    (void)state;
    THREADS_ONLY();
    kp_config config = {.processors = 3};
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    starts_done = 0;
    for (int i = 0; i < scaled(100, 1000, 10000); i++) {
        int status = kp_machine_run(machine, note_thread, NULL, &report);
        assert_good(status, &report);
    }
    assert_int_equal(starts_done, 3);
    for (int i = 1; i <= 5; i++) {
        assert_int_equal(kp_machine_run(machine, zero_exits, NULL, &report), KP_ELOST);
        int status = kp_machine_run(machine, note_thread, NULL, &report);
        assert_good(status, &report);
        assert_int_equal(report.started, 3);
        assert_int_equal(starts_done, 3 + i);
    }
    assert_int_equal(kp_machine_destroy(machine), 0);
}

/* --- Signals --- */

static _Atomic int signals_seen, signals_end, finished;
static pthread_t targets[6];
static _Atomic int targets_known;

static void see(int number)
{
    (void)number;
    atomic_fetch_add(&signals_seen, 1);
}

static int under_fire(kp_proc *self, void *arg)
{
    int rounds = *(int *)arg, me = kp_processor(self);
    uint64_t seed = (uint64_t)me;
    targets[me] = pthread_self();
    atomic_fetch_add(&targets_known, 1);
    for (int i = 0; i < rounds; i++) {
        NEED(self, ring(kp_world(self), i % 9 == 0 ? 20000 : 24, (uint64_t)i) == 0);
        random_delay(&seed, 100);
    }
    atomic_fetch_add(&finished, 1);
    while (!atomic_load(&signals_end)) { /* no thread may end while it gets signals */
        nap(1000);
    }
    return 0;
}

static void *shoot(void *arg)
{
    while (atomic_load(&targets_known) < 6) {
        sched_yield();
    }
    for (int i = 0; atomic_load(&finished) == 0; i++) {
        pthread_kill(targets[i % 6], SIGUSR1);
        if (i % 12 == 0) {
            nap(50);
        }
    }
    atomic_store(&signals_end, 1);
    return arg;
}

static void signal_storm(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = see}, old; /* without SA_RESTART */
    assert_int_equal(sigaction(SIGUSR1, &action, &old), 0);
    for (int policy = 0; policy < 4; policy++) {
        int rounds = scaled(400, 4000, 40000);
        pthread_t shooter;
        kp_config config = {.processors = 6, .wait = (kp_wait_policy)policy};
        config.time_limit_ms = policy % 2 == 0 ? 100000 : 0;
        signals_end = targets_known = signals_seen = finished = 0;
        assert_int_equal(pthread_create(&shooter, NULL, shoot, NULL), 0);
        int status = kp_run(&config, under_fire, &rounds, &report);
        assert_good(status, &report);
        assert_int_equal(pthread_join(shooter, NULL), 0);
        assert_true(signals_seen > 0);
    }
    sigaction(SIGUSR1, &old, NULL);
}

/* --- Fork --- */

/* Uses the parent's machine in the child of a fork. Returns a bit for each wrong result. */
static int in_child(kp_proc *self, kp_machine *machine)
{
    kp_proc *second;
    kp_group *group;
    alarm(240);
    int wrong = 0;
    if (self != NULL) {
        wrong |= kp_exchange(kp_world(self), NULL, 0, NULL, 0) < 0 ? 0 : 1;
        /* A sanitizer's allocator may be locked forever in the child. */
        wrong |= SANITIZED || ring(kp_world(self), 9000, 1) < 0 ? 0 : 2;
        wrong |= kp_group_create(self, (int[]){0, 1}, 2, &group) < 0 ? 0 : 4;
        wrong |= kp_error(self)->sentence[0] != '\0' ? 0 : 8;
        kp_fail(self, "in the child");
    }
    wrong |= kp_machine_run(machine, count_me, NULL, NULL) < 0 ? 0 : 16;
    wrong |= kp_machine_attach(machine, 1, &second) < 0 ? 0 : 32;
    kp_machine_destroy(machine); /* any status is right, but the call must return */
    kp_config config = {.processors = 1};
    if (!SANITIZED) { /* the child can use a new machine */
        config.processors = 4;
        wrong |= kp_run(&config, count_me, NULL, NULL) == 0 ? 0 : 64;
    }
    return wrong;
}

static int forks(kp_proc *self, void *arg)
{
    for (uint64_t i = 0; i < 6; i++) {
        NEED(self, ring(kp_world(self), 20, i) == 0);
        if (kp_processor(self) == (int)i % 2) {
            pid_t child = fork();
            if (child == 0) {
                _exit(in_child(self, arg));
            }
            int ended = 0;
            NEED(self, child > 0 && waitpid(child, &ended, 0) == child);
            NEED(self, ended == 0);
        }
    }
    return ring(kp_world(self), 9000, 1);
}

static void fork_within_a_run(void **state)
{
    (void)state;
    if (EMULATED) {
        skip(); /* under qemu the child of a process with threads cannot start threads */
    }
    kp_config config = {.processors = 3};
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    for (int i = 0; i < 3; i++) {
        int status = kp_machine_run(machine, forks, machine, &report);
        assert_good(status, &report);
    }
    assert_int_equal(kp_machine_destroy(machine), 0);
}

static void fork_beside_a_pool(void **state)
{
    (void)state;
    if (EMULATED) {
        skip(); /* under qemu the child cannot start threads */
    }
    kp_config config = {.processors = 3};
    kp_machine *machine;
    kp_proc *self;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    for (int i = 0; i < 3; i++) {
        if (i > 0) {
            assert_int_equal(kp_machine_run(machine, count_me, NULL, &report), 0);
        }
        pid_t child = fork();
        if (child == 0) {
            _exit(in_child(NULL, machine));
        }
        int ended = 0;
        assert_int_equal(waitpid(child, &ended, 0), child);
        assert_int_equal(ended, 0);
    }
    if (threads_for(3) == 3) {
        assert_int_equal(kp_machine_attach(machine, 1, &self), 0);
        assert_int_equal(kp_machine_detach(self), 0);
    }
    assert_int_equal(kp_machine_run(machine, count_me, NULL, &report), 0);
    assert_int_equal(kp_machine_destroy(machine), 0);
}

/* One processor forks while the others take the machine's lock as often as they can. */
static _Atomic int forks_left;

static int fork_among_locks(kp_proc *self, void *arg)
{
    int me = kp_processor(self);
    kp_group *kept;
    NEED(self, kp_group_create(self, (int[]){me}, 1, &kept) == 0);
    while (me != 0 && atomic_load(&forks_left) > 0) {
        kp_group *group;
        NEED(self, kp_group_create(self, (int[]){me, 0}, 2, &group) == 0);
        NEED(self, kp_group_free(group) == 0);
    }
    while (me == 0 && atomic_fetch_sub(&forks_left, 1) > 0) {
        int ended = 0;
        pid_t child = fork();
        if (child == 0) {
            alarm(80);
            kp_group_free(kept);
            kp_machine_destroy(arg);
            _exit(0);
        }
        NEED(self, child > 0 && waitpid(child, &ended, 0) == child);
        if (ended != 0) {
            atomic_store(&forks_left, 0);
        }
        NEED(self, ended == 0);
    }
    return kp_group_free(kept);
}

static void fork_while_others_hold_locks(void **state)
{
    (void)state;
    kp_config config = {.processors = 4};
    kp_machine *machine;
    forks_left = scaled(100, 500, 5000);
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    int status = kp_machine_run(machine, fork_among_locks, machine, &report);
    assert_good(status, &report);
    assert_int_equal(kp_machine_destroy(machine), 0);
}

/* Processor 1 forks, and its program returns in the child too. The child must then end. */
static int child_returns(kp_proc *self, void *arg)
{
    (void)arg;
    if (kp_processor(self) == 1) {
        int ended = 0;
        pid_t child = fork();
        if (child == 0) {
            alarm(80);
            return 0;
        }
        NEED(self, child > 0 && waitpid(child, &ended, 0) == child);
        NEED(self, WIFEXITED(ended));
    }
    return ring(kp_world(self), 20, 1);
}

static void fork_and_return(void **state)
{
    (void)state;
    kp_config config = {.processors = 3};
    if (WATCHES_MEMORY || !MAY_EXIT) { /* the memory that the child does not free is no leak */
        skip();
    }
    fflush(NULL); /* otherwise the child would write the buffered output again */
    int status = kp_run(&config, child_returns, NULL, &report);
    assert_good(status, &report);
}

/* --- A waiting machine --- */

static double used_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double used_while_waiting;

static int zero_sleeps(kp_proc *self, void *arg)
{
    (void)arg;
    NEED(self, ring(kp_world(self), 20, 1) == 0);
    if (kp_processor(self) == 0) {
        nap(50000); /* until the others wait */
        double before = used_seconds();
        nap(200000);
        used_while_waiting = used_seconds() - before;
    }
    return ring(kp_world(self), 20, 1);
}

static void idle_uses_no_time(void **state)
{
    (void)state;
    for (int policy = 0; policy < 4; policy++) {
        for (int n = 2; n <= 32; n *= 4) {
            kp_config config = {.processors = n, .wait = (kp_wait_policy)policy};
            kp_machine *machine;
            assert_int_equal(kp_machine_create(&config, &machine), 0);
            int status = kp_machine_run(machine, zero_sleeps, NULL, &report);
            assert_good(status, &report);
            assert_true(used_while_waiting < 0.1);
            double before = used_seconds();
            nap(50000);
            assert_true(used_seconds() - before < 0.03);
            assert_int_equal(kp_machine_destroy(machine), 0);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(threads_that_do_not_start),
        TEST(stacks_too_large),
        TEST(out_of_address_space),
        TEST(every_size),
        TEST(every_config),
        TEST(bad_configs),
        TEST(texts),
        TEST(no_memory_for_eager_buffers),
        TEST(threads_are_kept),
        TEST(signal_storm),
        TEST(fork_within_a_run),
        TEST(fork_beside_a_pool),
        TEST(fork_while_others_hold_locks),
        TEST(fork_and_return),
        TEST(idle_uses_no_time),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
