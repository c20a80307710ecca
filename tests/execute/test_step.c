/* Tests calls that the program continues step by step instead of waiting in them. Each member makes
 * two calls in two groups at the same time and continues them in a random order. No step may
 * wait. */
#include "kport/trace.h"
#include "lib/call/call.h"
#include "lib/execute/cache.h"
#include "lib/execute/step.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/common/sanitized.h"

/* In bytes: too long to be packed. */
#define LONG  (SANITIZED || LINES_COUNTED ? 20004 : 40004)
#define CALLS 3 /* later calls use the code that the first one kept */

struct job {
    kp_operation operation[2];
    size_t b[2];
    /* whether one member calls with a different length in the last call of the first group */
    bool differs;
    kp_trace *trace;
};

/* Returns byte i of the block that `from` has for `to` in a call. */
static char byte_of(int from, int to, int call, size_t i)
{
    return (char)((size_t)from * 31 + (size_t)to * 7 + (size_t)call * 101 + i * 13 + i / 251);
}

static bool holds(const char *block, size_t b, int from, int to, int call)
{
    size_t i = 0;
    while (i < b && block[i] == byte_of(from, to, call, i))
        i++;
    return i == b;
}

/* One of the two calls of a member. */
struct one {
    kp_group *group;
    kp_operation operation;
    size_t b;
    int call, root;
    char *out, *in;
    struct kp_step step;
    int status; /* KP_WAITS: the call is not complete */
};

static int sum_of(int n, int call)
{
    int sum = 0;
    for (int rank = 0; rank < n; rank++)
        sum += 1000 * call + rank;
    return sum;
}

static void fill(struct one *one)
{
    int n = kp_size(one->group), me = kp_rank(one->group);
    for (int to = 0; to < n; to++) {
        for (size_t i = 0; i < one->b; i++)
            one->out[(size_t)to * one->b + i] =
                byte_of(me, one->operation == KP_CONCAT ? 0 : to, one->call, i);
    }
    memset(one->in, 0x5a, (size_t)n * one->b);
    if (one->operation == KP_BROADCAST && me == one->root)
        memcpy(one->in, one->out, one->b);
    for (size_t i = 0; one->operation == KP_ALLREDUCE && i < one->b / sizeof(int); i++)
        ((int *)(void *)one->out)[i] = 1000 * one->call + me;
}

static bool is_right(const struct one *one)
{
    int n = kp_size(one->group), me = kp_rank(one->group);
    if (one->operation == KP_ALLREDUCE) {
        for (size_t i = 0; i < one->b / sizeof(int); i++) {
            if (((const int *)(const void *)one->in)[i] != sum_of(n, one->call))
                return false;
        }
        return true;
    }
    if (one->operation == KP_BROADCAST)
        return holds(one->in, one->b, one->root, 0, one->call);
    for (int from = 0; from < n; from++) {
        int to = one->operation == KP_CONCAT ? 0 : me;
        if (!holds(one->in + (size_t)from * one->b, one->b, from, to, one->call))
            return false;
    }
    return true;
}

static int begin(struct one *one)
{
    kp_arguments a = {.operation = one->operation, .out = one->out, .in = one->in, .b = one->b};
    a.root = one->root;
    if (one->operation == KP_BROADCAST)
        a.out = NULL;
    if (one->operation == KP_ALLREDUCE) {
        a.b = 0;
        a.count = one->b / sizeof(int);
        a.type = KP_INT32;
        a.op = KP_SUM;
    }
    int status = kp_member_enter(one->group);
    if (status)
        return status;
    const kp_problem asked = kp_call_problem(one->group, &a);
    struct kp_prepared *prepared = kp_prepared_find(one->group, &a, &asked);
    if (prepared) {
        bool single = one->operation == KP_BROADCAST;
        kp_step_begin(&one->step, one->group, prepared, single ? one->in : one->out, one->in,
                      kp_prepared_scratch(one->group, prepared->scratch_bytes));
    }
    return kp_member_leave(one->group, prepared ? KP_OK : kp_last_error()->status);
}

static int go(struct one *one)
{
    int status = kp_member_enter(one->group);
    return status ? status : kp_member_leave(one->group, kp_step_go(&one->step));
}

