/* Index and concatenation on threads, against results computed here: every byte of every buffer,
 * guards included, for all algorithms, in groups, in place, and when the members disagree. */
#include "kport.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GUARD 64

/* Byte `i` of the block that `source` has for `target`. */
static unsigned char byte_of(int source, int target, size_t i)
{
    return (unsigned char)(source * 31 + target * 17 + (int)(i % 251) * 7 + 3);
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

struct call {
    kp_operation operation;
    size_t b;
    kp_how how;
    int in_place;
    int repeat;
};

static void fill_outgoing(const struct call *call, struct buffer *out, int n, int rank, int salt)
{
    int blocks = call->operation == KP_INDEX ? n : 1;
    for (int j = 0; j < blocks; j++) {
        for (size_t i = 0; i < call->b; i++)
            out->data[(size_t)j * call->b + i] = byte_of(rank + salt, j, i);
    }
}

static int incoming_right(const struct call *call, const struct buffer *in, int n, int rank,
                          int salt)
{
    for (int j = 0; j < n; j++) {
        int target = call->operation == KP_INDEX ? rank : 0;
        for (size_t i = 0; i < call->b; i++) {
            if (in->data[(size_t)j * call->b + i] != byte_of(j + salt, target, i))
                return 0;
        }
    }
    return 1;
}

/* One call by one member, verified. `salt` makes repeated calls move different bytes. */
static int call_once(kp_group *group, const struct call *call, struct buffer *out,
                     struct buffer *in, int salt)
{
    int n = kp_size(group), rank = kp_rank(group);
    struct buffer *source = out;
    size_t own = 0;
    if (call->in_place) {
        source = in;
        own = call->operation == KP_CONCAT ? (size_t)rank * call->b : 0;
    }
    memset(in->data, 0x5A, in->bytes);
    struct buffer part = *source;
    part.data += own;
    fill_outgoing(call, &part, n, rank, salt);
    const void *from = call->in_place ? KP_IN_PLACE : out->data;
    int status = call->operation == KP_INDEX
                     ? kp_index(group, from, in->data, call->b, &call->how)
                     : kp_concat(group, from, in->data, call->b, &call->how);
    if (status)
        return status;
    if (!incoming_right(call, in, n, rank, salt) || !buffer_intact(in) || !buffer_intact(out))
        return kp_fail(kp_group_self(group), "wrong bytes");
    return 0;
}

static int call_repeatedly(kp_group *group, const struct call *call)
{
    struct buffer out, in;
    size_t n = (size_t)kp_size(group);
    int status = buffer_make(&out, (call->operation == KP_INDEX ? n : 1) * call->b);
    if (status)
        return status;
    status = buffer_make(&in, n * call->b);
    for (int i = 0; i < call->repeat && !status; i++)
        status = call_once(group, call, &out, &in, i);
    free(in.memory);
    free(out.memory);
    return status;
}

static int in_the_world(kp_proc *self, void *argument)
{
    return call_repeatedly(kp_world(self), argument);
}

static void run_call(int n, int k, struct call *call)
{
    kp_config config = {.processors = n, .ports = k};
    kp_report report;
    kp_problem problem = {.operation = call->operation,
                          .n = n,
                          .k = k,
                          .b = call->b,
                          .algorithm = call->how.algorithm};
    char text[160];
    memcpy(problem.values, call->how.values, sizeof problem.values);
    kp_problem_format(&problem, text, sizeof text);
    if (kp_run(&config, in_the_world, call, &report))
        fail_msg("%s%s: %s", text, call->in_place ? " in place" : "", report.error.sentence);
}

/* --- Every algorithm --- */

static void run_all_algorithms(int n, int k, size_t b, int repeat)
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
            run_call(n, k, &call);
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
                run_all_algorithms(n, k, blocks[i], 3);
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
                run_call(n, k, &call);
            }
        }
    }
}

/* Messages that are packed, messages that are described, and the edge between the two. */
static void rows_and_described_memory(void **state)
{
    (void)state;
    static const size_t blocks[] = {1023, 1170, 1171, 4096, 8192, 8193, 65536};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        run_all_algorithms(8, 1, blocks[i], 3);
        run_all_algorithms(8, 7, blocks[i], 3);
        run_all_algorithms(16, 3, blocks[i], 2);
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
    for (int operation = 0; operation < 2; operation++) {
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
    assert_int_equal(kp_run(&config, in_the_world, &call, &report), 0);
    assert_int_equal(report.c1, 2 * 14);
    assert_int_equal(report.c2, 2 * 112 * 8);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_moves_every_byte),
        cmocka_unit_test(every_radix),
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
