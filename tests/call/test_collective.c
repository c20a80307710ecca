/* Tests every operation on threads. The result is compared with the reference
 * (tools/kport/run/reference.c), byte by byte, and the guards around every buffer must be
 * unchanged. The calls use all algorithms, operators and types, run in the world and in groups, and
 * in place and not. */
#include "kport.h"

#include "lib/problem/operation.h"
#include "lib/problem/operator.h"
#include "lib/schedule/elements.h"
#include "tools/kport/common/operation_call.h"
#include "tools/kport/run/participant.h"
#include "tools/kport/run/reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GUARD 64

/* The configuration of all machines of this test, except n and k. The program's arguments choose
 * it. */
static kp_config machine_kind;

static kp_config config_of(int n, int k)
{
    kp_config config = machine_kind;
    config.processors = n;
    config.ports = k;
    return config;
}

struct buffer {
    unsigned char *memory, *data;
    size_t bytes;
};

static int buffer_make(struct buffer *buffer, size_t bytes)
{
    buffer->bytes = bytes;
    buffer->memory = malloc(bytes + 2 * GUARD);
    if (!buffer->memory)
        return KP_EMEMORY;
    memset(buffer->memory, 0xA5, bytes + 2 * GUARD);
    buffer->data = buffer->memory + GUARD;
    return 0;
}

static int buffer_intact(const struct buffer *buffer)
{
    for (size_t i = 0; i < GUARD; i++) {
        if (buffer->memory[i] != 0xA5 || buffer->data[buffer->bytes + i] != 0xA5)
            return 0;
    }
    return 1;
}

/* The call that every member of a group makes. The group determines n and k. */
struct call {
    kp_operation operation;
    size_t b;
    kp_hints hints;
    int in_place;
    int repeat;
    kp_type type;          /* the elements' type in a reduction of b bytes; 0 is uint8 */
    const kp_operator *op; /* NULL: the sum */
};

/* Returns the receiver of a one-to-one call. Its distance from the root changes with the root. */
static int target_of(int root, int n)
{
    return (3 * root + n - 1) % n;
}

static kp_problem problem_of(const struct call *call, kp_group *group, int root)
{
    kp_problem p = {
        .operation = call->operation,
        .n = kp_size(group),
        .k = kp_ports(group),
        .b = kp_block_bytes(call->operation, call->b),
        .algorithm = call->hints.algorithm,
        .root = kp_operation_has_root(call->operation) ? root : 0,
        .target = kp_operation_has_target(call->operation) ? target_of(root, kp_size(group)) : 0,
        .in_place = call->in_place && !kp_operation_has_target(call->operation) &&
                    !kp_operation_row(call->operation)->no_bytes,
        .type = call->type,
        .op = call->op};
    memcpy(p.values, call->hints.values, sizeof p.values);
    return p;
}

static bool holds_both(const kp_problem *p, int rank)
{
    return reference_out_blocks(p, rank) > 0 && reference_in_blocks(p, rank) > 0;
}

/* Makes the call. The operation and in_place decide where the outgoing data lies. */
static int carry_out(kp_group *group, const kp_problem *p, const kp_hints *hints,
                     struct buffer *out, struct buffer *in)
{
    int rank = kp_rank(group);
    bool scattered = p->operation == KP_SCATTER && p->in_place && rank == p->root;
    kp_arguments a = participant_arguments(p);
    a.out = p->in_place && holds_both(p, rank) ? KP_IN_PLACE : out->data;
    a.in = scattered ? KP_IN_PLACE : in->data;
    a.hints = hints;
    return operation_call(group, &a);
}

/* Fills in the data that must be in the incoming buffer before the call. */
static void fill_in_place(const kp_problem *p, int rank, const struct buffer *out,
                          struct buffer *in)
{
    size_t own = in->bytes > p->b && out->bytes == p->b ? (size_t)rank * p->b : 0;
    if (p->operation == KP_BROADCAST && rank == p->root)
        memcpy(in->data, out->data, p->b);
    if (p->in_place && holds_both(p, rank) && p->operation != KP_SCATTER)
        memcpy(in->data + own, out->data, out->bytes);
}

