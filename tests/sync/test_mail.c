/* Tests rounds that are kept apart by mailboxes. A root may be some calls ahead of its receivers,
 * lent memory must stay readable, and members must get errors from a call that fails.
 * test_collective verifies that every algorithm moves every byte. */
#include "tests/common/machine_common.h"

#include <kport.h>

#include "ports/sync/mailbox.h"

static kp_config mailboxes(int n, int generations)
{
    return (kp_config){
        .processors = n, .discipline = KP_ROUNDS_BY_MAILBOXES, .generations = generations};
}

/* --- The root is ahead of its receivers --- */

static _Atomic int begun, ahead;

/* The receiver takes no message before the root has stopped for lack of room. */
static int run_ahead(kp_proc *self, void *argument)
{
    int generations = *(int *)argument, calls = 3 * generations;
    int64_t value = -1;
    for (int i = 0; i < calls; i++) {
        if (kp_processor(self) == 0) {
            value = i;
            atomic_store(&begun, i + 1);
        } else if (i == 0) {
            while (atomic_load(&begun) <= generations)
                nap(100);
            nap(20000);
            atomic_store(&ahead, atomic_load(&begun));
        }
        NEED(self, kp_broadcast(kp_world(self), &value, sizeof value, 0, NULL) == 0);
        NEED(self, value == i);
    }
    return 0;
}

static void a_root_is_ahead_by_the_generations(void **state)
{
    (void)state;
    for (int generations = 2; generations <= 64; generations *= 2) {
        kp_config config = mailboxes(2, generations);
        kp_report report;
        atomic_store(&begun, 0);
        assert_good(kp_run(&config, run_ahead, &generations, &report), &report);
        /* The root has begun one more call, in which it waits for room. */
        assert_int_equal(atomic_load(&ahead), generations + 1);
    }
}

#define LONG_BYTES 100000

/* A sender overwrites its data as soon as its call has returned. The receivers must still get the
 * old data. */
static int overwrite(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int me = kp_processor(self), n = kp_size(world);
    unsigned char *data = malloc(LONG_BYTES);
    bool right = data != NULL;
    (void)argument;
    for (int i = 0; i < scaled(50, 200, 200) && right; i++) {
        int root = i % n;
        if (me == root)
            fill(data, LONG_BYTES, (uint64_t)i);
        right = kp_broadcast(world, data, LONG_BYTES, root, NULL) == 0 &&
                holds(data, LONG_BYTES, (uint64_t)i);
        memset(data, 0xdd, LONG_BYTES);
    }
    free(data);
    NEED(self, right);
    return 0;
}

static void what_was_described_has_been_read(void **state)
{
    (void)state;
    kp_config config = mailboxes(5, 0);
    kp_report report;
    assert_good(kp_run(&config, overwrite, NULL, &report), &report);
}

/* A scatter whose blocks do not fit the root's ordinary eager buffer. The root packs the blocks
 * into its long eager buffers, of which it has one for each generation. So it may begin further
 * calls before a late receiver has got its block. */
#define PACKED_BYTES 5000

static int scatter_ahead(kp_proc *self, void *argument)
{
    static unsigned char sent[3][3 * PACKED_BYTES], come[3][PACKED_BYTES];
    kp_group *world = kp_world(self);
    int me = kp_processor(self), n = kp_size(world);
    (void)argument;
    for (int i = 0; i < 120; i++) {
        int root = i / 40;
        for (int j = 0; j < n && me == root; j++)
            fill(sent[me] + j * PACKED_BYTES, PACKED_BYTES, (uint64_t)(i * n + j));
        if (me != root && i % 40 == 0)
            nap(20000);
        NEED(self, kp_scatter(world, sent[me], come[me], PACKED_BYTES, root, NULL) == 0);
        NEED(self, holds(come[me], PACKED_BYTES, (uint64_t)(i * n + me)));
    }
    return 0;
}

static void a_root_packs_long_rows(void **state)
{
    (void)state;
    kp_report report;
    kp_config config = {.processors = 3, .discipline = KP_ROUNDS_BY_MAILBOXES};
    assert_good(kp_run(&config, scatter_ahead, NULL, &report), &report);
}

static int back_and_forth(kp_proc *self, void *argument)
{
    int n = kp_size(kp_world(self));
    (void)argument;
    for (int i = 0; i < scaled(20000, 60000, 200000) / n; i++) {
        int64_t value = kp_processor(self) == i % n ? i : -1;
        NEED(self, kp_broadcast(kp_world(self), &value, sizeof value, i % n, NULL) == 0);
        NEED(self, value == i);
    }
    return 0;
}

/* Each member parks as soon as it waits. So whoever sends a message or empties a mailbox must wake
 * the member that waits for this. No member may be reported as deadlocked. */
