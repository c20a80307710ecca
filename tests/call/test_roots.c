/* Tests calls whose schedule depends on the root or on a target, on threads. One-to-one calls run
 * between all pairs. Broadcasts, scatters and gathers run with each root in turn, which would
 * reveal that a call uses the schedule of another root.
 *
 * The blocks have lengths for every way of moving a message. A short message lies beside the words
 * by which two members wait. Longer messages lie in eager buffers or in the long eager buffer. Long
 * messages are copied from lent memory by the receiver, by the sender, or by both. Invalid
 * arguments of one-to-one calls must be refused. */
#include "kport.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define N        16
#define BYTES    61
#define IN_A_ROW 2 /* the second call in a row uses the code that the first one kept */

struct run {
    kp_operation operation;
    const char *algorithm; /* "": the library chooses the algorithm */
    int repeats, bytes;
};

/* Returns byte i of block `block` of processor `rank`. Each call has another `salt`. */
static unsigned char byte_of(int salt, int rank, int block, int i)
{
    uint32_t x = (uint32_t)salt * 7919u + (uint32_t)rank * 104729u + (uint32_t)block * 1299709u +
                 (uint32_t)i * 15485863u + 1u;
    return (unsigned char)((x ^ x >> 15) * 2654435761u >> 24);
}

static void fill(unsigned char *data, int salt, int rank, int blocks, int bytes)
{
    for (int i = 0; i < blocks * bytes; i++)
        data[i] = byte_of(salt, rank, i / bytes, i % bytes);
}

static int holds(const unsigned char *data, int salt, int rank, int block, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        if (data[i] != byte_of(salt, rank, block, i))
            return 0;
    }
    return 1;
}

/* Returns whether `data` is block 0 of all processors, combined by exclusive or. */
static int holds_all(const unsigned char *data, int salt, int n, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        unsigned char all = 0;
        for (int rank = 0; rank < n; rank++)
            all ^= byte_of(salt, rank, 0, i);
        if (data[i] != all)
            return 0;
    }
    return 1;
}

static int untouched(const unsigned char *data, int from, int to)
{
    while (from < to && data[from] == 0x5A)
        from++;
    return from == to;
}

static int one_call(kp_group *world, const struct run *run, const kp_hints *hints, int root, int to,
                    int salt, unsigned char *out)
{
    int me = kp_rank(world), n = kp_size(world), status = KP_EARGUMENT, wrong = 0, used = 0;
    int bytes = run->bytes;
    size_t b = (size_t)bytes;
    unsigned char *in = out + n * bytes;
    memset(in, 0x5A, (size_t)n * b);
    fill(out, salt, me, n, bytes);
    if (run->operation == KP_ONE_TO_ONE) {
        status =
            kp_one_to_one(world, me == root ? out : NULL, me == to ? in : NULL, b, root, to, hints);
        used = me == to;
        wrong = me == to && !holds(in, salt, root, 0, bytes);
    } else if (run->operation == KP_BROADCAST) {
        if (me == root)
            memcpy(in, out, b);
        status = kp_broadcast(world, in, b, root, hints);
        used = 1;
        wrong = !holds(in, salt, root, 0, bytes);
    } else if (run->operation == KP_SCATTER) {
        status = kp_scatter(world, out, in, b, root, hints);
        used = 1;
        wrong = !holds(in, salt, root, me, bytes);
    } else if (run->operation == KP_REDUCE) {
        status = kp_reduce(world, out, in, b, KP_UINT8, KP_BIT_XOR, root, hints);
        used = me == root;
        wrong = me == root && !holds_all(in, salt, n, bytes);
    } else if (run->operation == KP_GATHER) {
        status = kp_gather(world, out, in, b, root, hints);
        used = me == root ? n : 0;
        for (int i = 0; i < used; i++)
            wrong |= !holds(in + i * bytes, salt, i, 0, bytes);
    }
    if (!status && (wrong || !untouched(in, used * bytes, n * bytes)))
        return kp_fail(kp_group_self(world), "wrong bytes");
    return status;
}

