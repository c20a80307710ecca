/* Misuse of the collectives on blocks of one length. Each row is tried with every operation that it
 * concerns; all must give the same error. */
#include "lib/problem/operation.h"
#include "tests/misuse/misuse.h"
#include "tools/kport/common/operation_call.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* --- Sets of operations --- */

#define BIT(operation) (1u << (operation))
#define ALL            (BIT(KP_OPERATIONS) - 1)
#define LENGTHS        all_that(has_lengths)
#define REDUCTIONS     all_that(kp_operation_reduces)
#define ROOTED         all_that(kp_operation_has_root)
#define BLOCKS         (ALL & ~LENGTHS & ~REDUCTIONS & ~BIT(KP_BARRIER))

static bool has_lengths(kp_operation operation)
{
    return kp_operation_row(operation)->lengths;
}

static unsigned all_that(bool (*is)(kp_operation operation))
{
    unsigned set = 0;
    for (int i = 0; i < KP_OPERATIONS; i++)
        set |= is((kp_operation)i) ? BIT(i) : 0;
    return set;
}

/* --- Calls of any operation --- */

kp_arguments misuse_right(struct scene *s, kp_operation operation)
{
    static const size_t ones[MEMBERS] = {1, 1, 1};
    kp_arguments right = {.operation = operation, .out = s->out, .in = s->in};
    if (operation == KP_REDUCE_SCATTERV) {
        right.out_counts = ones;
        right.type = KP_FLOAT64;
        right.op = KP_SUM;
    } else if (has_lengths(operation)) {
        right.out_counts = right.in_counts = s->eights;
        right.out_bytes = right.in_bytes = 8;
    } else if (kp_operation_reduces(operation)) {
        right.count = 1;
        right.type = KP_FLOAT64;
        right.op = KP_SUM;
    } else {
        right.b = kp_block_bytes(operation, 8);
    }
    return right;
}

/* Returns whether an error about an argument says which call was wrong, and where it stands. A
 * wrong schedule is an error of all members, not of a call. */
static bool names_call(const kp_error_record *error, kp_operation operation)
{
    if (error->status == KP_ESCHEDULE)
        return true;
    char name[80], place[40];
    snprintf(name, sizeof name,
             "processor 0 could not take part in %s:", kp_operation_row(operation)->name);
    snprintf(place, sizeof place, "operation_call.h:%d): ", error->line);
    return strncmp(error->sentence, name, strlen(name)) == 0 && strstr(error->sentence, place);
}

/* The same mistake in each of these operations, one after the other. What the first says, all do.
 */
static int with_each(struct scene *s, unsigned operations, void (*spoil)(kp_arguments *a))
{
    kp_error_record first = {.status = KP_OK};
    int status = KP_OK, told = 1;
    bool alike = true;
    for (int i = 0; i < KP_OPERATIONS; i++) {
        if (!(operations & BIT(i)))
            continue;
        kp_arguments a = misuse_right(s, (kp_operation)i);
        if (s->wrong)
            spoil(&a);
        status = operation_call(s->group, &a);
        if (told == 1)
            first = *kp_error(s->self);
        bool same = !s->wrong || (strcmp(misuse_words(first.sentence),
                                         misuse_words(kp_error(s->self)->sentence)) == 0 &&
                                  names_call(kp_error(s->self), (kp_operation)i));
        alike = alike && same && (told == 1 || status == told);
        told = status;
    }
    return alike ? status : 1;
}

