/* Persistent plans: the same bytes as the plain call, with and among plain calls, and neither
 * memory taken nor given back while they are executed. Barrier and send_recv, which need no plan.
 */
#include "kport.h"

#include "lib/operation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- Counting calls of the allocator: the linker puts these in front of it --- */

static atomic_int allocations;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
int __real_posix_memalign(void **memory, size_t alignment, size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes);
void __wrap_free(void *memory);

void *__wrap_malloc(size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __real_realloc(memory, bytes);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __real_posix_memalign(memory, alignment, bytes);
}

void __wrap_free(void *memory)
{
    atomic_fetch_add(&allocations, 1);
    __real_free(memory);
}

/* --- Plans --- */

#define N     5
#define COUNT 700 /* so that some messages are described */

struct data {
    int64_t out[N * COUNT], in[N * COUNT];
};

/* Every operand of processor r is 100 r + the round of the test. */
static void fill(struct data *data, int me, int turn)
{
    for (int i = 0; i < N * COUNT; i++) {
        data->out[i] = 100 * me + turn + i / COUNT;
        data->in[i] = -1;
    }
}

/* What the first element of the first (and of the last) incoming block is to be. */
struct row {
    kp_operation operation;
    int root;
    int in_place;
};

static const struct row rows[] = {
    {KP_INDEX, 0, 0},     {KP_INDEX, 0, 1},  {KP_CONCAT, 0, 0},         {KP_BROADCAST, 3, 0},
    {KP_SCATTER, 2, 0},   {KP_GATHER, 4, 0}, {KP_REDUCE, 1, 0},         {KP_ALLREDUCE, 0, 0},
    {KP_ALLREDUCE, 0, 1}, {KP_SCAN, 0, 0},   {KP_REDUCE_SCATTER, 0, 0}, {KP_SCAN_EXCLUSIVE, 0, 0},
    {KP_SCAN, 0, 1},      {KP_INDEXV, 0, 0}, {KP_SCATTERV, 2, 0},
};

static int64_t sum_to(int end, int turn)
{
    return 100 * (int64_t)(end * (end - 1) / 2) + (int64_t)end * turn;
}

/* What element 0 of the incoming buffer has to be; -1: it is left alone. */
static int64_t expected(const struct row *row, int me, int turn)
{
    switch (row->operation) {
    case KP_INDEX:
    case KP_INDEXV:
        return turn + me;
    case KP_CONCAT:
        return turn;
    case KP_BROADCAST:
        return 100 * row->root + turn;
    case KP_SCATTER:
    case KP_SCATTERV:
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
    default:
        return sum_to(N, turn);
    }
}

static int execute(kp_proc *self, const struct row *row, kp_plan *plan, struct data *data, int turn)
{
    int me = kp_processor(self);
    char sentence[96];
    fill(data, me, turn);
    if (row->in_place || (row->operation == KP_BROADCAST && me == row->root))
        memcpy(data->in, data->out, sizeof data->in);
    int status = kp_plan_execute(plan);
    if (status || data->in[0] == expected(row, me, turn))
        return status;
    snprintf(sentence, sizeof sentence, "%s, turn %d: %lld came in",
             kp_operation_name(row->operation), turn, (long long)data->in[0]);
    return kp_fail(self, sentence);
}

static int all_plans(kp_proc *self, void *argument)
{
    enum {
        PLANS = sizeof rows / sizeof rows[0]
    };
    struct data *data = (struct data *)argument + kp_processor(self);
    kp_plan *plans[PLANS];
    size_t lengths[N];
    for (int i = 0; i < N; i++)
        lengths[i] = COUNT * sizeof(int64_t);
    int status = 0, before = 0;
    for (int i = 0; i < PLANS && !status; i++) {
        const struct kp_operation_row *row = kp_operation_row(rows[i].operation);
        kp_arguments arguments = {.operation = rows[i].operation,
                                  .out = rows[i].in_place ? KP_IN_PLACE : data->out,
                                  .in = data->in,
                                  .root = rows[i].root};
        if (row->operands) {
            arguments.count = COUNT;
            arguments.type = KP_INT64;
            arguments.op = KP_SUM;
        } else if (row->lengths) {
            arguments.out_counts = arguments.in_counts = lengths;
            arguments.in_bytes = lengths[0];
        } else {
            arguments.b = lengths[0];
        }
        status = kp_plan_make(kp_world(self), &arguments, &plans[i]);
    }
    for (int turn = 0; turn < 5 && !status; turn++) {
        if ((status = kp_barrier(kp_world(self))) != 0)
            return status;
        before = turn == 1 ? atomic_load(&allocations) : before;
        if ((status = kp_barrier(kp_world(self))) != 0)
            return status;
        for (int i = 0; i < PLANS && !status; i++)
            status = execute(self, &rows[i], plans[i], data, turn);
    }
    if (!status && (status = kp_barrier(kp_world(self))) == 0 &&
        atomic_load(&allocations) != before)
        status = kp_fail(self, "memory was allocated or freed by an execution");
    if (!status && (status = kp_barrier(kp_world(self))) == 0) {
        for (int i = 0; i < PLANS; i++)
            kp_plan_free(plans[i]);
    }
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

/* One member's plan and the others' calls are one operation; a plan outlives the seat's table of
 * plans, and its own run. */
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

/* Every field that an operation does not have is refused by name. */
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

/* --- Single rounds --- */

static atomic_int arrived;

static int barriers(kp_proc *self, void *argument)
{
    (void)argument;
    for (int i = 1; i <= 200; i++) {
        atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed);
        int status = kp_barrier(kp_world(self));
        if (status)
            return status;
        if (atomic_load_explicit(&arrived, memory_order_relaxed) < i * N)
            return kp_fail(self, "somebody came through the barrier early");
    }
    return 0;
}

static void nobody_passes_a_barrier_early(void **state)
{
    (void)state;
    kp_config config = {.processors = N};
    kp_report report;
    atomic_store(&arrived, 0);
    if (kp_run(&config, barriers, NULL, &report))
        fail_msg("%s", report.error.sentence);
}

static int around_the_ring(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int me = kp_rank(world), n = kp_size(world), out = me, in = -1, status = 0;
    (void)argument;
    for (int step = 0; step < n && !status; step++) {
        status = kp_send_recv(world, &out, sizeof out, (me + step) % n, &in, sizeof in,
                              (me + n - step) % n);
        if (!status && in != (me + n - step) % n)
            status = kp_fail(self, "the wrong message came");
    }
    /* Along the line: the ends have nobody on one side. */
    in = -1;
    if (!status)
        status =
            kp_send_recv(world, &out, sizeof out, me + 1 < n ? me + 1 : -1, &in, sizeof in, me - 1);
    if (!status && in != me - 1)
        status = kp_fail(self, "the wrong message came along the line");
    if (status)
        return status;
    /* Another length than was sent: the receiver learns it. */
    status = kp_send_recv(world, &out, sizeof out, (me + 1) % n, &in, me ? sizeof in : 3,
                          (me + n - 1) % n);
    if (status != (me ? 0 : KP_ELENGTH))
        return kp_fail(self, "the length was not compared");
    return 0;
}

static void send_and_receive(void **state)
{
    (void)state;
    kp_config config = {.processors = N};
    kp_report report;
    if (kp_run(&config, around_the_ring, NULL, &report))
        fail_msg("%s", report.error.sentence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(executed_without_allocating),
        cmocka_unit_test(among_plain_calls),
        cmocka_unit_test(bad_arguments_are_the_members_own_affair),
        cmocka_unit_test(nobody_passes_a_barrier_early),
        cmocka_unit_test(send_and_receive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
