/* Tests a wire that fails, and a lack of memory over a wire. Every call of the wire and every
 * request for memory fails in turn. Each time the caller must get an error, the other processors
 * must get it once, later calls must be refused, and nothing may stay allocated.
 *
 * One thread with one processor is enough, because the wire is an echo: whatever the processor
 * sends to the others comes back as if the others had sent it. A "letter" is a message that the
 * echo keeps. */
#include "tests/common/machine_common.h"

#include "tests/common/failing_allocator.h"

#include "lib/call/machine.h"
#include "ports/carrier/wire.h"
#include "ports/error.h"

#include <kport.h>

#define N            3
#define MOST_LETTERS 8
#define MOST_BYTES   4096
#define LONG         256  /* bytes of a block, longer than the blocks before */
#define LONGEST      4000 /* bytes of a block that does not go with its head */
#define MARKED       16   /* bytes of a letter that precede its data */

struct letter {
    uint64_t tag;
    size_t length;
    bool taken;
    char bytes[MOST_BYTES];
};

static struct echo {
    struct kp_wire wire;
    struct letter letters[MOST_LETTERS];
    struct kp_wire_message *awaited[MOST_LETTERS];
    int letter_count, awaited_count;
    /* The begun messages and the waits so far, and the one of them that fails; 0: none. */
    int calls, failing_call;
    size_t comes; /* the length that the echo reports for each letter; 0: the true length */
    int flips; /* the bit, from 1 on, that the echo changes in letters of known length; 0: none */
    /* the error that another processor told when it gave up; status 0: none has given up */
    kp_error_record said;
    int given_up; /* how often the caller has told the others that it gives up */
    kp_error_record told;
} echo;

/* --- The wire --- */

static bool is_its_turn(void)
{
    return ++echo.calls == echo.failing_call;
}

static int echo_begin(struct kp_wire *wire, struct kp_wire_message *receives, int receive_count,
                      struct kp_wire_message *sends, int send_count)
{
    (void)wire;
    for (int i = 0; i < receive_count; i++) {
        if (is_its_turn())
            return kp_set_error(KP_EMEMORY, "the wire has no room");
        assert_true(echo.awaited_count < MOST_LETTERS);
        echo.awaited[echo.awaited_count++] = &receives[i];
    }
    for (int i = 0; i < send_count; i++) {
        if (is_its_turn())
            return kp_set_error(KP_EMEMORY, "the wire has no room");
        struct letter *letter = &echo.letters[echo.letter_count++];
        assert_true(echo.letter_count <= MOST_LETTERS && sends[i].length <= MOST_BYTES);
        letter->tag = sends[i].tag;
        letter->length = sends[i].length;
        letter->taken = false;
        memcpy(letter->bytes, sends[i].bytes, sends[i].length);
    }
    return KP_OK;
}

/* Delivers the first letter that has the awaited tag and is not taken. */
static void give(struct kp_wire_message *to)
{
    struct letter *letter = echo.letters;
    while (letter->taken || letter->tag != to->tag)
        assert_true(++letter < echo.letters + echo.letter_count);
    letter->taken = true;
    assert_true(letter->length <= to->length);
    memcpy(to->bytes, letter->bytes, letter->length);
    if (!to->exact)
        to->length = echo.comes > 0 ? echo.comes : letter->length;
    else if (echo.flips > 0)
        to->bytes[(echo.flips - 1) / 8] ^= (char)(1 << (echo.flips - 1) % 8);
}

static int echo_wait(struct kp_wire *wire, enum kp_wire_what what, unsigned limit_ms,
                     kp_error_record *why)
{
    (void)wire, (void)limit_ms;
    if (is_its_turn()) {
        why->processor = 1;
        return KP_ELOST;
    }
    if (echo.said.status) {
        *why = echo.said;
        return why->status;
    }
    for (int i = 0; i < echo.awaited_count; i++)
        give(echo.awaited[i]);
    echo.awaited_count = 0;
    if (what == KP_WIRE_RECEIVES)
        return KP_OK;
    for (int i = 0; i < echo.letter_count; i++)
        assert_true(echo.letters[i].taken);
    echo.letter_count = 0;
    return KP_OK;
}