static void no_wake_is_lost(void **state)
{
    (void)state;
    for (int n = 2; n <= 4; n++) {
        kp_config config = mailboxes(n, 2);
        kp_report report;
        config.wait = KP_WAIT_PARK;
        assert_good(kp_run(&config, back_and_forth, NULL, &report), &report);
    }
}

/* --- Calls that fail --- */

static int different_calls(kp_proc *self, void *argument)
{
    int64_t value = 0, sum = 0;
    (void)argument;
    if (kp_processor(self) == 1)
        return keep(self, kp_broadcast(kp_world(self), &value, 4, 0, NULL));
    int status = kp_broadcast(kp_world(self), &value, 8, 0, NULL);
    /* The root may have finished its call before the failure is found, and so may a member that
     * receives from the root only. */
    if (!status)
        status = kp_allreduce(kp_world(self), &value, &sum, 1, KP_INT64, KP_SUM, NULL);
    return keep(self, status);
}

static void a_mismatch_is_found_where_they_meet(void **state)
{
    (void)state;
    kp_config config = mailboxes(4, 0);
    kp_machine *machine;
    kp_report report;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    assert_int_equal(kp_machine_run(machine, different_calls, NULL, &report), KP_EMISMATCH);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(outcomes[i].status, KP_EMISMATCH);
        assert_non_null(strstr(outcomes[i].error.sentence, "called broadcast:n=4,k=3,b=4"));
    }
    /* The next run must be unaffected. */
    assert_good(kp_machine_run(machine, overwrite, NULL, &report), &report);
    assert_int_equal(kp_machine_destroy(machine), 0);
}

/* The receiver makes `alike` calls that equal the root's, then one that differs. The root makes
 * `calls` calls, so it may be many calls ahead. If it is further ahead than kport remembers, the
 * sentence cannot say what the root called. `sentence` is a part of the receiver's error. The calls
 * have no call sites, so the error names no lines. */
struct differ {
    int alike, calls;
    const char *sentence;
};

static int differ_long_ago(kp_proc *self, void *argument)
{
    enum {
        CALLS = 40
    };
    const struct differ *differ = argument;
    bool root = kp_processor(self) == 0;
    int calls = root ? differ->calls : differ->alike, status = 0;
    char data[CALLS] = "";
    while (!root && atomic_load(&begun) == 0)
        nap(100);
    for (int i = 0; i < calls && !status; i++)
        status = (kp_broadcast)(kp_world(self), data, (size_t)i % CALLS, 0, NULL);
    if (!root)
        return keep(self,
                    status ? status : (kp_broadcast)(kp_world(self), data, sizeof data, 0, NULL));
    atomic_store(&begun, 1);
    return keep(self, status ? status : kp_barrier(kp_world(self)));
}

