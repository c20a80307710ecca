/* Tests calls of two members with blocks of a few bytes. Such a call has one message and the
 * shortest code (lib/execute/interpret.c). Short messages of two members are stored beside the
 * words by which the members wait for each other. The lengths of the blocks are close to the
 * greatest length for which this is done. Every operation is called with every root and length,
 * repeatedly with new data, in place and not. The test compares every byte around the buffers, C1
 * and C2. */
#include "kport.h"

#include "lib/problem/operation.h"
#include "tools/kport/common/operation_call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LONGEST 20
#define REPEATS 5
#define MARGIN  0xa5

struct run {
    kp_operation operation;
    int b, root;
    bool in_place;
};

struct buffer {
    unsigned char before[8], data[2 * LONGEST], after[8];
};

static unsigned char byte_of(int repeat, int rank, int place)
{
    return (unsigned char)(repeat * 89 + rank * 131 + place * 7 + 3);
}

static void fill(struct buffer *buffer, int repeat, int rank)
{
    memset(buffer, MARGIN, sizeof *buffer);
    for (int i = 0; i < 2 * LONGEST; i++)
        buffer->data[i] = byte_of(repeat, rank, i);
}

/* Finds where a byte of the incoming buffer must come from: the processor *from, and the place
 * *there in that processor's data. Returns false if the call must not write this byte. */
static bool source_of(const struct run *run, int rank, int place, int *from, int *there)
{
    int block = place / run->b, at = place % run->b;
    bool root = rank == run->root;
    *from = block;
    *there = at;
    switch (run->operation) {
    case KP_INDEX:
        *there = rank * run->b + at;
        return block < 2;
    case KP_CONCAT:
        *there = run->in_place ? place : at;
        return block < 2;
    case KP_BROADCAST:
        *from = run->root;
        return block < 1;
    case KP_SCATTER:
        *from = run->root;
        *there = rank * run->b + at;
        return block < 1 && !(root && run->in_place);
    default: /* KP_GATHER */
        *there = root && run->in_place && block == rank ? place : at;
        return root && block < 2;
    }
}

static int call(kp_group *world, const struct run *run, unsigned char *out, unsigned char *in)
{
    kp_arguments a = {
        .operation = run->operation, .out = out, .in = in, .b = (size_t)run->b, .root = run->root};
    bool both = !kp_operation_has_root(run->operation) || kp_rank(world) == run->root;
    if (run->in_place && both && run->operation == KP_SCATTER)
        a.in = KP_IN_PLACE;
    else if (run->in_place && both)
        a.out = KP_IN_PLACE;
    return operation_call(world, &a);
}

static int wrong(kp_proc *self, const struct run *run, int repeat)
{
    char sentence[120];
    snprintf(sentence, sizeof sentence, "%s, b = %d, root %d%s, call %d: wrong at processor %d",
             kp_operation_name(run->operation), run->b, run->root,
             run->in_place ? ", in place" : "", repeat, kp_processor(self));
    return kp_fail(self, sentence);
}

static int repeatedly(kp_proc *self, void *argument)
{
    const struct run *run = argument;
    kp_group *world = kp_world(self);
    int rank = kp_rank(world);
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        struct buffer out, in, wanted;
        fill(&out, repeat, rank);
        fill(&in, repeat, rank);
        wanted = in;
        for (int place = 0, from, there; place < 2 * run->b; place++) {
            if (source_of(run, rank, place, &from, &there))
                wanted.data[place] = byte_of(repeat, from, there);
        }
        struct buffer kept = out;
        int status = call(world, run, out.data, in.data);
        if (status)
            return status;
        if (memcmp(&in, &wanted, sizeof in) != 0 || memcmp(&out, &kept, sizeof out) != 0)
            return wrong(self, run, repeat);
    }
    return 0;
}

static void all_of(kp_discipline discipline)
{
    static const kp_operation operations[] = {KP_INDEX, KP_CONCAT, KP_BROADCAST, KP_SCATTER,
                                              KP_GATHER};
    for (int i = 0; i < 5 * LONGEST * 4; i++) {
        struct run run = {.operation = operations[i % 5],
                          .b = 1 + i / 5 % LONGEST,
                          .root = i / 5 / LONGEST % 2,
                          .in_place = i / 5 / LONGEST / 2 > 0};
        kp_config config = {.processors = 2, .discipline = discipline};
        kp_report report;
        if (kp_run(&config, repeatedly, &run, &report))
            fail_msg("%s", report.error.sentence);
        assert_int_equal(report.c1, REPEATS);
        assert_int_equal(report.c2, (uint64_t)REPEATS * (uint64_t)run.b);
    }
}

static void by_the_barrier(void **state)
{
    (void)state;
    all_of(KP_ROUNDS_BY_BARRIER);
}

static void by_the_mailboxes(void **state)
{
    (void)state;
    all_of(KP_ROUNDS_BY_MAILBOXES);
}

/* In a call, one member, the other member, both or neither may pass NULL as a buffer. These are
 * four situations. */
enum {
    SITUATIONS = 4
};

static int some_refused(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int rank = kp_rank(world);
    (void)argument;
    for (int i = 0; i < REPEATS * SITUATIONS * SITUATIONS; i++) {
        /* Every situation must follow every other. */
        unsigned refused = (unsigned)(i % 2 ? i / 2 : i / 2 / SITUATIONS) % SITUATIONS;
        bool mine = refused >> rank & 1, other = refused >> (1 - rank) & 1;
        uint64_t out[2] = {(uint64_t)(10 * i + rank), (uint64_t)(10 * i + rank)}, in[2] = {0, 0};
        int status = kp_index(world, mine ? NULL : out, in, sizeof *out, NULL);
        if (status != (mine ? KP_EARGUMENT : other ? KP_EPEER : KP_OK))
            return kp_fail(self, kp_error(self)->sentence);
        for (int from = 0; from < 2; from++) {
            if (!status && in[from] != (uint64_t)(10 * i + from))
                return kp_fail(self, "wrong bytes");
        }
    }
    return 0;
}

/* This test runs only by the barrier, because by mailboxes a refused call makes the group unusable
 * (kport/machine.h). */
static void who_is_refused_is_told_of(void **state)
{
    (void)state;
    kp_config config = {.processors = 2, .discipline = KP_ROUNDS_BY_BARRIER};
    kp_report report;
    if (kp_run(&config, some_refused, NULL, &report))
        fail_msg("%s", report.error.sentence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_the_barrier),
        cmocka_unit_test(by_the_mailboxes),
        cmocka_unit_test(who_is_refused_is_told_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