static void echo_give_up(struct kp_wire *wire, const kp_error_record *why)
{
    (void)wire;
    echo.given_up++;
    echo.told = *why;
}

/* --- Calls --- */

static int index_of(kp_proc *self, size_t bytes)
{
    char out[N * LONGEST], in[N * LONGEST];
    memset(out, 5, sizeof out);
    memset(in, 0, sizeof in);
    int status = kp_index(kp_world(self), out, in, bytes, NULL);
    if (!status)
        assert_memory_equal(in, out, N * bytes);
    return status;
}

static int barrier(kp_proc *self)
{
    return kp_barrier(kp_world(self));
}

static int longer_and_longer(kp_proc *self)
{
    int status = index_of(self, 8);
    return status ? status : index_of(self, LONG);
}

static size_t tiny_bytes;

static int tiny(kp_proc *self)
{
    return index_of(self, tiny_bytes);
}

static int longer(kp_proc *self)
{
    return index_of(self, LONG);
}

static int longest(kp_proc *self)
{
    return index_of(self, LONGEST);
}

static int lengths(kp_proc *self)
{
    const size_t bytes[N] = {LONG, LONG, LONG};
    char out[N * LONG], in[N * LONG] = {0};
    memset(out, 6, sizeof out);
    int status = kp_indexv(kp_world(self), out, bytes, NULL, in, bytes, NULL, NULL);
    if (!status)
        assert_memory_equal(in, out, sizeof in);
    return status;
}

static int exchange(kp_proc *self)
{
    char come[2][LONG] = {"", ""};
    const kp_outgoing out[] = {{0, 1, "seven", 6}, {1, 2, "eight", 6}};
    kp_incoming in[] = {{0, 1, come[0], LONG, 1}, {1, 2, come[1], 6, 0}};
    int status = kp_exchange(kp_world(self), out, 2, in, 2);
    if (!status) {
        assert_string_equal(come[0], "seven");
        assert_string_equal(come[1], "eight");
    }
    return status;
}

/* Each notice is one message that is too long for its head. */
static int exchange_longest(kp_proc *self)
{
    char leaves[LONGEST], come[2][LONGEST] = {"", ""};
    memset(leaves, 8, sizeof leaves);
    const kp_outgoing out[] = {{0, 1, leaves, LONGEST}, {1, 2, leaves, LONGEST}};
    kp_incoming in[] = {{0, 1, come[0], LONGEST, 1}, {1, 2, come[1], LONGEST, 0}};
    int status = kp_exchange(kp_world(self), out, 2, in, 2);
    if (!status) {
        assert_memory_equal(come[0], leaves, LONGEST);
        assert_memory_equal(come[1], leaves, LONGEST);
    }
    return status;
}

/* A call that the caller refuses. The echo returns the refusal, as if all members had refused.
 * Whatever the wire does, the caller's own error must be about its argument. */
static int refused(kp_proc *self)
{
    assert_int_equal(kp_send_recv(kp_world(self), NULL, 0, N, NULL, 0, -1), KP_EARGUMENT);
    return echo.given_up > 0 ? echo.told.status : KP_OK;
}

static const struct {
    const char *name;
    int (*call)(kp_proc *self);
} calls[] = {{"barrier", barrier},   {"index", longer_and_longer},
             {"longest", longest},   {"lengths", lengths},
             {"exchange", exchange}, {"longest exchange", exchange_longest},
             {"refused", refused}};
#define CALLS (int)(sizeof calls / sizeof calls[0])

/* --- Runs --- */

static struct kp_wire echo_wire(uint64_t most_tag)
{
    return (struct kp_wire){
        .most_tag = most_tag, .begin = echo_begin, .wait = echo_wait, .give_up = echo_give_up};
}

