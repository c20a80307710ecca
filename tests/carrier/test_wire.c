/* Tests machines over a wire (over_wire.c). Every processor must get an error that names what is
 * wrong, no processor may hang, and calls that are not supported must be refused. The tests of
 * collectives verify the bytes. */
#include "kport.h"

#include "lib/call/machine.h"
#include "ports/carrier/wire.h"
#include "ports/sync/wired_data.h"
#include "tests/common/machine_common.h"

#define N 5

static kp_config config_of(void)
{
    return (kp_config){.processors = N, .ports = 2};
}

/* The error that each processor got. */
static struct seen {
    int status, processor;
    char sentence[KP_SENTENCE_BYTES];
    int later; /* the status of a barrier afterwards */
} seen[N];

static int note(kp_proc *self, int status)
{
    struct seen *own = &seen[kp_processor(self)];
    own->status = status;
    own->processor = status ? kp_error(self)->processor : -1;
    snprintf(own->sentence, sizeof own->sentence, "%s", status ? kp_error(self)->sentence : "");
    own->later = kp_barrier(kp_world(self));
    return 0;
}

static void run(kp_config config, kp_program *program)
{
    memset(seen, 0, sizeof seen);
    assert_int_equal(kp_run(&config, program, NULL, NULL), 0);
}

static int refused_in_an_episode(kp_proc *self, void *argument)
{
    char byte = 0;
    (void)argument;
    if (kp_processor(self) != 1)
        return note(self, kp_barrier(kp_world(self)));
    return note(self, kp_send_recv(kp_world(self), &byte, 1, N, NULL, 0, -1));
}

/* If one member refuses a call in its first episode, no member makes the call. All members must get
 * the reason, and the group must still work. */
static void a_refusal_in_an_episode_is_told_to_all(void **state)
{
    (void)state;
    run(config_of(), refused_in_an_episode);
    for (int i = 0; i < N; i++) {
        assert_int_equal(seen[i].status, i == 1 ? KP_EARGUMENT : KP_EPEER);
        assert_int_equal(seen[i].processor, 1);
        assert_non_null(strstr(seen[i].sentence, "to is 5; it may be -1 ... 4"));
        assert_int_equal(seen[i].later, 0);
    }
}

static int refused_call(kp_proc *self, void *argument)
{
    int64_t out[N] = {0}, in[N];
    (void)argument;
    return note(self, kp_index(kp_world(self), out, kp_processor(self) == 1 ? NULL : in, 8, NULL));
}

static void a_refused_call_is_told_to_all(void **state)
{
    (void)state;
    run(config_of(), refused_call);
    for (int i = 0; i < N; i++) {
        assert_int_equal(seen[i].status, i == 1 ? KP_EARGUMENT : KP_EPEER);
        assert_int_equal(seen[i].processor, 1);
        assert_non_null(strstr(seen[i].sentence, "in is NULL"));
        assert_int_not_equal(seen[i].later, 0);
    }
}

static int different_lengths(kp_proc *self, void *argument)
{
    int64_t out[2 * N] = {0}, in[2 * N];
    (void)argument;
    return note(self, kp_index(kp_world(self), out, in, kp_processor(self) == 1 ? 16 : 8, NULL));
}

static void calls_that_differ_are_named(void **state)
{
    (void)state;
    run(config_of(), different_lengths);
    for (int i = 0; i < N; i++) {
        assert_int_equal(seen[i].status, KP_EMISMATCH);
        assert_non_null(strstr(seen[i].sentence, "another call"));
        assert_int_not_equal(seen[i].later, 0);
    }
}

static int different_operators(kp_proc *self, void *argument)
{
    int64_t out = 1, in;
    (void)argument;
    const kp_operator *op = kp_processor(self) == 1 ? KP_MAXIMUM : KP_SUM;
    return note(self, kp_allreduce(kp_world(self), &out, &in, 1, KP_INT64, op, NULL));
}

/* The messages of the two calls have equal lengths. */
static void calls_that_differ_in_nothing_but_the_operator_are_named(void **state)
{
    (void)state;
    run(config_of(), different_operators);
    for (int i = 0; i < N; i++) {
        assert_int_equal(seen[i].status, KP_EMISMATCH);
        assert_non_null(strstr(seen[i].sentence, "another call"));
    }
}

