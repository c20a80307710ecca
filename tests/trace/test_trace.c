/* Tests traces whose memory is full, traces of machines that have ended, of several machines, and
 * without records. The file must always be complete JSON. tests/cli/trace.py tests its contents. */
#include <kport.h>

#include <errno.h>
#include <glob.h>
#include <jansson.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/common/sanitized.h"

#include "ports/port.h"

/* A name of this process, because the test may run twice at the same time. */
static char file_name[40];

/* --- Writing a trace and reading it again --- */

static json_t *written(kp_trace *trace)
{
    json_error_t error;
    assert_int_equal(kp_trace_write(trace, file_name), KP_OK);
    json_t *whole = json_load_file(file_name, 0, &error);
    assert_non_null(whole);
    assert_true(json_is_array(json_object_get(whole, "traceEvents")));
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(whole, "otherData"), "dropped")),
        kp_trace_dropped(trace));
    assert_int_equal(unlink(file_name), 0);
    return whole;
}

static const char *text_of(const json_t *event, const char *key)
{
    return json_string_value(json_object_get(event, key));
}

static long long number_of(const json_t *event, const char *key)
{
    return json_integer_value(json_object_get(event, key));
}

/* Returns the number of events of a category and phase, in process `pid` and row `tid` (-1: in
 * any). */
static int count(const json_t *whole, const char *category, const char *phase, int pid, int tid)
{
    int found = 0;
    size_t i;
    const json_t *event;
    json_array_foreach(json_object_get(whole, "traceEvents"), i, event) found +=
        strcmp(text_of(event, "cat"), category) == 0 && strcmp(text_of(event, "ph"), phase) == 0 &&
        (pid < 0 || number_of(event, "pid") == pid) && (tid < 0 || number_of(event, "tid") == tid);
    return found;
}

/* Stores the numbers of the first and the last call in row `tid`, and whether the first one is
 * incomplete. */
static void ends_of(const json_t *whole, int tid, long long *first, long long *last, bool *cut)
{
    size_t i;
    const json_t *event;
    *first = *last = 0;
    json_array_foreach(json_object_get(whole, "traceEvents"), i, event)
    {
        const json_t *arguments = json_object_get(event, "args");
        if (strcmp(text_of(event, "cat"), "call") != 0 || number_of(event, "tid") != tid)
            continue;
        *last = number_of(arguments, "call");
        if (*first == 0) {
            *first = *last;
            *cut = json_is_true(json_object_get(arguments, "cut"));
        }
    }
}

static kp_trace *trace_of(size_t records)
{
    kp_trace *trace;
    assert_int_equal(kp_trace_create(records, &trace), KP_OK);
    return trace;
}

/* --- Programs --- */

#define CALLS (SANITIZED || LINES_COUNTED ? 20 : 100)

static int many_calls(kp_proc *self, void *arg)
{
    int64_t out[5] = {0}, in[5];
    kp_hints hints;
    int status = kp_hints_parse(KP_INDEX, "radix,r=2", &hints);
    (void)arg;
    for (int i = 0; i < CALLS && !status; i++)
        status = kp_index(kp_world(self), out, in, sizeof out[0], &hints);
    return status;
}

/* Processor 0 sends to the two others in every round. No other processor sends. */
static int many_rounds(kp_proc *self, void *arg)
{
    char data[8] = "";
    kp_outgoing out[2] = {{.port = 0, .peer = 1, .data = data, .bytes = 8},
                          {.port = 1, .peer = 2, .data = data, .bytes = 8}};
    int me = kp_processor(self), status = 0;
    (void)arg;
    for (int i = 0; i < CALLS && !status; i++) {
        kp_incoming in = {.port = me - 1, .peer = 0, .data = data, .bytes = 8};
        status = kp_exchange(kp_world(self), out, me == 0 ? 2 : 0, &in, me != 0);
    }
    return status;
}