static int wrong_bytes(kp_group *group, const kp_problem *p)
{
    char text[160], sentence[200];
    kp_problem_format(p, text, sizeof text);
    snprintf(sentence, sizeof sentence, "%s: wrong bytes", text);
    return kp_fail(kp_group_self(group), sentence);
}

/* Returns the length of the incoming buffer. A reduce-scatter in place also has its operands there,
 * so the buffer is as long as the operands. */
static size_t in_bytes(const kp_problem *p, int rank)
{
    bool all = p->in_place && p->operation == KP_REDUCE_SCATTER;
    return (all ? reference_out_blocks(p, rank) : reference_in_blocks(p, rank)) * p->b;
}

/* Makes and verifies one call of one member. The data depends on `seed`, so that a repeated call
 * moves other bytes. */
static int call_once(kp_group *group, const struct call *call, int root, uint64_t seed)
{
    struct buffer out, in;
    int rank = kp_rank(group);
    kp_problem p = problem_of(call, group, root % kp_size(group));
    int status = buffer_make(&out, reference_out_blocks(&p, rank) * p.b);
    if (status)
        return status;
    status = buffer_make(&in, in_bytes(&p, rank));
    if (status)
        return status;
    reference_fill_out(&p, seed, rank, out.data);
    reference_spoil_in(&p, seed, rank, NULL, in.data);
    fill_in_place(&p, rank, &out, &in);
    bool untouched = p.operation == KP_SCAN_EXCLUSIVE && rank == 0 && p.in_place;
    status = carry_out(group, &p, &call->hints, &out, &in);
    bool kept = (p.operation == KP_SCATTER && p.in_place && rank == p.root) || untouched;
    if (!status && ((!kept && reference_first_wrong(&p, seed, rank, NULL, in.data) >= 0) ||
                    (untouched && memcmp(in.data, out.data, p.b) != 0) ||
                    !reference_out_intact(&p, seed, rank, out.data) || !buffer_intact(&in) ||
                    !buffer_intact(&out)))
        status = wrong_bytes(group, &p);
    free(in.memory);
    free(out.memory);
    return status;
}

static int call_repeatedly(kp_group *group, const struct call *call)
{
    int status = 0;
    /* Each call is made twice, because the second call uses the code that the first one kept
     * (lib/execute/cache.h). */
    for (int i = 0; i < 2 * call->repeat && !status; i++)
        status = call_once(group, call, i / 2, (uint64_t)i + 99);
    return status;
}

/* A list of calls, all made in one run, because starting threads takes longer than a call. */
#define MOST_CALLS 40000

static struct batch {
    int count;
    struct call calls[MOST_CALLS];
} batch;

static int in_the_world(kp_proc *self, void *argument)
{
    const struct batch *all = argument;
    int status = 0;
    for (int i = 0; i < all->count && !status; i++)
        status = call_repeatedly(kp_world(self), &all->calls[i]);
    return status;
}

/* Returns how many processors share a process. Over a wire kport must believe what the
 * configuration says; otherwise no two processors may share one. */
static int per_process_of(int n)
{
#ifdef OVER_WIRE
    for (int t = 2; t <= n / 2; t++) {
        if (n % t == 0)
            return t;
    }
#else
    (void)n;
#endif
    return 0;
}

static void run_batch(int n, int k)
{
    kp_config config = config_of(n, k);
    config.per_process = per_process_of(n);
    kp_report report;
    if (kp_run(&config, in_the_world, &batch, &report))
        fail_msg("n=%d, k=%d: %s", n, k, report.error.sentence);
    batch.count = 0;
}

static void add_call(const struct call *call)
{
    assert_true(batch.count < MOST_CALLS);
    batch.calls[batch.count++] = *call;
}

/* --- Every algorithm --- */