static int different_counts(kp_proc *self, void *argument)
{
    char out[N * 4] = {0}, in[N * 4];
    size_t sent[N], wanted[N];
    (void)argument;
    for (int i = 0; i < N; i++) {
        sent[i] = kp_processor(self) == 3 && i == 1 ? 2 : 4;
        wanted[i] = 4;
    }
    return note(self, kp_indexv(kp_world(self), out, sent, NULL, in, wanted, NULL, NULL));
}

/* No data may have moved, and the group must still work. */
static void lengths_that_differ_are_named(void **state)
{
    (void)state;
    run(config_of(), different_counts);
    for (int i = 0; i < N; i++) {
        assert_int_equal(seen[i].status, KP_EMISMATCH);
        assert_non_null(strstr(seen[i].sentence, "processor 3 sends 2 bytes to processor 1 "
                                                 "(out_counts[1]), but processor 1 expects 4 "
                                                 "bytes from it (in_counts[3], "));
        assert_int_equal(seen[i].later, 0);
    }
}

static int a_failure(kp_proc *self, void *argument)
{
    int64_t out[N] = {0}, in[N];
    (void)argument;
    if (kp_processor(self) == 1)
        return note(self, kp_fail(self, "no such file"));
    return note(self, kp_index(kp_world(self), out, in, 8, NULL));
}

static void a_failure_is_told_to_all(void **state)
{
    (void)state;
    run(config_of(), a_failure);
    for (int i = 0; i < N; i++) {
        assert_int_equal(seen[i].status, KP_EFAILED);
        assert_int_equal(seen[i].processor, 1);
        assert_non_null(strstr(seen[i].sentence, "no such file"));
        assert_int_equal(seen[i].later, KP_EFAILED);
    }
}

static int one_does_not_come(kp_proc *self, void *argument)
{
    int64_t out[N] = {0}, in[N];
    (void)argument;
    struct timespec rest = {.tv_nsec = 400000000};
    if (kp_processor(self) == 1)
        nanosleep(&rest, NULL);
    return note(self, kp_index(kp_world(self), out, in, 8, NULL));
}

static void the_time_limit_ends_a_wait(void **state)
{
    (void)state;
    kp_config config = config_of();
    config.time_limit_ms = 50;
    run(config, one_does_not_come);
    for (int i = 0; i < N; i++) {
        assert_int_equal(seen[i].status, KP_ETIMEOUT);
        assert_non_null(strstr(seen[i].sentence, "in index:"));
        assert_non_null(strstr(seen[i].sentence, "waited 50 ms "));
    }
}

static int exchange_against_barrier(kp_proc *self, void *argument)
{
    kp_incoming in = {.port = 0, .peer = 1};
    (void)argument;
    if (kp_processor(self) == 1)
        return note(self, kp_barrier(kp_world(self)));
    return note(self, kp_exchange(kp_world(self), NULL, 0, &in, kp_processor(self) == 2));
}

static void an_exchange_against_a_barrier_is_named(void **state)
{
    (void)state;
    run(config_of(), exchange_against_barrier);
    for (int i = 0; i < N; i++) {
        assert_int_equal(seen[i].status, KP_EMISMATCH);
        assert_non_null(strstr(seen[i].sentence, "exchange:n=5,k=2,round=0"));
        assert_non_null(strstr(seen[i].sentence, "called kp_barrier"));
        assert_int_equal(seen[i].later, 0);
    }
}

/* Processor 1 sends three messages to processor 2, which takes the last two. Processor 2 sends one
 * message back. */
static int leaves_a_message(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int me = kp_processor(self), status;
    int64_t out[N] = {me, me, me, me, me}, in[N];
    char text[] = "left, second, third", came[2][8];
    kp_outgoing sent[] = {{0, 2, text, 4}, {2, 2, text + 6, 6}, {1, 2, text + 14, 5}};
    kp_incoming taken[] = {{1, 1, came[0], 8, 1}, {2, 1, came[1], 6, 0}};
    kp_incoming back = {0, 2, came[0], 4, 0};
    (void)argument;
    status = me == 1   ? kp_exchange(world, sent, 3, &back, 1)
             : me == 2 ? kp_exchange(world, &(kp_outgoing){0, 1, text, 4}, 1, taken, 2)
                       : kp_exchange(world, NULL, 0, NULL, 0);
    NEED(self, status == 0);
    NEED(self, me != 1 || memcmp(came[0], "left", 4) == 0);
    NEED(self, me != 2 || (taken[0].bytes == 5 && memcmp(came[0], "third", 5) == 0));
    NEED(self, me != 2 || memcmp(came[1], "second", 6) == 0);
    status = kp_index(world, out, in, 8, NULL);
    for (int i = 0; i < N; i++)
        NEED(self, in[i] == i);
    (void)note(self, status);
    return kp_index(world, out, in, 8, NULL);
}