static void a_mismatch_is_found_long_after(void **state)
{
    (void)state;
    kp_config config = mailboxes(2, 256);
    kp_report report;
    static struct differ rows[] = {
        {0, 4, "processor 0 called broadcast:n=2,k=1,b=0"},
        {0, 16, "(call 1 of both)"},
        {0, 17, "in that round belongs to another call or comes after one"},
        {0, 40, "in that round belongs to another call or comes after one"},
        {2, 17, "(call 3 of both)"},
        {2, 18, "(call 3 of both, or an earlier one differs too)"},
        {2, 19, "in that round belongs to another call or comes after one"},
        {20, 36, "(call 21 of both, or an earlier one differs too)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        atomic_store(&begun, 0);
        assert_int_equal(kp_run(&config, differ_long_ago, &rows[i], &report), KP_EMISMATCH);
        if (!strstr(outcomes[1].error.sentence, rows[i].sentence))
            fail_msg("\"%s\" lacks \"%s\"", outcomes[1].error.sentence, rows[i].sentence);
    }
}

static int refused(kp_proc *self, void *argument)
{
    int64_t value = 0;
    void *data = kp_processor(self) == 2 ? NULL : &value;
    int status = 0;
    (void)argument;
    for (int i = 0; i < 200 && !status; i++)
        status = kp_broadcast(kp_world(self), data, sizeof value, 0, NULL);
    return keep(self, status);
}

static void a_refused_call_is_everybodys(void **state)
{
    (void)state;
    kp_config config = mailboxes(4, 0);
    kp_report report;
    assert_int_not_equal(kp_run(&config, refused, NULL, &report), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(outcomes[i].status, i == 2 ? KP_EARGUMENT : KP_EPEER);
        assert_true(i == 2 || names(outcomes[i].error.sentence, 2));
    }
}

static int leave_early(kp_proc *self, void *argument)
{
    int64_t value = 41;
    (void)argument;
    int status = kp_broadcast(kp_world(self), &value, sizeof value, 0, NULL);
    NEED(self, status == 0 && value == 41);
    if (kp_processor(self) == 0)
        return 0;
    (void)keep(self, kp_broadcast(kp_world(self), &value, sizeof value, 0, NULL));
    return 0;
}

static void what_was_sent_arrives_though_the_sender_has_ended(void **state)
{
    (void)state;
    kp_config config = mailboxes(5, 0);
    kp_report report;
    for (int i = 0; i < scaled(50, 500, 500); i++) {
        assert_good(kp_run(&config, leave_early, NULL, &report), &report);
        for (int j = 1; j < 5; j++) {
            assert_int_equal(outcomes[j].status, KP_ELOST);
            assert_true(names(outcomes[j].error.sentence, 0));
        }
    }
}

static _Atomic int told;

/* A member that gets the error of the loss does not end before the other members have got it
 * too. */
static int hear_and_stay(kp_proc *self, void *argument)
{
    int64_t value = 0;
    int me = kp_processor(self);
    (void)argument;
    if (me == 0)
        return 0;
    (void)keep(self, kp_broadcast(kp_world(self), &value, sizeof value, 0, argument));
    atomic_fetch_add(&told, 1);
    while (atomic_load(&told) < kp_size(kp_world(self)) - 1)
        nap(100);
    return 0;
}

static void a_loss_is_passed_on(void **state)
{
    (void)state;
    kp_config config = mailboxes(4, 0);
    kp_hints ring;
    kp_report report;
    config.ports = 1;
    assert_int_equal(kp_hints_parse(KP_BROADCAST, "tree", &ring), 0);
    for (int i = 0; i < scaled(20, 100, 100); i++) {
        atomic_store(&told, 0);
        assert_good(kp_run(&config, hear_and_stay, &ring, &report), &report);
        for (int j = 1; j < 4; j++) {
            assert_int_equal(outcomes[j].status, KP_ELOST);
            assert_true(names(outcomes[j].error.sentence, 0));
        }
    }
}

/* A member may complete its part of a call and free the group before the other member has created
 * it. */
static int group_in_passing(kp_proc *self, void *argument)
{
    static const int both[] = {0, 1};
    int me = kp_processor(self);
    uint64_t seed = *(uint64_t *)argument + (uint64_t)me;
    for (int i = 0; i < 20; i++) {
        kp_group *group;
        int64_t value = me == 0 ? i : -1;
        if (me == 1)
            nap(random_below(&seed, 300));
        NEED(self, kp_group_create(self, both, 2, &group) == 0);
        NEED(self, kp_broadcast(group, &value, sizeof value, 0, NULL) == 0 && value == i);
        NEED(self, kp_group_free(group) == 0);
    }
    return 0;
}

static void a_group_outlasts_who_is_through(void **state)
{
    (void)state;
    kp_config config = mailboxes(2, 4);
    kp_report report;
    for (uint64_t seed = 0; seed < (uint64_t)scaled(10, 60, 60); seed++)
        assert_good(kp_run(&config, group_in_passing, &seed, &report), &report);
}

static int fail_while_it_is_read(kp_proc *self, void *argument)
{
    unsigned char *data = malloc(LONG_BYTES);
    int status = data ? 0 : KP_EMEMORY, me = kp_processor(self);
    uint64_t seed = *(uint64_t *)argument + (uint64_t)me;
    int last = random_below(&seed, 10);
    for (int i = 0; i < 100 && !status; i++) {
        if (me == 3 && i == last) {
            status = kp_fail(self, "enough");
            break;
        }
        random_delay(&seed, 50);
        status = kp_broadcast(kp_world(self), data, LONG_BYTES, i % 2, NULL);
    }
    free(data); /* nobody may read it any more */
    return keep(self, status);
}

static void nobody_reads_what_a_broken_call_described(void **state)
{
    (void)state;
    kp_config config = mailboxes(4, 2);
    kp_report report;
    for (uint64_t seed = 0; seed < (uint64_t)scaled(50, 300, 300); seed++) {
        uint64_t first = seed * 16;
        assert_int_equal(kp_run(&config, fail_while_it_is_read, &first, &report), KP_EFAILED);
        for (int i = 0; i < 4; i++)
            assert_int_equal(outcomes[i].status, KP_EFAILED);
    }
}

static int wait_for_each_other(kp_proc *self, void *argument)
{
    int64_t value = 0, all[2];
    (void)argument;
    kp_group *world = kp_world(self);
    return keep(self, kp_processor(self) == 0 ? kp_gather(world, &value, all, sizeof value, 0, NULL)
                                              : kp_broadcast(world, &value, sizeof value, 0, NULL));
}

/* Both members wait, and no message is on its way. Still both calls must be named. */
static void a_mismatch_is_found_where_both_wait(void **state)
{
    (void)state;
    kp_config config = mailboxes(2, 0);
    kp_report report;
    assert_int_equal(kp_run(&config, wait_for_each_other, NULL, &report), KP_EMISMATCH);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(outcomes[i].status, KP_EMISMATCH);
        assert_non_null(strstr(outcomes[i].error.sentence, "processor 0 called gather:n=2"));
        assert_non_null(strstr(outcomes[i].error.sentence, "processor 1 called broadcast:n=2"));
    }
}