/* The two others send to processor 0 in every round. No other processor receives. */
static int many_arrivals(kp_proc *self, void *arg)
{
    char data[2][8] = {"", ""};
    kp_incoming in[2] = {{.port = 0, .peer = 1, .data = data[0], .bytes = 8},
                         {.port = 0, .peer = 2, .data = data[1], .bytes = 8}};
    kp_outgoing out = {.port = 0, .peer = 0, .data = data[0], .bytes = 8};
    int me = kp_processor(self), status = 0;
    (void)arg;
    for (int i = 0; i < CALLS && !status; i++)
        status = kp_exchange(kp_world(self), &out, me != 0, in, me == 0 ? 2 : 0);
    return status;
}

/* By mailboxes the root completes its call before the other processor fails. The processor that
 * fails has no round. */
static int fails_late(kp_proc *self, void *arg)
{
    atomic_bool *through = arg;
    char data = 0;
    if (kp_processor(self) == 0) {
        int status = kp_broadcast(kp_world(self), &data, 1, 0, NULL);
        atomic_store(through, true);
        return status;
    }
    while (!atomic_load(through))
        sched_yield();
    return kp_fail(self, "on purpose");
}

static int one_call(kp_proc *self, void *arg)
{
    int out = 1, in = 0;
    (void)arg;
    return kp_index(kp_world(self), &out, &in, sizeof out, NULL);
}

/* More different problems than a trace can distinguish. */
#define PROBLEMS 4100

static int many_problems(kp_proc *self, void *arg)
{
    char data[PROBLEMS] = "";
    int status = 0;
    (void)arg;
    for (size_t bytes = 1; bytes <= sizeof data && !status; bytes++)
        status = kp_broadcast(kp_world(self), data, bytes, 0, NULL);
    return status;
}

static int nothing(kp_proc *self, void *arg)
{
    (void)self;
    (void)arg;
    return 0;
}

static void add(void *to, const void *left, const void *right, size_t elements, void *context)
{
    (void)context;
    for (size_t i = 0; i < elements; i++)
        ((char *)to)[i] = (char)(((const char *)left)[i] + ((const char *)right)[i]);
}

/* The operator no longer exists when the trace is written. */
static int with_own_operator(kp_proc *self, void *arg)
{
    kp_operator op = {.name = "own", .combine = add, .element_bytes = 1, .commutative = 1};
    char data = 1, sum;
    (void)arg;
    int status = kp_allreduce(kp_world(self), &data, &sum, 1, KP_OPAQUE, &op, NULL);
    memset(&op, 0xff, sizeof op);
    return status;
}

enum waits_for_ever {
    BROADCAST,
    EXCHANGE,
    LENGTHS,
    WAITS
};

static int fails(kp_proc *self, void *arg)
{
    const enum waits_for_ever *in = arg;
    size_t counts[3] = {1, 1, 1}, displacements[3] = {0, 1, 2};
    char data[4] = "";
    if (kp_processor(self) == 2)
        return kp_fail(self, "on purpose");
    if (*in == EXCHANGE)
        return kp_exchange(kp_world(self), NULL, 0, NULL, 0);
    if (*in == LENGTHS)
        return kp_concatv(kp_world(self), data + 3, 1, data, counts, displacements, NULL);
    return kp_broadcast(kp_world(self), data, 1, 2, NULL);
}

/* --- Traces whose memory is full --- */

/* With five processors and radix 2 a call has three rounds. So 16 records are five calls and one
 * round. */
