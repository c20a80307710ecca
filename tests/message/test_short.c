/* Tests the short way of short messages (ports/message/short.h): what has to leave it. A message
 * goes by it if its sender has sent one to the same member before, so each program begins with one
 * to and one fro. */
#include "ports/face.h"
#include "tests/message/message_common.h"

#define TAG 6

static int to_and_fro(kp_group *world)
{
    const int me = kp_rank(world), other = 1 - me;
    int64_t word = me, got = -1;
    int status = me == 0 ? kp_send(world, &word, sizeof word, other, TAG) : 0;
    status = status ? status : kp_receive(world, &got, sizeof got, other, TAG, NULL);
    status = status || me == 0 ? status : kp_send(world, &word, sizeof word, other, TAG);
    return status ? status : got == other ? 0 : WRONG_BYTES;
}

/* --- Lengths --- */

static int cut_off(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    unsigned char data[32];
    kp_message_status found = {-1, -1, 0};
    const int me = kp_processor(self);
    (void)argument;
    NEED(self, to_and_fro(world) == 0);
    memset(data, me == 0 ? 0x11 : 0xee, sizeof data);
    if (me == 0)
        NEED(self, kp_send(world, data, 24, 1, TAG) == 0);
    NEED(self, kp_barrier(world) == 0); /* so that the message has come */
    if (me == 1) {
        (void)keep(self, kp_receive(world, data, 16, 0, TAG, &found));
        NEED(self, all_are(data, sizeof data, 0xee) && found.bytes == 24);
    }
    return to_and_fro(world);
}

static void a_message_that_is_too_long_is_an_error(void **state)
{
    kp_report report;
    (void)state;
    assert_good(kp_run(&(kp_config){.processors = 2}, cut_off, NULL, &report), &report);
    assert_outcome(1, KP_ELENGTH, 1);
}

/* Both send first. */
static int send_first(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const int other = 1 - kp_processor(self);
    unsigned char data[32] = {0};
    const size_t bytes = *(const size_t *)argument;
    NEED(self, to_and_fro(world) == 0);
    int status = kp_send(world, data, bytes, other, TAG);
    status = status ? status : kp_receive(world, data, bytes, other, TAG, NULL);
    return keep(self, status);
}

static void a_message_beyond_the_limit_waits_for_its_receive(void **state)
{
    (void)state;
    for (size_t bytes = 8; bytes <= 9; bytes++) {
        kp_config config = {.processors = 2, .message_eager_bytes = 8};
        const int status = bytes > config.message_eager_bytes ? KP_EDEADLOCK : 0;
        assert_int_equal(kp_run(&config, send_first, &bytes, NULL), status);
    }
}

/* Up to 40 bytes lie in a slot, and up to 4096 in its block. */
#define MANY 30 /* the ring has room for so many */

static void write_message(unsigned char *data, size_t bytes, int message)
{
    for (size_t i = 0; i < bytes; i++)
        data[i] = (unsigned char)(message * 37 + (int)i * 11 + (int)(i >> 8));
}

static int send_all_lengths(kp_proc *self, void *argument)
{
    static const size_t borders[] = {0, 1, 8, 39, 40, 41, 4095, 4096, 4097, 4098};
    kp_group *world = kp_world(self);
    unsigned char data[4200], right[4200];
    (void)argument;
    NEED(self, to_and_fro(world) == 0);
    for (size_t i = 0; i < sizeof borders / sizeof *borders; i++) {
        for (int m = 0; m < MANY && kp_processor(self) == 0; m++) {
            write_message(data, borders[i], m);
            NEED(self, kp_send(world, data, borders[i], 1, TAG) == 0);
        }
        NEED(self, kp_barrier(world) == 0); /* so that later messages lie where earlier ones end */
        for (int m = 0; m < MANY && kp_processor(self) == 1; m++) {
            kp_message_status found;
            write_message(right, borders[i], m);
            NEED(self, kp_receive(world, data, sizeof data, 0, TAG, &found) == 0);
            NEED(self, found.bytes == borders[i] && memcmp(data, right, borders[i]) == 0);
        }
    }
    return 0;
}

static void messages_of_all_lengths_arrive(void **state)
{
    kp_report report;
    (void)state;
    /* The messages of two lengths fit, as a receiver says later what it has received. */
    const kp_config config = {
        .processors = 2, .message_eager_bytes = 8192, .unreceived_bytes = 1 << 20};
    assert_good(kp_run(&config, send_all_lengths, NULL, &report), &report);
}

/* --- What MPI's functions learn of a message --- */

#define NOTE       0xabc123
#define MOST_TURNS 100

/* In the first turn the message has come before its receive is called. In the others the sender
 * sends late, until the receiver has called before it once. */
