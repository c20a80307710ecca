/* Misuse of the collectives with a length for every block; and of persistent plans, whose arguments
 * are the arguments of all calls. */
#include "tests/misuse/misuse.h"
#include "tools/kport/common/operation_call.h"

#include <stdint.h>

static int lengths(struct scene *s, kp_operation operation,
                   void (*spoil)(kp_arguments *a, size_t *numbers))
{
    size_t numbers[MEMBERS] = {8, 8, 8};
    kp_arguments a = misuse_right(s, operation);
    if (s->wrong)
        spoil(&a, numbers);
    return operation_call(s->group, &a);
}

#define LENGTHS(name, operation, ...)                                                              \
    static void spoil_##name(kp_arguments *a, size_t *numbers)                                     \
    {                                                                                              \
        (void)numbers;                                                                             \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    static int name(struct scene *s)                                                               \
    {                                                                                              \
        return lengths(s, operation, spoil_##name);                                                \
    }

LENGTHS(out_counts_null, KP_INDEXV, a->out_counts = NULL)
LENGTHS(in_counts_null, KP_CONCATV, a->in_counts = NULL)
LENGTHS(count_negative, KP_INDEXV, numbers[2] = (size_t)-8; a->in_counts = numbers)
LENGTHS(bytes_too_many, KP_CONCATV, a->out_bytes = SIZE_MAX / 2)
LENGTHS(displacement_negative, KP_GATHERV, numbers[0] = (size_t)-1; a->in_displacements = numbers)
LENGTHS(beyond, KP_INDEXV, numbers[1] = PTRDIFF_MAX; a->out_displacements = numbers)
LENGTHS(overlap_in, KP_INDEXV, numbers[0] = 0; numbers[1] = 4; numbers[2] = 16;
        a->in_displacements = numbers)
LENGTHS(overlap_both, KP_INDEXV, a->out = a->in)
LENGTHS(in_in_place, KP_GATHERV, a->in = KP_IN_PLACE)
LENGTHS(out_in_place, KP_SCATTERV, a->out = KP_IN_PLACE)

LENGTHS(counts_null, KP_REDUCE_SCATTERV, a->out_counts = NULL)
LENGTHS(elements_negative, KP_REDUCE_SCATTERV, numbers[2] = (size_t)-8; a->out_counts = numbers)
LENGTHS(elements_differ, KP_REDUCE_SCATTERV, numbers[1] = numbers[2] = 1; numbers[0] = 2;
        a->out_counts = numbers)

static int not_at_root(struct scene *s)
{
    kp_arguments a = misuse_right(s, KP_GATHERV);
    a.root = 1;
    a.out = s->wrong ? KP_IN_PLACE : a.out;
    return operation_call(s->group, &a);
}

/* --- Plans: making one is the member's own affair --- */

static int make(struct scene *s, kp_arguments *a)
{
    kp_plan *plan = NULL;
    int status = kp_plan_make(s->group, a, &plan);
    kp_error_record said = *kp_last_error();
    int freed = kp_plan_free(plan);
    *(kp_error_record *)kp_last_error() = said;
    return freed ? freed : status;
}

static int arguments_null(struct scene *s)
{
    return s->wrong ? make(s, NULL) : KP_OK;
}

static int plan_null(struct scene *s)
{
    kp_arguments a = misuse_right(s, KP_INDEX);
    return s->wrong ? kp_plan_make(s->group, &a, NULL) : KP_OK;
}

static int group_null(struct scene *s)
{
    kp_plan *plan;
    kp_arguments a = misuse_right(s, KP_INDEX);
    return s->wrong ? kp_plan_make(NULL, &a, &plan) : KP_OK;
}

static int plan_of(struct scene *s, kp_operation operation, void (*spoil)(kp_arguments *a))
{
    kp_arguments a = misuse_right(s, operation);
    if (!s->wrong)
        return KP_OK;
    spoil(&a);
    return make(s, &a);
}

#define PLAN(name, operation, ...)                                                                 \
    static void spoil_##name(kp_arguments *a)                                                      \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    static int name(struct scene *s)                                                               \
    {                                                                                              \
        return plan_of(s, operation, spoil_##name);                                                \
    }

PLAN(no_operation, KP_INDEX, a->operation = (kp_operation)99)
PLAN(foreign_root, KP_INDEX, a->root = 1)
PLAN(foreign_count, KP_INDEX, a->count = 1)
PLAN(foreign_lengths, KP_INDEX, a->in_bytes = 8)
PLAN(foreign_array, KP_REDUCE_SCATTERV, a->in_counts = a->out_counts)
PLAN(as_the_call, KP_INDEX, a->out = NULL)

static int execute_null(struct scene *s)
{
    return s->wrong ? kp_plan_execute(NULL) : KP_OK;
}

const struct misuse misuses_of_lengths[] = {
    {"`kp_indexv`, `kp_scatterv`", "`out_counts` is NULL", KP_EARGUMENT,
     "out_counts is NULL; it must be an array with a length for every member",
     .among = out_counts_null, .others = KP_EPEER},
    {"`kp_indexv`, `kp_concatv`, `kp_gatherv`", "`in_counts` is NULL", KP_EARGUMENT,
     "in_counts is NULL; it must be an array with a length for every member",
     .among = in_counts_null, .others = KP_EPEER},
    {"calls with lengths", "a count is negative, or more than memory can hold", KP_EARGUMENT,
     "in_counts[2] is 18446744073709551608 (as a signed number -8); it may be 0 ... "
     "768614336404564650",
     .among = count_negative, .others = KP_EPEER},
    {"`kp_concatv`, `kp_scatterv`, `kp_gatherv`", "the one block's bytes are", KP_EARGUMENT,
     "out_bytes is 9223372036854775807; it may be 0 ... 768614336404564650",
     .among = bytes_too_many, .others = KP_EPEER},
    {"calls with lengths", "a displacement is", KP_EARGUMENT,
     "in_displacements[0] is 18446744073709551615 (as a signed number -1); it may be 0 ... "
     "9223372036854775807",
     .among = displacement_negative, .others = KP_EPEER},
    {"calls with lengths", "a block ends beyond memory", KP_EARGUMENT,
     "out_displacements[1] is 9223372036854775807 and out_counts[1] is 8: the block would end "
     "beyond what memory can hold",
     .among = beyond, .others = KP_EPEER},
    {"calls with lengths", "two blocks of `in` overlap", KP_EARGUMENT,
     "block 0 of in (in_displacements[0] is 0, in_counts[0] is 8) and block 1 of in "
     "(in_displacements[1] is 4, in_counts[1] is 8) overlap",
     .among = overlap_in, .others = KP_EPEER},
    {"calls with lengths", "`out` and `in` overlap", KP_EARGUMENT,
     "block 0 of out (out_counts[0] is 8) and block 0 of in (in_counts[0] is 8) overlap "
     "(to use one buffer for both, pass KP_IN_PLACE)",
     .among = overlap_both, .others = KP_EPEER},
    {"all but `kp_scatterv`", "`in` is `KP_IN_PLACE`", KP_EARGUMENT,
     "in may be KP_IN_PLACE only at the root of a scatterv; out may in other calls",
     .among = in_in_place, .others = KP_EPEER},
    {"`kp_scatterv`", "`out` is `KP_IN_PLACE`", KP_EARGUMENT,
     "out may not be KP_IN_PLACE in a scatterv; `in` may", .among = out_in_place,
     .others = KP_EPEER},
    {"`kp_gatherv`", "`out` is `KP_IN_PLACE`, not at the root", KP_EARGUMENT,
     "out may be KP_IN_PLACE only at the root of a gatherv", .among = not_at_root,
     .others = KP_EPEER},
    {"`kp_reduce_scatterv`", "`counts` is NULL", KP_EARGUMENT,
     "counts is NULL; it must be an array with a number of elements for every member",
     .among = counts_null, .others = KP_EPEER},
    {"`kp_reduce_scatterv`", "a count is negative, or more than memory can hold", KP_EARGUMENT,
     "counts[2] is 18446744073709551608 (as a signed number -8), of elements of 8 bytes; with 3 "
     "processors it may be 0 ... 96076792050570581",
     .among = elements_negative, .others = KP_EPEER},
    {"`kp_reduce_scatterv`", "another count than other members give", KP_EMISMATCH,
     "processor 1 gives 1 elements for the result of processor 0 (counts[0], program.c:12), but "
     "processor 0 gives 2 (counts[0], program.c:12)",
     .among = elements_differ, .others = KP_EMISMATCH},
    {"`kp_plan_make`", "`group` is NULL", KP_EARGUMENT,
     "the group is NULL; it must be kp_world's, or what kp_group_create made", .among = group_null},
    {"`kp_plan_make`", "`arguments` is NULL", KP_EARGUMENT,
     "arguments is NULL; it must be those of a call", .among = arguments_null},
    {"`kp_plan_make`", "`plan` is NULL", KP_EARGUMENT,
     "plan is NULL; it must be where the plan goes", .among = plan_null},
    {"`kp_plan_make`", "`operation` is none", KP_EARGUMENT, "operation is 99; it may be 0 ... 16",
     .among = no_operation},
    {"`kp_plan_make`", "a field that the operation does not have", KP_EARGUMENT,
     "root is given, but index has none", .among = foreign_root},
    {"`kp_plan_make`", "the same", KP_EARGUMENT, "count is given, but index has none",
     .among = foreign_count},
    {"`kp_plan_make`", "lengths, for blocks of one length", KP_EARGUMENT,
     "out_bytes or in_bytes is given, but index has none", .among = foreign_lengths},
    {"`kp_plan_make`", "an array that the operation does not have", KP_EARGUMENT,
     "an array beside out_counts is given, but reduce-scatterv has none", .among = foreign_array},
    {"`kp_plan_make`", "whatever the call itself refuses", KP_EARGUMENT,
     "out is NULL; only with 0 bytes it may be NULL", .among = as_the_call},
    {"`kp_plan_execute`", "`plan` is NULL", KP_EARGUMENT,
     "the plan is NULL; it must be what kp_plan_make made", .among = execute_null},
    {NULL}};
