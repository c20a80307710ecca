/* Tests the diagnoses of failures. on_failure must be called once for each failure, and must get
 * what every processor was really doing. The tests run on threads and fibers, by the barrier and by
 * mailboxes. */
#include "tests/common/diagnosis_common.h"

#include "ports/machine_data.h"

#include <signal.h>

/* --- Deadlocks --- */

/* Each processor waits in the pair with its right neighbour, which waits in the next pair. */
static int circle(kp_proc *self, void *arg)
{
    int n = kp_size(kp_world(self)), me = kp_processor(self), right = (me + 1) % n;
    kp_group *mine, *other;
    (void)arg;
    NEED(self, kp_group_create(self, (int[]){me, right}, 2, &mine) == 0);
    NEED(self, kp_group_create(self, (int[]){(me + n - 1) % n, me}, 2, &other) == 0);
    int status = keep(self, kp_barrier(mine));
    kp_group_free(mine);
    kp_group_free(other);
    return status;
}

static void a_circle_is_told_once_with_all_on_it(void **state)
{
    (void)state;
    static const int sizes[] = {2, 3, 12};
    for (size_t m = 0; m < MACHINES; m++) {
        for (size_t s = 0; s < 3 && can_be(&machines[m]); s++) {
            int n = sizes[s];
            assert_int_equal(run_on(&machines[m], n, 0, circle, NULL), KP_EDEADLOCK);
            assert_told_once();
            assert_told(0, KP_DIAGNOSIS_DEADLOCK, KP_EDEADLOCK, n);
            json_t *cycle = json_object_get(told[0].json, "concerned");
            assert_int_equal(json_array_size(cycle), n);
            for (int p = 0; p < n; p++) {
                int right = (p + 1) % n;
                assert_waits(0, p, "kp_barrier", &right, 1);
                assert_int_equal(number(0, p, "round"), 0);
                assert_true(number(0, p, "waited_ms") >= 0);
                json_t *group = json_object_get(of_processor(0, p), "group");
                assert_int_equal(json_integer_value(json_array_get(group, 0)), p);
                assert_int_equal(json_integer_value(json_array_get(group, 1)), right);
                long here = json_integer_value(json_array_get(cycle, (size_t)p));
                long next = json_integer_value(json_array_get(cycle, (size_t)(p + 1) % (size_t)n));
                assert_int_equal(next, (here + 1) % n);
            }
            assert_holds(0, "0 waits for 1, 1 waits for");
        }
    }
    forget();
}

/* Processor 0 waits for processor 1 in a gather, and processor 1 waits for processor 0 in a
 * barrier. */
static int gather_against_barrier(kp_proc *self, void *arg)
{
    int64_t one = 1, all[2];
    kp_group *world = kp_world(self), *other;
    (void)arg;
    NEED(self, kp_group_create(self, (int[]){1, 0}, 2, &other) == 0);
    int status = kp_processor(self) == 0 ? kp_gather(world, &one, all, sizeof one, 0, NULL)
                                         : kp_barrier(other);
    kp_group_free(other);
    return keep(self, status);
}

static void a_mailbox_is_waited_for_by_port(void **state)
{
    (void)state;
    static const int others[] = {1, 0};
    for (size_t m = 0; m < MACHINES; m++) {
        if (!can_be(&machines[m])) {
            continue;
        }
        assert_int_equal(run_on(&machines[m], 2, 0, gather_against_barrier, NULL), KP_EDEADLOCK);
        assert_told_once();
        assert_told(0, KP_DIAGNOSIS_DEADLOCK, KP_EDEADLOCK, 2);
        assert_concerned(0, others, 2);
        assert_waits(0, 0, "gather", &others[0], 1);
        assert_waits(0, 1, "kp_barrier", &others[1], 1);
        bool mail = machines[m].discipline == KP_ROUNDS_BY_MAILBOXES;
        assert_int_equal(number(0, 0, "port"), mail ? 0 : -1);
        assert_word(0, 0, "group", "world");
    }
    forget();
}

/* --- Losses --- */

#define GONE 2

