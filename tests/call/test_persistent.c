/* Tests persistent plans. They must give the same bytes as plain calls, also when plans and plain
 * calls are mixed. Executing a plan must neither allocate nor free memory, unless the lengths of
 * blocks have changed. */
#include "kport.h"

#include "lib/problem/operation.h"
#include "tests/common/allocations.h"
#include "tools/kport/common/operation_call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- Plans of equal blocks --- */

#define N     5
#define COUNT 700 /* long enough that some messages are lent for zero copy */
#define TURNS 5
#define TO    1 /* the target of operations that have one */

struct row {
    kp_operation operation;
    int root;
    int in_place;
};

static const struct row rows[] = {
    {KP_INDEX, 0, 0},     {KP_INDEX, 0, 1},          {KP_CONCAT, 0, 0},
    {KP_BROADCAST, 3, 0}, {KP_SCATTER, 2, 0},        {KP_GATHER, 4, 0},
    {KP_REDUCE, 1, 0},    {KP_ALLREDUCE, 0, 0},      {KP_ALLREDUCE, 0, 1},
    {KP_SCAN, 0, 0},      {KP_REDUCE_SCATTER, 0, 0}, {KP_SCAN_EXCLUSIVE, 0, 0},
    {KP_SCAN, 0, 1},      {KP_ONE_TO_ONE, 3, 0},     {KP_BARRIER, 0, 0},
};

enum {
    PLANS = sizeof rows / sizeof rows[0]
};

struct data {
    int64_t out[N * COUNT], in[PLANS][N * COUNT], again[N * COUNT];
};

/* In test round `turn`, processor r has the value 100 r + j + turn for processor j. */
static void fill_out(struct data *data, int me, int turn)
{
    for (int i = 0; i < N * COUNT; i++)
        data->out[i] = 100 * me + turn + i / COUNT;
}

static void fill_in(const struct row *row, const struct data *data, int me, int64_t *in)
{
    if (row->in_place || (row->operation == KP_BROADCAST && me == row->root))
        memcpy(in, data->out, sizeof data->out);
    else
        memset(in, -1, sizeof data->out);
}

static int64_t sum_to(int end, int turn)
{
    return 100 * (int64_t)(end * (end - 1) / 2) + (int64_t)end * turn;
}

/* Returns the value that element 0 of the incoming buffer must have after the call; -1 if the call
 * must not change it. */
static int64_t expected(const struct row *row, int me, int turn)
{
    switch (row->operation) {
    case KP_INDEX:
        return turn + me;
    case KP_CONCAT:
        return turn;
    case KP_BROADCAST:
        return 100 * row->root + turn;
    case KP_SCATTER:
        return 100 * row->root + turn + me;
    case KP_GATHER:
        return me == row->root ? turn : -1;
    case KP_REDUCE:
        return me == row->root ? sum_to(N, turn) : -1;
    case KP_REDUCE_SCATTER:
        return sum_to(N, turn) + (int64_t)N * me;
    case KP_SCAN:
        return sum_to(me + 1, turn);
    case KP_SCAN_EXCLUSIVE:
        return me ? sum_to(me, turn) : -1;
    case KP_ONE_TO_ONE:
        return me == TO ? 100 * row->root + turn : -1;
    case KP_BARRIER:
        return -1;
    default:
        return sum_to(N, turn);
    }
}

static kp_arguments arguments_of(const struct row *row, const struct data *data, int64_t *in)
{
    bool reduces = kp_operation_reduces(row->operation);
    return (kp_arguments){.operation = row->operation,
                          .out = row->in_place ? KP_IN_PLACE : data->out,
                          .in = in,
                          .b =
                              reduces ? 0 : kp_block_bytes(row->operation, COUNT * sizeof(int64_t)),
                          .count = reduces ? COUNT : 0,
                          .type = reduces ? KP_INT64 : KP_UINT8,
                          .op = reduces ? KP_SUM : NULL,
                          .root = row->root,
                          .to = kp_operation_has_target(row->operation) ? TO : 0};
}

static int failed(kp_proc *self, const struct row *row, int turn, const char *what)
{
    char sentence[160];
    snprintf(sentence, sizeof sentence, "%s%s, turn %d: %s", kp_operation_name(row->operation),
             row->in_place ? " in place" : "", turn, what);
    return kp_fail(self, sentence);
}

/* Reads the counter between two barriers, so that no member allocates memory meanwhile. */
static int count_allocations(kp_group *world, int *count)
{
    int status = kp_barrier(world);
    *count = atomic_load(&allocations);
    return status ? status : kp_barrier(world);
}

/* Executes all plans in a row without a barrier between them, so members execute different plans at
 * the same time. */