static void the_oldest_are_overwritten(void **state)
{
    (void)state;
    for (int fibers = 0; fibers < (kp_fibers() ? 2 : 1); fibers++) {
        kp_trace *trace = trace_of(16);
        kp_config config = {.processors = 5,
                            .ports = 1,
                            .carrier = fibers ? KP_CARRIER_FIBERS : KP_CARRIER_THREADS,
                            .trace = trace};
        assert_int_equal(kp_run(&config, many_calls, NULL, NULL), KP_OK);
        assert_int_equal(kp_trace_dropped(trace), 5 * (3 * CALLS - 16));
        json_t *whole = written(trace);
        for (int row = 0; row < 5; row++) {
            long long first, last;
            bool cut;
            assert_int_equal(count(whole, "round", "X", 1, row), 16);
            ends_of(whole, row, &first, &last, &cut);
            assert_int_equal(first, CALLS - 5);
            assert_int_equal(last, CALLS);
            assert_true(cut);
        }
        assert_int_equal(count(whole, "message", "s", -1, -1), 5 * 16);
        assert_int_equal(count(whole, "message", "f", -1, -1), 5 * 16);
        json_decref(whole);
        assert_int_equal(kp_trace_free(trace), KP_OK);
    }
}

/* Processor 0 makes three records in a round, the others two. So the trace holds fewer rounds of
 * processor 0. An arrow stands for a message, and may be drawn only if both its ends are
 * recorded. */
static void an_arrow_has_both_ends_or_none(void **state)
{
    (void)state;
    kp_trace *trace = trace_of(16);
    kp_config config = {.processors = 3, .trace = trace};
    assert_int_equal(kp_run(&config, many_rounds, NULL, NULL), KP_OK);
    json_t *whole = written(trace);
    assert_int_equal(count(whole, "round", "X", 1, 0), 6);
    assert_int_equal(count(whole, "round", "X", 1, 1), 8);
    assert_int_equal(count(whole, "message", "s", -1, 0), 2 * 5);
    assert_int_equal(count(whole, "message", "f", -1, 1), 5);
    assert_int_equal(count(whole, "message", "f", -1, 2), 5);
    json_decref(whole);
    assert_int_equal(kp_trace_free(trace), KP_OK);
}

/* As in the test above, but processor 0's oldest round has lost its receives. */
static void an_arrow_is_not_drawn_to_what_was_cut(void **state)
{
    (void)state;
    kp_trace *trace = trace_of(16);
    kp_config config = {.processors = 3, .trace = trace};
    assert_int_equal(kp_run(&config, many_arrivals, NULL, NULL), KP_OK);
    json_t *whole = written(trace);
    assert_int_equal(count(whole, "round", "X", 1, 0), 6);
    assert_int_equal(count(whole, "round", "X", 1, 1), 8);
    assert_int_equal(count(whole, "message", "s", -1, -1), 2 * 5);
    assert_int_equal(count(whole, "message", "f", -1, 0), 2 * 5);
    json_decref(whole);
    assert_int_equal(kp_trace_free(trace), KP_OK);
}

static void an_arrow_is_not_drawn_to_who_never_took(void **state)
{
    (void)state;
    atomic_bool through = false;
    kp_trace *trace = trace_of(0);
    kp_config config = {.processors = 2, .discipline = KP_ROUNDS_BY_MAILBOXES, .trace = trace};
    assert_int_equal(kp_run(&config, fails_late, &through, NULL), KP_EFAILED);
    json_t *whole = written(trace);
    assert_int_equal(count(whole, "round", "X", -1, 0), 1);
    assert_int_equal(count(whole, "round", "X", -1, 1), 0);
    assert_int_equal(count(whole, "message", "s", -1, -1), 0);
    json_decref(whole);
    assert_int_equal(kp_trace_free(trace), KP_OK);
}

/* Three messages go to one processor in a round, which takes two of the messages. */
static int two_of_three_taken(kp_proc *self, void *argument)
{
    unsigned char data[3] = {0}, places[2];
    const kp_outgoing out[] = {{0, 1, data, 1}, {1, 1, data + 1, 1}, {2, 1, data + 2, 1}};
    kp_incoming in[] = {{2, 0, places, 1, 0}, {0, 0, places + 1, 1, 0}};
    int me = kp_processor(self);
    (void)argument;
    return kp_exchange(kp_world(self), out, me == 0 ? 3 : 0, in, me == 1 ? 2 : 0);
}

