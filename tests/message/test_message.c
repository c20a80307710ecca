/* Tests messages with tags: contents and order by every way, wildcards, probes, requests, the limit
 * of what is buffered, and copies of groups. test_message_errors.c has the errors. */
#include "tests/message/message_common.h"

static void run_on(const kp_config *config, kp_program *program, void *argument)
{
    kp_report report;
    assert_good(kp_run(config, program, argument, &report), &report);
}

/* --- Two members --- */

static int to_and_fro(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int me = kp_processor(self);
    (void)argument;
    for (uint64_t i = 0; i < 4 * LENGTHS; i++) {
        if (me == (int)(i % 2))
            NEED(self, send_numbered(world, 1 - me, 5, me, i) == 0);
        else
            NEED(self, receive_numbered(world, 1 - me, 5, 1 - me, i) == 0);
    }
    return 0;
}

static void every_length_arrives(void **state)
{
    (void)state;
    for (size_t eager = 0; eager <= 1 << 20; eager = eager ? eager * 1024 : 64) {
        run_on(&(kp_config){.processors = 2, .message_eager_bytes = eager}, to_and_fro, NULL);
        run_on(&(kp_config){.processors = 2,
                            .message_eager_bytes = eager,
                            .unreceived_bytes = KP_UNBUFFERED},
               to_and_fro, NULL);
    }
}

#define STREAM 400

/* The sender is far ahead, or the receiver waits, as it comes. Messages of all lengths have the
 * same tag, so none may overtake another. */
static int stream(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    uint64_t seed = 1 + (uint64_t)kp_processor(self);
    const int wildcards = *(const int *)argument;
    for (uint64_t i = 0; i < STREAM; i++) {
        if (kp_processor(self) == 0) {
            NEED(self, send_numbered(world, 1, 7, 0, i) == 0);
        } else {
            int source = wildcards & 1 ? KP_ANY_SOURCE : 0, tag = wildcards & 2 ? KP_ANY_TAG : 7;
            NEED(self, receive_numbered(world, source, tag, 0, i) == 0);
        }
        if (random_once_in(&seed, 64))
            sched_yield();
    }
    return 0;
}

static void messages_do_not_overtake(void **state)
{
    (void)state;
    for (int wildcards = 0; wildcards < 4; wildcards++) {
        for (size_t limit = 1 << 10; limit <= 1 << 20; limit *= 32)
            run_on(&(kp_config){.processors = 2, .unreceived_bytes = limit}, stream, &wildcards);
        run_on(&(kp_config){.processors = 2, .unreceived_bytes = KP_UNBUFFERED}, stream,
               &wildcards);
    }
}

/* Messages with other tags wait, while a later one is received. */
static int by_tags(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const int count = 50;
    (void)argument;
    for (int i = 0; i < count && kp_processor(self) == 0; i++)
        NEED(self, send_numbered(world, 1, i, 0, (uint64_t)(i % 8)) == 0);
    for (int i = count - 1; i >= 0 && kp_processor(self) == 1; i--)
        NEED(self, receive_numbered(world, 0, i, 0, (uint64_t)(i % 8)) == 0);
    return 0;
}

static void tags_choose_messages(void **state)
{
    (void)state;
    run_on(&(kp_config){.processors = 2}, by_tags, NULL);
}

/* --- A member and itself --- */

static int alone(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int me = kp_rank(world);
    unsigned char out[MOST_BYTES], in[MOST_BYTES];
    kp_request *request;
    kp_message_status found;
    (void)argument;
    NEED(self, send_numbered(world, me, 3, me, 2) == 0);
    NEED(self, receive_numbered(world, me, 3, me, 2) == 0);
    fill(out, sizeof out, 9);
    NEED(self, kp_send_start(world, out, sizeof out, me, 4, &request) == 0);
    NEED(self, kp_receive(world, in, sizeof in, KP_ANY_SOURCE, 4, &found) == 0);
    NEED(self, found.source == me && found.bytes == sizeof in && holds(in, sizeof in, 9));
    NEED(self, kp_wait(&request) == 0 && !request);
    NEED(self, kp_exchange_messages(world, out, 100, me, 1, in, 200, me, 1, &found) == 0);
    NEED(self, found.bytes == 100);
    return 0;
}

static void a_member_sends_to_itself(void **state)
{
    (void)state;
    run_on(&(kp_config){.processors = 1}, alone, NULL);
    run_on(&(kp_config){.processors = 3}, alone, NULL);
    run_on(&(kp_config){.processors = 3, .unreceived_bytes = 2000}, alone, NULL);
}

