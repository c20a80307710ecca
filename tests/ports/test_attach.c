/* Tests machines whose processors are threads of the caller: attaching, detaching, attaching again,
 * processors that are taken already, and handles that belong to another thread. */
#include "tests/common/machine_common.h"

static kp_machine *machine;

static void make(int n, unsigned time_limit_ms)
{
    kp_config config = {.processors = n, .time_limit_ms = time_limit_ms};
    assert_int_equal(kp_machine_create(&config, &machine), 0);
}

static void unmake(void)
{
    assert_int_equal(kp_machine_destroy(machine), 0);
}

/* A thread that carries processor `number`. It runs `body`, which returns 0, or the line of the
 * check that failed. */
struct carrier {
    pthread_t thread;
    int number;
    int (*body)(int number);
    int line;
};

#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            return __LINE__;                                                                       \
        }                                                                                          \
    } while (0)

static void *carry(void *arg)
{
    struct carrier *carrier = arg;
    carrier->line = carrier->body(carrier->number);
    return NULL;
}

static void start(struct carrier *carrier, int number, int (*body)(int))
{
    *carrier = (struct carrier){.number = number, .body = body};
    assert_int_equal(pthread_create(&carrier->thread, NULL, carry, carrier), 0);
}

static void join(struct carrier *carrier)
{
    assert_int_equal(pthread_join(carrier->thread, NULL), 0);
    if (carrier->line != 0) {
        fail_msg("carrier of processor %d failed in line %d", carrier->number, carrier->line);
    }
}

static void all_carry(int n, int (*body)(int))
{
    static struct carrier carriers[MOST_PROCESSORS];
    for (int i = 0; i < n; i++) {
        start(&carriers[i], i, body);
    }
    for (int i = 0; i < n; i++) {
        join(&carriers[i]);
    }
}

/* --- Attach, work, detach --- */

static int attach_work_detach(int number)
{
    kp_proc *self;
    HOLDS(kp_machine_attach(machine, number, &self) == 0);
    HOLDS(kp_processor(self) == number);
    for (uint64_t i = 0; i < 30; i++) {
        HOLDS(ring(kp_world(self), i % 3 == 0 ? 9000 : 40, i) == 0);
    }
    HOLDS(kp_machine_detach(self) == 0);
    return 0;
}

static void usual(void **state)
{
    (void)state;
    for (int n = 1; n <= 16; n += 5) {
        make(n, 0);
        for (int times = 0; times < scaled(20, 200, 2000); times++) {
            all_carry(n, attach_work_detach);
        }
        unmake();
    }
}

static int one_program(kp_proc *self, void *arg)
{
    (void)arg;
    return ring(kp_world(self), 100, 4);
}

/* On one machine, attached threads and threads that kport starts work in turn. */
static void attached_and_run_by_turns(void **state)
{
    (void)state;
    make(4, 0);
    for (int i = 0; i < 10; i++) {
        kp_report report;
        all_carry(4, attach_work_detach);
        int status = kp_machine_run(machine, one_program, NULL, &report);
        assert_good(status, &report);
    }
    unmake();
}

/* --- Leaving while others are attached --- */

static pthread_barrier_t together, parting;

/* Processor 0 calls pthread_exit, ends without detaching, or detaches, and does so at once or late.
 * The other processors wait for it and must get KP_ELOST. */
static _Atomic int way_to_leave;

static int zero_leaves(int number)
{
    kp_proc *self;
    HOLDS(kp_machine_attach(machine, number, &self) == 0);
    pthread_barrier_wait(&together);
    HOLDS(ring(kp_world(self), 9000, 1) == 0);
    if (number == 0) {
        if (way_to_leave > 2) {
            nap(10000);
        }
        if (way_to_leave % 3 == 0) {
            pthread_exit(NULL);
        } else if (way_to_leave % 3 == 1) {
            return 0; /* the thread ends without detaching */
        }
        HOLDS(kp_machine_detach(self) == 0);
        kp_proc *again;
        HOLDS(kp_machine_attach(machine, 0, &again) == KP_EBUSY); /* because others are attached */
    } else {
        HOLDS(ring(kp_world(self), 9000, 2) == KP_ELOST);
        HOLDS(kp_error(self)->status == KP_ELOST && kp_error(self)->processor == 0);
        HOLDS(names(kp_error(self)->sentence, 0));
        HOLDS(!strstr(kp_error(self)->sentence, "its thread ended without kp_machine_detach") ==
              (way_to_leave % 3 == 2));
    }
    pthread_barrier_wait(&parting);
    if (number != 0) {
        kp_machine_detach(self);
    }
    return 0;
}