/* Completes both calls, in an order that differs from member to member. */
static int in_turns(struct one *both, unsigned seed)
{
    both[0].status = both[1].status = KP_WAITS;
    for (int i = 0; i < 2; i++) {
        int status = begin(&both[i]);
        if (status)
            return status;
    }
    while (both[0].status == KP_WAITS || both[1].status == KP_WAITS) {
        struct one *one = &both[seed >> 16 & 1];
        seed = seed * 1103515245u + 12345u;
        if (one->status == KP_WAITS)
            one->status = go(one);
        if (one->status == KP_WAITS)
            sched_yield();
    }
    return KP_OK;
}

static int call_both(kp_proc *self, struct one *both, const struct job *job, int call)
{
    bool quarrel = job->differs && call == CALLS - 1;
    for (int i = 0; i < 2; i++) {
        both[i].call = call;
        both[i].b = job->b[i];
        both[i].root = call % kp_size(both[i].group);
        if (job->operation[i] != KP_BROADCAST)
            both[i].root = 0;
        if (quarrel && i == 0 && kp_processor(self) == 1)
            both[i].b = 4;
        fill(&both[i]);
    }
    int status = in_turns(both, (unsigned)(7 * kp_processor(self) + 1000 * call));
    if (status)
        return status;
    if (both[0].status != (quarrel ? KP_EMISMATCH : KP_OK) || both[1].status != KP_OK)
        return kp_fail(self, "another status");
    for (int i = quarrel; i < 2; i++) {
        if (!is_right(&both[i]))
            return kp_fail(self, "wrong bytes");
    }
    return KP_OK;
}

static int program(kp_proc *self, void *argument)
{
    const struct job *job = argument;
    int n = kp_size(kp_world(self)), order[16], status = 0;
    struct one both[2] = {{.group = kp_world(self)}, {.group = NULL}};
    for (int i = 0; i < n; i++)
        order[i] = n - 1 - i;
    status = kp_group_create(self, order, n, &both[1].group);
    for (int i = 0; i < 2; i++) {
        both[i].operation = job->operation[i];
        both[i].out = calloc((size_t)n, job->b[i]);
        both[i].in = calloc((size_t)n, job->b[i]);
        if (!status && (!both[i].out || !both[i].in))
            status = kp_fail(self, "no memory");
    }
    for (int call = 0; call < CALLS && !status; call++)
        status = call_both(self, both, job, call);
    for (int i = 0; i < 2; i++) {
        free(both[i].out);
        free(both[i].in);
    }
    return status;
}

static void run(struct job job, kp_config config)
{
    kp_report report;
    config.trace = job.trace;
    if (kp_run(&config, program, &job, &report))
        fail_msg("%s by %d, n=%d k=%d b=%zu,%zu: %s", kp_operation_name(job.operation[0]),
                 (int)config.discipline, config.processors, config.ports, job.b[0], job.b[1],
                 report.error.sentence);
}

static const kp_operation operations[] = {KP_INDEX, KP_CONCAT, KP_BROADCAST, KP_ALLREDUCE};

/* Messages that are packed, lent for zero copy, or empty, in one round or in several. */
static void all_kinds(kp_config config)
{
    static const size_t lengths[] = {8, 160, LONG, 0};
    for (int n = 1; n <= 5; n++) {
        for (int k = 1; k < n || k == 1; k += n > 2 ? n - 2 : 1) {
            for (size_t i = 0; i < 16; i++) {
                struct job job = {{operations[i % 4], operations[(i + i / 4) % 4]},
                                  {lengths[i / 4], lengths[i % 4]},
                                  false,
                                  NULL};
                config.processors = n;
                config.ports = k;
                run(job, config);
            }
        }
    }
}

static void by_the_barrier(void **state)
{
    (void)state;
    all_kinds((kp_config){0});
}

static void by_the_mailboxes(void **state)
{
    (void)state;
    all_kinds((kp_config){.discipline = KP_ROUNDS_BY_MAILBOXES});
    all_kinds((kp_config){.discipline = KP_ROUNDS_BY_MAILBOXES, .generations = 2});
}

