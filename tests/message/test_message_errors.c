/* Tests the errors of messages with tags: messages that are too long, that nobody receives or
 * sends, processors that end or fail, deadlocks and time limits. Every error names the processors,
 * and where it can the file and line of both ends. */
#include "tests/message/message_common.h"

static void assert_names_line(const char *sentence, int line)
{
    char text[64];
    snprintf(text, sizeof text, "test_message_errors.c:%d", line);
    if (!strstr(sentence, text))
        fail_msg("%s does not name %s", sentence, text);
}

/* --- Messages that are too long --- */

static int sent_line, received_line;

struct cut {
    size_t bytes, room;
    bool waits; /* the receive is started before the message comes */
};

static int cut_off(kp_proc *self, void *argument)
{
    const struct cut *cut = argument;
    kp_group *world = kp_world(self);
    unsigned char data[MOST_BYTES];
    kp_message_status found = {-1, -1, 0};
    kp_request *request = NULL;
    int status = 0, me = kp_processor(self);
    memset(data, me == 0 ? 0x11 : 0xee, sizeof data);
    if (me == 1 && cut->waits) {
        received_line = __LINE__ + 1;
        NEED(self, kp_receive_start(world, data, cut->room, 0, 6, &found, &request) == 0);
    }
    if (cut->waits)
        NEED(self, kp_barrier(world) == 0);
    if (me == 0) {
        sent_line = __LINE__ + 1;
        NEED(self, kp_send(world, data, cut->bytes, 1, 6) == 0);
    } else if (cut->waits) {
        status = kp_wait(&request);
    } else {
        received_line = __LINE__ + 1;
        status = kp_receive(world, data, cut->room, 0, 6, &found);
    }
    (void)keep(self, status);
    NEED(self, me == 0 || (all_are(data, sizeof data, 0xee) && found.source == 0));
    NEED(self, me == 0 || (found.tag == 6 && found.bytes == cut->bytes));
    /* the group works on */
    if (me == 0)
        return send_numbered(world, 1, 6, 0, 5);
    return receive_numbered(world, 0, 6, 0, 5);
}

static void a_message_that_is_too_long_names_both_ends(void **state)
{
    static const size_t sizes[][2] = {{1, 0}, {40, 39}, {41, 8}, {4096, 4000}, {20000, 19999}};
    (void)state;
    for (size_t i = 0; i < 4 * sizeof sizes / sizeof sizes[0]; i++) {
        struct cut cut = {sizes[i / 4][0], sizes[i / 4][1], i & 1};
        kp_config config = {.processors = 2, .unreceived_bytes = i & 2 ? KP_UNBUFFERED : 0};
        kp_report report;
        assert_good(kp_run(&config, cut_off, &cut, &report), &report);
        assert_outcome(1, KP_ELENGTH, 1);
        assert_int_equal(outcomes[1].error.peer, 0);
        assert_int_equal(outcomes[1].error.line, received_line);
        assert_names_line(outcomes[1].error.sentence, sent_line);
        assert_names_line(outcomes[1].error.sentence, received_line);
        assert_true(names(outcomes[1].error.sentence, (int)cut.bytes));
        assert_true(names(outcomes[1].error.sentence, (int)cut.room));
    }
}

/* --- Messages that nobody receives --- */

static int leave_one(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    unsigned char data[MOST_BYTES] = {0};
    const size_t bytes = *(const size_t *)argument;
    if (kp_processor(self) == 2) {
        NEED(self, kp_send(world, data, 3, 1, 8) == 0);
        sent_line = __LINE__ + 1;
        NEED(self, kp_send(world, data, bytes, 1, 9) == 0);
    }
    if (kp_processor(self) == 1)
        NEED(self, kp_receive(world, data, sizeof data, 2, 8, NULL) == 0);
    return kp_barrier(world);
}