static int execute_all(kp_proc *self, kp_plan **plans, struct data *data, int turn)
{
    int before, after, status;
    fill_out(data, kp_processor(self), turn);
    for (int i = 0; i < PLANS; i++)
        fill_in(&rows[i], data, kp_processor(self), data->in[i]);
    if ((status = count_allocations(kp_world(self), &before)) != 0)
        return status;
    for (int i = 0; i < PLANS && !status; i++)
        status = kp_plan_execute(plans[i]);
    if (status || (status = count_allocations(kp_world(self), &after)) != 0)
        return status;
    return after == before ? 0 : kp_fail(self, "memory was allocated or freed by an execution");
}

static int compare_all(kp_proc *self, struct data *data, int turn)
{
    int me = kp_processor(self);
    for (int i = 0; i < PLANS; i++) {
        kp_arguments arguments = arguments_of(&rows[i], data, data->again);
        fill_in(&rows[i], data, me, data->again);
        int status = operation_call(kp_world(self), &arguments);
        if (status)
            return status;
        if (memcmp(data->in[i], data->again, sizeof data->again) != 0)
            return failed(self, &rows[i], turn, "other bytes than those of the plain call");
        if (data->in[i][0] != expected(&rows[i], me, turn))
            return failed(self, &rows[i], turn, "the wrong element came in first");
    }
    return 0;
}

static int all_plans(kp_proc *self, void *argument)
{
    struct data *data = (struct data *)argument + kp_processor(self);
    kp_plan *plans[PLANS] = {NULL};
    int status = 0;
    for (int i = 0; i < PLANS && !status; i++) {
        kp_arguments arguments = arguments_of(&rows[i], data, data->in[i]);
        status = kp_plan_make(kp_world(self), &arguments, &plans[i]);
    }
    for (int turn = 0; turn < TURNS && !status; turn++) {
        status = execute_all(self, plans, data, turn);
        status = status ? status : compare_all(self, data, turn);
    }
    for (int i = 0; i < PLANS; i++)
        kp_plan_free(plans[i]);
    return status;
}

static void executed_without_allocating(void **state)
{
    (void)state;
    static struct data data[N];
    for (int k = 1; k < N; k++) {
        kp_config config = {.processors = N, .ports = k};
        kp_report report;
        if (kp_run(&config, all_plans, data, &report))
            fail_msg("k=%d: %s", k, report.error.sentence);
    }
}

/* --- Plans of blocks with lengths of their own, which change in every turn --- */

#define MOST 5000 /* the most bytes of a block */

static const struct row rows_with_lengths[] = {
    {KP_INDEXV, 0, 0},   {KP_INDEXV, 0, 1},  {KP_CONCATV, 0, 0},         {KP_CONCATV, 0, 1},
    {KP_SCATTERV, 2, 0}, {KP_GATHERV, 4, 0}, {KP_REDUCE_SCATTERV, 0, 0},
};

enum {
    PLANS_WITH_LENGTHS = sizeof rows_with_lengths / sizeof rows_with_lengths[0]
};

/* A plan, its arguments, and its buffers. */
struct lengths {
    kp_plan *plan;
    size_t out_counts[N], out_displacements[N], in_counts[N], in_displacements[N];
    unsigned char out[N * MOST], in[N * MOST], again[N * MOST], expected[N * MOST];
};

static bool one_for_all(const struct row *row)
{
    return row->operation == KP_CONCATV || row->operation == KP_GATHERV;
}

static size_t length_of(const struct row *row, int from, int to, int turn)
{
    if (row->operation == KP_REDUCE_SCATTERV)
        from = 0;                             /* all members give the same lengths */
    bool turned = row->in_place && from > to; /* in place the two directions have the same length */
    int a = turned && !one_for_all(row) ? to : from, b = one_for_all(row) ? 0 : turned ? from : to;
    int draw = (37 * a + 11 * b + 101 * turn + 1) * 1237;
    return (a + 2 * b + turn) % 4 == 0 ? 0 : (size_t)(draw % (MOST + 1));
}

static int byte_of(const struct row *row, int from, int to, int turn)
{
    return 1 + 40 * from + (one_for_all(row) ? 0 : 8 * to) + turn;
}

/* Sets the lengths and displacements of this turn. The displacements are not in ascending order. */
static void lay(const struct row *row, struct lengths *l, int me, int turn)
{
    for (int j = 0; j < N; j++) {
        l->out_counts[j] = length_of(row, me, j, turn);
        l->in_counts[j] = length_of(row, j, me, turn);
        l->out_displacements[j] = (size_t)((2 * j + turn) % N) * MOST;
        l->in_displacements[j] = (size_t)((3 * j + turn + 1) % N) * MOST;
    }
    for (int j = 0; j < N && row->operation == KP_REDUCE_SCATTERV; j++)
        l->out_displacements[j] = j > 0 ? l->out_displacements[j - 1] + l->out_counts[j - 1] : 0;
}

