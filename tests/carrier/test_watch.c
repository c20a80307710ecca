/* Tests that processors over a wire (over_wire.c) learn that their calls differ, even if no message
 * of these calls meets another, and that a time limit tells what every processor does. */
#include "kport.h"

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

static int barrier_against_index(kp_proc *self, void *argument)
{
    int64_t out[N] = {0}, in[N];
    (void)argument;
    if (kp_processor(self) == 1)
        return note(self, kp_barrier(kp_world(self)));
    return note(self, kp_index(kp_world(self), out, in, 8, NULL));
}

/* Processor 1 calls a barrier and the others call an index, so each waits for messages that are
 * never sent. The members tell each other what they wait in. */
static void a_barrier_against_a_call_is_named(void **state)
{
    (void)state;
    kp_config config = config_of();
    config.time_limit_ms = 60000;
    run(config, barrier_against_index);
    for (int i = 0; i < N; i++) {
        assert_int_equal(seen[i].status, KP_EMISMATCH);
        assert_non_null(strstr(seen[i].sentence, "processor 1 called kp_barrier ("));
        assert_non_null(strstr(seen[i].sentence, " called index:n=5,"));
        assert_int_not_equal(seen[i].later, 0);
    }
}

static int different_algorithms(kp_proc *self, void *argument)
{
    int64_t out[N] = {0}, in[N];
    kp_hints hints;
    const char *name = kp_processor(self) == 1 ? "radix,r=2" : "radix,r=5";
    (void)argument;
    NEED(self, kp_hints_parse(KP_INDEX, name, &hints) == 0);
    return note(self, kp_index(kp_world(self), out, in, 8, &hints));
}

static void different_algorithms_are_named(void **state)
{
    (void)state;
    run(config_of(), different_algorithms);
    for (int i = 0; i < N; i++)
        assert_int_equal(seen[i].status, KP_EMISMATCH);
}

static int different_roots(kp_proc *self, void *argument)
{
    const int me = kp_processor(self);
    int64_t value = me;
    kp_group *pair;
    static const int two[] = {0, 1};
    (void)argument;
    if (me > 1)
        return 0;
    NEED(self, kp_group_create(self, two, 2, &pair) == 0);
    NEED(self, kp_broadcast(pair, &value, sizeof value, me, NULL) == 0);
    struct seen *own = &seen[me];
    own->status = kp_barrier(pair);
    snprintf(own->sentence, sizeof own->sentence, "%s", kp_error(self)->sentence);
    return 0;
}

/* Each of two members is the root of its broadcast, so it only sends. The next barrier finds it. */
static void a_barrier_finds_that_earlier_calls_differed(void **state)
{
    (void)state;
    run(config_of(), different_roots);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(seen[i].status, KP_EMISMATCH);
        assert_non_null(strstr(seen[i].sentence, "called kp_barrier"));
        assert_non_null(strstr(seen[i].sentence, "a call that it made before differs"));
    }
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Every processor in turn is late, while those that only send are some calls ahead. */
static int late_in_turn(kp_proc *self, void *argument)
{
    const int me = kp_processor(self);
    int64_t value = 0, out[N] = {0}, in[N];
    (void)argument;
    for (int i = 0; i < 2 * N; i++) {
        if (i % N == me)
            sleep_ms(130);
        for (int j = 0; j < 5; j++)
            NEED(self, kp_broadcast(kp_world(self), &value, sizeof value, i % 3, NULL) == 0);
        if (i % 2)
            NEED(self, kp_index(kp_world(self), out, in, 8, NULL) == 0);
        if (i % 3 == 0)
            NEED(self, kp_barrier(kp_world(self)) == 0);
        if (i % 3 == 1)
            NEED(self, kp_exchange(kp_world(self), NULL, 0, NULL, 0) == 0);
    }
    return note(self, 0);
}

static void slow_members_have_called_nothing_different(void **state)
{
    (void)state;
    run(config_of(), late_in_turn);
    for (int i = 0; i < N; i++)
        assert_int_equal(seen[i].later, 0);
}

#define FAR_AWAY                                                                                   \
    "a/folder/that/lies/far/away/from/the/folder/in/which/the/compiler/was/started/far_away.c"

/* Processor 1 waits for processor 2 in a group of two; all others wait for processor 1. */
static int waits_of_two_groups(kp_proc *self, void *argument)
{
    static const int two[] = {1, 2};
    const int me = kp_processor(self);
    kp_group *pair = NULL;
    (void)argument;
    if (me == 1 || me == 2)
        NEED(self, kp_group_create(self, two, 2, &pair) == 0);
    if (me == 4) { /* far away in the tree */
        kp_here(FAR_AWAY, 7);
        return note(self, (kp_barrier)(kp_world(self)));
    }
    return note(self, kp_barrier(me == 1 ? pair : kp_world(self)));
}

static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER;
static char told[16384];

static void keep_diagnosis(const kp_diagnosis *diagnosis, void *argument)
{
    pthread_mutex_lock(&telling);
    const size_t length = strlen(told);
    if (diagnosis->kind == KP_DIAGNOSIS_LATE)
        (void)kp_diagnosis_text(diagnosis, told + length, sizeof told - length);
    pthread_mutex_unlock(&telling);
    (void)argument;
}

/* The first that gives up asks the others what they do. */
static void a_time_limit_tells_what_all_do(void **state)
{
    (void)state;
    kp_config config = config_of();
    config.time_limit_ms = 1000;
    config.on_failure = keep_diagnosis;
    told[0] = '\0';
    run(config, waits_of_two_groups);
    for (int i = 0; i < N; i++)
        assert_int_equal(seen[i].status, KP_ETIMEOUT);
    assert_non_null(strstr(told, "the time limit is over"));
    assert_non_null(strstr(told, "processor 1: waits for 2 in kp_barrier"));
    assert_non_null(strstr(told, "processor 0: waits for "));
    assert_non_null(strstr(told, "processor 4: waits for "));
    assert_non_null(strstr(told, "test_watch.c:"));
    assert_non_null(
        strstr(told, "...from/the/folder/in/which/the/compiler/was/started/far_away.c:7"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_barrier_against_a_call_is_named),
        cmocka_unit_test(different_algorithms_are_named),
        cmocka_unit_test(a_barrier_finds_that_earlier_calls_differed),
        cmocka_unit_test(slow_members_have_called_nothing_different),
        cmocka_unit_test(a_time_limit_tells_what_all_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