static kp_machine *created_with(int processors, int ports, uint64_t most_tag)
{
    const kp_config config = {.processors = processors, .ports = ports};
    kp_machine *machine;
    echo = (struct echo){.wire = echo_wire(most_tag)};
    assert_int_equal(kp_machine_create_over(&config, &echo.wire, &machine), 0);
    return machine;
}

static kp_machine *attached_to(int processors, int ports, kp_proc **self)
{
    kp_machine *machine = created_with(processors, ports, UINT64_MAX);
    assert_int_equal(kp_machine_attach(machine, 0, self), 0);
    return machine;
}

static kp_machine *attached(kp_proc **self)
{
    return attached_to(N, 2, self);
}

/* Asserts the error of a call that failed. The caller must have told the others once that it gives
 * up, with the status `told`. The next call must fail without using the wire. */
static void expect_named(kp_proc *self, int which, int status, int told)
{
    const bool by_own = calls[which].call == refused;
    assert_int_equal(kp_error(self)->status, by_own ? KP_EARGUMENT : status);
    assert_true(strlen(kp_error(self)->sentence) > 0);
    assert_int_equal(echo.given_up, 1);
    assert_int_equal(echo.told.status, told);
    assert_int_equal(echo.told.processor, status == KP_ELOST ? 1 : 0);
    assert_true(strlen(echo.told.sentence) > 0);
    const int before = echo.calls;
    assert_int_not_equal(kp_barrier(kp_world(self)), 0);
    assert_int_equal(echo.calls, before);
}

static int nothing(kp_proc *self, void *argument)
{
    (void)self, (void)argument;
    return 0;
}

/* A machine that has given up serves nobody any more. */
static void leave(kp_machine *machine, kp_proc *self)
{
    (void)kp_machine_detach(self);
    if (echo.given_up > 0) {
        assert_int_equal(kp_machine_attach(machine, 0, &self), KP_EFAILED);
        assert_non_null(strstr(kp_last_error()->sentence, "a new machine may be made"));
        assert_int_equal(kp_machine_run(machine, nothing, NULL, NULL), KP_EFAILED);
    }
    assert_int_equal(kp_machine_destroy(machine), 0);
}

/* Lets call `number` of the wire fail. Returns whether there was such a call. */
static bool one_call_fails(int which, int number)
{
    kp_proc *self;
    kp_machine *machine = attached(&self);
    echo.failing_call = number;
    const int status = calls[which].call(self);
    const bool failed = echo.calls >= number;
    assert_true(status == KP_EMEMORY || status == KP_ELOST || !failed);
    if (failed)
        expect_named(self, which, status, status);
    leave(machine, self);
    return failed;
}

static void every_call_of_the_wire_fails_in_turn(void **state)
{
    (void)state;
    for (int which = 0; which < CALLS; which++) {
        int number = 1;
        while (one_call_fails(which, number))
            number++;
        assert_true(number > 3);
    }
}

/* Lets request `number` for memory fail. Returns whether there was such a request. If the call
 * fails before it has used the wire, the other processors need not be told. Otherwise they must be
 * told. */
static bool one_request_fails(int which, long number)
{
    kp_proc *self;
    kp_machine *machine = attached(&self);
    fail_request(number);
    const int status = calls[which].call(self);
    fail_none();
    const bool failed = atomic_load(&has_failed);
    assert_true(status == KP_EMEMORY || status == KP_OK);
    assert_true(failed || status == KP_OK);
    /* If this member cannot take part in a round, it tells the others KP_EPEER, as after any
     * refusal. */
    const bool refuses = echo.given_up > 0 && echo.told.status == KP_EPEER;
    if (echo.given_up > 0)
        expect_named(self, which, KP_EMEMORY, refuses ? KP_EPEER : KP_EMEMORY);
    leave(machine, self);
    return failed;
}

static void every_request_fails_in_turn(void **state)
{
    (void)state;
    for (int which = 0; which < CALLS; which++) {
        (void)one_request_fails(which, LONG_MAX);
        const long before = atomic_load(&blocks);
        for (long number = 1; one_request_fails(which, number); number++)
            assert_int_equal(atomic_load(&blocks), before);
    }
}