static void an_arrow_is_drawn_for_each_message_between_two(void **state)
{
    (void)state;
    kp_trace *trace = trace_of(0);
    kp_config config = {.processors = 2, .ports = 3, .trace = trace};
    assert_int_equal(kp_run(&config, two_of_three_taken, NULL, NULL), KP_EUNTAKEN);
    json_t *whole = written(trace);
    assert_int_equal(count(whole, "message", "s", -1, 0), 2);
    assert_int_equal(count(whole, "message", "f", -1, 1), 2);
    json_decref(whole);
    assert_int_equal(kp_trace_free(trace), KP_OK);
}

static void what_is_too_many_is_a_call(void **state)
{
    (void)state;
    int unnamed = 0;
    size_t i;
    const json_t *event;
    kp_trace *trace = trace_of(0);
    kp_config config = {.processors = 2, .trace = trace};
    assert_int_equal(kp_run(&config, many_problems, NULL, NULL), KP_OK);
    json_t *whole = written(trace);
    json_array_foreach(json_object_get(whole, "traceEvents"), i, event)
    {
        unnamed += strcmp(text_of(event, "cat"), "call") == 0 &&
                   strcmp(text_of(event, "name"), "call") == 0;
    }
    assert_int_equal(unnamed, 2 * (PROBLEMS - 4096));
    json_decref(whole);
    assert_int_equal(kp_trace_free(trace), KP_OK);
}

/* A call of a single processor has no round, but must be in the trace. */
static void who_is_alone_has_calls_too(void **state)
{
    (void)state;
    kp_trace *trace = trace_of(0);
    kp_config config = {.processors = 1, .trace = trace};
    assert_int_equal(kp_run(&config, one_call, NULL, NULL), KP_OK);
    json_t *whole = written(trace);
    assert_int_equal(count(whole, "call", "X", -1, 0), 1);
    assert_int_equal(count(whole, "round", "X", -1, 0), 0);
    json_decref(whole);
    assert_int_equal(kp_trace_free(trace), KP_OK);
}

static void what_fits_is_kept_in_full(void **state)
{
    (void)state;
    kp_trace *trace = trace_of(300); /* rounded up to 512 */
    kp_config config = {.processors = 5, .ports = 1, .trace = trace};
    assert_int_equal(kp_run(&config, many_calls, NULL, NULL), KP_OK);
    assert_int_equal(kp_trace_dropped(trace), 0);
    json_t *whole = written(trace);
    assert_int_equal(count(whole, "round", "X", -1, -1), 5 * 3 * CALLS);
    assert_int_equal(count(whole, "call", "X", -1, -1), 5 * CALLS);
    json_decref(whole);
    assert_int_equal(kp_trace_free(trace), KP_OK);
}

/* --- Traces of several machines --- */

static void machines_are_processes(void **state)
{
    (void)state;
    kp_trace *trace = trace_of(0);
    kp_config config = {.processors = 5, .ports = 1, .trace = trace};
    kp_machine *machine, *unused;
    assert_int_equal(kp_machine_create(&config, &machine), KP_OK);
    assert_int_equal(kp_machine_create(&config, &unused), KP_OK);
    assert_int_equal(kp_machine_run(machine, many_calls, NULL, NULL), KP_OK);
    json_t *whole = written(trace);
    assert_int_equal(count(whole, "call", "X", 1, -1), 5 * CALLS);
    json_decref(whole);
    /* Equal calls in another run must be separate calls in the trace. */
    assert_int_equal(kp_machine_run(machine, many_calls, NULL, NULL), KP_OK);
    assert_int_equal(kp_machine_destroy(machine), KP_OK);
    assert_int_equal(kp_machine_destroy(unused), KP_OK);
    assert_int_equal(kp_run(&config, many_calls, NULL, NULL), KP_OK);
    assert_int_equal(kp_trace_dropped(trace), 0);
    whole = written(trace);
    assert_int_equal(count(whole, "call", "X", 1, -1), 2 * 5 * CALLS);
    assert_int_equal(count(whole, "__metadata", "M", 2, -1), 0); /* this machine made no call */
    assert_int_equal(count(whole, "call", "X", 3, -1), 5 * CALLS);
    assert_int_equal(count(whole, "message", "s", -1, -1), 3 * 5 * 3 * CALLS);
    json_decref(whole);
    assert_int_equal(kp_trace_free(trace), KP_OK);
}