static void leaving(void **state)
{
    (void)state;
    for (int way = 0; way < 6; way++) {
        make(4, 0);
        way_to_leave = way;
        pthread_barrier_init(&together, NULL, 4);
        pthread_barrier_init(&parting, NULL, 4);
        struct carrier carriers[4];
        for (int i = 0; i < 4; i++) {
            start(&carriers[i], i, zero_leaves);
        }
        if (way % 3 != 2) { /* thread 0 has ended, so the main thread waits in its place */
            pthread_barrier_wait(&parting);
        }
        for (int i = 0; i < 4; i++) {
            join(&carriers[i]);
        }
        pthread_barrier_destroy(&together);
        pthread_barrier_destroy(&parting);
        all_carry(4, attach_work_detach); /* the machine must be as new */
        unmake();
    }
}

/* Each processor detaches as soon as its call returns. Another processor may still be reading the
 * message that this processor sent. */
static int detach_at_once(int number)
{
    kp_proc *self;
    HOLDS(kp_machine_attach(machine, number, &self) == 0);
    HOLDS(ring(kp_world(self), 4000, 1) == 0);
    HOLDS(kp_machine_detach(self) == 0);
    return 0;
}

static void detached_at_once(void **state)
{
    (void)state;
    make(3, 0);
    for (int i = 0; i < scaled(400, 4000, 40000); i++) {
        all_carry(3, detach_at_once);
    }
    unmake();
}

static int sends_and_detaches(int number)
{
    kp_proc *self;
    HOLDS(kp_machine_attach(machine, number, &self) == 0);
    kp_outgoing out = {0, 1, "untaken", 7};
    HOLDS(kp_exchange(kp_world(self), &out, number == 0, NULL, 0) == 0);
    if (number == 0) { /* Once the others are gone, nobody can take the message any more. */
        pthread_barrier_wait(&together);
    }
    int status = kp_machine_detach(self);
    HOLDS(status == (number == 0 ? KP_EUNTAKEN : 0));
    if (number != 0) {
        pthread_barrier_wait(&together);
    }
    HOLDS(number != 0 || kp_last_error()->status == KP_EUNTAKEN);
    HOLDS(number != 0 || (kp_last_error()->processor == 0 && kp_last_error()->peer == 1));
    return 0;
}

static void untaken_at_detach(void **state)
{
    (void)state;
    make(3, 0);
    pthread_barrier_init(&together, NULL, 3);
    all_carry(3, sends_and_detaches);
    pthread_barrier_destroy(&together);
    all_carry(3, attach_work_detach);
    unmake();
}

/* Each thread attaches and detaches 400 times, independently of the others. Once a thread has
 * detached, no thread can attach before all have detached. */
static int churn(int number)
{
    for (int done = 0; done < 400;) {
        kp_proc *self;
        int status = kp_machine_attach(machine, number, &self);
        HOLDS(status == 0 || status == KP_EBUSY);
        if (status == 0) {
            done++;
            HOLDS(kp_machine_detach(self) == 0);
        } else {
            sched_yield(); /* yields to the thread that keeps the machine busy */
        }
    }
    return 0;
}

static void coming_and_going(void **state)
{
    (void)state;
    make(3, 0);
    /* This must end: each thread must be able to attach again after all have detached. */
    all_carry(3, churn);
    all_carry(3, attach_work_detach);
    unmake();
}

/* --- Processors to which no thread is attached --- */

static void empty_member(void **state)
{
    (void)state;
    /* A time limit of 500 ms is enough for the three threads at the end, also on a busy
     * computer. */
    make(3, 500);
    kp_proc *self;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(kp_machine_attach(machine, i, &self), 0);
        assert_int_equal(ring(kp_world(self), 8, 1), KP_ETIMEOUT);
        assert_int_equal(kp_error(self)->status, KP_ETIMEOUT);
        assert_true(names(kp_error(self)->sentence, (i + 1) % 3));
        const char *again =
            "processors 0 (nobody has attached to it again since its thread detached), 2 (no";
        assert_true((strstr(kp_error(self)->sentence, again) != NULL) == (i == 1));
        assert_int_equal(ring(kp_world(self), 8, 1), KP_ETIMEOUT); /* the group stays unusable */
        kp_machine_detach(self);
    }
    all_carry(3, attach_work_detach);
    unmake();
}

