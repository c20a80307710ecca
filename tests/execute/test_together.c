/* Tests threads that are kept on cores which they share. The last thread of a core to arrive copies
 * for all threads of the core. That thread must write exactly what each thread would have written
 * itself. */
#include "kport.h"
#include "kport/trace.h"
#include "ports/machine_data.h"
#include "ports/sync/sync.h"
#include "ports/without.h"
#include "tools/kport/common/operation_call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/common/sanitized.h"

#define BLOCK 20011 /* in bytes; too long to be packed, and a prime number */
#define CALLS 5

enum planned {
    NOBODY,
    EVEN, /* the members with even ranks */
    ODD
};

struct job {
    kp_operation operation;
    int ports, root;
    bool in_place, exchanges; /* whether a round of kp_exchange comes first */
    enum planned planned;     /* the members that have a plan */
    const char *algorithm;
    kp_trace *trace;
};

static const kp_operation operations[] = {KP_INDEX, KP_CONCAT, KP_BROADCAST, KP_SCATTER, KP_GATHER};
#define OPERATIONS (sizeof operations / sizeof operations[0])

/* Returns byte i of the block that `from` has for `to` in a call. */
static char byte_of(int from, int to, int call, size_t i)
{
    return (char)((size_t)from * 31 + (size_t)to * 7 + (size_t)call * 101 + i * 13 + i / 251);
}

static void fill(char *block, int from, int to, int call)
{
    for (size_t i = 0; i < BLOCK; i++)
        block[i] = byte_of(from, to, call, i);
}

static bool holds(const char *block, int from, int to, int call)
{
    for (size_t i = 0; i < BLOCK; i++) {
        if (block[i] != byte_of(from, to, call, i))
            return false;
    }
    return true;
}

/* Returns how many blocks a member sends: one for each member, or one for all. */
static int blocks_out(const struct job *job, int me, int n)
{
    return job->operation == KP_INDEX || (job->operation == KP_SCATTER && me == job->root) ? n : 1;
}

static int blocks_in(const struct job *job, int me, int n)
{
    bool all = job->operation == KP_INDEX || job->operation == KP_CONCAT;
    return all || (job->operation == KP_GATHER && me == job->root) ? n : 1;
}

static kp_arguments arguments_of(const struct job *job, char *out, char *in)
{
    return (kp_arguments){
        .operation = job->operation, .out = out, .in = in, .b = BLOCK, .root = job->root};
}

static int carry_out(const struct job *job, kp_group *world, char *out, char *in, kp_plan *plan)
{
    kp_arguments a = arguments_of(job, out, in);
    kp_hints hints = {0};
    if (plan)
        return kp_plan_execute(plan);
    if (job->algorithm && kp_hints_parse(KP_INDEX, job->algorithm, &hints))
        return kp_last_error()->status;
    if (job->operation == KP_INDEX)
        a.hints = &hints;
    if (job->operation == KP_BROADCAST && kp_rank(world) == job->root)
        memcpy(in, out, BLOCK);
    if (job->in_place) {
        memcpy(in, out, (size_t)kp_size(world) * BLOCK);
        a.out = KP_IN_PLACE;
    }
    return operation_call(world, &a);
}

static int make_plan(const struct job *job, kp_group *world, char *out, char *in, kp_plan **plan)
{
    kp_arguments a = arguments_of(job, out, in);
    return kp_plan_make(world, &a, plan);
}

static bool is_right(const struct job *job, const char *in, int me, int n, int call)
{
    int blocks = blocks_in(job, me, n), from_root = blocks == 1;
    for (int i = 0; i < blocks; i++) {
        int from = from_root ? job->root : i;
        int to = job->operation == KP_INDEX || job->operation == KP_SCATTER ? me : 0;
        if (!holds(in + (size_t)i * BLOCK, from, to, call))
            return false;
    }
    return true;
}

static int calls(kp_proc *self, void *argument)
{
    const struct job *job = argument;
    kp_group *world = kp_world(self);
    int me = kp_rank(world), n = kp_size(world), status = 0;
    int outs = blocks_out(job, me, n), ins = blocks_in(job, me, n);
    char *out = malloc((size_t)outs * BLOCK), *in = malloc((size_t)ins * BLOCK);
    char *before = calloc((size_t)n + 1, BLOCK);
    if (!out || !in || !before)
        status = kp_fail(self, "no memory");
    if (!status && job->exchanges)
        status = kp_exchange(world, NULL, 0, NULL, 0);
    /* Work that an earlier call published must not be done again in this call. */
    for (int i = 0; i < 2 && !status && job->planned != NOBODY; i++)
        status = kp_concat(world, before + (size_t)n * BLOCK, before, BLOCK, NULL);
    memset(before, 1, (size_t)(before ? n : 0) * BLOCK);
    kp_plan *plan = NULL;
    if (!status && job->planned == (me % 2 == 0 ? EVEN : ODD))
        status = make_plan(job, world, out, in, &plan);
    for (int call = 0; call < CALLS && !status; call++) {
        for (int to = 0; to < outs; to++)
            fill(out + (size_t)to * BLOCK, me, to, call);
        memset(in, 0x5a, (size_t)ins * BLOCK);
        status = carry_out(job, world, out, in, plan);
        bool looks = job->operation != KP_GATHER || me == job->root;
        if (!status && looks && !is_right(job, in, me, n, call))
            status = kp_fail(self, "wrong bytes");
    }
    for (size_t i = 0; i < (size_t)n * BLOCK && !status; i++)
        status = before[i] == 1 ? 0 : kp_fail(self, "a call before has written now");
    free(before);
    if (plan && kp_plan_free(plan) && !status)
        status = kp_fail(self, "the plan could not be freed");
    free(out);
    free(in);
    return status;
}