static void a_message_that_nobody_receives_is_told(void **state)
{
    static const size_t some[] = {0, 40, 41, 4000};
    (void)state;
    for (int i = 0; i < 4; i++) {
        size_t bytes = some[i];
        kp_report report;
        int status = kp_run(&(kp_config){.processors = 3}, leave_one, &bytes, &report);
        assert_int_equal(status, KP_EUNTAKEN);
        assert_int_equal(report.error.processor, 2);
        assert_int_equal(report.error.peer, 1);
        assert_int_equal(report.error.line, sent_line);
        assert_names_line(report.error.sentence, sent_line);
        assert_true(names(report.error.sentence, 9) && names(report.error.sentence, (int)bytes));
    }
}

/* A group whose handles are freed keeps its messages for a member that comes later, and the end of
 * the run reports them if none comes. */
static int leave_in_copy(kp_proc *self, void *argument)
{
    kp_group *copy;
    (void)argument;
    /* Over a wire all members make a copy together. */
    if (kp_processor(self) == 0 || OVER_A_WIRE)
        NEED(self, kp_group_dup(kp_world(self), &copy) == 0);
    if (kp_processor(self) == 0)
        NEED(self, kp_send(copy, "abc", 3, 1, 2) == 0);
    if (kp_processor(self) == 0 || OVER_A_WIRE)
        NEED(self, kp_group_free(copy) == 0);
    return kp_barrier(kp_world(self));
}

static void a_message_in_a_freed_group_is_told(void **state)
{
    kp_report report;
    (void)state;
    assert_int_equal(kp_run(&(kp_config){.processors = 2}, leave_in_copy, NULL, &report),
                     KP_EUNTAKEN);
    assert_int_equal(report.error.processor, 0);
    assert_int_equal(report.error.peer, 1);
}

static void a_thread_that_detaches_is_told_what_it_left(void **state)
{
    kp_machine *machine;
    kp_proc *self;
    THREADS_ONLY();
    (void)state;
    assert_int_equal(kp_machine_create(&(kp_config){.processors = 2}, &machine), 0);
    assert_int_equal(kp_machine_attach(machine, 1, &self), 0);
    assert_int_equal(kp_send(kp_world(self), "abc", 3, 1, 2), 0);
    assert_int_equal(kp_machine_detach(self), KP_EUNTAKEN);
    assert_true(names(kp_last_error()->sentence, 1));
    assert_int_equal(kp_machine_attach(machine, 1, &self), 0);
    assert_int_equal(kp_machine_detach(self), 0);
    assert_int_equal(kp_machine_destroy(machine), 0);
}

/* --- Processors that end or fail --- */

enum kind {
    ENDS,
    FAILS,
    SAYS_SO,
    KINDS,
};

struct loss {
    enum kind kind;
    int source, tag;
    bool probes;
};

/* Processor 2 ends. What it has sent is received; for more, the wait ends. */
static int lose(kp_proc *self, void *argument)
{
    const struct loss *loss = argument;
    kp_group *world = kp_world(self);
    int me = kp_processor(self), value = 0;
    if (me == 2) {
        NEED(self, kp_send(world, &me, sizeof me, 0, 4) == 0);
        return loss->kind == FAILS ? 33 : loss->kind == SAYS_SO ? kp_fail(self, "no more") : 0;
    }
    if (me == 1)
        return 0;
    int status = kp_receive(world, &value, sizeof value, 2, 4, NULL);
    /* A failed processor breaks the group, perhaps before this receive. */
    NEED(self, loss->kind != ENDS || (status == 0 && value == 2));
    if (!status)
        status = loss->probes
                     ? kp_probe(world, loss->source, loss->tag, NULL)
                     : kp_receive(world, &value, sizeof value, loss->source, loss->tag, NULL);
    return keep(self, status), 0;
}