/* The threads attach one after the other. A processor is lost only if its thread has detached. So
 * the first threads must wait for the later ones. */
static int comes_late(int number)
{
    kp_proc *self;
    nap(10000 * number);
    HOLDS(kp_machine_attach(machine, number, &self) == 0);
    HOLDS(ring(kp_world(self), 50, 1) == 0);
    HOLDS(kp_machine_detach(self) == 0);
    return 0;
}

static void slowly_filled(void **state)
{
    (void)state;
    make(4, 0);
    all_carry(4, comes_late);
    all_carry(4, comes_late);
    unmake();
}

/* All attached processors wait for each other. kport must report a deadlock although another
 * processor has no thread. */
static int crosswise(int number)
{
    kp_proc *self;
    kp_group *first, *second;
    HOLDS(kp_machine_attach(machine, number, &self) == 0);
    HOLDS(kp_group_create(self, (int[]){0, 1}, 2, &first) == 0);
    HOLDS(kp_group_create(self, (int[]){1, 0}, 2, &second) == 0);
    HOLDS(ring(number == 0 ? first : second, 8, 1) == KP_EDEADLOCK);
    HOLDS(names(kp_error(self)->sentence, 0) && names(kp_error(self)->sentence, 1));
    kp_machine_detach(self);
    return 0;
}

static void deadlock_of_attached(void **state)
{
    (void)state;
    make(2, 0);
    for (int i = 0; i < scaled(50, 500, 5000); i++) {
        all_carry(2, crosswise);
    }
    all_carry(2, attach_work_detach);
    unmake();
}

/* --- Processors that are taken, and invalid arguments --- */

static int other_thread_tries(int number)
{
    kp_proc *self;
    HOLDS(kp_machine_attach(machine, number, &self) == KP_EBUSY);
    HOLDS(kp_last_error()->status == KP_EBUSY && kp_last_error()->sentence[0] != '\0');
    HOLDS(kp_machine_run(machine, one_program, NULL, NULL) == KP_EBUSY);
    HOLDS(kp_machine_destroy(machine) == KP_EBUSY);
    return 0;
}

static void busy_while_attached(void **state)
{
    (void)state;
    make(2, 0);
    kp_machine *kept = machine, *another;
    kp_config config = {.processors = 1};
    assert_int_equal(kp_machine_create(&config, &another), 0);
    kp_proc *self, *second;
    assert_int_equal(kp_machine_attach(machine, 0, &self), 0);
    assert_int_equal(kp_machine_attach(machine, 0, &second), KP_EBUSY);
    /* This thread carries processor 0 already. */
    assert_int_equal(kp_machine_attach(machine, 1, &second), KP_EBUSY);
    assert_int_equal(kp_machine_attach(another, 0, &second), KP_EBUSY);
    struct carrier carrier;
    start(&carrier, 0, other_thread_tries);
    join(&carrier);
    assert_int_equal(kp_machine_run(machine, one_program, NULL, NULL), KP_EBUSY);
    assert_int_equal(kp_machine_destroy(machine), KP_EBUSY);
    assert_int_equal(kp_machine_destroy(another), 0);
    assert_int_equal(kp_machine_detach(self), 0);
    assert_ptr_equal(machine, kept);
    all_carry(2, attach_work_detach);
    unmake();
}

static void bad_arguments(void **state)
{
    (void)state;
    make(2, 0);
    kp_proc *self;
    assert_int_equal(kp_machine_attach(machine, 2, &self), KP_EARGUMENT);
    assert_int_equal(kp_machine_attach(machine, -1, &self), KP_EARGUMENT);
    assert_int_equal(kp_machine_attach(machine, 0, NULL), KP_EARGUMENT);
    assert_int_equal(kp_machine_attach(NULL, 0, &self), KP_EARGUMENT);
    assert_int_equal(kp_last_error()->status, KP_EARGUMENT);
    assert_int_equal(kp_machine_run(machine, NULL, NULL, NULL), KP_EARGUMENT);
    assert_int_equal(kp_machine_run(NULL, one_program, NULL, NULL), KP_EARGUMENT);
    assert_int_equal(kp_machine_detach(NULL), KP_EARGUMENT);
    all_carry(2, attach_work_detach);
    unmake();
}

/* --- Attaching within a run, and several machines at the same time --- */