/* Returns how often a thread has copied for all of its core set, added up over the core sets. */
static unsigned turns_of(const kp_machine *machine)
{
    unsigned turns = 0;
    for (int i = 0; machine->world->core_sets && i < machine->cores; i++)
        turns += machine->world->core_sets[i].turns;
    return turns;
}

static unsigned run(struct job job, int n)
{
    kp_machine *machine;
    kp_report report;
    kp_config config = {
        .processors = n, .ports = job.ports, .pin = 1, .wait = KP_WAIT_YIELD, .trace = job.trace};
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    int status = kp_machine_run(machine, calls, &job, &report);
    assert_string_equal(report.error.sentence, "");
    assert_int_equal(status, 0);
    unsigned turns = turns_of(machine);
    assert_int_equal(kp_machine_destroy(machine), 0);
    return turns;
}

/* Returns whether the library is built with all that this way of copying needs. Otherwise each
 * thread copies for itself. */
static bool anybody_copies_for_all(void)
{
    return KP_HAS(TOGETHER) && KP_HAS(CORE_SETS) && KP_HAS(KEPT_CODE);
}

/* Returns the number of cores on which threads can be kept; 0: threads cannot be kept, or there is
 * one core. */
static int cores_to_share(void)
{
    int cores = kp_allowed_cores();
    return kp_pinning() && cores > 1 ? cores : 0;
}

/* In a call of one round, one thread of every core set must copy for all, in every call. */
static void one_copies_for_all_of_a_core(void **state)
{
    (void)state;
    int cores = cores_to_share();
    if (cores == 0)
        skip();
    for (int n = 2 * cores; n <= 3 * cores + 1; n += SANITIZED ? cores + 1 : 1) {
        struct job job = {.ports = n - 1, .root = n / 3};
        for (size_t i = 0; i < 2 * OPERATIONS; i++) {
            job.operation = operations[i % OPERATIONS];
            job.exchanges = i >= OPERATIONS;
            bool packed = job.operation == KP_BROADCAST && KP_HAS(LONG_BUFFER);
            assert_int_equal(run(job, n), packed || !anybody_copies_for_all() ? 0 : CALLS * cores);
        }
    }
}

/* Makes calls with every number of ports up to n - 2, which take several rounds, and with every
 * root. All results must be right. */
static void the_rest_is_as_ever(void **state)
{
    (void)state;
    int cores = cores_to_share();
    if (cores == 0)
        skip();
    /* Sanitizers see each kind of call, by fewer numbers of processors, ports and roots. */
    for (int n = 2 * cores; n <= 2 * cores + 3; n += SANITIZED ? 3 : 1) {
        struct job job = {.root = n - 1};
        for (job.ports = 1; job.ports < n - 1; job.ports += SANITIZED ? n - 3 : 1) {
            for (size_t i = 0; i < OPERATIONS; i++) {
                job.operation = operations[i];
                (void)run(job, n);
            }
            (void)run((struct job){.operation = KP_INDEX, .ports = job.ports, .in_place = true}, n);
        }
        for (job.root = 0; job.root < n; job.root += SANITIZED ? n - 1 : 1) {
            for (size_t i = 0; i < OPERATIONS; i++) {
                job.operation = operations[i];
                (void)run(job, n);
            }
        }
    }
}

/* One thread must copy for all, whether its own call and those of the others are plans or not. */
static void some_have_plans_and_some_have_none(void **state)
{
    (void)state;
    static const kp_operation described[] = {KP_INDEX, KP_CONCAT, KP_SCATTER, KP_GATHER};
    int cores = cores_to_share();
    if (cores == 0 || !anybody_copies_for_all())
        skip();
    for (int n = 2 * cores; n <= 3 * cores + 1; n += SANITIZED ? cores + 1 : 1) {
        for (size_t i = 0; i < 8; i++) {
            struct job job = {.operation = described[i / 2], .ports = n - 1};
            job.planned = i % 2 ? EVEN : ODD;
            int before = 2 * cores; /* the copies for whole cores in the two earlier calls */
            assert_int_equal((int)run(job, n) - before, CALLS * cores);
        }
    }
}

/* Each thread must copy for itself in a round that is not the last, and in a call whose times are
 * traced. */
static void some_work_is_ones_own(void **state)
{
    (void)state;
    int cores = cores_to_share(), n = 3 * cores;
    struct job job = {.operation = KP_INDEX, .ports = 1, .algorithm = "literal,r=2"};
    if (cores == 0)
        skip();
    assert_int_equal(run(job, n), 0);
    job = (struct job){.operation = KP_INDEX, .ports = n - 1};
    assert_int_equal(kp_trace_create(0, &job.trace), 0);
    assert_int_equal(run(job, n), 0);
    assert_int_equal(kp_trace_free(job.trace), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_copies_for_all_of_a_core),
        cmocka_unit_test(the_rest_is_as_ever),
        cmocka_unit_test(some_work_is_ones_own),
        cmocka_unit_test(some_have_plans_and_some_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