/* --- Many members --- */

/* All others send to the first, which takes what comes. Each sender's messages come in order. */
static int to_one(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const int n = kp_size(world), each = *(const int *)argument;
    static uint64_t next[600];
    unsigned char data[MOST_BYTES];
    if (kp_processor(self) != 0) {
        for (int i = 0; i < each; i++)
            NEED(self, send_numbered(world, 0, i % 3, kp_processor(self), (uint64_t)i) == 0);
        return 0;
    }
    memset(next, 0, sizeof next);
    for (int i = 0; i < each * (n - 1); i++) {
        kp_message_status found;
        NEED(self, kp_receive(world, data, sizeof data, KP_ANY_SOURCE, KP_ANY_TAG, &found) == 0);
        uint64_t number = next[found.source]++;
        NEED(self, found.tag == (int)number % 3 && found.bytes == length_of(number));
        NEED(self, holds(data, found.bytes, key_of(found.source, number)));
    }
    return 0;
}

static void any_source_takes_each_sender_in_order(void **state)
{
    int each = scaled(100, 400, 400), few = 12;
    (void)state;
    run_on(&(kp_config){.processors = 8, .stack_bytes = 1 << 18}, to_one, &each);
    run_on(&(kp_config){.processors = 8, .stack_bytes = 1 << 18, .unreceived_bytes = KP_UNBUFFERED},
           to_one, &each);
    /* more senders than a receiver has rings */
    if (kp_fibers() && !OVER_A_WIRE)
        run_on(
            &(kp_config){.processors = 500, .carrier = KP_CARRIER_FIBERS, .stack_bytes = 1 << 18},
            to_one, &few);
}

/* Everybody sends to everybody, and waits for all requests in the end. */
static int all_to_all(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const int n = kp_size(world), me = kp_rank(world);
    const size_t bytes = *(const size_t *)argument;
    kp_request **requests = calloc(2 * (size_t)n, sizeof *requests);
    unsigned char *out = malloc((size_t)n * (bytes + 1)), *in = malloc((size_t)n * (bytes + 1));
    bool right = requests && out && in;
    for (int i = 0; i < n && right; i++) {
        right =
            kp_receive_start(world, in + (size_t)i * bytes, bytes, i, 1, NULL, &requests[i]) == 0;
        fill(out + (size_t)i * bytes, bytes, key_of(me, (uint64_t)i));
    }
    for (int i = 0; i < n && right; i++)
        right = kp_send_start(world, out + (size_t)i * bytes, bytes, i, 1, &requests[n + i]) == 0;
    right = right && kp_wait_all(2 * n, requests) == 0;
    for (int i = 0; i < n && right; i++)
        right = holds(in + (size_t)i * bytes, bytes, key_of(i, (uint64_t)me));
    free(requests);
    free(out);
    free(in);
    NEED(self, right);
    return 0;
}

static void all_send_to_all(void **state)
{
    static const size_t some[] = {8, 300, 6000};
    (void)state;
    for (int i = 0; i < 3; i++) {
        size_t bytes = some[i];
        run_on(&(kp_config){.processors = 6}, all_to_all, &bytes);
        run_on(&(kp_config){.processors = 6, .unreceived_bytes = KP_UNBUFFERED}, all_to_all,
               &bytes);
        if (kp_fibers() && !OVER_A_WIRE && i < 2)
            run_on(&(kp_config){.processors = scaled(100, 300, 300), .carrier = KP_CARRIER_FIBERS},
                   all_to_all, &bytes);
    }
}

/* In a circle every member sends before it receives, without any buffer. */
static int circle(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const int n = kp_size(world), me = kp_rank(world), left = (me + n - 1) % n;
    unsigned char out[MOST_BYTES], in[MOST_BYTES];
    (void)argument;
    for (uint64_t i = 0; i < 3 * LENGTHS; i++) {
        kp_message_status found;
        const size_t bytes = length_of(i);
        fill(out, bytes, key_of(me, i));
        NEED(self, kp_exchange_messages(world, out, bytes, (me + 1) % n, 2, in, sizeof in,
                                        i % 2 ? left : KP_ANY_SOURCE, 2, &found) == 0);
        NEED(self, found.source == left && found.bytes == bytes);
        NEED(self, holds(in, bytes, key_of(left, i)));
    }
    return 0;
}

