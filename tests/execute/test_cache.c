/* Tests the call cache. Its memory must be bounded for any number of problems. It must find all
 * calls of a program that alternates between at most a hundred small calls. */
#include "tests/common/machine_common.h"

#include "lib/execute/cache.h"
#include "tools/kport/common/operation_call.h"

#include <kport.h>
#include <malloc.h>
#include <stdatomic.h>

#define N     3
#define PLANS ((size_t)64 << 10) /* the machine's plan_bytes */

/* --- An allocator that counts the bytes that are not yet freed --- */

static atomic_size_t held;

#define WRAPPED(type, name, ...)                                                                   \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

static void *counted(void *memory)
{
    atomic_fetch_add(&held, memory ? malloc_usable_size(memory) : 0);
    return memory;
}

WRAPPED(void *, malloc, size_t bytes)
{
    return counted(__real_malloc(bytes));
}

WRAPPED(void *, calloc, size_t count, size_t bytes)
{
    return counted(__real_calloc(count, bytes));
}

WRAPPED(void *, realloc, void *memory, size_t bytes)
{
    size_t before = memory ? malloc_usable_size(memory) : 0;
    void *moved = __real_realloc(memory, bytes);
    atomic_fetch_sub(&held, moved ? before : 0);
    return counted(moved);
}

WRAPPED(int, posix_memalign, void **memory, size_t alignment, size_t bytes)
{
    int status = __real_posix_memalign(memory, alignment, bytes);
    if (status == 0)
        counted(*memory);
    return status;
}

WRAPPED(void, free, void *memory)
{
    atomic_fetch_sub(&held, memory ? malloc_usable_size(memory) : 0);
    __real_free(memory);
}

/* --- Problems --- */

enum kind {
    AN_INDEX,
    A_BROADCAST,
    A_PIPELINE, /* its schedule is for one length only */
    A_REDUCTION,
    KINDS
};

#define MOST 500 /* the most bytes of a block, or elements of a reduction */

static char out[N][N * MOST], in[N][N * MOST];
static int32_t terms[N][MOST], sums[N][MOST];

static void sum_of_own(void *to, const void *left, const void *right, size_t count, void *context)
{
    for (size_t i = 0; i < count; i++)
        ((int32_t *)to)[i] = ((const int32_t *)left)[i] + ((const int32_t *)right)[i];
    (void)context;
}

static const kp_operator own_sum = {
    .name = "own", .combine = sum_of_own, .element_bytes = sizeof(int32_t), .commutative = 1};

static kp_arguments arguments_of(int me, enum kind kind, size_t b, kp_hints *hints)
{
    kp_arguments a = {.operation = KP_INDEX, .out = out[me], .in = in[me], .b = b};
    if (kind == A_BROADCAST || kind == A_PIPELINE) {
        a.operation = KP_BROADCAST;
        a.out = NULL;
        a.root = (int)(b % N);
    }
    if (kind == A_PIPELINE) {
        *hints = (kp_hints){.algorithm = kp_algorithm_find(KP_BROADCAST, "pipelined")};
        hints->values[0] = b < 8 ? 1 : 2 + (long)b % 7;
        a.hints = hints;
    }
    if (kind == A_REDUCTION)
        a = (kp_arguments){.operation = KP_ALLREDUCE,
                           .out = terms[me],
                           .in = sums[me],
                           .count = b,
                           .type = KP_INT32,
                           .op = b % 2 ? KP_SUM : &own_sum};
    return a;
}

static char byte_in(int from, int to, size_t i, size_t b)
{
    return (char)(101 * from + 59 * to + 7 * (int)i + (int)b);
}

static void set_buffers(int me, enum kind kind, size_t b)
{
    for (int to = 0; to < N; to++) {
        for (size_t i = 0; i < b; i++)
            out[me][(size_t)to * b + i] = byte_in(me, to, i, b);
    }
    memset(in[me], 0, N * b);
    if (kind != AN_INDEX && me == (int)(b % N))
        memcpy(in[me], out[me], b);
    for (size_t i = 0; i < b; i++) {
        terms[me][i] = (int32_t)i + 3 * me;
        sums[me][i] = 0;
    }
}

static bool is_right(int me, enum kind kind, size_t b)
{
    bool right = true;
    for (size_t i = 0; i < b && right; i++) {
        if (kind == A_REDUCTION)
            right = sums[me][i] == N * (int32_t)i + 3 * N * (N - 1) / 2;
        else if (kind != AN_INDEX)
            right = in[me][i] == byte_in((int)(b % N), 0, i, b);
        for (int from = 0; from < N && kind == AN_INDEX; from++)
            right = right && in[me][(size_t)from * b + i] == byte_in(from, me, i, b);
    }
    return right;
}

static int make_call(kp_proc *self, enum kind kind, size_t b)
{
    const int me = kp_processor(self);
    kp_hints hints;
    const kp_arguments a = arguments_of(me, kind, b, &hints);
    set_buffers(me, kind, b);
    int status = operation_call(kp_world(self), &a);
    return status || is_right(me, kind, b) ? status : kp_fail(self, "wrong data");
}