static int all_roots(kp_proc *self, void *argument)
{
    const struct run *run = argument;
    kp_hints hints;
    int status = kp_hints_parse(run->operation, run->algorithm, &hints), salt = 0;
    int n = kp_size(kp_world(self)), targets = run->operation == KP_ONE_TO_ONE ? n : 1;
    unsigned char *buffers = malloc(2 * (size_t)n * (size_t)run->bytes);
    if (!buffers)
        return kp_fail(self, "no memory");
    for (int repeat = 0; repeat < run->repeats && !status; repeat++) {
        for (int root = 0; root < n && !status; root++) {
            for (int i = 0; i < IN_A_ROW * targets && !status; i++)
                status = one_call(kp_world(self), run, &hints, root, i / IN_A_ROW, salt++, buffers);
        }
    }
    free(buffers);
    return status;
}

static void every_root_and_target(void **state)
{
    (void)state;
    for (int i = 0; kp_algorithm_at(i); i++) {
        const kp_algorithm *a = kp_algorithm_at(i);
        if ((a->operation != KP_ONE_TO_ONE && !a->own_root) || a->stated_between)
            continue; /* the last serve only machines over processes (test_collective.c) */
        kp_config config = {.processors = N, .ports = 4};
        struct run run = {a->operation, a->name, a->operation == KP_ONE_TO_ONE ? 1 : 3, BYTES};
        kp_report report;
        if (kp_run(&config, all_roots, &run, &report))
            fail_msg("%s %s: %s", kp_operation_name(a->operation), a->name, report.error.sentence);
    }
    struct run open = {KP_ONE_TO_ONE, "", 1, BYTES};
    kp_config config = {.processors = N, .ports = 4};
    kp_report report;
    if (kp_run(&config, all_roots, &open, &report))
        fail_msg("%s", report.error.sentence);
}

static void every_way_of_copying(void **state)
{
    (void)state;
    static const kp_operation operations[] = {KP_BROADCAST, KP_SCATTER, KP_GATHER, KP_REDUCE,
                                              KP_ONE_TO_ONE};
    static const int sizes[] = {2, 5}, lengths[] = {16, 1030, 9000, 20000, 100003};
    for (int i = 0; i < 5 * 2 * 5 * 2; i++) {
        int n = sizes[i / 5 % 2];
        kp_config config = {.processors = n, .ports = i / 50 ? 1 : n - 1};
        struct run run = {operations[i % 5], "", 1, lengths[i / 10 % 5]};
        kp_report report;
        if (kp_run(&config, all_roots, &run, &report))
            fail_msg("%s of %d, %d bytes: %s", kp_operation_name(run.operation), n, run.bytes,
                     report.error.sentence);
    }
}

/* --- Arguments --- */

struct wrong {
    int (*odd)(kp_group *world, char *out, char *in); /* processor 2's call */
    int status_of_odd, status_of_others;
    const char *named; /* a text that every member's sentence contains */
};

static int to_is_outside(kp_group *world, char *out, char *in)
{
    return kp_one_to_one(world, out, in, 8, 0, 4, NULL);
}

static int to_is_negative(kp_group *world, char *out, char *in)
{
    return kp_one_to_one(world, out, in, 8, 0, -1, NULL);
}

static int to_is_another(kp_group *world, char *out, char *in)
{
    return kp_one_to_one(world, out, in, 8, 0, 3, NULL);
}

static int root_is_another(kp_group *world, char *out, char *in)
{
    return kp_one_to_one(world, out, in, 8, 1, 2, NULL);
}

static int in_is_null(kp_group *world, char *out, char *in)
{
    (void)in;
    return kp_one_to_one(world, out, NULL, 8, 0, 2, NULL);
}

static int in_place(kp_group *world, char *out, char *in)
{
    (void)out;
    return kp_one_to_one(world, KP_IN_PLACE, in, 8, 0, 2, NULL);
}