static void a_wait_for_an_ended_processor_ends(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS * 8; i++) {
        struct loss loss = {(enum kind)(i / 8), i & 1 ? 2 : KP_ANY_SOURCE, i & 2 ? 4 : KP_ANY_TAG,
                            i & 4};
        kp_report report;
        int status = kp_run(&(kp_config){.processors = 3}, lose, &loss, &report);
        assert_int_equal(outcomes[0].status, loss.kind == ENDS ? KP_ELOST : KP_EFAILED);
        if (loss.source == 2)
            assert_true(names(outcomes[0].error.sentence, 2));
        /* Over the tests' wire a run returns what the program did. */
        const int failed = OVER_A_WIRE && loss.kind == FAILS ? 33 : KP_EFAILED;
        assert_true(status == (loss.kind == ENDS ? 0 : failed));
    }
}

/* Processor 2 ends. Of two posted receives the later one is from it, and ends; the earlier one,
 * from a processor that lives, goes on. */
static int lose_later(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int me = kp_processor(self), value = 0, other = 0;
    kp_request *first, *second;
    (void)argument;
    if (me == 2)
        return kp_receive(world, &value, sizeof value, 0, 1, NULL);
    if (me == 1) {
        NEED(self, kp_receive(world, &value, sizeof value, 0, 1, NULL) == 0);
        return kp_send(world, &me, sizeof me, 0, 4);
    }
    NEED(self, kp_receive_start(world, &value, sizeof value, 1, 4, NULL, &first) == 0);
    NEED(self, kp_receive_start(world, &other, sizeof other, 2, 4, NULL, &second) == 0);
    NEED(self, kp_send(world, &me, sizeof me, 2, 1) == 0);
    int status = kp_wait(&second);
    NEED(self, kp_send(world, &me, sizeof me, 1, 1) == 0);
    NEED(self, kp_wait(&first) == 0 && value == 1);
    return keep(self, status), 0;
}

static void a_later_receive_ends_with_its_sender(void **state)
{
    (void)state;
    assert_int_equal(kp_run(&(kp_config){.processors = 3}, lose_later, NULL, NULL), 0);
    assert_outcome(0, KP_ELOST, 2);
}

/* The receiver ends, and a send that it would have to receive ends, too. The others go on. */
static int lose_receiver(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    unsigned char data[MOST_BYTES] = {0};
    int me = kp_processor(self), status = 0;
    (void)argument;
    if (me == 1)
        return 0;
    if (me == 0)
        status = kp_send(world, data, sizeof data, 1, 1);
    (void)keep(self, status);
    if (me == 0)
        NEED(self, kp_send(world, data, sizeof data, 2, 1) == 0);
    else
        NEED(self, kp_receive(world, data, sizeof data, 0, 1, NULL) == 0);
    return 0;
}

static void a_send_to_an_ended_processor_ends(void **state)
{
    kp_report report;
    (void)state;
    for (int i = 0; i < 10; i++) {
        assert_good(kp_run(&(kp_config){.processors = 3}, lose_receiver, NULL, &report), &report);
        assert_outcome(0, KP_ELOST, 1);
    }
}

#define AHEAD 100

/* More sends are under way than the ring has room for when the receiver ends. */
static int lose_many(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    kp_request *requests[AHEAD];
    int64_t value = 5;
    int lost = 0, ended = 0;
    (void)argument;
    if (kp_processor(self) == 1)
        return kp_barrier(world);
    for (int i = 0; i < AHEAD; i++)
        NEED(self, kp_send_start(world, &value, 8, 1, i, &requests[i]) == 0);
    for (int i = 0; i < AHEAD; i++) {
        NEED(self, kp_test(&requests[i], &ended) == 0);
        lost += !ended;
    }
    NEED(self, lost > 0 && kp_barrier(world) == 0);
    for (int i = 0; i < AHEAD; i++) {
        int status = kp_wait(&requests[i]);
        NEED(self, status == (i < AHEAD - lost ? 0 : KP_ELOST));
    }
    return keep(self, kp_send(world, &value, 8, 1, 1)), 0;
}

