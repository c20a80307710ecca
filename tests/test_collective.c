/* Every operation on threads, against the reference: every byte of every buffer, guards included,
 * for all algorithms, in groups, in place, and when the members disagree. */
#include "kport.h"

#include "tools/kport/reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GUARD 64

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

/* What every member of a group is to do. n and k are the group's own. */
struct call {
    kp_operation operation;
    size_t b;
    kp_how how;
    int in_place;
    int repeat;
};

/* Now nearer, now farther from the root. */
static int target_of(int root, int n)
{
    return (3 * root + n - 1) % n;
}

/* The operation itself; where the outgoing data lies follows from it and from in_place. */
static int carry_out(kp_group *group, const struct call *call, int root, struct buffer *out,
                     struct buffer *in)
{
    const kp_how *how = &call->how;
    const void *from = call->in_place ? KP_IN_PLACE : out->data;
    bool at_root = kp_rank(group) == root;
    switch (call->operation) {
    case KP_INDEX:
        return kp_index(group, from, in->data, call->b, how);
    case KP_CONCAT:
        return kp_concat(group, from, in->data, call->b, how);
    case KP_BROADCAST:
        return kp_broadcast(group, in->data, call->b, root, how);
    case KP_SCATTER:
        return kp_scatter(group, out->data, call->in_place && at_root ? KP_IN_PLACE : in->data,
                          call->b, root, how);
    case KP_GATHER:
        return kp_gather(group, at_root ? from : out->data, in->data, call->b, root, how);
    case KP_ONE_TO_ONE:
        return kp_one_to_one(group, out->data, in->data, call->b, root,
                             target_of(root, kp_size(group)), how);
    case KP_OPERATIONS:
        break;
    }
    return KP_EARGUMENT;
}

/* Data that has to be in the incoming buffer before the call. */
static void fill_in_place(const struct call *call, const kp_problem *p, uint64_t seed, int rank,
                          const struct buffer *out, struct buffer *in)
{
    bool at_root = rank == p->root;
    (void)seed;
    if (call->operation == KP_BROADCAST && at_root)
        memcpy(in->data, out->data, call->b);
    if (!call->in_place)
        return;
    if (call->operation == KP_INDEX)
        memcpy(in->data, out->data, out->bytes);
    else if (call->operation == KP_CONCAT || (call->operation == KP_GATHER && at_root))
        memcpy(in->data + (size_t)rank * call->b, out->data, call->b);
}

static int wrong_bytes(kp_group *group, const struct call *call, int root)
{
    kp_problem p = {.operation = call->operation,
                    .n = kp_size(group),
                    .k = kp_ports(group),
                    .b = call->b,
                    .algorithm = call->how.algorithm,
                    .root = root,
                    .in_place = call->in_place};
    char text[160], sentence[200];
    memcpy(p.values, call->how.values, sizeof p.values);
    kp_problem_format(&p, text, sizeof text);
    snprintf(sentence, sizeof sentence, "%s: wrong bytes", text);
    return kp_fail(kp_group_self(group), sentence);
}

/* One call by one member, verified; `salt` makes repeated calls move different bytes. */
static int call_once(kp_group *group, const struct call *call, int salt)
{
    struct buffer out, in;
    int n = kp_size(group), rank = kp_rank(group), root = salt % n;
    kp_problem p = {.operation = call->operation, .n = n, .k = kp_ports(group), .b = call->b};
    p.target = call->operation == KP_ONE_TO_ONE ? target_of(root, n) : 0;
    p.root = call->operation == KP_INDEX || call->operation == KP_CONCAT ? 0 : root;
    uint64_t seed = (uint64_t)salt + 99;
    int status = buffer_make(&out, reference_out_blocks(&p, rank) * call->b);
    if (status)
        return status;
    status = buffer_make(&in, reference_in_blocks(&p, rank) * call->b);
    if (status)
        return status;
    reference_fill_out(&p, seed, rank, out.data);
    reference_spoil_in(&p, seed, rank, in.data);
    fill_in_place(call, &p, seed, rank, &out, &in);
    status = carry_out(group, call, root, &out, &in);
    bool kept = call->operation == KP_SCATTER && call->in_place && rank == root;
    if (!status && ((!kept && reference_first_wrong(&p, seed, rank, in.data) >= 0) ||
                    !reference_out_intact(&p, seed, rank, out.data) || !buffer_intact(&in) ||
                    !buffer_intact(&out)))
        status = wrong_bytes(group, call, root);
    free(in.memory);
    free(out.memory);
    return status;
}

static int call_repeatedly(kp_group *group, const struct call *call)
{
    int status = 0;
    for (int i = 0; i < call->repeat && !status; i++)
        status = call_once(group, call, i);
    return status;
}

/* Calls that are made one after the other in one run: starting threads takes longer than a call. */
#define MOST_CALLS 20000

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