/* --- More problems than fit the cache --- */

static size_t before, most;

/* Makes each call three times, so that its code is kept. Then it makes all calls again, when most
 * of them have been dropped. */
static int many_problems(kp_proc *self, void *argument)
{
    int status = 0;
    (void)argument;
    for (size_t i = 0; i < 2 * MOST && !status; i++) {
        const size_t b = 1 + i % MOST;
        for (int turn = 0; turn < 3 * KINDS && !status; turn++)
            status = make_call(self, (enum kind)(turn % KINDS), b);
        if (!status && i % 50 == 0)
            status = kp_barrier(kp_world(self));
        if (kp_processor(self) == 0 && i % 50 == 0 && atomic_load(&held) > most)
            most = atomic_load(&held);
    }
    return status;
}

static void memory_stays_bounded(void **state)
{
    const size_t bound = PLANS + N * KP_CACHE_BYTES;
    kp_config config = {.processors = N, .plan_bytes = PLANS, .stack_bytes = 64 << 10};
    kp_machine *machine;
    (void)state;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    kp_report report;
    before = atomic_load(&held);
    if (kp_machine_run(machine, many_problems, NULL, &report))
        fail_msg("%s", report.error.sentence);
    if (most - before > bound)
        fail_msg("%zu bytes are held, of which %zu may be", most - before, bound);
    if (most - before < bound / 2)
        fail_msg("%zu bytes are held: not so much was kept that anything was forgotten",
                 most - before);
    assert_int_equal(kp_machine_destroy(machine), 0);
}

/* --- Few problems, in turn --- */

#define FEW 100

static int by_turns(kp_proc *self, void *argument)
{
    int status = 0;
    (void)argument;
    for (int i = 0; i < 5 * FEW && !status; i++) {
        const enum kind kind = (enum kind)(i % FEW % KINDS);
        const size_t b = 1 + (size_t)(i % FEW / KINDS);
        kp_hints hints;
        const kp_arguments a = arguments_of(kp_processor(self), kind, b, &hints);
        const struct kp_key key = kp_key_of(&a);
        if (i >= 2 * FEW && !kp_cache_find(kp_world(self), &key))
            return kp_fail(self, "a call that came twice is not found");
        status = make_call(self, kind, b);
    }
    return status;
}

static void few_problems_are_all_found(void **state)
{
    kp_config config = {.processors = N};
    kp_report report;
    (void)state;
    if (kp_run(&config, by_turns, NULL, &report))
        fail_msg("%s", report.error.sentence);
}

/* --- Started calls: a member's lanes are used in turn, and share code --- */

static int start_call(kp_proc *self, enum kind kind, size_t b)
{
    const int me = kp_processor(self);
    kp_hints hints;
    const kp_arguments a = arguments_of(me, kind, b, &hints);
    kp_request *request;
    set_buffers(me, kind, b);
    int status = kp_call_start(kp_world(self), &a, &request);
    status = status ? status : kp_wait(&request);
    return status || is_right(me, kind, b) ? status : kp_fail(self, "wrong data");
}

static const struct kp_prepared *kept_on(kp_group *world, int lane)
{
    return kp_cache_find_plain(world->lanes->of[lane].member, KP_INDEX, 8, 0);
}

static int on_all_lanes(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int status = 0;
    (void)argument;
    for (int i = 0; i < 3 * KP_LANES && !status; i++)
        status = start_call(self, AN_INDEX, 8);
    for (int i = 1; i < KP_LANES && !status; i++) {
        const struct kp_prepared *first = kept_on(world, 0), *other = kept_on(world, i);
        if (!first || !other || first == other)
            return kp_fail(self, "a lane does not keep its call");
        if (!first->code || other->code != first->code || first->code->holders != KP_LANES)
            return kp_fail(self, "the lanes do not share their code");
    }
    return status;
}

/* The number of started calls with equal arguments is no multiple of the number of lanes, so each
 * lane drops its calls at another time. */
static int on_lanes_until_dropped(kp_proc *self, void *argument)
{
    int status = 0;
    (void)argument;
    for (size_t i = 0; i < 2 * MOST && !status; i++) {
        for (int turn = 0; turn < 7 * KINDS && !status; turn++)
            status = start_call(self, (enum kind)(turn % KINDS), 1 + i % MOST);
    }
    return status;
}

/* Equal calls with other data are under way on all lanes at the same time. Of two members each has
 * one message, so its code has addresses of its lane. */
static int at_the_same_time(kp_proc *self, void *argument)
{
    const int n = kp_size(kp_world(self)), me = kp_processor(self);
    int64_t sent[KP_LANES][N], received[KP_LANES][N];
    kp_request *requests[KP_LANES];
    int status = 0;
    (void)argument;
    for (int turn = 0; turn < 100 && !status; turn++) {
        for (int i = 0; i < KP_LANES && !status; i++) {
            for (int to = 0; to < n; to++)
                sent[i][to] = ((int64_t)turn * KP_LANES + i) * N + me;
            status = kp_index_start(kp_world(self), sent[i], received[i], sizeof sent[i][0], NULL,
                                    &requests[i]);
        }
        status = status ? status : kp_wait_all(KP_LANES, requests);
        for (int i = 0; i < n * KP_LANES && !status; i++) {
            if (received[i / n][i % n] != ((int64_t)turn * KP_LANES + i / n) * N + i % n)
                status = kp_fail(self, "wrong data");
        }
    }
    return status;
}