/* Of twelve machines that have ended the trace must keep the last eight. */
static void the_last_machines_are_kept(void **state)
{
    (void)state;
    kp_trace *trace = trace_of(0);
    kp_config config = {.processors = 3, .ports = 1, .trace = trace};
    /* This machine is older than the others, but it has not ended, so it must not be dropped. */
    kp_machine *unused;
    assert_int_equal(kp_machine_create(&config, &unused), KP_OK);
    for (int i = 0; i < 12; i++)
        assert_int_equal(kp_run(&config, many_calls, NULL, NULL), KP_OK);
    assert_int_equal(kp_trace_dropped(trace), 4 * 3 * 2 * CALLS);
    json_t *whole = written(trace);
    for (int pid = 2; pid <= 13; pid++)
        assert_int_equal(count(whole, "round", "X", pid, -1), pid > 5 ? 3 * 2 * CALLS : 0);
    json_decref(whole);
    assert_int_equal(kp_machine_destroy(unused), KP_OK);
    assert_int_equal(kp_trace_free(trace), KP_OK);
}

static void nothing_is_a_file_too(void **state)
{
    (void)state;
    kp_trace *trace = trace_of(0);
    kp_config config = {.processors = 1, .trace = trace};
    json_t *whole = written(trace);
    json_decref(whole);
    assert_int_equal(kp_run(&config, nothing, NULL, NULL), KP_OK);
    whole = written(trace);
    assert_int_equal(json_array_size(json_object_get(whole, "traceEvents")), 0);
    json_decref(whole);
    assert_int_equal(kp_trace_free(trace), KP_OK);
}

static void an_operator_may_be_gone(void **state)
{
    (void)state;
    kp_trace *trace = trace_of(0);
    kp_config config = {.processors = 3, .trace = trace};
    assert_int_equal(kp_run(&config, with_own_operator, NULL, NULL), KP_OK);
    json_t *whole = written(trace);
    assert_int_equal(count(whole, "call", "X", -1, -1), 3);
    json_decref(whole);
    assert_int_equal(kp_trace_free(trace), KP_OK);
}

/* Group number i has all processors but processor i. Each processor makes a call in every group
 * that it is a member of. The last group has all processors, but is not the world. */
static int in_groups(kp_proc *self, void *argument)
{
    int status = kp_barrier(kp_world(self)), me = kp_processor(self);
    (void)argument;
    for (int left_out = 0; left_out < 7 && status == 0; left_out++) {
        int members[6], size = 0;
        for (int i = 0; i < 6; i++) {
            if (i != left_out)
                members[size++] = i;
        }
        kp_group *group;
        if (me == left_out)
            continue;
        status = kp_group_create(self, members, size, &group);
        status = status ? status : kp_barrier(group);
    }
    return status;
}

static void groups_of_one_size_are_told_apart(void **state)
{
    (void)state;
    kp_trace *trace = trace_of(0);
    kp_config config = {.processors = 6, .trace = trace};
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&config, &machine), KP_OK);
    for (int run = 0; run < 2; run++) /* the second run has the same groups */
        assert_int_equal(kp_machine_run(machine, in_groups, NULL, NULL), KP_OK);
    assert_int_equal(kp_machine_destroy(machine), KP_OK);
    json_t *whole = written(trace);
    const json_t *machines = json_object_get(json_object_get(whole, "otherData"), "machines");
    /* The world, six groups of five, and one group of all six. */
    assert_int_equal(json_array_size(json_object_get(json_array_get(machines, 0), "groups")),
                     1 + 6 + 1);
    assert_int_equal(count(whole, "call", "X", -1, -1), 2 * (6 + 6 * 5 + 6));
    json_decref(whole);
    assert_int_equal(kp_trace_free(trace), KP_OK);
}