/* Adds calls by every algorithm to the list. Each is made with `repeat` different roots. */
static void add_all_algorithms(int n, int k, size_t b, int repeat)
{
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *algorithm = kp_algorithm_at(i);
        kp_problem problem = {.operation = algorithm->operation,
                              .n = n,
                              .k = k,
                              .per_process = per_process_of(n),
                              .b = b,
                              .algorithm = algorithm};
        if (kp_operation_row(algorithm->operation)->lengths ||
            (algorithm->serves && algorithm->serves(&problem)))
            continue;
        /* The reference combines elements one by one. So long operands have longer elements, and
         * fewer of them. */
        bool wide = b > 1000 && kp_operation_reduces(algorithm->operation);
        if (wide && (size_t)n * b > 100000)
            continue;
        for (int in_place = 0; in_place < (wide ? 1 : 2); in_place++)
            add_call(&(struct call){.operation = algorithm->operation,
                                    .b = wide ? b / 8 * 8 : b,
                                    .type = wide ? KP_INT64 : KP_UINT8,
                                    .hints.algorithm = algorithm,
                                    .in_place = in_place,
                                    .repeat = repeat});
    }
}

#if defined(__SANITIZE_THREAD__)
#define USUAL_MOST 4 /* ThreadSanitizer makes the test 20 times slower */
#else
#define USUAL_MOST 5
#endif

static int most_n = USUAL_MOST;

/* Adds calls of every operator on every type that it knows, by every algorithm that serves it. The
 * calls are numbered, and only every `step`-th call is added. The first number is `first` for the
 * first algorithm, and grows by 1 with each further algorithm. */
static void add_all_operators(int n, int k, size_t count, int first, int step)
{
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *algorithm = kp_algorithm_at(i);
        if (!kp_operation_reduces(algorithm->operation) ||
            kp_operation_row(algorithm->operation)->lengths)
            continue;
        for (int each = (first + i) % step; each < KP_BUILTINS * KP_TYPES; each += step) {
            const kp_operator *op = &kp_builtin_operators[each / KP_TYPES];
            kp_problem p = {.operation = algorithm->operation,
                            .n = n,
                            .k = k,
                            .per_process = per_process_of(n),
                            .type = (kp_type)(each % KP_TYPES),
                            .op = op,
                            .algorithm = algorithm};
            p.b = count * kp_element_bytes(&p);
            if (!kp_operator_loops(op, p.type).combine ||
                (algorithm->serves && algorithm->serves(&p)))
                continue;
            add_call(&(struct call){.operation = p.operation,
                                    .b = p.b,
                                    .hints.algorithm = algorithm,
                                    .in_place = each % 2,
                                    .repeat = 1,
                                    .type = p.type,
                                    .op = op});
        }
    }
}

static void every_operator_on_every_type(void **state)
{
    (void)state;
    add_all_operators(4, 2, 5, 0, most_n > 5 ? 1 : 3);
    run_batch(4, 2);
    for (int n = 1; n <= most_n; n++) {
        for (int k = 1; k <= (n > 1 ? n - 1 : 1); k += 2) {
            add_all_operators(n, k, 13, n + k / 2, 4);
            run_batch(n, k);
        }
    }
    add_all_operators(6, 2, 3000, 0, 17); /* too long to be packed, so the operands are lent */
    run_batch(6, 2);
}

static void every_algorithm_moves_every_byte(void **state)
{
    (void)state;
    static const size_t blocks[] = {0, 1, 7, 8, 300};
    for (int n = 1; n <= most_n; n++) {
        for (int k = 1; k <= (n > 1 ? n - 1 : 1); k++) {
            for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
                add_all_algorithms(n, k, blocks[i], 3);
            run_batch(n, k);
        }
    }
}

static void every_radix(void **state)
{
    (void)state;
    static const char *const names[] = {"radix", "literal"};
    for (int n = 2; n < most_n; n++) {
        for (int k = 1; k < n; k += 2) {
            for (int i = 0; i < 2 * (n - 1); i++) {
                struct call call = {.operation = KP_INDEX, .b = 2000, .repeat = 2};
                call.hints.algorithm = kp_algorithm_find(KP_INDEX, names[i % 2]);
                assert_non_null(call.hints.algorithm);
                call.hints.values[0] = 2 + i / 2;
                add_call(&call);
            }
            run_batch(n, k);
        }
    }
}