static int come_late(kp_proc *self, void *argument)
{
    int64_t value = 0;
    (void)argument;
    if (kp_processor(self) == 1)
        nap(400000);
    return keep(self, kp_broadcast(kp_world(self), &value, sizeof value, 1, NULL));
}

static void a_time_limit_names_who_is_late(void **state)
{
    (void)state;
    kp_config config = mailboxes(3, 0);
    kp_report report;
    config.time_limit_ms = 50;
    assert_int_equal(kp_run(&config, come_late, NULL, &report), KP_ETIMEOUT);
    assert_int_equal(report.error.processor, 1);
    for (int i = 0; i < 3; i++)
        assert_int_equal(outcomes[i].status, KP_ETIMEOUT);
}

static void wrong_configurations(void **state)
{
    (void)state;
    static const int wrong[] = {-2, 1, 3, 2048};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        kp_config config = mailboxes(2, wrong[i]);
        kp_machine *machine;
        assert_int_equal(kp_machine_create(&config, &machine), KP_EARGUMENT);
        assert_true(names(kp_last_error()->sentence, abs(wrong[i])));
    }
    kp_config config = {.processors = 2, .discipline = (kp_discipline)7};
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&config, &machine), KP_EARGUMENT);
    assert_true(names(kp_last_error()->sentence, 7));
    config = (kp_config){.processors = 2, .tau_us = -3};
    assert_int_equal(kp_machine_create(&config, &machine), KP_EARGUMENT);
    assert_true(names(kp_last_error()->sentence, 3));
}

/* --- The functions of a mailbox --- */

#define BOXES 4

static struct kp_mailbox boxes[BOXES];

static void *write_boxes(void *argument)
{
    uint32_t count = *(uint32_t *)argument;
    for (uint32_t i = 1; i <= count; i++) {
        struct kp_mailbox *box = &boxes[i % BOXES];
        while (!kp_mailbox_is_empty(box))
            sched_yield();
        memcpy(box->payload, &i, sizeof i);
        box->mark = (uint64_t)i * 3;
        kp_mailbox_post(box, i);
    }
    return NULL;
}

static void every_message_once_and_in_order(void **state)
{
    (void)state;
    uint32_t count = (uint32_t)scaled(20000, 200000, 200000);
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, write_boxes, &count), 0);
    bool right = true;
    for (uint32_t i = 1, seen; i <= count; i++) {
        struct kp_mailbox *box = &boxes[i % BOXES];
        while (!kp_mailbox_holds(box, i))
            sched_yield();
        memcpy(&seen, box->payload, sizeof seen);
        right = right && seen == i && box->mark == (uint64_t)i * 3;
        kp_mailbox_release(box);
    }
    assert_int_equal(pthread_join(writer, NULL), 0);
    assert_true(right);
}

/* No other member can be in doubt about a call of the only member, so the member calls on. */
static int refuse_alone(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int64_t value = 7, got = 0;
    (void)argument;
    NEED(self, kp_index(world, NULL, &got, sizeof got, NULL) == KP_EARGUMENT);
    NEED(self, kp_index(world, &value, &got, sizeof got, NULL) == 0 && got == value);
    return 0;
}

static void a_refused_call_of_one_leaves_the_group_usable(void **state)
{
    (void)state;
    kp_config config = mailboxes(1, 2);
    kp_report report;
    assert_good(kp_run(&config, refuse_alone, NULL, &report), &report);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(a_root_is_ahead_by_the_generations),
        TEST(what_was_described_has_been_read),
        TEST(a_root_packs_long_rows),
        TEST(no_wake_is_lost),
        TEST(a_mismatch_is_found_where_they_meet),
        TEST(a_mismatch_is_found_long_after),
        TEST(a_refused_call_is_everybodys),
        TEST(a_refused_call_of_one_leaves_the_group_usable),
        TEST(what_was_sent_arrives_though_the_sender_has_ended),
        TEST(a_loss_is_passed_on),
        TEST(a_group_outlasts_who_is_through),
        TEST(nobody_reads_what_a_broken_call_described),
        TEST(a_mismatch_is_found_where_both_wait),
        TEST(a_time_limit_names_who_is_late),
        TEST(wrong_configurations),
        TEST(every_message_once_and_in_order),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