static void a_call_tells_of_an_untaken_message(void **state)
{
    (void)state;
    kp_config config = config_of();
    config.ports = 3;
    run(config, leaves_a_message);
    for (int i = 0; i < N; i++) {
        assert_int_equal(seen[i].status, i == 1 ? KP_EUNTAKEN : 0);
        assert_int_equal(seen[i].later, 0);
    }
    assert_non_null(strstr(seen[1].sentence, "round 0: processor 1 sent a message on port 0 to "
                                             "processor 2, which did not take it"));
}

static int rings_of_some(kp_proc *self, void *argument)
{
    static const int some[] = {4, 0, 2};
    kp_group *group;
    (void)argument;
    if (kp_processor(self) % 2)
        return note(self, 0);
    NEED(self, kp_group_create(self, some, 3, &group) == 0);
    for (uint64_t i = 0; i < 4; i++)
        NEED(self, ring(group, 20 + 30000 * i, i) == 0);
    kp_incoming in = {.port = 0, .peer = 3};
    int status = kp_exchange(group, NULL, 0, &in, kp_rank(group) == 1);
    NEED(self, kp_group_free(group) == 0);
    return note(self, status);
}

static void groups_exchange_by_ranks(void **state)
{
    (void)state;
    run(config_of(), rings_of_some);
    for (int i = 0; i < N; i++) {
        assert_int_equal(seen[i].status, i % 2 ? 0 : i == 0 ? KP_EARGUMENT : KP_EPEER);
        assert_int_equal(seen[i].later, 0);
        if (i % 2 == 0)
            assert_non_null(strstr(seen[i].sentence, "in[0].peer is 3; it may be 0 ... 2"));
    }
}

static int count(kp_proc *self, void *argument)
{
    int *runs = argument;
    *runs += kp_processor(self);
    return 0;
}

/* A machine over a wire carries its processor by a thread of its own, as often as it is asked to.
 */
static void a_machine_over_a_wire_runs_its_processor(void **state)
{
    (void)state;
    struct kp_wire wire = {.processor = 3, .most_tag = 32767};
    kp_machine *machine;
    kp_config config = config_of();
    kp_report report;
    int runs = 0;
    assert_int_equal(kp_machine_create_over(&config, &wire, &machine), 0);
    assert_int_equal(kp_machine_run(machine, count, &runs, &report), 0);
    assert_int_equal(kp_machine_run(machine, count, &runs, NULL), 0);
    assert_int_equal(runs, 6);
    assert_int_equal(report.started, 1);
    assert_int_equal(kp_machine_destroy(machine), 0);
}

static bool may_be_cancelled(void)
{
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
    pthread_setcancelstate(state, NULL);
    return state == PTHREAD_CANCEL_ENABLE;
}

static int is_not_cancelled(kp_proc *self, void *argument)
{
    (void)argument;
    NEED(self, !may_be_cancelled());
    return note(self, kp_barrier(kp_world(self)));
}

/* A thread that is cancelled ends its part of the run first. */
static void a_thread_that_carries_a_processor_is_not_cancelled(void **state)
{
    (void)state;
    struct kp_wire wire = {.processor = 3, .most_tag = 32767};
    kp_machine *machine;
    kp_config config = config_of();
    kp_proc *self;
    run(config, is_not_cancelled);
    for (int i = 0; i < N; i++)
        assert_int_equal(seen[i].status || seen[i].later, 0);
    assert_int_equal(kp_machine_create_over(&config, &wire, &machine), 0);
    assert_int_equal(kp_machine_attach(machine, 3, &self), 0);
    assert_false(may_be_cancelled());
    assert_int_equal(kp_machine_detach(self), 0);
    assert_true(may_be_cancelled());
    assert_int_equal(kp_machine_destroy(machine), 0);
}