/* Numbers of packets that the tuner would never choose are tried too. */
static void every_packet_count(void **state)
{
    (void)state;
    static const char *const names[] = {"pipelined", "circulant"};
    for (int n = 2; n < most_n; n++) {
        for (int k = 1; k < n; k += 2) {
            for (int i = 0; i < 2 * 9 * 2; i++) {
                struct call call = {
                    .operation = i < 18 ? KP_BROADCAST : KP_REDUCE, .b = 2003, .repeat = 2};
                call.hints.algorithm = kp_algorithm_find(call.operation, names[i % 2]);
                assert_non_null(call.hints.algorithm);
                call.hints.values[0] = 1 + i % 18 / 2;
                add_call(&call);
            }
            run_batch(n, k);
        }
    }
}

/* Tests block lengths whose messages are packed into eager buffers, block lengths whose messages
 * are lent for zero copy, and lengths at the threshold. */
static void eager_and_zero_copy(void **state)
{
    (void)state;
    static const size_t blocks[] = {1171, 8192, 8193, 1023, 1170, 4096, 65536};
    static const int shapes[][2] = {{8, 1}, {8, 7}, {16, 3}};
    bool full = most_n > 5;
    for (int shape = 0; shape < (full ? 3 : 2); shape++) {
        int n = shapes[shape][0], k = shapes[shape][1];
        for (size_t i = 0; i < (full ? sizeof blocks / sizeof blocks[0] : 3); i++)
            add_all_algorithms(n, k, blocks[i], 1);
        run_batch(n, k);
    }
}

/* --- Groups --- */

static int in_groups(kp_proc *self, void *argument)
{
    /* Two disjoint groups whose ranks are in a mixed order work at the same time. Every fifth time
     * the world makes the call too. */
    static const int first[] = {6, 1, 3}, second[] = {0, 5, 4, 2};
    int me = kp_processor(self), in_first = me == 6 || me == 1 || me == 3;
    kp_group *group;
    int status = kp_group_create(self, in_first ? first : second, in_first ? 3 : 4, &group);
    for (int i = 0; i < 20 && !status; i++) {
        status = call_repeatedly(group, argument);
        if (!status && i % 5 == 0)
            status = call_repeatedly(kp_world(self), argument);
    }
    int freed = status ? 0 : kp_group_free(group);
    return status ? status : freed;
}

static void disjoint_groups_at_the_same_time(void **state)
{
    (void)state;
    for (int operation = 0; operation < KP_OPERATIONS; operation++) {
        struct call call = {.operation = (kp_operation)operation, .b = 40, .repeat = 5};
        if (kp_operation_row(call.operation)->lengths)
            continue;
        kp_config config = config_of(7, 2);
        kp_report report;
        if (kp_run(&config, in_groups, &call, &report))
            fail_msg("%s", report.error.sentence);
    }
}

/* --- Loss --- */

static int leaves_early(kp_proc *self, void *argument)
{
    (void)argument;
    char out[5 * 4] = {0}, in[5 * 4];
    if (kp_processor(self) == 3)
        return 0;
    int status = kp_index(kp_world(self), out, in, 4, NULL);
    if (status != KP_ELOST || kp_error(self)->processor != 3)
        return kp_fail(self, "the loss of processor 3 was not named");
    return 0;
}

static void a_member_that_leaves_in_mid_operation_is_named(void **state)
{
    (void)state;
    kp_config config = config_of(5, 0);
    kp_report report;
    for (int i = 0; i < 50; i++) {
        if (kp_run(&config, leaves_early, NULL, &report))
            fail_msg("%s", report.error.sentence);
    }
}

/* --- Plans --- */

