/* Tests what a program may rely on: which requests end without whom, when requests go on, and that
 * starting them allocates nothing once their memory is there. */
#include <kport.h>

#include "tests/common/allocations.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MEMBERS 4
#define MANY    30

static atomic_int root_has_ended;

/* The root's request of a short broadcast ends although no other member has started it yet. */
static int root_alone(kp_proc *self, void *argument)
{
    kp_group *w = kp_world(self);
    const int root = 2;
    char data[40] = "x";
    kp_request *r;
    (void)argument;
    if (kp_rank(w) == root)
        strcpy(data, "what the root has to say");
    while (kp_rank(w) != root && !atomic_load(&root_has_ended))
        sched_yield();
    int status = kp_broadcast_start(w, data, sizeof data, root, NULL, &r);
    status = status ? status : kp_wait(&r);
    atomic_store(&root_has_ended, 1);
    return status || strcmp(data, "what the root has to say") != 0;
}

/* Rank 0 waits until all others have started. They then wait in a blocking call. */
static int start_late(kp_group *w, const int *out, int *in, const kp_hints *hints, kp_request **r)
{
    int status = 0;
    for (int i = 1; i < MEMBERS && !status && kp_rank(w) == 0; i++)
        status = kp_receive(w, NULL, 0, KP_ANY_SOURCE, 0, NULL);
    status = status ? status : kp_index_start(w, out, in, sizeof *out, hints, r);
    return status || kp_rank(w) == 0 ? status : kp_send(w, NULL, 0, 0, 0);
}

/* A request of several rounds goes on while its processor waits in a blocking call of another
 * group. Rank 0 waits for the request before it comes to that call. */
static int while_blocked(kp_proc *self, void *argument)
{
    kp_group *w = kp_world(self), *other;
    const int list[] = {3, 2, 1, 0}, me = kp_rank(w);
    const kp_hints radix = {.algorithm = kp_algorithm_find(KP_INDEX, "radix"), .values = {2}};
    int out[MEMBERS], in[MEMBERS];
    kp_request *r;
    (void)argument;
    for (int i = 0; i < MEMBERS; i++)
        out[i] = 10 * me + i;
    int status = kp_group_create(self, list, MEMBERS, &other);
    status = status ? status : start_late(w, out, in, &radix, &r);
    if (me == 0)
        status = status ? status : kp_wait(&r);
    status = status ? status : kp_barrier(other);
    status = status ? status : kp_wait(&r);
    for (int i = 0; i < MEMBERS && !status; i++)
        status = in[i] != 10 * i + me;
    return status ? status : kp_group_free(other);
}

/* A processor that only tests lets the others run, on one thread too. */
static int only_tests(kp_proc *self, void *argument)
{
    kp_group *w = kp_world(self);
    int one = kp_rank(w) + 1, all = 0, ended = 0;
    kp_request *r;
    (void)argument;
    int status = kp_allreduce_start(w, &one, &all, 1, KP_INT32, KP_SUM, NULL, &r);
    while (!status && !ended)
        status = kp_test(&r, &ended);
    return status || all != MEMBERS * (MEMBERS + 1) / 2;
}

/* More requests than lanes, which end in any order. All are waited for at once. */
static int many(kp_proc *self, void *argument)
{
    kp_group *w = kp_world(self);
    int data[MANY], left = MANY, status = 0;
    kp_request *r[MANY];
    (void)argument;
    for (int i = 0; i < MANY && !status; i++) {
        data[i] = kp_rank(w) == i % MEMBERS ? i : -1;
        status = kp_broadcast_start(w, &data[i], sizeof data[i], i % MEMBERS, NULL, &r[i]);
    }
    while (left > 0 && !status) {
        int ended, which[MANY];
        status = kp_wait_some(MANY, r, &ended, which);
        left -= ended;
    }
    for (int i = 0; i < MANY && !status; i++)
        status = data[i] != i;
    return status;
}

static int round_of_calls(kp_group *w, kp_plan *plan, double *data)
{
    kp_request *r[4];
    int status = kp_index_start(w, data, data + 8, sizeof *data, NULL, &r[0]);
    status = status ? status : kp_plan_start(plan, &r[1]);
    status = status ? status
                    : kp_allreduce_start(w, data, data + 16, 1, KP_FLOAT64, KP_SUM, NULL, &r[2]);
    status = status ? status : kp_barrier_start(w, &r[3]);
    return status ? status : kp_wait_all(4, r);
}