enum way {
    BY_RETURN,
    BY_NUMBER,
    BY_KP_FAIL,
    BY_EXIT,
};

/* The calls in which the other processors wait. None of these calls can end without the processor
 * that is gone. */
static int wait_in_barrier(kp_group *world)
{
    return kp_barrier(world);
}

static int wait_in_index(kp_group *world)
{
    int64_t out[MOST_PROCESSORS] = {0}, in[MOST_PROCESSORS];
    return kp_index(world, out, in, sizeof out[0], NULL);
}

static int wait_in_long_index(kp_group *world)
{
    static char out[5 << 14];
    char *in = malloc(sizeof out);
    int status = kp_index(world, out, in, sizeof out / 5, NULL);
    free(in);
    return status;
}

static int wait_in_broadcast(kp_group *world)
{
    int64_t value = 0;
    return kp_broadcast(world, &value, sizeof value, GONE, NULL);
}

static int wait_in_exchange(kp_group *world)
{
    return kp_exchange(world, NULL, 0, NULL, 0);
}

static int wait_in_lengths(kp_group *world)
{
    size_t counts[] = {1, 1, 1, 1, 1};
    char in[5];
    return kp_concatv(world, "", 1, in, counts, NULL, NULL);
}

static int (*const waits[])(kp_group *) = {wait_in_barrier,  wait_in_index,   wait_in_broadcast,
                                           wait_in_exchange, wait_in_lengths, wait_in_long_index};
#define WAITS (sizeof waits / sizeof waits[0])

struct leaving {
    enum way way;
    size_t wait;
};

MAY_VANISH static int one_leaves(kp_proc *self, void *arg)
{
    const struct leaving *leaving = arg;
    kp_group *world = kp_world(self);
    NEED(self, kp_barrier(world) == 0);
    if (kp_processor(self) != GONE) {
        return keep(self, waits[leaving->wait](world));
    }
    switch (leaving->way) {
    case BY_NUMBER:
        return 42;
    case BY_KP_FAIL:
        return kp_fail(self, "the cat has eaten the data");
    case BY_EXIT:
        pthread_exit(NULL);
    default:
        return 0;
    }
}

static void a_loss_is_told_once_and_named(void **state)
{
    (void)state;
    static const int gone = GONE;
    static const struct {
        enum way way;
        kp_diagnosis_kind kind;
        int status;
    } ways[] = {
        {BY_RETURN, KP_DIAGNOSIS_LOST, KP_ELOST},
        {BY_NUMBER, KP_DIAGNOSIS_FAILED, KP_EFAILED},
        {BY_KP_FAIL, KP_DIAGNOSIS_FAILED, KP_EFAILED},
        {BY_EXIT, KP_DIAGNOSIS_LOST, KP_ELOST},
    };
    for (size_t m = 0; m < MACHINES; m++) {
        for (size_t i = 0; i < WAITS * sizeof ways / sizeof ways[0] && can_be(&machines[m]); i++) {
            size_t w = i / WAITS;
            enum way way = ways[w].way;
            struct leaving leaving = {way, i % WAITS};
            if (way == BY_EXIT && WATCHES_THREADS && machines[m].carrier == KP_CARRIER_FIBERS) {
                continue;
            }
            assert_int_not_equal(run_on(&machines[m], 5, 0, one_leaves, &leaving), 0);
            assert_told_once();
            assert_told(0, ways[w].kind, ways[w].status, 5);
            assert_concerned(0, &gone, 1);
            if (way != BY_KP_FAIL) {
                assert_word(0, GONE, "activity", "ended");
            }
            assert_non_null(strstr(word(0, GONE, "end"), "processor 2"));
            for (int p = 0; p < 5; p++) {
                if (p != GONE && outcomes[p].error.processor != GONE) {
                    fail_msg("machine %zu, way %zu, wait %zu, processor %d: %s", m, w, i % WAITS, p,
                             outcomes[p].error.sentence);
                }
            }
        }
    }
    forget();
}

/* --- Members whose calls differ --- */