static int many_plans(kp_proc *self, void *argument)
{
    (void)argument;
    for (size_t b = 0; b < 300; b++) {
        struct call call = {.operation = b % 2 ? KP_INDEX : KP_CONCAT, .b = b, .repeat = 1};
        int status = call_repeatedly(kp_world(self), &call);
        if (status)
            return status;
    }
    return 0;
}

static void more_plans_than_there_is_room_for(void **state)
{
    (void)state;
    kp_config config = config_of(6, 3);
    config.plan_bytes = 2000;
    kp_report report;
    if (kp_run(&config, many_plans, NULL, &report))
        fail_msg("%s", report.error.sentence);
}

/* Makes random calls in a row. Now and then two different calls have the same place in the member's
 * call cache. */
static int any_sequence(kp_proc *self, void *argument)
{
    static const size_t lengths[] = {0, 1, 4, 8, 32, 64, 128, 256, 1000};
    uint64_t seed = *(const uint64_t *)argument;
    int status = 0;
    for (int i = 0; i < 600 && !status; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint64_t drawn = seed >> 20;
        struct call call = {.operation = (kp_operation)(drawn % KP_OPERATIONS),
                            .b = lengths[drawn / 32 % (sizeof lengths / sizeof lengths[0])],
                            .in_place = drawn / 512 % 4 == 0};
        if (!kp_operation_row(call.operation)->lengths)
            status = call_once(kp_world(self), &call, (int)(drawn / 4096 % 2), seed);
    }
    return status;
}

static void any_sequence_of_calls(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        kp_config config = config_of(2 + (int)seed % 4, 0);
        kp_report report;
        if (kp_run(&config, any_sequence, &seed, &report))
            fail_msg("seed %d: %s", (int)seed, report.error.sentence);
    }
}

static int scatter_nothing(kp_proc *self, void *argument)
{
    (void)argument;
    int64_t mine;
    bool root = kp_processor(self) == 0;
    int status = kp_scatter(kp_world(self), NULL, root ? KP_IN_PLACE : &mine, sizeof mine, 0, NULL);
    bool named = strstr(kp_error(self)->sentence, "out is NULL") != NULL;
    return status == (root ? KP_EARGUMENT : KP_EPEER) && named ? 0 : kp_fail(self, "not refused");
}

static void in_place_needs_a_place(void **state)
{
    (void)state;
    kp_config config = config_of(3, 0);
    kp_report report;
    if (kp_run(&config, scatter_nothing, NULL, &report))
        fail_msg("%s", report.error.sentence);
}

static void the_report_counts_rounds_and_bytes(void **state)
{
    (void)state;
    struct call call = {.operation = KP_INDEX, .b = 8, .repeat = 2};
    call.hints.algorithm = kp_algorithm_find(KP_INDEX, "radix");
    kp_config config = config_of(64, 1);
    kp_report report;
    call.hints.values[0] = 8;
    add_call(&call);
    assert_int_equal(kp_run(&config, in_the_world, &batch, &report), 0);
    batch.count = 0;
    assert_int_equal(report.c1, 4 * 14);
    assert_int_equal(report.c2, 4 * 112 * 8);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_moves_every_byte),
        cmocka_unit_test(every_operator_on_every_type),
        cmocka_unit_test(every_radix),
        cmocka_unit_test(every_packet_count),
        cmocka_unit_test(eager_and_zero_copy),
        cmocka_unit_test(disjoint_groups_at_the_same_time),
        cmocka_unit_test(a_member_that_leaves_in_mid_operation_is_named),
        cmocka_unit_test(more_plans_than_there_is_room_for),
        cmocka_unit_test(any_sequence_of_calls),
        cmocka_unit_test(in_place_needs_a_place),
        cmocka_unit_test(the_report_counts_rounds_and_bytes),
    };
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "full") == 0)
            most_n = 9;
        else if (strcmp(arguments[i], "mailboxes") == 0)
            machine_kind.discipline = KP_ROUNDS_BY_MAILBOXES;
        else
            return 2; /* an unknown argument is an error, so no test is skipped unnoticed */
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