static void a_circle_needs_no_buffer(void **state)
{
    (void)state;
    for (int n = 1; n <= 5; n++) {
        run_on(&(kp_config){.processors = n, .unreceived_bytes = KP_UNBUFFERED}, circle, NULL);
        run_on(&(kp_config){.processors = n}, circle, NULL);
    }
}

/* --- Requests and probes --- */

/* The receives are started with different names, and waited for in the opposite order. Each gets
 * the message that the order of the starts gives it. */
static int posted(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    static const int tags[] = {1, KP_ANY_TAG, 2, 1, KP_ANY_TAG, KP_ANY_TAG};
    static const int sent[] = {2, 1, 1, 3, 2, 2};
    static const int expected[] = {1, 0, 4, 2, 3, 5}; /* the message that each receive gets */
    kp_request *requests[6];
    int64_t values[6];
    kp_message_status found[6];
    (void)argument;
    for (int i = 0; i < 6 && kp_processor(self) == 0; i++)
        NEED(self, kp_receive_start(world, &values[i], sizeof values[i], i % 2 ? 1 : KP_ANY_SOURCE,
                                    tags[i], &found[i], &requests[i]) == 0);
    NEED(self, kp_barrier(world) == 0);
    for (int64_t i = 0; i < 6 && kp_processor(self) == 1; i++)
        NEED(self, kp_send(world, &i, sizeof i, 0, sent[i]) == 0);
    for (int i = 5; i >= 0 && kp_processor(self) == 0; i--) {
        NEED(self, kp_wait(&requests[i]) == 0);
        NEED(self, values[i] == expected[i] && found[i].tag == sent[expected[i]]);
        NEED(self, found[i].source == 1 && found[i].bytes == sizeof values[i]);
    }
    return 0;
}

static void receives_take_messages_in_the_order_of_their_starts(void **state)
{
    (void)state;
    run_on(&(kp_config){.processors = 2}, posted, NULL);
    run_on(&(kp_config){.processors = 2, .unreceived_bytes = KP_UNBUFFERED}, posted, NULL);
}

/* A probe says what comes, and takes nothing. */
static int probe(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    (void)argument;
    for (uint64_t i = 0; i < 2 * LENGTHS; i++) {
        kp_message_status found = {-7, -7, 7};
        int there = 0;
        if (kp_processor(self) == 0) {
            NEED(self, send_numbered(world, 1, (int)i, 0, i) == 0);
            continue;
        }
        if (i % 2)
            NEED(self, kp_probe(world, i % 3 ? 0 : KP_ANY_SOURCE, KP_ANY_TAG, &found) == 0);
        while (i % 2 == 0 && !there)
            NEED(self, kp_probe_now(world, KP_ANY_SOURCE, (int)i, &there, &found) == 0);
        NEED(self, found.source == 0 && found.tag == (int)i && found.bytes == length_of(i));
        NEED(self, kp_probe(world, 0, (int)i, NULL) == 0);
        NEED(self, receive_numbered(world, 0, (int)i, 0, i) == 0);
        NEED(self, kp_probe_now(world, 0, (int)i, &there, NULL) == 0 && !there);
    }
    return kp_barrier(world); /* the last probe that finds nothing is no error before that */
}

static void a_probe_tells_the_next_message(void **state)
{
    (void)state;
    run_on(&(kp_config){.processors = 2}, probe, NULL);
    run_on(&(kp_config){.processors = 2, .unreceived_bytes = KP_UNBUFFERED}, probe, NULL);
}

#define FAR 3000

/* The sender fills its ring, and sleeps, before the receiver takes anything. */
static int far_ahead(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    (void)argument;
    NEED(self, kp_barrier(world) == 0);
    if (kp_processor(self) == 1)
        nap(5000);
    for (int64_t i = 0, value = 0; i < FAR; i++, value = i) {
        if (kp_processor(self) == 0)
            NEED(self, kp_send(world, &value, sizeof value, 1, 1) == 0);
        else
            NEED(self, kp_receive(world, &value, sizeof value, 0, 1, NULL) == 0 && value == i);
    }
    return kp_barrier(world);
}