static void sends_that_wait_for_room_end_with_the_receiver(void **state)
{
    kp_report report;
    (void)state;
    if (OVER_A_WIRE)
        skip();
    assert_int_equal(kp_run(&(kp_config){.processors = 2}, lose_many, NULL, &report), KP_EUNTAKEN);
    assert_outcome(0, KP_ELOST, 1);
}

static _Atomic int has_ended;

/* A processor ends although its message is still in its memory, which nobody may read any more. */
static int end_early(kp_proc *self, void *argument)
{
    static unsigned char data[2][MOST_BYTES];
    kp_group *world = kp_world(self);
    kp_request *request;
    (void)argument;
    if (kp_processor(self) == 0) {
        NEED(self, kp_send_start(world, data[0], MOST_BYTES, 1, 1, &request) == 0);
        atomic_store(&has_ended, 1);
        return 44;
    }
    while (!atomic_load(&has_ended))
        nap(1000);
    nap(50000);
    return keep(self, kp_receive(world, data[1], MOST_BYTES, 0, 1, NULL)), 0;
}

static void the_memory_of_an_ended_processor_is_not_read(void **state)
{
    kp_report report;
    (void)state;
    THREADS_ONLY();
    atomic_store(&has_ended, 0);
    assert_int_equal(kp_run(&(kp_config){.processors = 2}, end_early, NULL, &report),
                     OVER_A_WIRE ? 44 : KP_EFAILED);
    assert_outcome(1, KP_EFAILED, 0);
}

/* --- Deadlocks and time limits --- */

/* Over a wire only a time limit ends a deadlock. */
#define STUCK (OVER_A_WIRE ? KP_ETIMEOUT : KP_EDEADLOCK)

/* Both send first, which works if messages are buffered. */
static int send_first(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int me = kp_processor(self), value = me;
    (void)argument;
    int status = kp_send(world, &me, sizeof me, 1 - me, 1);
    if (!status)
        status = kp_receive(world, &value, sizeof value, 1 - me, 1, NULL);
    return keep(self, status);
}

static void without_buffers_a_program_that_needs_them_deadlocks(void **state)
{
    kp_report report;
    (void)state;
    assert_good(kp_run(&(kp_config){.processors = 2}, send_first, NULL, &report), &report);
    for (int i = 0; i < (OVER_A_WIRE ? 2 : 20); i++) {
        kp_config config = {.processors = 2,
                            .unreceived_bytes = KP_UNBUFFERED,
                            .time_limit_ms = OVER_A_WIRE ? 50 : 0};
        assert_int_equal(kp_run(&config, send_first, NULL, &report), STUCK);
        assert_int_equal(outcomes[0].status, STUCK);
        assert_int_equal(outcomes[1].status, STUCK);
        assert_true(strstr(report.error.sentence, "kp_send of 4 bytes to rank") != NULL);
    }
}

/* All wait for a message of any member. */
static int wait_for_any(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int value;
    (void)argument;
    if (kp_processor(self) == 1 && kp_size(world) > 1)
        return keep(self, kp_probe(world, KP_ANY_SOURCE, 3, NULL));
    return keep(self, kp_receive(world, &value, sizeof value, KP_ANY_SOURCE, KP_ANY_TAG, NULL));
}

static void waits_for_any_member_deadlock(void **state)
{
    kp_report report;
    (void)state;
    for (int n = 1; n <= 4; n++) {
        kp_config config = {.processors = n, .time_limit_ms = OVER_A_WIRE ? 50 : 0};
        assert_int_equal(kp_run(&config, wait_for_any, NULL, &report), STUCK);
        for (int i = 0; i < n; i++)
            assert_int_equal(outcomes[i].status, STUCK);
        if (!OVER_A_WIRE)
            assert_true(strstr(report.error.sentence, "from any rank with any tag") != NULL);
    }
}