static int one_differs(kp_proc *self, void *arg)
{
    int64_t value = 0, sum = 0;
    bool odd = kp_processor(self) == 1, refuses = *(bool *)arg;
    kp_group *world = kp_world(self);
    NEED(self, kp_barrier(world) == 0);
    int status = keep(self, kp_allreduce(world, odd && refuses ? NULL : &value, &sum, 1,
                                         odd && !refuses ? KP_INT32 : KP_INT64, KP_SUM, NULL));
    NEED(self, status != 0);
    return kp_barrier(world); /* by the barrier the group still works */
}

static void a_disagreement_is_told_once(void **state)
{
    (void)state;
    static const int odd = 1;
    for (size_t m = 0; m < MACHINES; m++) {
        for (int refuses = 0; refuses < 2 && can_be(&machines[m]); refuses++) {
            bool argument = refuses;
            (void)!run_on(&machines[m], 4, 0, one_differs, &argument);
            assert_told_once();
            assert_told(0, refuses ? KP_DIAGNOSIS_REFUSED : KP_DIAGNOSIS_MISMATCH,
                        refuses ? KP_EPEER : KP_EMISMATCH, 4);
            assert_holds(0, refuses ? "out is NULL" : "type=int32");
            assert_holds(0, "test_diagnosis.c:");
            if (refuses) {
                assert_concerned(0, &odd, 1);
            }
            if (machines[m].discipline == KP_ROUNDS_BY_MAILBOXES) {
                continue;
            }
            assert_true(is_concerned(0, odd));
            for (int p = 0; p < 4; p++) {
                assert_word(0, p, "activity", "inside");
                assert_word(0, p, "operation", "allreduce");
                bool type = strstr(word(0, p, "call"), "type=int32");
                assert_int_equal(type, p == odd && !refuses);
            }
        }
    }
    forget();
}

/* Each member names a different root. The comparison adds up the fingerprints of all members'
 * calls, and the sum must not be n times the fingerprint of the last member's call. */
static int every_root(kp_proc *self, void *arg)
{
    int n = kp_size(kp_world(self)), me = kp_processor(self);
    int64_t value = me, sum = 0;
    for (int i = 0; i < n; i++) {
        int root = (me + i) % n;
        if (me == *(int *)arg) {
            nap(300);
        }
        NEED(self, kp_broadcast(kp_world(self), &value, sizeof value, root, NULL) == KP_EMISMATCH);
        NEED(self, kp_reduce(kp_world(self), &value, &sum, 1, KP_INT64, KP_SUM, root, NULL) ==
                       KP_EMISMATCH);
        NEED(self, value == me);
    }
    return 0;
}

static void roots_in_a_row_are_different_calls(void **state)
{
    (void)state;
    for (size_t m = 0; m < MACHINES; m++) {
        for (int n = 2; n <= 5 && machines[m].discipline == KP_ROUNDS_BY_BARRIER; n++) {
            for (int last = 0; last < n && can_be(&machines[m]); last++) {
                assert_int_equal(run_on(&machines[m], n, 0, every_root, &last), 0);
                assert_int_equal(times, 2 * n);
            }
        }
    }
    forget();
}

/* --- A processor that is late --- */

static _Atomic int over;

/* Processor LATE arrives only when the others have given up. */
#define LATE 1 /* the last processor of its worker */

static int one_is_late(kp_proc *self, void *arg)
{
    int64_t value = 0;
    kp_group *world = kp_world(self);
    (void)arg;
    for (int i = 0; i < 4000 && kp_processor(self) == LATE && !atomic_load(&over); i++) {
        nap(1000);
    }
    int status = keep(self, kp_broadcast(world, &value, sizeof value, LATE, NULL));
    atomic_store(&over, 1);
    return status;
}