/* The same with many requests at once, beside blocking calls. None may overtake another. */
static int far_ahead_by_requests(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    kp_request *requests[FAR];
    static int64_t values[2][FAR];
    int me = kp_processor(self);
    (void)argument;
    for (int i = 0; i < FAR; i++) {
        values[me][i] = me == 0 ? i : -1;
        requests[i] = NULL;
        if (me == 0 && i % 7)
            NEED(self, kp_send_start(world, &values[0][i], 8, 1, 1, &requests[i]) == 0);
        else if (me == 0)
            NEED(self, kp_send(world, &values[0][i], 8, 1, 1) == 0);
        else if (i % 5)
            NEED(self, kp_receive_start(world, &values[1][i], 8, 0, 1, NULL, &requests[i]) == 0);
        else
            NEED(self, kp_receive(world, &values[1][i], 8, 0, 1, NULL) == 0);
    }
    NEED(self, kp_wait_all(FAR, requests) == 0);
    for (int i = 0; i < FAR; i++)
        NEED(self, values[me][i] == i);
    return 0;
}

static void a_sender_far_ahead_sleeps_and_is_woken(void **state)
{
    (void)state;
    for (kp_wait_policy wait = KP_WAIT_AUTO; wait <= KP_WAIT_PARK; wait++) {
        run_on(&(kp_config){.processors = 2, .wait = wait, .unreceived_bytes = 1 << 20}, far_ahead,
               NULL);
        run_on(&(kp_config){.processors = 2, .wait = wait, .stack_bytes = 1 << 18},
               far_ahead_by_requests, NULL);
    }
}

/* --- The limit --- */

struct limit {
    size_t config, bytes;
    int ended; /* how many sends end before the receiver begins */
};

#define SENDS 40

static int send_ahead(kp_proc *self, void *argument)
{
    const struct limit *limit = argument;
    kp_group *world = kp_world(self);
    kp_request *requests[SENDS];
    unsigned char data[8192] = {1};
    int ended = 0, all = 0;
    for (int i = 0; i < SENDS && kp_processor(self) == 0; i++)
        NEED(self, kp_send_start(world, data, limit->bytes, 1, 1, &requests[i]) == 0);
    for (int i = 0; i < SENDS && kp_processor(self) == 0; i++) {
        NEED(self, kp_test(&requests[i], &ended) == 0);
        all += ended;
    }
    NEED(self, kp_processor(self) != 0 || all == limit->ended);
    NEED(self, kp_barrier(world) == 0);
    for (int i = 0; i < SENDS && kp_processor(self) == 1; i++)
        NEED(self, kp_receive(world, data, sizeof data, 0, 1, NULL) == 0);
    if (kp_processor(self) == 0)
        NEED(self, kp_wait_all(SENDS, requests) == 0);
    /* all has been received, so as much may be under way again */
    if (kp_processor(self) == 0)
        NEED(self, kp_send_start(world, data, limit->bytes, 1, 2, &requests[0]) == 0 &&
                       kp_test(&requests[0], &ended) == 0 && ended == (limit->ended > 0));
    NEED(self, kp_barrier(world) == 0);
    if (kp_processor(self) == 1)
        return kp_receive(world, data, sizeof data, 0, 2, NULL);
    return kp_wait(&requests[0]);
}