#define ROW(name, operations, ...)                                                                 \
    static void spoil_##name(kp_arguments *a)                                                      \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    static int name(struct scene *s)                                                               \
    {                                                                                              \
        return with_each(s, operations, spoil_##name);                                             \
    }

static int group_null(struct scene *s)
{
    for (int i = 0; i < KP_OPERATIONS && s->wrong; i++) {
        kp_arguments a = misuse_right(s, (kp_operation)i);
        if (operation_call(NULL, &a) != KP_EARGUMENT)
            return 1;
    }
    return s->wrong ? kp_barrier(NULL) : KP_OK;
}

ROW(out_null, ALL & ~BIT(KP_BROADCAST) & ~BIT(KP_BARRIER), a->out = NULL)
ROW(in_null, ALL & ~BIT(KP_BROADCAST) & ~BIT(KP_BARRIER), a->in = NULL)
ROW(data_null, BIT(KP_BROADCAST), a->in = NULL)
ROW(overlapping, (BLOCKS & ~BIT(KP_BROADCAST)) | REDUCTIONS, a->out = a->in)
ROW(too_long, BLOCKS, a->b = (size_t)1 << (sizeof(size_t) * CHAR_BIT - 2))
ROW(too_many, REDUCTIONS & ~LENGTHS, a->count = SIZE_MAX)
ROW(root_outside, ROOTED, a->root = 3)
ROW(target_outside, BIT(KP_ONE_TO_ONE), a->to = -1)
ROW(out_in_place, BIT(KP_ONE_TO_ONE), a->out = KP_IN_PLACE)
ROW(in_in_place, BIT(KP_INDEX) | BIT(KP_CONCAT) | BIT(KP_GATHER) | BIT(KP_ONE_TO_ONE) | REDUCTIONS,
    a->in = KP_IN_PLACE)
ROW(data_in_place, BIT(KP_BROADCAST), a->in = KP_IN_PLACE)
ROW(scatter_out_in_place, BIT(KP_SCATTER), a->out = KP_IN_PLACE)
ROW(no_operator, REDUCTIONS, a->op = NULL)
ROW(no_type, REDUCTIONS, a->type = (kp_type)99)
ROW(no_bits, REDUCTIONS, a->op = KP_BIT_AND)
ROW(misaligned, REDUCTIONS, a->in = (char *)a->in + 2) /* 4 will do for doubles of the i386 ABI */

static int not_at_root(struct scene *s)
{
    kp_arguments a = misuse_right(s, KP_GATHER);
    a.root = 1;
    a.out = s->wrong ? KP_IN_PLACE : a.out;
    return operation_call(s->group, &a);
}

static const kp_operator no_function = {.name = "mine", .element_bytes = 8};
ROW(function_null, REDUCTIONS, a->op = &no_function)

static void add(void *to, const void *left, const void *right, size_t count, void *context)
{
    (void)context, (void)to, (void)left, (void)right, (void)count;
}
static const kp_operator no_bytes = {.name = "mine", .combine = add};
ROW(bytes_zero, REDUCTIONS, a->type = KP_OPAQUE; a->op = &no_bytes)

/* --- How --- */

static kp_hints hints;
#define HOW(algorithm_name, ...)                                                                   \
    hints = (kp_hints){.algorithm = kp_algorithm_find(KP_INDEX, algorithm_name)};                  \
    __VA_ARGS__;                                                                                   \
    a->hints = &hints

ROW(anothers_algorithm, BIT(KP_CONCAT), HOW("radix", ))
ROW(radix_too_large, BIT(KP_INDEX), HOW("radix", hints.values[0] = 4))
ROW(one_value_more, BIT(KP_INDEX), HOW("radix", hints.values[2] = 1))
ROW(value_alone, BIT(KP_INDEX), HOW("radix", hints.algorithm = NULL; hints.values[1] = 7))
ROW(unserved, BIT(KP_INDEX), HOW("pairwise", ))

static kp_algorithm row;
ROW(no_build, BIT(KP_INDEX),
    HOW("radix", row = *hints.algorithm; row.build = NULL; hints.algorithm = &row))
ROW(no_name, BIT(KP_INDEX),
    HOW("radix", row = *hints.algorithm; row.name = NULL; hints.algorithm = &row))
ROW(no_range, BIT(KP_INDEX),
    HOW("radix", row = *hints.algorithm; row.parameters[0].low = NULL; hints.algorithm = &row))

/* --- Schedules of one's own: all blocks in one round, with something wrong --- */

static bool swaps, names_port_7;
static int64_t scratch; /* units */

static int build_own(kp_builder *b, const kp_problem *p)
{
    kp_build_scratch(b, scratch);
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
    kp_build_round(b);
    for (int distance = 1; distance < p->n; distance++) {
        int from = p->n - distance;
        kp_build_send(b, names_port_7 ? 6 + distance : distance - 1, distance);
        kp_build_piece(b, kp_run_of(KP_OUT, distance, 1));
        kp_build_receive(b, distance - 1, from);
        kp_build_piece(b, kp_run_of(KP_IN, swaps ? distance : from, 1));
    }
    return KP_OK;
}

static void cost_of_nothing(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    (void)p;
    *c1 = *c2 = 0;
}

#define OWN(...)                                                                                   \
    static kp_algorithm mine;                                                                      \
    mine = (kp_algorithm){                                                                         \
        .operation = KP_INDEX, .name = "mine", .symmetry = KP_CYCLIC, .build = build_own};         \
    __VA_ARGS__;                                                                                   \
    hints = (kp_hints){.algorithm = &mine};                                                        \
    a->hints = &hints

ROW(own_is_wrong, BIT(KP_INDEX), OWN(swaps = true; names_port_7 = false))
ROW(own_port, BIT(KP_INDEX), OWN(swaps = false; names_port_7 = true))
ROW(own_cost, BIT(KP_INDEX), OWN(swaps = names_port_7 = false; mine.stated_cost = cost_of_nothing))

static kp_error_record too_large;

static int call_large(kp_proc *self, void *argument)
{
    static char in[1025], out[1025];
    static const kp_algorithm large = {
        .operation = KP_INDEX, .name = "mine", .symmetry = KP_CYCLIC, .build = build_own};
    static const kp_hints by = {.algorithm = &large};
    (void)argument;
    if (kp_index(kp_world(self), out, in, 1, &by) != KP_EUNCHECKED)
        return 1;
    if (kp_processor(self) == 0)
        too_large = *kp_error(self);
    return 0;
}

static int own_is_large(void)
{
    scratch = 1 << 14;
    int status = kp_run(&(kp_config){.processors = 1025, .carrier = KP_CARRIER_FIBERS}, call_large,
                        NULL, NULL);
    scratch = 0;
    if (status == KP_OK)
        *(kp_error_record *)kp_last_error() = too_large;
    return status ? status : too_large.status;
}

const struct misuse misuses_of_collectives[] = {
    {"all collectives, `kp_barrier`", "`group` is NULL", KP_EARGUMENT,
     "the group is NULL; it must be kp_world's, or what kp_group_create made", .among = group_null},
    {"all but `kp_broadcast`", "`out` is NULL, with bytes to send", KP_EARGUMENT,
     "out is NULL; only with 0 bytes it may be NULL", .among = out_null, .others = KP_EPEER},
    {"all but `kp_broadcast`", "`in` is NULL, with bytes to come", KP_EARGUMENT,
     "in is NULL; only with 0 bytes it may be NULL", .among = in_null, .others = KP_EPEER},
    {"`kp_broadcast`", "`data` is NULL", KP_EARGUMENT,
     "data is NULL; only with 0 bytes it may be NULL", .among = data_null, .others = KP_EPEER},
    {"blocks of one length, reductions", "`out` and `in` overlap", KP_EARGUMENT,
     "out and in overlap, as they are the same address; pass KP_IN_PLACE as out (in a scatter as "
     "in) to use one buffer for both",
     .among = overlapping, .others = KP_EPEER},
    {"blocks of one length", "`b` times n is more than memory can hold", KP_EARGUMENT,
     "b is 4611686018427387904 bytes; with 3 processors it may be 0 ... 768614336404564650",
     .among = too_long, .others = KP_EPEER},
    {"reductions", "`count` times n is more than memory can hold", KP_EARGUMENT,
     "count is 18446744073709551615 elements of 8 bytes; with 3 processors it may be 0 ... "
     "96076792050570581",
     .among = too_many, .others = KP_EPEER},
    {"calls with a root", "`root` is no rank", KP_EARGUMENT, "root is 3; it may be 0 ... 2",
     .among = root_outside, .others = KP_EPEER},
    {"`kp_one_to_one`", "`to` is no rank", KP_EARGUMENT, "to is -1; it may be 0 ... 2",
     .among = target_outside, .others = KP_EPEER},
    {"`kp_one_to_one`", "`out` is `KP_IN_PLACE`", KP_EARGUMENT,
     "out may not be KP_IN_PLACE in one to one", .among = out_in_place, .others = KP_EPEER},
    {"`kp_broadcast`", "`data` is `KP_IN_PLACE`", KP_EARGUMENT, "data may not be KP_IN_PLACE",
     .among = data_in_place, .others = KP_EPEER},
    {"all but `kp_scatter`", "`in` is `KP_IN_PLACE`", KP_EARGUMENT,
     "in may be KP_IN_PLACE only at the root of a scatter; out may in other calls",
     .among = in_in_place, .others = KP_EPEER},
    {"`kp_scatter`", "`out` is `KP_IN_PLACE`", KP_EARGUMENT,
     "out may not be KP_IN_PLACE in a scatter; `in` may", .among = scatter_out_in_place,
     .others = KP_EPEER},
    {"`kp_gather`, `kp_reduce`", "`out` is `KP_IN_PLACE`, not at the root", KP_EARGUMENT,
     "out may be KP_IN_PLACE only at the root", .among = not_at_root, .others = KP_EPEER},
    {"reductions", "`op` is NULL", KP_EARGUMENT,
     "op is NULL; it must be KP_SUM or another operator", .among = no_operator, .others = KP_EPEER},
    {"reductions", "`type` is none", KP_EARGUMENT, "type is 99; it may be 0 ... 21",
     .among = no_type, .others = KP_EPEER},
    {"reductions", "`op` does not know `type`", KP_EARGUMENT,
     "operator bit-and does not know elements of type float64", .among = no_bits,
     .others = KP_EPEER},
    {"reductions", "`op` has no function", KP_EARGUMENT,
     "operator mine has no function, and is none of the library's own, which go by their address",
     .among = function_null, .others = KP_EPEER},
    {"reductions", "elements of `KP_OPAQUE`, of 0 bytes", KP_EARGUMENT,
     "operator mine has elements of 0 bytes; of type opaque they may have 1 or more",
     .among = bytes_zero, .others = KP_EPEER},
    {"reductions", "a buffer that is not aligned", KP_EARGUMENT,
     "in is at an address that is no multiple of 8, as float64 wants it", .among = misaligned,
     .others = KP_EPEER},
    {"all with a `hints`", "an algorithm of another operation", KP_EALGORITHM,
     "algorithm radix does index, not concat", .among = anothers_algorithm, .others = KP_EPEER},
    {"all with a `hints`", "a parameter out of its range", KP_EPROBLEM,
     "r is 4; with n=3, k=2 it may be 2 ... 3", .among = radix_too_large, .others = KP_EPEER},
    {"all with a `hints`", "more parameters than there are", KP_EPROBLEM,
     "value 2 is 1, but algorithm radix has 1 parameters; it may be 0", .among = one_value_more,
     .others = KP_EPEER},
    {"all with a `hints`", "a parameter, and no algorithm", KP_EPROBLEM,
     "value 1 is 7, but no algorithm is named that has it; it may be 0", .among = value_alone,
     .others = KP_EPEER},
    {"all with a `hints`", "an algorithm that does not serve n and k", KP_EUNSERVED,
     "algorithm pairwise does not serve n=3, k=2; it serves n a power of 2", .among = unserved,
     .others = KP_EPEER},
    {"all with a `hints`", "an algorithm of one's own without `build`", KP_EALGORITHM,
     "algorithm radix has no build, mirror_of or same_schedule_as", .among = no_build,
     .others = KP_EPEER},
    {"all with a `hints`", "an algorithm of one's own without a name", KP_EALGORITHM,
     "the algorithm has no name", .among = no_name, .others = KP_EPEER},
    {"all with a `hints`", "an algorithm of one's own, a parameter without range", KP_EALGORITHM,
     "algorithm radix has no low and high, or words, of a parameter", .among = no_range,
     .others = KP_EPEER},
    {"all with a `hints`", "an algorithm of one's own, a schedule that brings blocks elsewhere",
     KP_ESCHEDULE,
     "at the end processor 0 holds the block of processor 2 for processor 0 in place 1 of in, "
     "where the block of processor 1 for processor 0 belongs",
     .among = own_is_wrong, .others = KP_EPEER},
    {"all with a `hints`",
     "an algorithm of one's own, a schedule that breaks a rule of the machine", KP_ESCHEDULE,
     "round 0: processor 0 sends to 1 on port 7, which is no port of it", .among = own_port,
     .others = KP_EPEER},
    {"all with a `hints`", "an algorithm of one's own, a `stated_cost` that is not what it costs",
     KP_ESCHEDULE, "index:n=3,k=2,b=8,alg=mine has C1 = 1 and C2 = 8; its stated_cost says 0 and 0",
     .among = own_cost, .others = KP_EPEER},
    {"all with a `hints`", "an algorithm of one's own, a schedule too large to be checked",
     KP_EUNCHECKED,
     "the schedule of algorithm mine is too large to be checked before it is used: n is 1025, and "
     "all processors together have 18894850 places; it is checked if n is at most 1024, or if "
     "there "
     "are at most 16777216 places (kp_hints.trusted leaves the check out; kport check makes it)",
     .alone = own_is_large, .fibers = true},
    {NULL}};