static void run_on_lanes(int n, kp_program *program)
{
    const kp_config config = {.processors = n, .plan_bytes = PLANS, .stack_bytes = 64 << 10};
    kp_machine *machine;
    kp_report report;
    const size_t held_before = atomic_load(&held);
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    if (kp_machine_run(machine, program, NULL, &report))
        fail_msg("%s", report.error.sentence);
    assert_int_equal(kp_machine_destroy(machine), 0);
    assert_int_equal(atomic_load(&held), held_before);
}

static void lanes_share_code(void **state)
{
    (void)state;
    run_on_lanes(N, on_all_lanes);
}

static void shared_code_is_dropped(void **state)
{
    (void)state;
    run_on_lanes(N, on_lanes_until_dropped);
}

static void equal_calls_do_not_meet(void **state)
{
    (void)state;
    for (int n = 2; n <= N; n++)
        run_on_lanes(n, at_the_same_time);
}

/* --- A kept call checks its buffers like the first one --- */

static int refuses(kp_group *world, const kp_arguments *right, const void *wrong_out,
                   void *wrong_in)
{
    kp_arguments a = *right;
    for (int i = 0; i < 3; i++) {
        if (operation_call(world, &a))
            return 1;
    }
    a.out = wrong_out;
    a.in = wrong_in;
    return operation_call(world, &a) != KP_EARGUMENT || operation_call(world, right) != KP_OK;
}

static int wrong_buffers(kp_proc *self, void *argument)
{
    const int me = kp_processor(self);
    kp_group *world = kp_world(self);
    const kp_arguments index = {.operation = KP_INDEX, .out = out[me], .in = in[me], .b = 8};
    const kp_arguments sum = {.operation = KP_ALLREDUCE,
                              .out = terms[me],
                              .in = sums[me],
                              .count = 4,
                              .type = KP_INT32,
                              .op = KP_SUM};
    const kp_arguments one = {.operation = KP_BROADCAST, .in = in[me], .b = 8};
    (void)argument;
    if (refuses(world, &index, NULL, in[me]) || refuses(world, &index, out[me], NULL) ||
        refuses(world, &index, out[me], out[me] + 8) || refuses(world, &index, in[me], in[me]) ||
        refuses(world, &index, out[me], KP_IN_PLACE) || refuses(world, &one, NULL, NULL))
        return kp_fail(self, "a kept call that moves blocks took wrong buffers");
    if (refuses(world, &sum, NULL, sums[me]) || refuses(world, &sum, terms[me], terms[me] + 1) ||
        refuses(world, &sum, (char *)terms[me] + 1, sums[me]) ||
        refuses(world, &sum, terms[me], (char *)sums[me] + 2))
        return kp_fail(self, "a kept reduction took wrong buffers");
    return 0;
}

static void kept_calls_check_their_buffers(void **state)
{
    kp_config config = {.processors = N};
    kp_report report;
    (void)state;
    if (kp_run(&config, wrong_buffers, NULL, &report))
        fail_msg("%s", report.error.sentence);
}

/* --- A call with hints is not the same call without --- */

struct calls {
    int hinted, plain;
};

static int some_with_hints(kp_proc *self, void *argument)
{
    const struct calls *calls = argument;
    const int me = kp_processor(self);
    kp_group *world = kp_world(self);
    kp_hints hints;
    int status = kp_hints_parse(KP_ALLREDUCE, "tree", &hints);
    for (int i = 0; i < calls->hinted && !status; i++)
        status = kp_allreduce(world, terms[me], sums[me], 4, KP_INT32, KP_SUM, &hints);
    for (int i = 0; i < calls->plain && !status; i++)
        status = kp_allreduce(world, terms[me], sums[me], 4, KP_INT32, KP_SUM, NULL);
    return status;
}

static uint64_t rounds_of(int hinted, int plain)
{
    const kp_config config = {.processors = N, .tuning = KP_TUNING_BUILTIN};
    struct calls calls = {hinted, plain};
    kp_report report;
    if (kp_run(&config, some_with_hints, &calls, &report))
        fail_msg("%s", report.error.sentence);
    return report.c1;
}

static void hints_make_another_call(void **state)
{
    (void)state;
    assert_true(rounds_of(3, 0) != rounds_of(0, 3));
    assert_true(rounds_of(3, 3) == rounds_of(3, 0) + rounds_of(0, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_stays_bounded),    cmocka_unit_test(few_problems_are_all_found),
        cmocka_unit_test(lanes_share_code),        cmocka_unit_test(shared_code_is_dropped),
        cmocka_unit_test(equal_calls_do_not_meet), cmocka_unit_test(kept_calls_check_their_buffers),
        cmocka_unit_test(hints_make_another_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