static void run_batch(int n, int k)
{
    kp_config config = {.processors = n, .ports = k};
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

/* Several roots: as many as there are repeats. */
static void add_all_algorithms(int n, int k, size_t b, int repeat)
{
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *algorithm = kp_algorithm_at(i);
        kp_problem problem = {
            .operation = algorithm->operation, .n = n, .k = k, .b = b, .algorithm = algorithm};
        if (algorithm->serves && algorithm->serves(&problem))
            continue;
        for (int in_place = 0; in_place < 2; in_place++) {
            struct call call = {
                algorithm->operation, b, {.algorithm = algorithm}, in_place, repeat};
            add_call(&call);
        }
    }
}

static int most_n = 5;

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
                call.how.algorithm = kp_algorithm_find(KP_INDEX, names[i % 2]);
                assert_non_null(call.how.algorithm);
                call.how.values[0] = 2 + i / 2;
                add_call(&call);
            }
            run_batch(n, k);
        }
    }
}

/* More packets than the tuner would take. */
static void every_packet_count(void **state)
{
    (void)state;
    static const char *const names[] = {"pipelined", "circulant"};
    for (int n = 2; n < most_n; n++) {
        for (int k = 1; k < n; k += 2) {
            for (int i = 0; i < 2 * 9; i++) {
                struct call call = {.operation = KP_BROADCAST, .b = 2003, .repeat = 2};
                call.how.algorithm = kp_algorithm_find(KP_BROADCAST, names[i % 2]);
                assert_non_null(call.how.algorithm);
                call.how.values[0] = 1 + i / 2;
                add_call(&call);
            }
            run_batch(n, k);
        }
    }
}

/* Messages that are packed, messages that are described, and the edge between the two. */
static void rows_and_described_memory(void **state)
{
    (void)state;
    static const size_t blocks[] = {1023, 1170, 1171, 4096, 8192, 8193, 65536};
    static const int shapes[][2] = {{8, 1}, {8, 7}, {16, 3}};
    for (int shape = 0; shape < 3; shape++) {
        int n = shapes[shape][0], k = shapes[shape][1];
        for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
            add_all_algorithms(n, k, blocks[i], most_n > 5 ? 2 : 1);
        run_batch(n, k);
    }
}

/* --- Groups --- */

static int in_groups(kp_proc *self, void *argument)
{
    /* Two disjoint groups in odd orders at work at the same time, then the world, then both again.
     */
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
        struct call call = {(kp_operation)operation, 40, {0}, 0, 5};
        kp_config config = {.processors = 7, .ports = 2};
        kp_report report;
        if (kp_run(&config, in_groups, &call, &report))
            fail_msg("%s", report.error.sentence);
    }
}

/* --- Disagreement and bad arguments --- */

struct quarrel {
    int n;
    int (*odd)(kp_group *world, char *out, char *in); /* what the last processor does first */
    int status_of_odd, status_of_others;
    const char *named; /* both sides' sentences hold it */
    kp_error_record errors[8];
    int statuses[8];
};

static int quarrel_program(kp_proc *self, void *argument)
{
    struct quarrel *quarrel = argument;
    kp_group *world = kp_world(self);
    int me = kp_rank(world), n = quarrel->n;
    char out[8 * 16], in[8 * 16 + 8];
    memset(in, 0x5A, sizeof in);
    memset(out, me, sizeof out);
    quarrel->statuses[me] =
        me == n - 1 ? quarrel->odd(world, out, in) : kp_index(world, out, in, 8, NULL);
    quarrel->errors[me] = *kp_error(self);
    for (size_t i = 0; i < sizeof in; i++) {
        /* The own block may have been copied already; nothing of another's. */
        if (in[i] != 0x5A && in[i] != me)
            return kp_fail(self, "data moved although the members disagreed");
    }
    int status = kp_index(world, out, in, 8, NULL); /* the group works on */
    if (status)
        return status;
    for (int i = 0; i < n; i++) {
        if (in[i * 8] != i)
            return kp_fail(self, "wrong bytes after a disagreement");
    }
    return 0;
}

static int other_b(kp_group *world, char *out, char *in)
{
    return kp_index(world, out, in, 16, NULL);
}

static int other_operation(kp_group *world, char *out, char *in)
{
    return kp_concat(world, out, in, 8, NULL);
}

static int other_algorithm(kp_group *world, char *out, char *in)
{
    kp_how how;
    int status = kp_how_parse(KP_INDEX, "literal,r=2", &how);
    return status ? status : kp_index(world, out, in, 8, &how);
}

static int an_exchange(kp_group *world, char *out, char *in)
{
    (void)out;
    (void)in;
    return kp_exchange(world, NULL, 0, NULL, 0);
}

static int null_buffer(kp_group *world, char *out, char *in)
{
    (void)out;
    return kp_index(world, NULL, in, 8, NULL);
}

static int overlapping(kp_group *world, char *out, char *in)
{
    (void)out;
    return kp_index(world, in + 8, in, 8, NULL);
}

static int overflowing(kp_group *world, char *out, char *in)
{
    return kp_index(world, out, in, SIZE_MAX / 2, NULL);
}

static int foreign_algorithm(kp_group *world, char *out, char *in)
{
    kp_how how = {.algorithm = kp_algorithm_find(KP_CONCAT, "ring")};
    return kp_index(world, out, in, 8, &how);
}