static int learn(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const int me = kp_processor(self);
    int64_t word = me;
    bool was_kept = true;
    struct kp_outgoing_message out = {
        .data = &word, .bytes = sizeof word, .to = 1, .tag = TAG, .note = NOTE};
    (void)argument;
    NEED(self, to_and_fro(world) == 0);
    for (int turn = 0; turn < MOST_TURNS && was_kept; turn++) {
        struct kp_envelope found = {0};
        const struct kp_incoming_message in = {
            .data = &word, .bytes = sizeof word, .from = 0, .tag = TAG, .found = &found};
        if (me == 0 && turn > 0)
            nap(20000);
        NEED(self, me != 0 || kp_face_send(world, &out, NULL) == 0);
        NEED(self, turn > 0 || kp_barrier(world) == 0); /* now the message has come */
        NEED(self, me != 1 || kp_face_receive(world, &in, NULL) == 0);
        if (me == 1)
            NEED(self, found.note == NOTE && (turn > 0 || found.kept) && found.source == 0 &&
                           found.tag == TAG && found.bytes == sizeof word);
        was_kept = found.kept;
        NEED(self, kp_broadcast(world, &was_kept, sizeof was_kept, 1, NULL) == 0);
    }
    return was_kept ? WRONG_BYTES : 0;
}

static void a_receiver_learns_of_a_short_message(void **state)
{
    kp_report report;
    (void)state;
    THREADS_ONLY();
    assert_good(kp_run(&(kp_config){.processors = 2}, learn, NULL, &report), &report);
}

/* --- Others who end, and sleep --- */

/* The ring has room for all these messages. */
#define SENT_UNRECEIVED 40

static int lose_receiver(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int64_t word = 1;
    int status = 0;
    (void)argument;
    NEED(self, to_and_fro(world) == 0);
    for (int i = 0; i < SENT_UNRECEIVED && !status && kp_processor(self) == 0; i++) {
        nap(20000);
        status = kp_send(world, &word, sizeof word, 1, TAG);
    }
    (void)keep(self, status);
    return 0;
}

static void a_send_to_an_ended_processor_is_an_error(void **state)
{
    (void)state;
    THREADS_ONLY();
    assert_int_equal(kp_run(&(kp_config){.processors = 2}, lose_receiver, NULL, NULL), 0);
    assert_outcome(0, KP_ELOST, 1);
}

#define AHEAD 200 /* more than a ring has room for */

/* The sender sleeps, as its ring is full. The receiver takes what is there, and then sleeps. */
static int send_far_ahead(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    (void)argument;
    NEED(self, to_and_fro(world) == 0);
    if (kp_processor(self) == 1)
        nap(50000);
    for (int64_t i = 0; i < AHEAD; i++) {
        int64_t word = i;
        if (kp_processor(self) == 0)
            NEED(self, kp_send(world, &word, sizeof word, 1, TAG) == 0);
        else
            NEED(self, kp_receive(world, &word, sizeof word, 0, TAG, NULL) == 0 && word == i);
    }
    return 0;
}

static void a_sender_that_sleeps_is_woken(void **state)
{
    kp_report report;
    (void)state;
    for (int i = 0; i < 5; i++)
        assert_good(kp_run(&(kp_config){.processors = 2}, send_far_ahead, NULL, &report), &report);
}

/* --- Requests that are under way --- */

/* Processor 0 has started a receive and a concatenation of several rounds, which the others start
 * later. Then it only sends, until the concatenation of processor 1 has ended. The ring has room
 * for all these messages, so that no send has to wait. */
static int go_on_with_requests(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const kp_hints hints = {.algorithm = kp_algorithm_find(KP_CONCAT, "ring")};
    const int me = kp_processor(self);
    _Atomic int *ended = argument;
    int64_t out = me, in[5], late;
    kp_request *request, *received = NULL;
    int sent = 0;
    if (me < 2)
        NEED(self, to_and_fro(world) == 0);
    if (me == 0)
        NEED(self, kp_receive_start(world, &late, sizeof late, 1, TAG, NULL, &received) == 0);
    else
        nap(150000);
    NEED(self, kp_concat_start(world, &out, in, sizeof out, &hints, &request) == 0);
    for (; me == 0 && sent < SENT_UNRECEIVED && !atomic_load(ended); sent++) {
        nap(50000);
        NEED(self, kp_send(world, &out, sizeof out, 1, TAG) == 0);
    }
    NEED(self, me != 0 || atomic_load(ended));
    NEED(self, kp_wait(&request) == 0);
    if (me == 1)
        atomic_store(ended, 1);
    NEED(self, kp_broadcast(world, &sent, sizeof sent, 0, NULL) == 0);
    for (; me == 1 && sent > 0; sent--)
        NEED(self, kp_receive(world, &out, sizeof out, 0, TAG, NULL) == 0);
    NEED(self, me != 1 || kp_send(world, &out, sizeof out, 0, TAG) == 0);
    NEED(self, me != 0 || kp_wait(&received) == 0);
    return 0;
}

static void messages_go_on_with_requests(void **state)
{
    _Atomic int ended = 0;
    kp_report report;
    (void)state;
    THREADS_ONLY();
    assert_good(kp_run(&(kp_config){.processors = 5}, go_on_with_requests, &ended, &report),
                &report);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(a_message_that_is_too_long_is_an_error),
        TEST(a_message_beyond_the_limit_waits_for_its_receive),
        TEST(messages_of_all_lengths_arrive),
        TEST(a_receiver_learns_of_a_short_message),
        TEST(a_send_to_an_ended_processor_is_an_error),
        TEST(a_sender_that_sleeps_is_woken),
        TEST(messages_go_on_with_requests),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests_name("short", tests, NULL, NULL);
}