/* Fills in the outgoing data, and the expected contents of the incoming buffer. */
static void fill_lengths(const struct row *row, struct lengths *l, int me, int turn)
{
    bool to_root = row->operation == KP_GATHERV, from_root = row->operation == KP_SCATTERV;
    memset(l->out, byte_of(row, me, 0, turn), sizeof l->out);
    memset(l->in, 0xFF, sizeof l->in);
    for (int j = 0; j < N; j++) {
        if (!one_for_all(row))
            memset(l->out + l->out_displacements[j], byte_of(row, me, j, turn), l->out_counts[j]);
        if (row->in_place && (!one_for_all(row) || j == me))
            memset(l->in + l->in_displacements[j], byte_of(row, me, j, turn), l->in_counts[j]);
    }
    memcpy(l->again, l->in, sizeof l->in);
    memcpy(l->expected, l->in, sizeof l->in);
    if (row->operation == KP_REDUCE_SCATTERV) {
        int sum = 0;
        for (int j = 0; j < N; j++)
            sum += byte_of(row, j, me, turn);
        memset(l->expected, sum, l->out_counts[me]);
        return;
    }
    for (int j = 0; j < N && !from_root && (!to_root || me == row->root); j++)
        memset(l->expected + l->in_displacements[j], byte_of(row, j, me, turn), l->in_counts[j]);
    if (from_root)
        memset(l->expected, byte_of(row, row->root, me, turn), l->in_counts[row->root]);
}

static kp_arguments arguments_with_lengths(const struct row *row, struct lengths *l,
                                           unsigned char *in)
{
    if (row->operation == KP_REDUCE_SCATTERV)
        return (kp_arguments){.operation = row->operation,
                              .out = l->out,
                              .in = in,
                              .type = KP_UINT8,
                              .op = KP_SUM,
                              .out_counts = l->out_counts};
    return (kp_arguments){.operation = row->operation,
                          .out = row->in_place ? KP_IN_PLACE : l->out,
                          .in = in,
                          .out_counts = l->out_counts,
                          .out_displacements = l->out_displacements,
                          .in_counts = l->in_counts,
                          .in_displacements = l->in_displacements,
                          .out_bytes = l->out_counts[0],
                          .in_bytes = l->in_counts[row->root],
                          .root = row->root};
}

/* Executes the plan twice more with the same lengths. Neither execution may allocate memory. An
 * index in place swaps the blocks, so after two executions each block is back at its old place. */
static int repeat_without_allocating(kp_proc *self, const struct row *row, struct lengths *l,
                                     int turn)
{
    int before, after, status = count_allocations(kp_world(self), &before);
    for (int i = 0; i < 2 && !status; i++)
        status = kp_plan_execute(l->plan);
    if (status || (status = count_allocations(kp_world(self), &after)) != 0)
        return status;
    return after == before ? 0 : failed(self, row, turn, "memory was allocated or freed");
}

/* Executes the plan with this turn's lengths and compares it with a plain call. If an operation
 * gives a member a single block, the plan contains that block's length, so this test makes a new
 * plan. Arrays of lengths are read at every execution, so the plan of an indexv stays. */
static int turn_with_lengths(kp_proc *self, const struct row *row, struct lengths *l, int turn)
{
    kp_group *world = kp_world(self);
    lay(row, l, kp_processor(self), turn);
    fill_lengths(row, l, kp_processor(self), turn);
    kp_arguments arguments = arguments_with_lengths(row, l, l->in);
    kp_hints hints;
    int status = kp_hints_parse(KP_INDEXV, "radix,r=2", &hints);
    if (row->operation == KP_INDEXV)
        arguments.hints = &hints; /* with radix 2 some blocks pass through other members */
    if (!status && (turn == 0 || row->operation != KP_INDEXV)) {
        kp_plan_free(l->plan);
        l->plan = NULL;
        status = kp_plan_make(world, &arguments, &l->plan);
    }
    status = status ? status : kp_plan_execute(l->plan);
    status = status ? status : repeat_without_allocating(self, row, l, turn);
    if (status)
        return status;
    arguments.hints = NULL;
    arguments.in = l->again;
    if ((status = operation_call(world, &arguments)) != 0)
        return status;
    if (memcmp(l->in, l->again, sizeof l->in) != 0)
        return failed(self, row, turn, "other bytes than those of the plain call");
    if (memcmp(l->in, l->expected, sizeof l->in) != 0)
        return failed(self, row, turn, "wrong bytes");
    return 0;
}