static int bad_radix(kp_group *world, char *out, char *in)
{
    kp_how how = {.algorithm = kp_algorithm_find(KP_INDEX, "radix"), .values = {100}};
    return kp_index(world, out, in, 8, &how);
}

static void members_that_disagree_all_learn_it(void **state)
{
    (void)state;
    static const struct quarrel quarrels[] = {
        {.odd = other_b,
         .status_of_odd = KP_EMISMATCH,
         .status_of_others = KP_EMISMATCH,
         .named = "b=16"},
        {.odd = other_operation,
         .status_of_odd = KP_EMISMATCH,
         .status_of_others = KP_EMISMATCH,
         .named = "concat"},
        {.odd = other_algorithm,
         .status_of_odd = KP_EMISMATCH,
         .status_of_others = KP_EMISMATCH,
         .named = "literal"},
        {.odd = an_exchange,
         .status_of_odd = KP_EMISMATCH,
         .status_of_others = KP_EMISMATCH,
         .named = "exchange"},
        {.odd = null_buffer,
         .status_of_odd = KP_EARGUMENT,
         .status_of_others = KP_EPEER,
         .named = "NULL"},
        {.odd = overlapping,
         .status_of_odd = KP_EARGUMENT,
         .status_of_others = KP_EPEER,
         .named = "overlap"},
        {.odd = overflowing,
         .status_of_odd = KP_EARGUMENT,
         .status_of_others = KP_EPEER,
         .named = "memory"},
        {.odd = foreign_algorithm,
         .status_of_odd = KP_EALGORITHM,
         .status_of_others = KP_EPEER,
         .named = "ring"},
        {.odd = bad_radix,
         .status_of_odd = KP_EPROBLEM,
         .status_of_others = KP_EPEER,
         .named = "100"},
    };
    for (size_t i = 0; i < sizeof quarrels / sizeof quarrels[0]; i++) {
        for (int n = 2; n <= 5; n += 3) {
            struct quarrel quarrel = quarrels[i];
            kp_config config = {.processors = n};
            kp_report report;
            quarrel.n = n;
            if (kp_run(&config, quarrel_program, &quarrel, &report))
                fail_msg("case %zu, n=%d: %s", i, n, report.error.sentence);
            for (int p = 0; p < n; p++) {
                int expected = p == n - 1 ? quarrel.status_of_odd : quarrel.status_of_others;
                if (quarrel.statuses[p] != expected)
                    fail_msg("case %zu: processor %d got %d (%s), not %d", i, p,
                             quarrel.statuses[p], quarrel.errors[p].sentence, expected);
                if (!strstr(quarrel.errors[p].sentence, quarrel.named))
                    fail_msg("case %zu: \"%s\" lacks \"%s\"", i, quarrel.errors[p].sentence,
                             quarrel.named);
                if (expected != KP_EMISMATCH)
                    continue;
                char self_name[32], call_site[32];
                snprintf(self_name, sizeof self_name, "processor %d ", n - 1);
                snprintf(call_site, sizeof call_site, "test_collective.c:");
                assert_non_null(strstr(quarrel.errors[p].sentence, self_name));
                assert_non_null(strstr(quarrel.errors[p].sentence, call_site));
            }
        }
    }
}

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
    kp_config config = {.processors = 5};
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
        struct call call = {b % 2 ? KP_INDEX : KP_CONCAT, b, {0}, 0, 1};
        int status = call_repeatedly(kp_world(self), &call);
        if (status)
            return status;
    }
    return 0;
}

static void more_plans_than_there_is_room_for(void **state)
{
    (void)state;
    kp_config config = {.processors = 6, .ports = 3, .plan_bytes = 2000};
    kp_report report;
    if (kp_run(&config, many_plans, NULL, &report))
        fail_msg("%s", report.error.sentence);
}

static void the_report_counts_rounds_and_bytes(void **state)
{
    (void)state;
    struct call call = {KP_INDEX, 8, {.algorithm = kp_algorithm_find(KP_INDEX, "radix")}, 0, 2};
    kp_config config = {.processors = 64, .ports = 1};
    kp_report report;
    call.how.values[0] = 8;
    add_call(&call);
    assert_int_equal(kp_run(&config, in_the_world, &batch, &report), 0);
    batch.count = 0;
    assert_int_equal(report.c1, 2 * 14);
    assert_int_equal(report.c2, 2 * 112 * 8);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_moves_every_byte),
        cmocka_unit_test(every_radix),
        cmocka_unit_test(every_packet_count),
        cmocka_unit_test(rows_and_described_memory),
        cmocka_unit_test(disjoint_groups_at_the_same_time),
        cmocka_unit_test(members_that_disagree_all_learn_it),
        cmocka_unit_test(a_member_that_leaves_in_mid_operation_is_named),
        cmocka_unit_test(more_plans_than_there_is_room_for),
        cmocka_unit_test(the_report_counts_rounds_and_bytes),
    };
    if (count > 1 && strcmp(arguments[1], "full") == 0)
        most_n = 9;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