static void no_file_of_others_is_touched(void **state)
{
    (void)state;
    kp_trace *trace = trace_of(0);
    char taken[64];
    snprintf(taken, sizeof taken, "%s.%ld.0.tmp", file_name, (long)getpid());
    FILE *file = fopen(taken, "wx");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    json_decref(written(trace));
    assert_int_equal(unlink(taken), 0); /* the existing file was left alone */
    assert_int_equal(kp_trace_write(trace, "/dev/null/trace.json"), KP_EFILE);
    assert_non_null(strstr(kp_last_error()->sentence, "/dev/null/trace.json"));
    assert_int_equal(kp_trace_free(trace), KP_OK);
}

/* Writing may fail at once or at the end. Neither may leave a file. */
static void what_cannot_be_written_leaves_nothing(void **state)
{
    (void)state;
    struct rlimit before, none;
    char left_over[64];
    snprintf(left_over, sizeof left_over, "%s.%ld.*", file_name, (long)getpid());
    kp_trace *trace = trace_of(0);
    kp_config config = {.processors = 2, .trace = trace};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (int runs = 0; runs < 2; runs++) {
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
        int status = kp_trace_write(trace, file_name);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(status, KP_EFILE);
        assert_non_null(strstr(kp_last_error()->sentence, strerror(EFBIG)));
        assert_int_not_equal(access(file_name, F_OK), 0);
        glob_t left;
        assert_int_equal(glob(left_over, 0, NULL, &left), GLOB_NOMATCH);
        assert_int_equal(kp_run(&config, many_calls, NULL, NULL), KP_OK);
    }
    assert_true(signal(SIGXFSZ, handler) == SIG_IGN);
    assert_int_equal(kp_trace_write_to(NULL, stdout), KP_EARGUMENT);
    assert_int_equal(kp_trace_free(trace), KP_OK);
}

/* Rounds that did not happen must be bars without messages. */
static void a_run_that_fails_is_written_too(void **state)
{
    (void)state;
    for (int way = 0; way < 2 * WAITS; way++) {
        bool mailboxes = way % 2;
        enum waits_for_ever in = (enum waits_for_ever)(way / 2);
        kp_trace *trace = trace_of(0);
        kp_config config = {.processors = 3,
                            .ports = 1,
                            .discipline = mailboxes ? KP_ROUNDS_BY_MAILBOXES : KP_ROUNDS_BY_BARRIER,
                            .trace = trace};
        assert_int_equal(kp_run(&config, fails, &in, NULL), KP_EFAILED);
        json_t *whole = written(trace);
        assert_int_equal(count(whole, "message", "s", -1, -1), 0);
        json_decref(whole);
        assert_int_equal(kp_trace_free(trace), KP_OK);
    }
}

int main(void)
{
    snprintf(file_name, sizeof file_name, "test_trace.%ld.json", (long)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_are_overwritten),
        cmocka_unit_test(an_arrow_has_both_ends_or_none),
        cmocka_unit_test(an_arrow_is_not_drawn_to_what_was_cut),
        cmocka_unit_test(an_arrow_is_not_drawn_to_who_never_took),
        cmocka_unit_test(an_arrow_is_drawn_for_each_message_between_two),
        cmocka_unit_test(what_is_too_many_is_a_call),
        cmocka_unit_test(who_is_alone_has_calls_too),
        cmocka_unit_test(what_fits_is_kept_in_full),
        cmocka_unit_test(machines_are_processes),
        cmocka_unit_test(the_last_machines_are_kept),
        cmocka_unit_test(nothing_is_a_file_too),
        cmocka_unit_test(an_operator_may_be_gone),
        cmocka_unit_test(groups_of_one_size_are_told_apart),
        cmocka_unit_test(no_file_of_others_is_touched),
        cmocka_unit_test(what_cannot_be_written_leaves_nothing),
        cmocka_unit_test(a_run_that_fails_is_written_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