static void the_late_one_is_named_with_the_times_of_those_who_wait(void **state)
{
    (void)state;
    static const int late = LATE;
    for (size_t m = 0; m < MACHINES; m++) {
        if (!can_be(&machines[m]) || machines[m].workers == 1) {
            continue; /* a processor that blocks its only worker cannot be found late */
        }
        atomic_store(&over, 0);
        assert_int_equal(run_on(&machines[m], 4, 60, one_is_late, NULL), KP_ETIMEOUT);
        assert_told_once();
        assert_told(0, KP_DIAGNOSIS_LATE, KP_ETIMEOUT, 4);
        assert_concerned(0, &late, 1);
        assert_word(0, late, "activity", "outside");
        /* When LATE is reported, others may be giving up too, or may only just be arriving. */
        int waiting = 0;
        for (int p = 0; p < 4; p++) {
            json_t *list = json_object_get(of_processor(0, p), "waits_for");
            if (p == LATE || strcmp(word(0, p, "activity"), "waiting") != 0) {
                continue;
            }
            assert_non_null(strstr(word(0, p, "file"), "test_diagnosis.c"));
            assert_true(json_array_size(list) > 0);
            waiting += number(0, p, "waited_ms") >= 50 && json_array_size(list) == 1 &&
                       json_integer_value(json_array_get(list, 0)) == LATE &&
                       strcmp(word(0, p, "operation"), "broadcast") == 0 &&
                       strstr(word(0, p, "way"), "; ") != NULL;
        }
        assert_true(waiting > 0);
    }
    forget();
}

/* --- Calls that are left by longjmp --- */

static jmp_buf jumps[MOST_PROCESSORS];

/* The operator of all processors. At the root it jumps out of the call. */
static void combine(void *to, const void *left, const void *right, size_t elements, void *context)
{
    (void)right;
    if (context) {
        longjmp(*(jmp_buf *)context, 1);
    }
    memmove(to, left, elements * 8);
}

static int left_line; /* the line of the call that the root leaves */

/* The root jumps out of a call. Then it makes another call, or it ends. */
static int leave_by_a_jump(kp_proc *self, void *arg)
{
    int64_t value = 1, sum = 0;
    kp_group *world = kp_world(self);
    kp_operator op = {.combine = combine,
                      .context = kp_processor(self) == 0 ? &jumps[0] : NULL,
                      .element_bytes = 8};
    if (kp_processor(self) != 0 || setjmp(jumps[0]) == 0) {
        if (kp_processor(self) == 0) {
            left_line = __LINE__ + 2;
        }
        int status = kp_reduce(world, &value, &sum, 1, KP_OPAQUE, &op, 0, NULL);
        return keep(self, status ? status : kp_barrier(world));
    }
    if (!*(bool *)arg) {
        return 0;
    }
    int status = keep(self, kp_barrier(world));
    int line = __LINE__ + 1;
    NEED(self, kp_barrier(world) == status); /* the same error, with the line of this call */
    NEED(self, kp_error(self)->line == line);
    return status;
}

static void a_jump_is_known_at_the_next_call_or_the_end(void **state)
{
    (void)state;
    static const int jumper = 0;
    char left[40];
    for (size_t m = 0; m < MACHINES; m++) {
        for (int calls = 0; calls < 2 && can_be(&machines[m]); calls++) {
            bool again = calls;
            assert_int_equal(run_on(&machines[m], 2, 0, leave_by_a_jump, &again), KP_EFAILED);
            assert_int_equal(report.error.processor, 0);
            assert_told_once();
            assert_told(0, KP_DIAGNOSIS_FAILED, KP_EFAILED, 2);
            assert_concerned(0, &jumper, 1);
            assert_holds(0, "longjmp");
            snprintf(left, sizeof left, "test_diagnosis.c:%d)", left_line);
            assert_holds(0, left);
            assert_outcome(1, KP_EFAILED, 0);
            if (again) {
                assert_outcome(0, KP_EFAILED, 0);
            }
        }
    }
    forget();
}

static sigjmp_buf out_of_the_wait;
static pthread_t sleeper;
static _Atomic(kp_proc *) sleeps;
static atomic_bool has_jumped;

static void jump(int number)
{
    (void)number;
    siglongjmp(out_of_the_wait, 1);
}

/* Waits in a barrier. Once this processor has parked, processor 1 sends a signal, whose handler
 * jumps out of the barrier. */
static int leave_a_wait(kp_proc *self)
{
    sleeper = pthread_self();
    atomic_store(&sleeps, self);
    if (sigsetjmp(out_of_the_wait, 1) == 0)
        return kp_barrier(kp_world(self));
    int status = keep(self, kp_barrier(kp_world(self)));
    atomic_store(&has_jumped, true);
    return status;
}