static int overlapping(kp_proc *self, void *argument)
{
    static const int even[] = {0, 2, 4}, few[] = {2, 0}, again[] = {0, 2, 4};
    kp_group *first, *second, *third;
    int64_t own = kp_processor(self), sum = 0;
    (void)argument;
    if (own % 2)
        return note(self, 0);
    NEED(self, kp_group_create(self, even, 3, &first) == 0);
    if (own != 4) {
        NEED(self, kp_group_create(self, few, 2, &second) == 0);
        NEED(self, kp_allreduce(second, &own, &sum, 1, KP_INT64, KP_SUM, NULL) == 0 && sum == 2);
        NEED(self, kp_group_free(second) == 0);
    }
    /* One member frees its handle before it makes the group again, and so has lost the context. */
    NEED(self, kp_allreduce(first, &own, &sum, 1, KP_INT64, KP_SUM, NULL) == 0 && sum == 6);
    if (own == 2)
        NEED(self, kp_group_free(first) == 0);
    NEED(self, kp_group_create(self, again, 3, &third) == 0);
    NEED(self, kp_allreduce(third, &own, &sum, 1, KP_INT64, KP_SUM, NULL) == 0 && sum == 6);
    NEED(self, own == 2 || kp_group_free(first) == 0);
    NEED(self, kp_allreduce(third, &own, &sum, 1, KP_INT64, KP_SUM, NULL) == 0 && sum == 6);
    return note(self, kp_group_free(third));
}

static void groups_that_overlap_and_come_again_have_contexts(void **state)
{
    (void)state;
    run(config_of(), overlapping);
    for (int i = 0; i < N; i++) {
        assert_int_equal(seen[i].status, 0);
        assert_int_equal(seen[i].later, 0);
    }
}

static int other_groups(kp_proc *self, void *argument)
{
    static const int lists[2][3] = {{0, 1, 2}, {0, 2, 1}};
    kp_group *group;
    (void)argument;
    if (kp_processor(self) > 2)
        return note(self, 0);
    return note(self, kp_group_create(self, lists[kp_processor(self) == 2], 3, &group));
}

static void groups_that_differ_are_named(void **state)
{
    (void)state;
    kp_config config = config_of();
    config.time_limit_ms = 2000;
    run(config, other_groups);
    bool named = false;
    for (int i = 0; i < 3; i++) {
        assert_int_not_equal(seen[i].status, 0);
        named = named || (seen[i].status == KP_EMISMATCH &&
                          strstr(seen[i].sentence, "another group at the same time"));
    }
    assert_true(named);
}

/* Groups of six processors, with two for each process. `knows`: consecutive members share
 * processes, the same number in each, so algorithms may use that. */
static const struct members {
    int count, processors[6];
    bool knows;
} pairs[] = {
    {6, {0, 1, 2, 3, 4, 5}, true}, {4, {3, 2, 4, 5}, true},        {4, {4, 5, 0, 1}, true},
    {5, {0, 1, 2, 3, 4}, false},   {4, {0, 1, 2, 4}, false},       {4, {0, 2, 1, 3}, false},
    {4, {0, 2, 4, 5}, false},      {6, {1, 2, 3, 4, 5, 0}, false},
};

static int in_pairs(kp_proc *self, void *argument)
{
    const struct members *members = argument;
    const kp_hints hints = {.algorithm = kp_algorithm_find(KP_INDEX, "hierarchical")};
    int64_t out[6], in[6] = {0};
    kp_group *group;
    bool member = false;
    for (int i = 0; i < members->count; i++)
        member = member || members->processors[i] == kp_processor(self);
    if (!member)
        return 0;
    int status = kp_group_create(self, members->processors, members->count, &group);
    for (int i = 0; i < 6 && !status; i++)
        out[i] = 10 * kp_rank(group) + i;
    status = status ? status : kp_index(group, out, in, 8, &hints);
    /* Each refuses the call, or is told that another has refused it. */
    if (!members->knows && status && strstr(kp_error(self)->sentence, "does not serve"))
        return 0;
    if (!members->knows || status)
        return kp_fail(self, status ? kp_error(self)->sentence : "knows what it cannot");
    for (int i = 0; i < members->count; i++) {
        if (in[i] != 10 * i + kp_rank(group))
            return kp_fail(self, "a block is wrong");
    }
    return kp_group_free(group);
}