static int allocates_nothing(kp_proc *self, void *argument)
{
    kp_group *w = kp_world(self);
    double data[32] = {0};
    const kp_arguments a = {.operation = KP_BROADCAST, .in = data + 24, .b = sizeof *data};
    kp_plan *plan;
    int *allocated = argument, status = kp_plan_make(w, &a, &plan);
    for (int i = 0; i < 8 && !status; i++)
        status = round_of_calls(w, plan, data);
    status = status ? status : kp_barrier(w);
    const int before = atomic_load(&allocations);
    status = status ? status : kp_barrier(w);
    for (int i = 0; i < 8 && !status; i++)
        status = round_of_calls(w, plan, data);
    status = status ? status : kp_barrier(w);
    allocated[kp_rank(w)] = atomic_load(&allocations) - before;
    status = status ? status : kp_barrier(w);
    return status ? status : kp_plan_free(plan);
}

/* Rank 0 starts its part and makes no call until the others have got all they need from it. Only a
 * progress thread can do this part meanwhile. */
static atomic_int others_have_ended;

static int computes(kp_proc *self, void *argument)
{
    kp_group *w = kp_world(self);
    const kp_hints radix = {.algorithm = kp_algorithm_find(KP_INDEX, "radix"), .values = {2}};
    static char message[2][100000];
    int out[MEMBERS], in[MEMBERS], started = 0, me = kp_rank(w), status = 0;
    kp_request *r[3] = {NULL};
    for (int i = 0; i < MEMBERS; i++)
        out[i] = 10 * me + i;
    if (me == 0)
        status = kp_receive_start(w, message[0], sizeof message[0], 1, 5, NULL, &r[started++]);
    if (me == 1)
        status = kp_send_start(w, message[1], sizeof message[1], 0, 5, &r[started++]);
    status = status ? status : kp_index_start(w, out, in, sizeof *out, &radix, &r[started++]);
    if (argument)
        status = status ? status : kp_barrier_start(w, &r[started++]);
    while (me == 0 && !status && atomic_load(&others_have_ended) < MEMBERS - 1)
        sched_yield();
    status = status ? status : kp_wait_all(started, r);
    for (int i = 0; i < MEMBERS && !status; i++)
        status = in[i] != 10 * i + me;
    atomic_fetch_add(&others_have_ended, 1);
    return status;
}

static void a_progress_thread_goes_on(void **state)
{
    int with_barrier = 1;
    (void)state;
    for (int i = 0; i < 40; i++) {
        const kp_config config = {.processors = MEMBERS, .ports = 1, .progress = 1};
        kp_report report;
        atomic_store(&others_have_ended, 0);
        if (kp_run(&config, computes, i % 2 ? &with_barrier : NULL, &report))
            fail_msg("%s", report.error.sentence);
    }
}

/* A halo of short messages: the receives are started first. The progress thread then has them while
 * the processor begins its sends. */
static int halo(kp_proc *self, void *argument)
{
    kp_group *w = kp_world(self);
    const int me = kp_rank(w), left = (me + MEMBERS - 1) % MEMBERS, right = (me + 1) % MEMBERS;
    int status = 0;
    (void)argument;
    for (int i = 0; i < 200 && !status; i++) {
        int from_left = -1, from_right = -1, sent = MEMBERS * i + me;
        kp_request *r[2];
        status = kp_receive_start(w, &from_left, sizeof from_left, left, 1, NULL, &r[0]);
        status = status
                     ? status
                     : kp_receive_start(w, &from_right, sizeof from_right, right, 2, NULL, &r[1]);
        status = status ? status : kp_send(w, &sent, sizeof sent, right, 1);
        status = status ? status : kp_send(w, &sent, sizeof sent, left, 2);
        status = status ? status : kp_wait_all(2, r);
        if (!status && (from_left != MEMBERS * i + left || from_right != MEMBERS * i + right))
            status = kp_fail(self, "a message of another step has come");
    }
    return status;
}