static int all_with_lengths(kp_proc *self, void *argument)
{
    struct lengths *lengths = (struct lengths *)argument + kp_processor(self) * PLANS_WITH_LENGTHS;
    int status = 0;
    for (int i = 0; i < PLANS_WITH_LENGTHS; i++)
        lengths[i].plan = NULL;
    for (int turn = 0; turn < TURNS && !status; turn++) {
        for (int i = 0; i < PLANS_WITH_LENGTHS && !status; i++)
            status = turn_with_lengths(self, &rows_with_lengths[i], &lengths[i], turn);
    }
    for (int i = 0; i < PLANS_WITH_LENGTHS; i++)
        kp_plan_free(lengths[i].plan);
    return status;
}

static void lengths_change_from_turn_to_turn(void **state)
{
    (void)state;
    static struct lengths lengths[N * PLANS_WITH_LENGTHS];
    for (int k = 1; k < N; k++) {
        kp_config config = {.processors = N, .ports = k};
        kp_report report;
        if (kp_run(&config, all_with_lengths, lengths, &report))
            fail_msg("k=%d: %s", k, report.error.sentence);
    }
}

/* Returns the length of each block that member `from` has in a turn. */
static size_t short_length(int turn, int from)
{
    return (size_t)((7 * turn + 5 * from) % 33);
}

static int call_with_lengths(kp_group *world, int operation, int turn)
{
    static const char *const ways[] = {"direct", "radix,r=2", "circulant",
                                       "tree",   "circulant", "pairwise"};
    static const kp_operation operations[] = {KP_INDEXV,   KP_INDEXV,          KP_CONCATV,
                                              KP_SCATTERV, KP_REDUCE_SCATTERV, KP_REDUCE_SCATTERV};
    char out[33 * N] = {0}, in[33 * N];
    size_t out_counts[N], in_counts[N];
    int me = kp_rank(world);
    kp_hints hints;
    int status = kp_hints_parse(operations[operation], ways[operation], &hints);
    for (int i = 0; i < N; i++) {
        out_counts[i] = short_length(turn, me);
        in_counts[i] = short_length(turn, i);
    }
    if (status || operation < 2)
        return status ? status
                      : kp_indexv(world, out, out_counts, NULL, in, in_counts, NULL, &hints);
    if (operation > 3)
        return kp_reduce_scatterv(world, out, in, in_counts, KP_INT8, KP_SUM, &hints);
    return operation == 2 ? kp_concatv(world, out, out_counts[0], in, in_counts, NULL, &hints)
                          : kp_scatterv(world, out, out_counts, NULL, in, in_counts[1], 1, &hints);
}

/* Plain calls whose lengths change. From the third call on a member must not allocate memory,
 * because it keeps the code of the second call, which serves any lengths. */
static int without_plans(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int status = 0;
    (void)argument;
    for (int operation = 0; operation < 6; operation++) {
        int before = 0, after = 0;
        for (int turn = 0; turn < 20 && !status; turn++) {
            if (turn == 2)
                status = count_allocations(world, &before);
            status = status ? status : call_with_lengths(world, operation, turn);
        }
        status = status ? status : count_allocations(world, &after);
        if (status || after != before)
            return status ? status : kp_fail(self, "other lengths have taken memory");
    }
    return 0;
}

static void other_lengths_are_served_by_what_is_there(void **state)
{
    (void)state;
    for (int k = 1; k < N; k++) {
        kp_config config = {.processors = N, .ports = k};
        kp_report report;
        if (kp_run(&config, without_plans, NULL, &report))
            fail_msg("k=%d: %s", k, report.error.sentence);
    }
}

/* A plan of one member and plain calls of the others must count as the same call. A plan stays
 * valid when its call is dropped from the member's call cache. A plan that is not freed outlives
 * its run. */
static kp_plan *left_over;

static int plan_among_calls(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int64_t out[3] = {kp_processor(self), 1, 2}, in[3 * N];
    kp_plan *plan = NULL;
    kp_arguments arguments = {.operation = KP_CONCAT, .out = out, .in = in, .b = sizeof out};
    int status = kp_processor(self) == 2 ? kp_plan_make(world, &arguments, &plan) : 0;
    (void)argument;
    for (int turn = 0; turn < 40 && !status; turn++) {
        status = plan ? kp_plan_execute(plan) : kp_concat(world, out, in, sizeof out, NULL);
        for (int i = 0; i < N && !status; i++) {
            if (in[3 * i] != i)
                status = kp_fail(self, "wrong data");
        }
        for (size_t b = 1; b < 60 && !status; b++) {
            char small[64], all[64 * N];
            memset(small, 7, sizeof small);
            status = kp_concat(world, small, all, b, NULL);
        }
    }
    if (plan)
        left_over = plan;
    return status;
}