/* One waits for a barrier, and the other for a message. */
static int cross(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int value;
    (void)argument;
    if (kp_processor(self) == 0)
        return keep(self, kp_barrier(world));
    return keep(self, kp_receive(world, &value, sizeof value, 0, 5, NULL));
}

static void a_barrier_and_a_message_deadlock(void **state)
{
    kp_report report;
    (void)state;
    kp_config config = {.processors = 2, .time_limit_ms = OVER_A_WIRE ? 50 : 0};
    assert_int_equal(kp_run(&config, cross, NULL, &report), STUCK);
    assert_int_equal(outcomes[0].status, STUCK);
    assert_int_equal(outcomes[1].status, STUCK);
    assert_true(OVER_A_WIRE ||
                strstr(report.error.sentence, "kp_receive of at most 4 bytes from rank 0 with tag "
                                              "5") != NULL);
}

/* Processor 1 stays until processor 0 has given up, however late that is. */
static int wait_in_vain(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    atomic_int *given_up = argument;
    int value, status = 0;
    if (kp_processor(self) == 0) {
        status = kp_receive(world, &value, sizeof value, 1, 1, NULL);
        atomic_store(given_up, 1);
    } else {
        while (!atomic_load(given_up))
            nap(1000);
    }
    return keep(self, status), 0;
}

static void a_time_limit_ends_a_receive(void **state)
{
    kp_report report;
    THREADS_ONLY();
    (void)state;
    kp_config config = {.processors = 2, .time_limit_ms = 50};
    atomic_int given_up = 0;
    assert_int_equal(kp_run(&config, wait_in_vain, &given_up, &report),
                     OVER_A_WIRE ? 0 : KP_ETIMEOUT);
    assert_outcome(0, KP_ETIMEOUT, 1);
    assert_true(strstr(outcomes[0].error.sentence, "kp_receive") != NULL);
}

/* --- Requests that are not waited for --- */

static int start_and_end(kp_proc *self, void *argument)
{
    /* Over a wire both processors are in this process, and one writes while the other still reads.
     */
    static unsigned char both[2][MOST_BYTES];
    unsigned char *data = both[kp_processor(self)];
    kp_group *world = kp_world(self);
    kp_request *request;
    int status = 0;
    (void)argument;
    if (kp_processor(self) == 0) {
        sent_line = __LINE__ + 1;
        NEED(self, kp_send_start(world, data, MOST_BYTES, 1, 1, &request) == 0);
    } else {
        status = kp_receive(world, data, MOST_BYTES, 0, 1, NULL);
    }
    (void)keep(self, status);
    return 0;
}

static void a_send_that_nobody_waits_for_is_told(void **state)
{
    kp_report report;
    (void)state;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(kp_run(&(kp_config){.processors = 2}, start_and_end, NULL, &report),
                         KP_EUNWAITED);
        assert_int_equal(report.error.line, sent_line);
        assert_true(outcomes[1].status == 0 || outcomes[1].status == KP_EUNWAITED ||
                    outcomes[1].status == (OVER_A_WIRE ? KP_ELOST : KP_EFAILED));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(a_message_that_is_too_long_names_both_ends),
        TEST(a_message_that_nobody_receives_is_told),
        TEST(a_message_in_a_freed_group_is_told),
        TEST(a_thread_that_detaches_is_told_what_it_left),
        TEST(a_wait_for_an_ended_processor_ends),
        TEST(a_later_receive_ends_with_its_sender),
        TEST(a_send_to_an_ended_processor_ends),
        TEST(sends_that_wait_for_room_end_with_the_receiver),
        TEST(the_memory_of_an_ended_processor_is_not_read),
        TEST(a_time_limit_ends_a_receive),
        TEST(a_send_that_nobody_waits_for_is_told),
        TEST(without_buffers_a_program_that_needs_them_deadlocks),
        TEST(waits_for_any_member_deadlock),
        TEST(a_barrier_and_a_message_deadlock),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests_name("message_errors", tests, NULL, NULL);
}