static int meddle(kp_proc *self, void *arg)
{
    (void)arg;
    kp_proc *second;
    kp_machine *inner;
    kp_config config = {.processors = 3};
    NEED(self, kp_machine_run(machine, one_program, NULL, NULL) == KP_EBUSY);
    NEED(self, kp_machine_destroy(machine) == KP_EBUSY);
    NEED(self, kp_machine_attach(machine, 0, &second) == KP_EBUSY);
    NEED(self, kp_machine_create(&config, &inner) == 0);
    /* This thread carries a processor already. */
    NEED(self, kp_machine_attach(inner, 0, &second) == KP_EBUSY);
    NEED(self, kp_machine_detach(self) != 0);
    NEED(self, ring(kp_world(self), 10, 1) == 0); /* this thread still carries its processor */
    for (int i = 0; i < 3; i++) {
        NEED(self, kp_machine_run(inner, one_program, NULL, NULL) == 0);
        NEED(self, kp_run(&config, one_program, NULL, NULL) == 0);
    }
    NEED(self, kp_machine_destroy(inner) == 0);
    return ring(kp_world(self), 10, 1);
}

static void busy_and_nested(void **state)
{
    (void)state;
    make(4, 0);
    for (int i = 0; i < 5; i++) {
        kp_report report;
        int status = kp_machine_run(machine, meddle, NULL, &report);
        assert_good(status, &report);
    }
    unmake();
}

static void *runs_of_its_own(void *arg)
{
    for (int i = 0; i < scaled(20, 200, 2000); i++) {
        kp_config config = {.processors = 1 + i % 5};
        if (kp_run(&config, one_program, NULL, NULL) != 0) {
            return NULL;
        }
    }
    return arg;
}

static void many_machines_at_once(void **state)
{
    (void)state;
    pthread_t threads[8];
    for (int i = 0; i < 8; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, runs_of_its_own, &machine), 0);
    }
    for (int i = 0; i < 8; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_ptr_equal(result, &machine);
    }
}

/* --- Handles of another thread --- */

static kp_proc *not_mine;

static int uses_another_s(int number)
{
    (void)number;
    kp_group *group;
    HOLDS(kp_exchange(kp_world(not_mine), NULL, 0, NULL, 0) == KP_EWRONGTHREAD);
    HOLDS(kp_last_error()->status == KP_EWRONGTHREAD);
    HOLDS(kp_group_create(not_mine, (int[]){0}, 1, &group) == KP_EWRONGTHREAD);
    HOLDS(kp_fail(not_mine, "not I") == KP_EWRONGTHREAD);
    HOLDS(kp_machine_detach(not_mine) == KP_EWRONGTHREAD);
    return 0;
}

static void wrong_thread(void **state)
{
    (void)state;
    make(1, 0);
    assert_int_equal(kp_machine_attach(machine, 0, &not_mine), 0);
    struct carrier carrier;
    start(&carrier, 0, uses_another_s);
    join(&carrier);
    assert_int_equal(ring(kp_world(not_mine), 8, 1), 0);
    assert_int_equal(kp_machine_detach(not_mine), 0);
    unmake();
}

/* kp_fail must work on an attached thread as in a run: the other processor gets the reason. */
static int one_fails(int number)
{
    kp_proc *self;
    HOLDS(kp_machine_attach(machine, number, &self) == 0);
    pthread_barrier_wait(&together);
    if (number == 1) {
        HOLDS(kp_fail(self, "out of paper") == KP_EFAILED);
    } else {
        HOLDS(ring(kp_world(self), 8, 1) == KP_EFAILED);
        HOLDS(kp_error(self)->processor == 1);
        HOLDS(strstr(kp_error(self)->sentence, "out of paper") != NULL);
    }
    pthread_barrier_wait(&together);
    kp_machine_detach(self);
    return 0;
}

static void failing(void **state)
{
    (void)state;
    make(2, 0);
    pthread_barrier_init(&together, NULL, 2);
    for (int i = 0; i < 20; i++) {
        all_carry(2, one_fails);
    }
    pthread_barrier_destroy(&together);
    all_carry(2, attach_work_detach);
    unmake();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(usual),
        TEST(attached_and_run_by_turns),
        TEST(leaving),
        TEST(detached_at_once),
        TEST(untaken_at_detach),
        TEST(coming_and_going),
        TEST(empty_member),
        TEST(slowly_filled),
        TEST(deadlock_of_attached),
        TEST(busy_while_attached),
        TEST(bad_arguments),
        TEST(busy_and_nested),
        TEST(many_machines_at_once),
        TEST(wrong_thread),
        TEST(failing),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