static void among_plain_calls(void **state)
{
    (void)state;
    kp_config config = {.processors = N, .ports = 2, .plan_bytes = 4000};
    kp_report report;
    if (kp_run(&config, plan_among_calls, NULL, &report))
        fail_msg("%s", report.error.sentence);
    kp_plan_free(left_over);
    kp_plan_free(NULL);
}

/* A plan with a field that its operation does not use must be refused, and the error must name the
 * field. */
static int foreign_fields(kp_proc *self)
{
    static const struct {
        const char *named;
        kp_arguments arguments;
    } fields[] = {
        {"root is given", {.operation = KP_SCAN, .count = 1, .op = KP_SUM, .root = 1}},
        {"to is given", {.operation = KP_CONCAT, .b = 8, .to = 1}},
        {"b is given", {.operation = KP_SCAN, .b = 8, .op = KP_SUM}},
        {"count is given", {.operation = KP_CONCAT, .b = 8, .count = 1}},
        {"op is given", {.operation = KP_CONCAT, .b = 8, .op = KP_SUM}},
        {"out_bytes or in_bytes is given", {.operation = KP_CONCAT, .b = 8, .in_bytes = 8}},
        {"b is given", {.operation = KP_CONCATV, .b = 8}},
    };
    int64_t data[8];
    kp_plan *plan;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        kp_arguments arguments = fields[i].arguments;
        arguments.out = data;
        arguments.in = data + 4;
        if (kp_plan_make(kp_world(self), &arguments, &plan) != KP_EARGUMENT || plan ||
            !strstr(kp_error(self)->sentence, fields[i].named))
            return kp_fail(self, fields[i].named);
    }
    return 0;
}

static int bad_plans(kp_proc *self, void *argument)
{
    char data[64];
    kp_plan *plan = NULL;
    kp_group *world = kp_world(self);
    kp_arguments good = {.operation = KP_CONCAT, .out = data + 32, .in = data, .b = 8};
    (void)argument;
    kp_arguments bad = good;
    bad.operation = KP_OPERATIONS;
    if (kp_plan_make(world, &bad, &plan) != KP_EARGUMENT ||
        !strstr(kp_error(self)->sentence, "operation is"))
        return kp_fail(self, "an operation that is none");
    bad = good;
    bad.in = NULL;
    if (kp_plan_make(world, &bad, &plan) != KP_EARGUMENT || plan)
        return kp_fail(self, "no incoming buffer");
    if (kp_plan_make(world, NULL, &plan) != KP_EARGUMENT ||
        kp_plan_make(world, &good, NULL) != KP_EARGUMENT)
        return kp_fail(self, "nothing to make, or nowhere to put it");
    bad = good;
    bad.operation = KP_ALLREDUCE;
    bad.b = 0;
    if (kp_plan_make(world, &bad, &plan) != KP_EARGUMENT ||
        !strstr(kp_error(self)->sentence, "op is NULL"))
        return kp_fail(self, "no operator");
    if (kp_plan_execute(NULL) != KP_EARGUMENT)
        return kp_fail(self, "no plan");
    int status = foreign_fields(self);
    return status ? status : kp_barrier(world);
}

static void bad_arguments_are_the_members_own_affair(void **state)
{
    (void)state;
    kp_config config = {.processors = 2};
    kp_report report;
    if (kp_run(&config, bad_plans, NULL, &report))
        fail_msg("%s", report.error.sentence);
}

static void every_operation_is_compared(void **state)
{
    bool compared[KP_OPERATIONS] = {false};
    (void)state;
    for (int i = 0; i < PLANS; i++)
        compared[rows[i].operation] = true;
    for (int i = 0; i < PLANS_WITH_LENGTHS; i++)
        compared[rows_with_lengths[i].operation] = true;
    for (int i = 0; i < KP_OPERATIONS; i++) {
        if (!compared[i])
            fail_msg("%s has no plan here", kp_operation_name((kp_operation)i));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_is_compared),
        cmocka_unit_test(executed_without_allocating),
        cmocka_unit_test(lengths_change_from_turn_to_turn),
        cmocka_unit_test(other_lengths_are_served_by_what_is_there),
        cmocka_unit_test(among_plain_calls),
        cmocka_unit_test(bad_arguments_are_the_members_own_affair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