/* A fiber that continues a call in a loop blocks its worker, so each fiber has its own worker. */
static void on_fibers(void **state)
{
    (void)state;
    if (!kp_fibers())
        skip();
    for (int n = 2; n <= 4; n++)
        run((struct job){{KP_INDEX, KP_ALLREDUCE}, {LONG, 8}, false, NULL},
            (kp_config){.processors = n, .carrier = KP_CARRIER_FIBERS, .workers = n});
}

/* In one group the members make different calls. This group must still work, and the other group
 * must be unaffected. */
static void one_is_refused(void **state)
{
    (void)state;
    for (int n = 2; n <= 4; n++)
        run((struct job){{KP_INDEX, KP_CONCAT}, {8, LONG}, true, NULL},
            (kp_config){.processors = n});
}

static void traced(void **state)
{
    (void)state;
    kp_trace *trace;
    for (int discipline = 0; discipline < 2; discipline++) {
        assert_int_equal(kp_trace_create(0, &trace), 0);
        run((struct job){{KP_INDEX, KP_ALLREDUCE}, {LONG, 8}, false, trace},
            (kp_config){.processors = 3,
                        .discipline = discipline ? KP_ROUNDS_BY_MAILBOXES : KP_ROUNDS_BY_BARRIER});
        assert_int_equal(kp_trace_free(trace), 0);
    }
}

/* --- A call after kp_exchange --- */

/* In the next two episodes kport checks whether the message of the exchange was taken. In later
 * episodes it no longer checks this. */
static int exchange_and_call(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int n = kp_size(world), me = kp_rank(world), mine = me, theirs = -1;
    const kp_outgoing out = {0, (me + 1) % n, &mine, sizeof mine};
    kp_incoming in = {0, (me + n - 1) % n, &theirs, sizeof theirs, 0};
    (void)argument;
    int status = kp_exchange(world, &out, 1, &in, 1);
    if (!status && !world->exchanged)
        return kp_fail(self, "nobody looks after what was sent");
    for (int i = 0; i < 2 && !status; i++)
        status = kp_barrier(world);
    if (!status && world->exchanged)
        return kp_fail(self, "it is looked after for ever");
    return status;
}

static void an_exchange_slows_no_later_call(void **state)
{
    (void)state;
    for (int n = 2; n <= 4; n++)
        assert_int_equal(kp_run(&(kp_config){.processors = n}, exchange_and_call, NULL, NULL), 0);
}

/* The last member's first step finds that all have come. It copies then, unless there is a progress
 * thread. Nobody lends this call to that thread, so nothing happens between the steps. */
static int come_last(kp_proc *self, void *argument)
{
    static _Atomic int gone;
    const bool *leaves = argument;
    const bool last = kp_processor(self) == 1;
    static char memory[2][4 * LONG];
    struct one one = {.group = kp_world(self),
                      .operation = KP_INDEX,
                      .b = LONG,
                      .out = memory[last],
                      .in = memory[last] + 2 * LONG};
    fill(&one);
    if (kp_processor(self) == 0)
        gone = 0;
    int status = kp_barrier(kp_world(self));
    while (last && !gone)
        sched_yield();
    status = status ? status : begin(&one);
    one.status = status ? status : go(&one);
    if (!last)
        gone = 1;
    else if (is_right(&one) == *leaves || (*leaves && one.in[LONG] != 0x5a))
        return kp_fail(self, *leaves ? "the start has copied" : "the start has not copied");
    while (one.status == KP_WAITS) {
        sched_yield();
        one.status = go(&one);
    }
    return one.status || is_right(&one) ? one.status : kp_fail(self, "a byte is wrong");
}

static void a_start_leaves_copies_to_a_progress_thread(void **state)
{
    (void)state;
    for (int progress = 0; progress < 2; progress++) {
        bool leaves = progress;
        const kp_config config = {.processors = 2, .progress = progress};
        assert_int_equal(kp_run(&config, come_last, &leaves, NULL), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_the_barrier),
        cmocka_unit_test(by_the_mailboxes),
        cmocka_unit_test(on_fibers),
        cmocka_unit_test(one_is_refused),
        cmocka_unit_test(traced),
        cmocka_unit_test(an_exchange_slows_no_later_call),
        cmocka_unit_test(a_start_leaves_copies_to_a_progress_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