static void groups_know_which_members_share_a_process(void **state)
{
    (void)state;
    const kp_config config = {.processors = 6, .ports = 1, .per_process = 2};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct members members = pairs[i];
        kp_report report;
        if (kp_run(&config, in_pairs, &members, &report))
            fail_msg("group %zu: %s", i, report.error.sentence);
    }
}

static void what_cannot_be_over_a_wire_is_refused(void **state)
{
    (void)state;
    struct kp_wire wire = {.processor = 1, .most_tag = 32767};
    kp_machine *machine;
    kp_proc *self;
    kp_config config = config_of();
    config.discipline = KP_ROUNDS_BY_MAILBOXES;
    assert_int_equal(kp_machine_create_over(&config, &wire, &machine), KP_EARGUMENT);
    assert_non_null(strstr(kp_last_error()->sentence, "discipline is 1 (mailboxes)"));
    config = config_of();
    config.workers = 2;
    assert_int_equal(kp_machine_create_over(&config, &wire, &machine), KP_EARGUMENT);
    assert_non_null(strstr(kp_last_error()->sentence, "workers is 2"));
    config = config_of();
    config.seed = 7;
    assert_int_equal(kp_machine_create_over(&config, &wire, &machine), KP_EARGUMENT);
    assert_non_null(strstr(kp_last_error()->sentence, "seed is 7"));
    config = config_of();
    assert_int_equal(kp_trace_create(100, &config.trace), 0);
    assert_int_equal(kp_machine_create_over(&config, &wire, &machine), KP_EARGUMENT);
    assert_non_null(strstr(kp_last_error()->sentence, "trace is given"));
    assert_int_equal(kp_trace_free(config.trace), 0);
    config = config_of();
    assert_int_equal(kp_machine_create_over(&config, &wire, &machine), 0);
    assert_int_equal(kp_machine_attach(machine, 0, &self), KP_EARGUMENT);
    assert_non_null(strstr(kp_last_error()->sentence, "in this process it may be 1"));
    assert_int_equal(kp_machine_destroy(machine), 0);
    config.ports = 8191;
    assert_int_equal(kp_machine_create_over(&config, &wire, &machine), KP_EARGUMENT);
    assert_non_null(strstr(kp_last_error()->sentence, "ports is 8191; the tags of the network go "
                                                      "to 32767, so it may be 1 ... 1309"));
}

/* The tag of lone contents tells their length: no two lengths have the same number. */
static void a_length_has_a_number_of_its_own(void **state)
{
    size_t told = 0;
    (void)state;
    for (unsigned bits = 8; bits <= 14; bits += 3) {
        for (size_t bytes = 1; bytes < (size_t)1 << 20; bytes++) {
            const uint64_t number = kp_wired_number_of(bytes, bits);
            const uint64_t power = number & ((1 << KP_WIRED_POWER_BITS) - 1);
            assert_true(number < (uint64_t)1 << bits);
            if (number) {
                assert_int_equal(number >> KP_WIRED_POWER_BITS << power, bytes);
                told++;
            }
        }
        for (size_t bytes = 1024; bytes <= (size_t)1 << 18; bytes *= 2)
            assert_true(kp_wired_number_of(bytes, bits) != 0);
    }
    assert_true(told > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refusal_in_an_episode_is_told_to_all),
        cmocka_unit_test(a_refused_call_is_told_to_all),
        cmocka_unit_test(calls_that_differ_are_named),
        cmocka_unit_test(a_length_has_a_number_of_its_own),
        cmocka_unit_test(calls_that_differ_in_nothing_but_the_operator_are_named),
        cmocka_unit_test(lengths_that_differ_are_named),
        cmocka_unit_test(a_failure_is_told_to_all),
        cmocka_unit_test(the_time_limit_ends_a_wait),
        cmocka_unit_test(an_exchange_against_a_barrier_is_named),
        cmocka_unit_test(a_call_tells_of_an_untaken_message),
        cmocka_unit_test(groups_exchange_by_ranks),
        cmocka_unit_test(groups_that_overlap_and_come_again_have_contexts),
        cmocka_unit_test(groups_that_differ_are_named),
        cmocka_unit_test(groups_know_which_members_share_a_process),
        cmocka_unit_test(a_machine_over_a_wire_runs_its_processor),
        cmocka_unit_test(a_thread_that_carries_a_processor_is_not_cancelled),
        cmocka_unit_test(what_cannot_be_over_a_wire_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