static const struct wrong all_wrong[] = {
    {to_is_outside, KP_EARGUMENT, KP_EPEER, "to is 4; it may be 0 ... 3"},
    {to_is_negative, KP_EARGUMENT, KP_EPEER, "to is -1"},
    {to_is_another, KP_EMISMATCH, KP_EMISMATCH, "to=3"},
    {root_is_another, KP_EMISMATCH, KP_EMISMATCH, "root=1"},
    {in_is_null, KP_EARGUMENT, KP_EPEER, "in is NULL"},
    {in_place, KP_EARGUMENT, KP_EPEER, "KP_IN_PLACE"},
};

static int try_wrong(kp_proc *self, void *argument)
{
    const struct wrong *wrong = argument;
    kp_group *world = kp_world(self);
    int me = kp_rank(world);
    char out[8], in[8], text[KP_SENTENCE_BYTES + 64];
    memset(out, 1 + me, sizeof out);
    memset(in, 0x5A, sizeof in);
    int status =
        me == 2 ? wrong->odd(world, out, in) : kp_one_to_one(world, out, in, 8, 0, 2, NULL);
    const char *sentence = kp_error(self)->sentence;
    if (status != (me == 2 ? wrong->status_of_odd : wrong->status_of_others) ||
        !strstr(sentence, wrong->named) || in[0] != 0x5A) {
        snprintf(text, sizeof text, "status %d: %s", status, sentence);
        return kp_fail(self, text);
    }
    status = kp_one_to_one(world, out, in, 8, 0, 2, NULL); /* the group still works */
    if (!status && in[7] != (me == 2 ? 1 : 0x5A))
        return kp_fail(self, "wrong bytes after a refusal");
    return status;
}

static void arguments(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof all_wrong / sizeof all_wrong[0]; i++) {
        kp_config config = {.processors = 4};
        struct wrong wrong = all_wrong[i];
        kp_report report;
        if (kp_run(&config, try_wrong, &wrong, &report))
            fail_msg("case %zu: %s", i, report.error.sentence);
    }
}

/* Each processor sends its block to processor 2 in a round of its own. */
static int build_for_two(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, 0, p->rank == 2), kp_run_of(KP_IN, 2, p->rank == 2));
    for (int from = 0; from < p->n; from++) {
        kp_build_round(b);
        if (p->rank == 2 && from != 2) {
            kp_build_receive(b, 0, from);
            kp_build_piece(b, kp_run_of(KP_IN, from, 1));
        } else if (p->rank == from && from != 2) {
            kp_build_send(b, 0, 2);
            kp_build_piece(b, kp_run_of(KP_OUT, 0, 1));
        }
    }
    return KP_OK;
}

static const char *serves_two(const kp_problem *p)
{
    return p->root == 2 ? NULL : "root 2";
}

static const kp_algorithm for_two = {.operation = KP_GATHERV,
                                     .name = "for-two",
                                     .own_root = 1,
                                     .serves = serves_two,
                                     .build = build_for_two};

static int one_root_program(kp_proc *self, void *argument)
{
    static const kp_hints by = {.algorithm = &for_two};
    static const size_t counts[] = {1, 2, 3, 4}, places[] = {0, 1, 3, 6};
    const int me = kp_processor(self);
    unsigned char out[4], in[10];
    (void)argument;
    for (int i = 0; i < 4; i++) {
        const int root = i % 2 ? 1 : 2;
        fill(out, i, me, 1, (int)counts[me]);
        int status = kp_gatherv(kp_world(self), out, counts[me], in, counts, NULL, root, &by);
        if (status != (root == 2 ? KP_OK : KP_EUNSERVED))
            return kp_fail(self, kp_error(self)->sentence);
        for (int j = 0; j < 4 && me == 2 && root == 2; j++) {
            if (!holds(in + places[j], i, j, 0, (int)counts[j]))
                return kp_fail(self, "wrong bytes at the root");
        }
    }
    return KP_OK;
}

/* An algorithm for blocks with lengths may be for one root alone. */
static void one_root_with_lengths(void **state)
{
    (void)state;
    kp_config config = {.processors = 4};
    kp_report report;
    if (kp_run(&config, one_root_program, NULL, &report))
        fail_msg("%s", report.error.sentence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_root_and_target),
        cmocka_unit_test(every_way_of_copying),
        cmocka_unit_test(arguments),
        cmocka_unit_test(one_root_with_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