static void the_limit_is_kept(void **state)
{
    static const struct limit limits[] = {
        {KP_UNBUFFERED, 0, 0},
        {KP_UNBUFFERED, 8, 0},
        {KP_UNBUFFERED, 8192, 0},
        {1024, 64, 8},
        {1024, 0, 16},
        {1024, 1, 15},
        {64, 0, 1},
        {64, 1, 0},
        {10000, 1000, 9},
        {0, 8, SENDS},
        {0, 4096, 15},
        {0, 4097, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct limit limit = limits[i];
        run_on(&(kp_config){.processors = 2, .unreceived_bytes = limit.config}, send_ahead, &limit);
    }
}

#define BEYOND 260 /* more senders than a receiver has rings */

/* The last member sends without a ring, because all others have sent before. */
static int send_listed(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const int me = kp_rank(world), last = kp_size(world) - 1;
    int64_t value = me;
    kp_request *requests[SENDS];
    (void)argument;
    if (me != 0 && me != last)
        NEED(self, kp_send(world, &value, sizeof value, 0, 1) == 0);
    for (int i = 1; i < last && me == 0; i++)
        NEED(self, kp_receive(world, &value, sizeof value, i, 1, NULL) == 0 && value == i);
    for (int times = 0; times < 3; times++) {
        int ended = 0, all = 0;
        NEED(self, kp_barrier(world) == 0);
        for (int i = 0; i < SENDS && me == last; i++)
            NEED(self, kp_send_start(world, &value, sizeof value, 0, i, &requests[i]) == 0);
        for (int i = 0; i < SENDS && me == last; i++) {
            NEED(self, kp_test(&requests[i], &ended) == 0);
            all += ended;
        }
        NEED(self, me != last || all == 14); /* 14 * 72 <= 1024 */
        NEED(self, kp_barrier(world) == 0);
        for (int i = 0; i < SENDS && me == 0; i++)
            NEED(self,
                 kp_receive(world, &value, sizeof value, last, i, NULL) == 0 && value == last);
        if (me == last)
            NEED(self, kp_wait_all(SENDS, requests) == 0);
    }
    return 0;
}

static void the_limit_is_kept_without_rings(void **state)
{
    (void)state;
    if (!kp_fibers() || OVER_A_WIRE)
        skip();
    run_on(
        &(kp_config){.processors = BEYOND, .carrier = KP_CARRIER_FIBERS, .unreceived_bytes = 1024},
        send_listed, NULL);
}

/* --- Copies of groups --- */

static int in_copies(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self), *one, *two, *of_one;
    const int me = kp_rank(world), n = kp_size(world);
    int64_t value = 0, values[2] = {0};
    (void)argument;
    NEED(self, kp_group_dup(world, &one) == 0 && kp_group_dup(world, &two) == 0);
    NEED(self, one != two && one != world && kp_rank(one) == me && kp_size(two) == n);
    NEED(self, kp_group_dup(one, &of_one) == 0 && of_one != two);
    if (me == 0) {
        NEED(self, kp_send(two, &(int64_t){2}, 8, 1, 1) == 0);
        NEED(self, kp_send(world, &(int64_t){0}, 8, 1, 1) == 0);
        NEED(self, kp_send(one, &(int64_t){1}, 8, 1, 1) == 0);
        NEED(self, kp_send(of_one, &(int64_t){3}, 8, 1, 1) == 0);
    } else if (me == 1) {
        NEED(self, kp_receive(of_one, &value, 8, 0, 1, NULL) == 0 && value == 3);
        NEED(self,
             kp_receive(world, &value, 8, KP_ANY_SOURCE, KP_ANY_TAG, NULL) == 0 && value == 0);
        NEED(self, kp_receive(one, &value, 8, KP_ANY_SOURCE, KP_ANY_TAG, NULL) == 0 && value == 1);
        NEED(self, kp_receive(two, &value, 8, KP_ANY_SOURCE, KP_ANY_TAG, NULL) == 0 && value == 2);
    }
    value = me;
    NEED(self, n != 2 || (kp_concat(one, &value, values, 8, NULL) == 0 && values[1] == 1));
    NEED(self, kp_group_free(one) == 0 && kp_group_free(two) == 0 && kp_group_free(of_one) == 0);
    return 0;
}

/* A member sends in a copy, and frees its handle before the receiver has one. */
static int early(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self), *copy;
    int64_t value = 0;
    (void)argument;
    /* Over a wire a copy is made by all members together. */
    if (kp_rank(world) == 1 && !OVER_A_WIRE)
        NEED(self, kp_barrier(world) == 0);
    NEED(self, kp_group_dup(world, &copy) == 0);
    if (kp_rank(world) == 1 && OVER_A_WIRE)
        NEED(self, kp_barrier(world) == 0);
    if (kp_rank(world) == 0) {
        NEED(self, kp_send(copy, &(int64_t){5}, 8, 1, 1) == 0);
        NEED(self, kp_group_free(copy) == 0);
        NEED(self, kp_barrier(world) == 0);
        return 0;
    }
    NEED(self, kp_receive(copy, &value, 8, 0, 1, NULL) == 0 && value == 5);
    return kp_group_free(copy);
}

static void copies_of_a_group_are_apart(void **state)
{
    (void)state;
    run_on(&(kp_config){.processors = 2}, in_copies, NULL);
    run_on(&(kp_config){.processors = 3}, in_copies, NULL);
    run_on(&(kp_config){.processors = 2}, early, NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(every_length_arrives),
        TEST(messages_do_not_overtake),
        TEST(tags_choose_messages),
        TEST(a_member_sends_to_itself),
        TEST(any_source_takes_each_sender_in_order),
        TEST(all_send_to_all),
        TEST(a_circle_needs_no_buffer),
        TEST(receives_take_messages_in_the_order_of_their_starts),
        TEST(a_probe_tells_the_next_message),
        TEST(a_sender_far_ahead_sleeps_and_is_woken),
        TEST(the_limit_is_kept),
        TEST(the_limit_is_kept_without_rings),
        TEST(copies_of_a_group_are_apart),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
