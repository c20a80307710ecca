/* Tests a lack of memory as test_memory.c does, in parts of the library that an ordinary run does
 * not use. These parts are traces and their files, profiles and the choice by them, measured
 * trials, attached threads, and plans that are started. In the i-th repetition the i-th request
 * fails. No repetition may crash or hang. The error must have a status, and nothing may stay
 * allocated. */
#include "tests/common/profile_common.h"

#include "tests/common/failing_allocator.h"

#define N 3

/* A scenario. It returns the first status that is not KP_OK. */
typedef int life_function(void);

static int first(int before, int status)
{
    return before ? before : status;
}

static int calls(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self), *pair = NULL;
    int me = kp_processor(self), status = KP_OK, times = *(const int *)argument;
    int64_t out[N] = {me, me + 1, me + 2}, in[N] = {0}, sum = 0;
    for (int i = 0; i < times && !status; i++)
        status = kp_index(world, out, in, 8, NULL);
    if (!status)
        status = kp_allreduce(world, &out[0], &sum, 1, KP_INT64, KP_SUM, NULL);
    if (!status && (in[0] != me || sum != 0 + 1 + 2))
        status = KP_ESCHEDULE; /* an impossible status, so the test fails */
    if (!status && me < 2)
        status = kp_group_create(self, (int[]){0, 1}, 2, &pair);
    if (!status && me < 2)
        status = kp_barrier(pair);
    kp_group_free(pair);
    return status;
}

static int live_with(kp_config *config, int times)
{
    kp_machine *machine;
    int status = kp_machine_create(config, &machine);
    for (int run = 0; run < 2 && machine; run++)
        status = first(status, kp_machine_run(machine, calls, &times, NULL));
    return first(status, kp_machine_destroy(machine));
}

static const char *sample;
static char trace_path[128];

/* The trace exists before its machine, and is written after the machine has ended. */
static int traced(void)
{
    kp_trace *trace = NULL;
    int status = kp_trace_create(0, &trace);
    if (trace) {
        kp_config config = {.processors = N, .trace = trace};
        status = first(status, live_with(&config, 2));
        status = first(status, kp_trace_write(trace, trace_path));
    }
    return first(status, kp_trace_free(trace));
}

/* Makes 100 calls. In them the tuner tries all candidates, and the members agree on the fastest. */
static int measured(void)
{
    kp_config config = {.processors = N, .tuning = KP_TUNING_MEASURED};
    return live_with(&config, 100);
}

static void count_one(const kp_prediction *prediction, void *argument)
{
    *(int *)argument += prediction->us > 0;
}

static int profiled(void)
{
    kp_profile *profile = NULL;
    kp_prediction choice = {.us = 0};
    const kp_problem p = {.operation = KP_INDEX, .n = 8, .k = 1, .b = 8};
    int candidates = 0, status = kp_profile_parse("sample", sample, strlen(sample), &profile);
    if (!status)
        status = kp_predict(NULL, profile, &p, count_one, &candidates, &choice);
    if (!status && (candidates < 3 || choice.problem.values[0] != 8))
        status = KP_ESCHEDULE;
    kp_profile_free(profile);
    profile = NULL;
    status = first(status, kp_profile_read(path, &profile));
    kp_profile_free(profile);
    return status;
}

/* --- Attached threads of the caller --- */

struct guest {
    kp_machine *machine;
    int processor, status;
};

static pthread_barrier_t met;
static _Atomic int away;

static void *attend(void *argument)
{
    struct guest *guest = argument;
    kp_proc *self = NULL;
    int64_t one = 1, sum = 0;
    guest->status = kp_machine_attach(guest->machine, guest->processor, &self);
    atomic_fetch_add(&away, guest->status != KP_OK);
    pthread_barrier_wait(&met);
    /* The threads make the call only if all are attached. Otherwise they would wait forever for the
     * missing thread, because kport cannot know that it does not come. */
    if (!guest->status && !atomic_load(&away))
        guest->status = kp_allreduce(kp_world(self), &one, &sum, 1, KP_INT64, KP_SUM, NULL);
    if (self)
        guest->status = first(guest->status, kp_machine_detach(self));
    return NULL;
}