/* Creates a machine with too little memory. The machine must be refused, or must work. */
static void a_machine_without_memory_is_refused(void **state)
{
    (void)state;
    const kp_config config = {.processors = N, .ports = 2};
    const long before = atomic_load(&blocks);
    bool failed = true;
    for (long number = 1; failed; number++) {
        kp_machine *machine;
        echo = (struct echo){.wire = echo_wire(UINT64_MAX)};
        fail_request(number);
        const int status = kp_machine_create_over(&config, &echo.wire, &machine);
        fail_none();
        failed = atomic_load(&has_failed);
        assert_int_equal(status, failed ? KP_EMEMORY : KP_OK);
        if (!status)
            assert_int_equal(kp_machine_destroy(machine), 0);
        assert_int_equal(atomic_load(&blocks), before);
    }
}

/* Lets request `number` of a run's start fail. Returns whether there was such a request. A run that
 * cannot start tells the other processors that none comes, whatever the machine did before. */
static bool one_start_fails(bool is_used, long number)
{
    kp_proc *self;
    kp_machine *machine = created_with(N, 2, UINT64_MAX);
    kp_report report;
    if (is_used) {
        assert_int_equal(kp_machine_attach(machine, 0, &self), 0);
        assert_int_equal(kp_machine_detach(self), 0);
    }
    fail_request(number);
    const int status = kp_machine_run(machine, nothing, NULL, &report);
    fail_none();
    const bool failed = atomic_load(&has_failed);
    assert_true(failed ? status == KP_EMEMORY || status == KP_ETHREAD : status == KP_OK);
    assert_int_equal(report.started, !failed);
    assert_int_equal(echo.given_up, failed);
    assert_int_equal(echo.told.status, status);
    assert_int_equal(kp_machine_destroy(machine), 0);
    return failed;
}

static void a_run_that_cannot_start_is_told_to_all(void **state)
{
    (void)state;
    for (int is_used = 0; is_used < 2; is_used++) {
        long number = 1;
        while (one_start_fails(is_used, number))
            number++;
        assert_true(number > 1);
    }
}

/* --- Contexts --- */

/* With two ports, tags up to 75 have room for five contexts and their lanes. Three of them are the
 * world's, that of the messages by which groups are made, and that of messages with tags. */
static void groups_for_which_no_context_is_left_are_refused(void **state)
{
    (void)state;
    static const int all[] = {0, 1, 2}, two[] = {0, 1}, others[] = {0, 2};
    kp_group *first, *second, *third;
    kp_proc *self;
    kp_machine *machine = created_with(N, 2, 75);
    assert_int_equal(kp_machine_attach(machine, 0, &self), 0);
    assert_int_equal(kp_group_create(self, all, 3, &first), 0);
    assert_int_equal(kp_group_create(self, two, 2, &second), 0);
    assert_int_equal(kp_group_free(first), 0);
    assert_int_equal(kp_group_create(self, others, 2, &third), 0);
    assert_int_equal(kp_barrier(second) || kp_barrier(third), 0);
    assert_int_equal(kp_group_create(self, all, 3, &first), KP_EMEMORY);
    assert_non_null(strstr(kp_error(self)->sentence, "no number is left for a group of 3"));
    assert_non_null(strstr(kp_error(self)->sentence, "(up to 75) serve 3 groups at a time"));
    assert_int_equal(echo.given_up, 1);
    leave(machine, self);
}

/* --- Letters that do not belong to the call --- */

static void expect_another_call(int (*call)(kp_proc *self), size_t comes, int flips)
{
    kp_proc *self;
    kp_machine *machine = attached(&self);
    echo.comes = comes;
    echo.flips = flips;
    assert_int_equal(call(self), KP_EMISMATCH);
    assert_non_null(strstr(kp_error(self)->sentence, "belongs to another call"));
    assert_int_equal(echo.given_up, 1);
    leave(machine, self);
}

/* The head of a letter says which call it belongs to, and how long it is. The head of
 * 3 to 8 bytes is so short that both have 10 bytes. A letter with another head belongs to another
 * call. If lengths travel with the data, so does a letter that is shorter than a head, or longer
 * than the call says. */