static void sends_go_beside_the_progress_thread(void **state)
{
    const kp_config config = {.processors = MEMBERS, .ports = 1, .progress = 1};
    kp_report report;
    (void)state;
    if (kp_run(&config, halo, NULL, &report))
        fail_msg("%s", report.error.sentence);
}

/* A request that fails while its processor computes ends with its error at the next wait. */
static int fails_meanwhile(kp_proc *self, void *argument)
{
    kp_group *w = kp_world(self);
    int out[MEMBERS] = {0}, in[MEMBERS];
    kp_request *r;
    (void)argument;
    if (kp_rank(w) != 0)
        return kp_fail(self, "it has had enough");
    int status = kp_index_start(w, out, in, sizeof *out, NULL, &r);
    for (int i = 0; i < 1000 && !status; i++)
        sched_yield();
    status = status ? status : kp_wait(&r);
    return status == KP_EFAILED && strstr(kp_error(self)->sentence, "index:") ? 0 : 1;
}

static void a_request_fails_while_its_processor_computes(void **state)
{
    const kp_config config = {.processors = MEMBERS, .ports = 1, .progress = 1};
    kp_report report;
    (void)state;
    assert_int_equal(kp_run(&config, fails_meanwhile, NULL, &report), KP_EFAILED);
    assert_non_null(strstr(report.error.sentence, "it has had enough"));
}

static void only_threads_have_a_progress_thread(void **state)
{
    kp_config config = {.processors = 2, .progress = 2};
    kp_machine *machine;
    (void)state;
    assert_int_equal(kp_machine_create(&config, &machine), KP_EARGUMENT);
    assert_non_null(strstr(kp_last_error()->sentence, "progress is 2; it may be 0 or 1"));
    config.progress = 1;
    config.carrier = KP_CARRIER_FIBERS;
    if (!kp_fibers())
        skip();
    assert_int_equal(kp_machine_create(&config, &machine), KP_EARGUMENT);
    assert_non_null(strstr(kp_last_error()->sentence, "only processors that are threads"));
}

static void run(kp_program *program, kp_carrier carrier, void *argument)
{
    const kp_config config = {.processors = MEMBERS,
                              .ports = 1,
                              .carrier = carrier,
                              .workers = carrier == KP_CARRIER_FIBERS,
                              .time_limit_ms = 60000};
    kp_report report;
    if (kp_run(&config, program, argument, &report))
        fail_msg("%s", report.error.sentence);
}

static void on_both(kp_program *program, void *argument)
{
    run(program, KP_CARRIER_THREADS, argument);
    if (kp_fibers())
        run(program, KP_CARRIER_FIBERS, argument);
}

static void a_root_ends_without_its_receivers(void **state)
{
    (void)state;
    atomic_store(&root_has_ended, 0);
    run(root_alone, KP_CARRIER_THREADS, NULL);
}

static void requests_go_on_in_blocking_calls(void **state)
{
    (void)state;
    on_both(while_blocked, NULL);
}

static void a_test_lets_others_run(void **state)
{
    (void)state;
    on_both(only_tests, NULL);
}

static void more_requests_than_lanes(void **state)
{
    (void)state;
    on_both(many, NULL);
}

static void later_starts_allocate_nothing(void **state)
{
    int allocated[MEMBERS];
    (void)state;
    for (int carrier = 0; carrier <= (kp_fibers() != NULL); carrier++) {
        run(allocates_nothing, carrier == 0 ? KP_CARRIER_THREADS : KP_CARRIER_FIBERS, allocated);
        for (int i = 0; i < MEMBERS; i++)
            assert_int_equal(allocated[i], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_root_ends_without_its_receivers),
        cmocka_unit_test(requests_go_on_in_blocking_calls),
        cmocka_unit_test(a_test_lets_others_run),
        cmocka_unit_test(more_requests_than_lanes),
        cmocka_unit_test(a_progress_thread_goes_on),
        cmocka_unit_test(sends_go_beside_the_progress_thread),
        cmocka_unit_test(a_request_fails_while_its_processor_computes),
        cmocka_unit_test(only_threads_have_a_progress_thread),
        cmocka_unit_test(later_starts_allocate_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