static int attached(void)
{
    kp_machine *machine;
    pthread_t threads[N];
    struct guest guests[N];
    const kp_config config = {.processors = N};
    int status = kp_machine_create(&config, &machine);
    if (status)
        return status;
    atomic_store(&away, 0);
    for (int i = 0; i < N; i++) {
        guests[i] = (struct guest){.machine = machine, .processor = i};
        assert_int_equal(__real_pthread_create(&threads[i], NULL, attend, &guests[i]), 0);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
        status = first(status, guests[i].status);
    }
    return first(status, kp_machine_destroy(machine));
}

/* --- A plan that is started --- */

#define PLANNED 8 /* processors, so that the algorithm has scratch */

/* A plan is prepared once for each of four lanes. */
static int start_often(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int me = kp_processor(self);
    int64_t out[PLANNED] = {me}, in[PLANNED] = {0};
    const kp_hints hints = {.algorithm = kp_algorithm_find(KP_INDEX, "radix"), .values = {2}};
    const kp_arguments index = {
        .operation = KP_INDEX, .out = out, .in = in, .b = sizeof *in, .hints = &hints};
    kp_plan *plan = NULL;
    kp_request *request = NULL;
    int status = kp_plan_make(world, &index, &plan);
    (void)argument;
    for (int i = 0; i < 6 && !status; i++) {
        status = kp_plan_start(plan, &request);
        status = status ? status : kp_wait(&request);
        for (int from = 0; from < PLANNED && !status && me == 0; from++)
            status = in[from] == from ? KP_OK : KP_ESCHEDULE;
    }
    kp_plan_free(plan);
    return status;
}

static int planned(void)
{
    kp_machine *machine;
    const kp_config config = {.processors = PLANNED, .ports = 1};
    int status = kp_machine_create(&config, &machine);
    if (machine)
        status = first(status, kp_machine_run(machine, start_often, NULL, NULL));
    return first(status, kp_machine_destroy(machine));
}

/* --- One repetition --- */

static void try(const char *name, life_function *life, long i, bool *failed)
{
    static const int may_be[] = {KP_OK, KP_EMEMORY, KP_EPEER, KP_ETHREAD, KP_ELOST, KP_EFILE};
    bool named = false;
    long before = atomic_load(&blocks);
    fail_request(i);
    int status = life();
    *failed = atomic_load(&has_failed);
    fail_none();
    for (size_t s = 0; s < sizeof may_be / sizeof may_be[0]; s++)
        named = named || status == may_be[s];
    if (!named || (status && !*failed))
        fail_msg("%s, request %ld fails: status %d: %s", name, i, status, kp_strerror(status));
    if (atomic_load(&blocks) != before)
        fail_msg("%s, request %ld fails: %ld blocks are left", name, i,
                 atomic_load(&blocks) - before);
}

static void every_request(const char *name, life_function *life)
{
    bool failed = true;
    long i = 0;
    while (failed)
        try(name, life, ++i, &failed);
    assert_true(i > 5);
}

#define SERVICE(name)                                                                              \
    static void name##_life(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        every_request(#name, name);                                                                \
    }
SERVICE(traced)
SERVICE(measured)
SERVICE(profiled)
SERVICE(attached)
SERVICE(planned)

static int prepare(void **state)
{
    sample = good();
    pthread_barrier_init(&met, NULL, N);
    int status = make_folder(state);
    snprintf(trace_path, sizeof trace_path, "%s/trace.json", folder);
    write_file("profile.json", sample);
    return status;
}

static int clean(void **state)
{
    remove(path);
    remove(trace_path);
    return remove_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiled_life), cmocka_unit_test(traced_life),
        cmocka_unit_test(measured_life), cmocka_unit_test(attached_life),
        cmocka_unit_test(planned_life),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
