/* Tests calls that differ and calls with invalid arguments. Every member must get an error that
 * names both calls, or the invalid value. No data may have moved, and the group must still work. */
#include "kport.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* MISMATCH and REFUSED make rows of the tables below. In a MISMATCH row the last processor makes a
 * different call than the others. In a REFUSED row it makes a call that kport refuses. */
#define MISMATCH(wrong, others, sentence)                                                          \
    {                                                                                              \
        .odd = wrong, .right = others, .status_of_odd = KP_EMISMATCH,                              \
        .status_of_others = KP_EMISMATCH, .named = sentence                                        \
    }
#define REFUSED(wrong, others, sentence)                                                           \
    {                                                                                              \
        .odd = wrong, .right = others, .status_of_odd = KP_EARGUMENT,                              \
        .status_of_others = KP_EPEER, .named = sentence                                            \
    }

struct quarrel {
    int n;
    int (*odd)(kp_group *world, char *out, char *in); /* the last processor's call */
    /* the call of the other processors; NULL: an index */
    int (*right)(kp_group *world, char *out, char *in);
    int status_of_odd, status_of_others;
    const char *named; /* a text that the sentences of all processors contain */
    kp_error_record errors[8];
    int statuses[8];
};

static int quarrel_program(kp_proc *self, void *argument)
{
    struct quarrel *quarrel = argument;
    kp_group *world = kp_world(self);
    int me = kp_rank(world), n = quarrel->n;
    _Alignas(8) char out[8 * 16], in[8 * 16 + 8];
    memset(in, 0x5A, sizeof in);
    memset(out, me, sizeof out);
    /* The first episode of a group differs from later ones, so this barrier makes the first episode
     * before the test. */
    if (kp_barrier(world))
        return kp_error(self)->status;
    quarrel->statuses[me] = me == n - 1      ? quarrel->odd(world, out, in)
                            : quarrel->right ? quarrel->right(world, out, in)
                                             : kp_index(world, out, in, 8, NULL);
    quarrel->errors[me] = *kp_error(self);
    for (size_t i = 0; i < sizeof out; i++) {
        if (out[i] != me)
            return kp_fail(self, "the outgoing buffer was changed");
    }
    for (size_t i = 0; i < sizeof in; i++) {
        /* A member may have copied its own block already, but no block of another member. */
        if (in[i] != 0x5A && in[i] != me)
            return kp_fail(self, "data moved although the members disagreed");
    }
    int status = kp_index(world, out, in, 8, NULL); /* the group still works */
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

static int called_from_nowhere(kp_group *world, char *out, char *in)
{
    return (kp_concat)(world, out, in, 8, NULL);
}

/* The name of the calling file is too long for an error sentence, so the sentence has only the end
 * of the name. */
static int called_from_afar(kp_group *world, char *out, char *in)
{
    kp_here("a/place/that/is/very/far/away/from/all/that/is/near/by/and/goes/on/and/on.c", 17);
    return (kp_concat)(world, out, in, 8, NULL);
}

static int other_algorithm(kp_group *world, char *out, char *in)
{
    kp_hints hints;
    int status = kp_hints_parse(KP_INDEX, "literal,r=2", &hints);
    return status ? status : kp_index(world, out, in, 8, &hints);
}

static int an_exchange(kp_group *world, char *out, char *in)
{
    (void)out;
    (void)in;
    return kp_exchange(world, NULL, 0, NULL, 0);
}

/* Sends from the root to the root itself, which takes no round. */
static int to_itself(kp_group *world, char *out, char *in)
{
    int me = kp_rank(world);
    return kp_one_to_one(world, out, in + me * 8, 8, 0, 0, NULL);
}

static int to_nobody(kp_group *world, char *out, char *in)
{
    return kp_one_to_one(world, out, in, 8, 0, 77, NULL);
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
    kp_hints hints = {.algorithm = kp_algorithm_find(KP_CONCAT, "ring")};
    return kp_index(world, out, in, 8, &hints);
}

static int bad_radix(kp_group *world, char *out, char *in)
{
    kp_hints hints = {.algorithm = kp_algorithm_find(KP_INDEX, "radix"), .values = {100}};
    return kp_index(world, out, in, 8, &hints);
}

/* --- Disagreements in other operations; each row also has the others' correct call --- */

static int sum_of(kp_group *world, char *out, char *in, size_t count, kp_type type,
                  const kp_operator *op)
{
    return kp_allreduce(world, out, in, count, type, op, NULL);
}

static int right_sum(kp_group *world, char *out, char *in)
{
    return sum_of(world, out, in, 2, KP_INT32, KP_SUM);
}

static int other_count(kp_group *world, char *out, char *in)
{
    return sum_of(world, out, in, 3, KP_INT32, KP_SUM);
}

static int other_type(kp_group *world, char *out, char *in)
{
    return sum_of(world, out, in, 2, KP_FLOAT32, KP_SUM);
}

static int other_operator(kp_group *world, char *out, char *in)
{
    return sum_of(world, out, in, 2, KP_INT32, KP_MAXIMUM);
}

static void first_of_two(void *to, const void *left, const void *right, size_t count, void *context)
{
    (void)right;
    (void)context;
    if (to != left)
        memcpy(to, left, count * 4);
}

static int users_operator(kp_group *world, char *out, char *in)
{
    static const kp_operator op = {.name = "first", .combine = first_of_two};
    return sum_of(world, out, in, 2, KP_INT32, &op);
}

static int no_operator(kp_group *world, char *out, char *in)
{
    return sum_of(world, out, in, 2, KP_INT32, NULL);
}

static int no_type(kp_group *world, char *out, char *in)
{
    return sum_of(world, out, in, 2, (kp_type)77, KP_SUM);
}

static int opaque_sum(kp_group *world, char *out, char *in)
{
    return sum_of(world, out, in, 2, KP_OPAQUE, KP_SUM);
}

static int bits_of_floats(kp_group *world, char *out, char *in)
{
    return sum_of(world, out, in, 2, KP_FLOAT64, KP_BIT_XOR);
}

static int too_many_elements(kp_group *world, char *out, char *in)
{
    return sum_of(world, out, in, (size_t)-1, KP_INT32, KP_SUM);
}

static int odd_address(kp_group *world, char *out, char *in)
{
    return sum_of(world, out, in + 1, 2, KP_INT16, KP_SUM);
}

static int copied_operator(kp_group *world, char *out, char *in)
{
    kp_operator copy = *KP_SUM;
    return sum_of(world, out, in, 2, KP_INT32, &copy);
}

static int operands_overlap(kp_group *world, char *out, char *in)
{
    (void)out;
    return sum_of(world, in + 4, in, 2, KP_INT32, KP_SUM);
}

static int no_result(kp_group *world, char *out, char *in)
{
    (void)in;
    return sum_of(world, out, NULL, 2, KP_INT32, KP_SUM);
}

static int right_reduce(kp_group *world, char *out, char *in)
{
    return kp_reduce(world, out, in, 2, KP_INT32, KP_SUM, 0, NULL);
}

static int other_root(kp_group *world, char *out, char *in)
{
    return kp_reduce(world, out, in, 2, KP_INT32, KP_SUM, 1, NULL);
}

static int root_outside(kp_group *world, char *out, char *in)
{
    return kp_reduce(world, out, in, 2, KP_INT32, KP_SUM, 99, NULL);
}

static int root_below(kp_group *world, char *out, char *in)
{
    return kp_reduce(world, out, in, 2, KP_INT32, KP_SUM, -1, NULL);
}

static int in_place_elsewhere(kp_group *world, char *out, char *in)
{
    (void)out;
    return kp_reduce(world, KP_IN_PLACE, in, 2, KP_INT32, KP_SUM, 0, NULL);
}

static int ordered_by_a_tree(kp_group *world, char *out, char *in)
{
    kp_hints hints = {.algorithm = kp_algorithm_find(KP_REDUCE, "tree")};
    return kp_reduce(world, out, in, 1, KP_INT32, KP_COMPOSE, 0, &hints);
}

static int right_gather(kp_group *world, char *out, char *in)
{
    return kp_gather(world, out, in, 8, 0, NULL);
}

static int gather_in_place_elsewhere(kp_group *world, char *out, char *in)
{
    (void)out;
    return kp_gather(world, KP_IN_PLACE, in, 8, 0, NULL);
}

static int gather_of_nothing(kp_group *world, char *out, char *in)
{
    (void)out;
    return kp_gather(world, NULL, in, 8, 0, NULL);
}

static int right_scatter(kp_group *world, char *out, char *in)
{
    return kp_scatter(world, out, in, 8, 0, NULL);
}

static int scatter_in_place_elsewhere(kp_group *world, char *out, char *in)
{
    (void)in;
    return kp_scatter(world, out, KP_IN_PLACE, 8, 0, NULL);
}

static int right_broadcast(kp_group *world, char *out, char *in)
{
    (void)out;
    return kp_broadcast(world, in, 8, 0, NULL);
}

static int broadcast_to_nowhere(kp_group *world, char *out, char *in)
{
    (void)out;
    (void)in;
    return kp_broadcast(world, NULL, 8, 0, NULL);
}

static int broadcast_of_too_much(kp_group *world, char *out, char *in)
{
    (void)out;
    return kp_broadcast(world, in, SIZE_MAX, 0, NULL);
}

static int a_barrier(kp_group *world, char *out, char *in)
{
    (void)out;
    (void)in;
    return kp_barrier(world);
}

static int half_to_itself(kp_group *world, char *out, char *in)
{
    return kp_send_recv(world, out, 8, kp_rank(world), in, 8, -1);
}

static int too_long(kp_group *world, char *out, char *in)
{
    return kp_send_recv(world, out, (size_t)-8, 0, in, (size_t)-8, 0);
}

static int too_long_for_itself(kp_group *world, char *out, char *in)
{
    return kp_send_recv(world, out, (size_t)-8, kp_rank(world), in, (size_t)-8, kp_rank(world));
}

static int over_itself(kp_group *world, char *out, char *in)
{
    (void)out;
    return kp_send_recv(world, in + 4, 8, 0, in, 8, 0);
}

static int nothing_to_itself(kp_group *world, char *out, char *in)
{
    (void)out;
    return kp_send_recv(world, NULL, 8, kp_rank(world), in, 8, kp_rank(world));
}

static int sent_outside(kp_group *world, char *out, char *in)
{
    return kp_send_recv(world, out, 8, 99, in, 8, -1);
}

static const struct quarrel quarrels[] = {
    MISMATCH(to_itself, NULL, "one-to-one:"),
    MISMATCH(other_b, to_itself, "one-to-one:"),
    REFUSED(to_nobody, to_itself, "to is 77"),
    MISMATCH(other_b, NULL, "index:n="),
    MISMATCH(other_b, NULL, "b=16"),
    MISMATCH(other_operation, NULL, "concat:n="),
    MISMATCH(called_from_nowhere, NULL, "concat:n="),
    MISMATCH(called_from_afar, NULL,
             "y/far/away/from/all/that/is/near/by/and/goes/on/and/on.c:17)"),
    MISMATCH(other_algorithm, NULL, "alg=literal"),
    MISMATCH(an_exchange, NULL, "exchange"),
    REFUSED(null_buffer, NULL, "out is NULL"),
    REFUSED(overlapping, NULL,
            "begin 8 bytes apart (perhaps b is too large: it is the bytes of one block)"),
    REFUSED(overflowing, NULL, "it may be 0 ... "),
    {.odd = foreign_algorithm,
     .status_of_odd = KP_EALGORITHM,
     .status_of_others = KP_EPEER,
     .named = "algorithm ring does concat, not index"},
    {.odd = bad_radix,
     .status_of_odd = KP_EPROBLEM,
     .status_of_others = KP_EPEER,
     .named = "r is 100; with n="},
    MISMATCH(other_count, right_sum, "count=3"),
    MISMATCH(other_type, right_sum, "type=float32"),
    MISMATCH(other_operator, right_sum, "op=maximum"),
    MISMATCH(users_operator, right_sum, "op=first[in order, elements of 4 bytes"),
    MISMATCH(other_root, right_reduce, "root=1"),
    MISMATCH(a_barrier, right_reduce, "kp_barrier"),
    REFUSED(no_operator, right_sum, "op is NULL"),
    REFUSED(no_type, right_sum, "type is 77"),
    REFUSED(opaque_sum, right_sum, "operator sum does not know elements of type opaque"),
    REFUSED(bits_of_floats, right_sum, "bit-xor does not know elements of type float64"),
    REFUSED(too_many_elements, right_sum, "elements of 4 bytes"),
    REFUSED(odd_address, right_sum, "is at an address that is no multiple of 2"),
    REFUSED(copied_operator, right_sum, "operator sum has no function"),
    REFUSED(operands_overlap, right_sum, "(perhaps count is too large: it counts elements)"),
    REFUSED(no_result, right_sum, "in is NULL"),
    REFUSED(root_outside, right_reduce, "root is 99; it may be 0 ..."),
    REFUSED(root_below, right_reduce, "root is -1; it may be 0 ..."),
    REFUSED(in_place_elsewhere, right_reduce, "out may be KP_IN_PLACE only at the root"),
    REFUSED(gather_in_place_elsewhere, right_gather, "out may be KP_IN_PLACE only at the root"),
    REFUSED(gather_of_nothing, right_gather, "out is NULL"),
    REFUSED(scatter_in_place_elsewhere, right_scatter, "in may be KP_IN_PLACE only at the root"),
    REFUSED(broadcast_to_nowhere, right_broadcast, "data is NULL"),
    REFUSED(broadcast_of_too_much, right_broadcast, "it may be 0 ... "),
    REFUSED(half_to_itself, right_broadcast, "only if both are"),
    REFUSED(too_long, right_broadcast, "out and in overlap"),
    REFUSED(too_long_for_itself, right_broadcast, "out_bytes is"),
    REFUSED(over_itself, right_broadcast, "out and in overlap"),
    REFUSED(nothing_to_itself, right_broadcast, "out is NULL"),
    REFUSED(sent_outside, right_broadcast, "to is 99; it may be -1 ... "),
    {.odd = ordered_by_a_tree,
     .right = right_reduce,
     .status_of_odd = KP_EUNSERVED,
     .status_of_others = KP_EPEER,
     .named = "a commutative operator"},
};

/* Checks the error that processor p got. */
static void check_told(const struct quarrel *quarrel, size_t row, int p)
{
    char odd[32];
    const char *sentence = quarrel->errors[p].sentence;
    int expected = p == quarrel->n - 1 ? quarrel->status_of_odd : quarrel->status_of_others;
    if (quarrel->statuses[p] != expected)
        fail_msg("row %zu: processor %d got %d (%s), not %d", row, p, quarrel->statuses[p],
                 sentence, expected);
    if (!strstr(sentence, quarrel->named))
        fail_msg("row %zu: \"%s\" lacks \"%s\"", row, sentence, quarrel->named);
    if (expected != KP_EMISMATCH)
        return;
    snprintf(odd, sizeof odd, "processor %d ", quarrel->n - 1);
    if (!strstr(sentence, odd) || !strstr(sentence, "test_disagreement.c:"))
        fail_msg("row %zu: \"%s\" does not say who called what where", row, sentence);
}

static void members_that_disagree_all_learn_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof quarrels / sizeof quarrels[0]; i++) {
        for (int n = 2; n <= 5; n += 3) {
            struct quarrel quarrel = quarrels[i];
            kp_config config = {.processors = n};
            kp_report report;
            quarrel.n = n;
            if (kp_run(&config, quarrel_program, &quarrel, &report))
                fail_msg("row %zu, n=%d: %s", i, n, report.error.sentence);
            for (int p = 0; p < n; p++)
                check_told(&quarrel, i, p);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_that_disagree_all_learn_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