static void a_letter_of_another_length_belongs_to_another_call(void **state)
{
    (void)state;
    for (tiny_bytes = 1; tiny_bytes <= 8; tiny_bytes++) {
        const int head = tiny_bytes < 3 ? 8 : 10 - (int)tiny_bytes;
        for (int bit = 1; bit <= 8 * head; bit++)
            expect_another_call(tiny, 0, bit);
    }
    for (int bit = 1; bit <= 64; bit++)
        expect_another_call(longer, 0, bit);
    for (size_t comes = 1; comes < MARKED; comes++)
        expect_another_call(lengths, comes, 0);
    expect_another_call(lengths, MOST_BYTES, 0);
}

/* If another processor gives up, the caller must get that processor's error and no other. */
static void what_another_has_said_is_told(void **state)
{
    (void)state;
    static const int statuses[] = {KP_ETIMEOUT, KP_ELOST, KP_EFAILED};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        kp_proc *self;
        kp_machine *machine = attached(&self);
        echo.said = (kp_error_record)KP_ERROR_OF(statuses[i], 2);
        strcpy(echo.said.sentence, "processor 1 waited 7 ms for processor 2");
        assert_int_equal(barrier(self), statuses[i]);
        assert_non_null(strstr(kp_error(self)->sentence, "1 waited 7 ms for processor 2"));
        assert_int_equal(kp_error(self)->processor, 2);
        leave(machine, self);
    }
}

/* A wire without notices asks nobody what the others do. */
static void a_time_limit_is_told(void **state)
{
    (void)state;
    kp_proc *self;
    kp_machine *machine = attached(&self);
    echo.said = (kp_error_record)KP_ERROR_OF(KP_ETIMEOUT, 2);
    assert_int_equal(barrier(self), KP_ETIMEOUT);
    assert_ptr_equal(strstr(kp_error(self)->sentence, "processor 0 waited 0 ms in kp_barrier"),
                     kp_error(self)->sentence);
    assert_non_null(strstr(kp_error(self)->sentence, "for processor 2"));
    assert_int_equal(echo.given_up, 1);
    leave(machine, self);
}

/* --- Operators --- */

/* An operator that calls kport, which is not allowed. The group then fails in the middle of a
 * call. */
static void calls_kport(void *to, const void *left, const void *right, size_t count, void *context)
{
    (void)right;
    memmove(to, left, count * sizeof(int64_t));
    assert_int_equal(kp_barrier(kp_world(context)), KP_EFAILED);
}

/* Four processors with one port each would exchange their sums in two rounds. After the failure in
 * the first round, the second round must not begin. */
static void nothing_is_begun_after_a_failure_within_a_call(void **state)
{
    (void)state;
    int64_t value = 1, sum;
    kp_proc *self;
    kp_machine *machine = attached_to(4, 1, &self);
    const kp_operator op = {.combine = calls_kport, .context = self, .element_bytes = 8};
    const int status = kp_allreduce(kp_world(self), &value, &sum, 1, KP_OPAQUE, &op, NULL);
    assert_int_equal(status, KP_EFAILED);
    assert_non_null(strstr(kp_error(self)->sentence, "from an operator"));
    assert_int_equal(echo.given_up, 1);
    assert_int_equal(echo.calls, 3); /* only the calls of the first round */
    leave(machine, self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_of_the_wire_fails_in_turn),
        cmocka_unit_test(every_request_fails_in_turn),
        cmocka_unit_test(a_machine_without_memory_is_refused),
        cmocka_unit_test(a_run_that_cannot_start_is_told_to_all),
        cmocka_unit_test(groups_for_which_no_context_is_left_are_refused),
        cmocka_unit_test(a_letter_of_another_length_belongs_to_another_call),
        cmocka_unit_test(what_another_has_said_is_told),
        cmocka_unit_test(a_time_limit_is_told),
        cmocka_unit_test(nothing_is_begun_after_a_failure_within_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