/* Processor 0 leaves a wait by a jump, while processors 1 and 2 wait for each other in two
 * groups. */
static int a_deadlock_after_a_jump(kp_proc *self, void *arg)
{
    const int me = kp_processor(self), both[] = {1, 2}, turned[] = {2, 1};
    kp_group *first, *second;
    (void)arg;
    if (me == 0)
        return leave_a_wait(self);
    NEED(self, kp_group_create(self, both, 2, &first) == 0);
    NEED(self, kp_group_create(self, turned, 2, &second) == 0);
    if (me == 1) {
        while (!atomic_load(&sleeps) || !kp_is_parked(atomic_load(&sleeps)->parked))
            sched_yield();
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        pthread_kill(sleeper, SIGUSR1);
    }
    while (!atomic_load(&has_jumped))
        sched_yield();
    return keep(self, kp_barrier(me == 1 ? first : second));
}

static void a_jump_out_of_a_wait_ends_the_wait(void **state)
{
    (void)state;
    /* ThreadSanitizer delays signals. A jump out of a condition variable would leave its mutex
     * locked. */
    if (WATCHES_THREADS || strcmp(kp_waiting(), "futexes") != 0)
        skip();
    struct sigaction before, action = {.sa_handler = jump};
    const kp_config config = {.processors = 3, .wait = KP_WAIT_PARK, .time_limit_ms = 20000};
    assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
    assert_int_equal(kp_run(&config, a_deadlock_after_a_jump, NULL, NULL), KP_EFAILED);
    assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
    assert_int_equal(outcomes[0].status, KP_EFAILED);
    assert_non_null(strstr(outcomes[0].error.sentence, "longjmp"));
    /* Processor 0 no longer counts as waiting, but the deadlock of the two others is found. */
    assert_int_equal(outcomes[1].status, KP_EDEADLOCK);
    assert_int_equal(outcomes[2].status, KP_EDEADLOCK);
}

/* --- A run after a failure --- */

static void the_next_run_is_as_new(void **state)
{
    (void)state;
    struct leaving ways[] = {{BY_RETURN, 0}, {BY_NUMBER, 1}, {BY_KP_FAIL, 2}};
    bool argument = false;
    int rounds = 5;
    for (size_t m = 0; m < MACHINES; m++) {
        kp_config config = {.processors = 5,
                            .carrier = machines[m].carrier,
                            .workers = machines[m].workers,
                            .discipline = machines[m].discipline,
                            .on_failure = hear};
        kp_machine *machine;
        if (!can_be(&machines[m])) {
            continue;
        }
        assert_int_equal(kp_machine_create(&config, &machine), 0);
        for (size_t w = 0; w < sizeof ways / sizeof ways[0] + 2; w++) {
            forget();
            if (w < sizeof ways / sizeof ways[0]) {
                assert_int_not_equal(kp_machine_run(machine, one_leaves, &ways[w], NULL), 0);
            } else if (w == sizeof ways / sizeof ways[0]) {
                assert_int_equal(kp_machine_run(machine, circle, NULL, NULL), KP_EDEADLOCK);
            } else {
                (void)!kp_machine_run(machine, one_differs, &argument, NULL);
            }
            assert_told_once();
            assert_good(kp_machine_run(machine, work, &rounds, &report), &report);
            assert_told_once();
        }
        assert_int_equal(kp_machine_destroy(machine), 0);
    }
    forget();
}

int main(int argc, char **argv)
{
    read_level(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(a_circle_is_told_once_with_all_on_it),
        TEST(a_mailbox_is_waited_for_by_port),
        TEST(a_loss_is_told_once_and_named),
        TEST(a_disagreement_is_told_once),
        TEST(roots_in_a_row_are_different_calls),
        TEST(the_late_one_is_named_with_the_times_of_those_who_wait),
        TEST(a_jump_is_known_at_the_next_call_or_the_end),
        TEST(a_jump_out_of_a_wait_ends_the_wait),
        TEST(the_next_run_is_as_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
