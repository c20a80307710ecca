/* Tests functions inside ports/: the slots in which kp_exchange stores messages, waiting, keeping
 * threads on cores, and the list of groups. */
#include "kport.h"
#include "ports/machine_data.h"
#include "ports/slot.h"
#include "ports/sync/sync.h"
#include "ports/without.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- Slots --- */

static void a_slot_keeps_short_messages_and_describes_long_ones(void **state)
{
    (void)state;
    struct kp_slot slot;
    char message[200], room[200] = {0};
    memset(message, 'm', sizeof message);
    assert_false(kp_slot_post(&slot, 7, 3, message, KP_SLOT_PAYLOAD, NULL));
    assert_ptr_equal(slot.data, slot.payload);
    assert_memory_equal(slot.data, message, KP_SLOT_PAYLOAD);
    assert_false(kp_slot_post(&slot, 7, 3, message, sizeof message, room));
    assert_ptr_equal(slot.data, room);
    assert_memory_equal(room, message, sizeof message);
    assert_true(kp_slot_post(&slot, 7, 3, message, sizeof message, NULL));
    assert_ptr_equal(slot.data, message);
    assert_true(kp_slot_holds(&slot, 7, 3));
    assert_false(kp_slot_holds(&slot, 5, 3));
    assert_false(kp_slot_holds(&slot, 7, 2));
    assert_int_not_equal(slot.taken, 7);
}

/* --- Waiting --- */

struct waiting {
    struct kp_wait_word word;
    struct kp_waiter waiter;
    uint32_t got;
};

static void *wait_once(void *argument)
{
    struct waiting *w = argument;
    w->got = kp_wait_change(&w->word, 0, &w->waiter);
    return NULL;
}

static void every_way_of_waiting_sees_the_change(void **state)
{
    (void)state;
    static const struct kp_waiter ways[] = {
        {.spins = 0, .yields = 0}, {.spins = 0, .yields = 16}, {.spins = 1000, .yields = 16}};
    for (int i = 0; i < 300; i++) {
        struct waiting *w = aligned_alloc(KP_CACHE_LINE, sizeof *w);
        pthread_t thread;
        memset(w, 0, sizeof *w);
        w->waiter = ways[i % 3];
        assert_int_equal(pthread_create(&thread, NULL, wait_once, w), 0);
        atomic_fetch_add_explicit(&w->word.value, 5, KP_ORDER_PUBLISH);
        kp_wake_all(&w->word);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(w->got, 5);
        assert_int_equal(atomic_load(&w->word.sleepers), 0);
        free(w);
    }
}

static void a_wait_ends_with_its_time_limit(void **state)
{
    (void)state;
    struct waiting *w = aligned_alloc(KP_CACHE_LINE, sizeof *w);
    memset(w, 0, sizeof *w);
    w->waiter = (struct kp_waiter){.yields = 1, .limit_ms = 5};
    wait_once(w);
    assert_int_equal(w->got, 0);
    free(w);
}

/* --- Keeping threads on cores --- */

/* Divides 0 ... all - 1 into `blocks` ranges whose lengths differ by at most one. Returns the range
 * of i. */
static int block_of(int i, int all, int blocks)
{
    int block = 0;
    while ((block + 1) * all <= i * blocks)
        block++;
    return block;
}

/* `argument` has the numbers of the allowed cores. A thread that is kept on a core may run on no
 * other. */
static int on_its_core(kp_proc *self, void *argument)
{
    (void)self, (void)argument;
#ifndef KP_NO_AFFINITY
    cpu_set_t set;
    const int *numbers = argument;
    int threads = kp_size(kp_world(self));
    int core = numbers[block_of(kp_processor(self), threads, threads / 2)];
    if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) != 1 ||
        core >= CPU_SETSIZE || !CPU_ISSET((size_t)core, &set))
        return kp_fail(self, "the thread may run elsewhere than on its core");
#endif
    return 0;
}

static void threads_are_pinned_if_asked(void **state)
{
    (void)state;
    int cores = kp_pinning() ? kp_allowed_cores() : 1;
    int *numbers = malloc((size_t)cores * sizeof *numbers);
    for (int i = 0; i < cores; i++)
        numbers[i] = kp_core_at(i);
    kp_config config = {.processors = 2 * cores + 1, .pin = 1};
    kp_report report;
    int status = kp_run(&config, on_its_core, numbers, &report);
    free(numbers);
    if (kp_pinning()) {
        assert_string_equal(report.error.sentence, "");
        assert_int_equal(status, 0);
    } else {
        assert_int_equal(status, KP_EARGUMENT);
        assert_non_null(strstr(report.error.sentence, "pin is 1"));
    }
    config.pin = 3;
    assert_int_equal(kp_run(&config, on_its_core, NULL, &report), KP_EARGUMENT);
    assert_string_equal(report.error.sentence, "pin is 3; it may be 0 ... 2");
}

static void a_thread_leaves_its_core_and_may_come_back(void **state)
{
    (void)state;
    const int cores = kp_allowed_cores();
    kp_leave_core(-1); /* this thread is not there */
    for (int i = 0; i < cores; i++) {
        const int core = kp_core_at(i);
        kp_leave_core(core);
        assert_int_equal(kp_allowed_cores(), cores);
    }
#ifndef KP_NO_AFFINITY
    cpu_set_t one;
    const int core = kp_core_here();
    assert_true(core >= 0);
    CPU_ZERO(&one);
    CPU_SET((size_t)core, &one);
    cpu_set_t all;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    if (sched_setaffinity(0, sizeof one, &one) == 0) {
        kp_leave_core(core); /* there is no other core */
        assert_int_equal(kp_core_here(), core);
        assert_int_equal(kp_allowed_cores(), 1);
        assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    }
#else
    assert_int_equal(kp_core_here(), -1);
#endif
}

#ifndef KP_NO_AFFINITY

struct meeting {
    bool uneven;
    int cores;
    _Atomic int free_ones;
};

static bool is_kept(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1;
}

/* Computes until the machine no longer keeps this thread on a core, for at most 200 s. */
static void compute_while_kept(void)
{
    struct timespec begun, now;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (is_kept() && now.tv_sec - begun.tv_sec < 200);
}

/* If `uneven`, the threads of the first core compute while the threads of the other cores only
 * wait. This ends when the machine no longer keeps any thread on a core. */
static int unequal_work(kp_proc *self, void *argument)
{
    struct meeting *meeting = argument;
    kp_group *world = kp_world(self);
    int n = kp_size(world), me = kp_processor(self);
    if (meeting->uneven && block_of(me, n, meeting->cores) == 0)
        compute_while_kept();
    int status = kp_barrier(world);
    if (meeting->uneven)
        compute_while_kept(); /* another thread may not have seen yet that it is no longer kept */
    if (kp_allowed_cores() != meeting->cores)
        return kp_fail(self, "a thread that is kept on a core takes it for all there are");
    if (!status && !is_kept())
        meeting->free_ones++;
    return status;
}

static int free_after(kp_config config, bool uneven)
{
    struct meeting meeting = {.uneven = uneven, .cores = kp_allowed_cores()};
    assert_int_equal(kp_run(&config, unequal_work, &meeting, NULL), 0);
    return meeting.free_ones;
}

/* With many threads for each core, the machine keeps its threads on cores. Once all threads of a
 * core only wait, the machine stops keeping any of its threads. */
static void threads_are_kept_while_cores_have_work(void **state)
{
    (void)state;
    int cores = kp_allowed_cores(), n = 3 * cores;
    if (cores < 2 || kp_cores() != cores || !KP_HAS(KEPT_ON_CORES))
        skip();
    /* If other programs need the cores, the machine may stop keeping its threads too. So this check
     * is repeated. */
    int tries = 50;
    while (tries > 0 && free_after((kp_config){.processors = n}, false) > 0)
        tries--;
    assert_true(tries > 0);
    assert_int_equal(free_after((kp_config){.processors = n}, true), n);
    assert_int_equal(free_after((kp_config){.processors = n, .pin = KP_PIN_NEVER}, false), n);
    assert_int_equal(free_after((kp_config){.processors = n, .wait = KP_WAIT_PARK}, false), n);
    assert_int_equal(free_after((kp_config){.processors = cores}, false), cores);
}

/* A machine that has stopped keeping its threads on cores does not keep them in later runs
 * either. */
static void threads_that_were_let_go_stay_free(void **state)
{
    (void)state;
    int cores = kp_allowed_cores(), n = 2 * cores;
    if (cores < 2 || kp_cores() != cores || !KP_HAS(KEPT_ON_CORES))
        skip();
    kp_machine *machine;
    struct meeting meeting = {.uneven = true, .cores = cores};
    assert_int_equal(kp_machine_create(&(kp_config){.processors = n}, &machine), 0);
    assert_int_equal(kp_machine_run(machine, unequal_work, &meeting, NULL), 0);
    assert_int_equal(meeting.free_ones, n);
    meeting.uneven = false;
    assert_int_equal(kp_machine_run(machine, unequal_work, &meeting, NULL), 0);
    assert_int_equal(meeting.free_ones, 2 * n);
    assert_int_equal(kp_machine_destroy(machine), 0);
}

#endif

/* Returns the number of threads in the first core set; 0: the machine has no core sets. */
static int core_sets_of(kp_config config)
{
    kp_machine *machine;
    int together = 0;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    const struct kp_shared *world = machine->world;
    for (int i = 0; i < world->size && world->core_sets; i++) {
        const struct kp_core_set *set = world->members[i].core_set;
        assert_int_equal(set - world->core_sets, block_of(i, world->size, kp_allowed_cores()));
        assert_int_equal(world->members[i].sync, KP_SYNC_CORE_SETS);
        together += set == world->core_sets;
    }
    assert_int_equal(kp_machine_destroy(machine), 0);
    return together;
}

static void those_of_a_core_come_together(void **state)
{
    (void)state;
    int cores = kp_allowed_cores();
    if (!kp_pinning() || cores < 2)
        skip(); /* with one core all threads are in one core set */
    kp_config config = {.processors = 3 * cores, .pin = 1, .wait = KP_WAIT_YIELD};
    const int together = KP_HAS(CORE_SETS) ? 3 : 0; /* a library may be built without core sets */
    assert_int_equal(core_sets_of(config), together);
    config.wait = KP_WAIT_PARK;
    assert_int_equal(core_sets_of(config), together);
    config.wait = KP_WAIT_SPIN;
    assert_int_equal(core_sets_of(config), 0);
    config = (kp_config){.processors = 3 * cores, .wait = KP_WAIT_YIELD, .pin = KP_PIN_NEVER};
    assert_int_equal(core_sets_of(config), 0);
    config = (kp_config){.processors = cores + 1, .pin = 1, .wait = KP_WAIT_YIELD};
    assert_int_equal(core_sets_of(config), 0);
}

/* --- Groups --- */

#define RUNS 3

static kp_group *kept[2];
static kp_plan *plans[2];

/* A processor that was lost has not freed its groups and plans. In the next run their handles must
 * be invalid. */
static int take_and_keep(kp_proc *self, void *run)
{
    static const int both[] = {1, 0};
    static uint64_t out[2][2], in[2][2];
    int me = kp_processor(self), old = KP_EENDED;
    if (*(int *)run > 0) {
        old = kp_barrier(kept[me]);
        old = old == KP_EENDED ? kp_plan_execute(plans[me]) : old;
        if (old != KP_EENDED || kp_plan_free(plans[me]) != KP_OK)
            return kp_fail(self, "a handle of the last run was taken");
    }
    kp_arguments arguments = {
        .operation = KP_INDEX, .out = out[me], .in = in[me], .b = sizeof out[me][0]};
    int status = kp_group_create(self, both, 2, &kept[me]);
    status = status ? status : kp_plan_make(kept[me], &arguments, &plans[me]);
    return status ? status : kp_plan_execute(plans[me]);
}

static void members_end_with_the_run(void **state)
{
    (void)state;
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&(kp_config){.processors = 2}, &machine), KP_OK);
    for (int run = 0; run < RUNS; run++) {
        kp_report report;
        if (kp_machine_run(machine, take_and_keep, &run, &report))
            fail_msg("run %d: %s", run, report.error.sentence);
        assert_non_null(machine->groups);
        assert_ptr_equal(machine->groups->next, machine->world);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(kp_plan_free(plans[i]), KP_OK);
    assert_int_equal(kp_machine_destroy(machine), KP_OK);
}

static void all_processors_of_an_ordinary_machine_are_here(void **state)
{
    (void)state;
    kp_machine *machine;
    const char *network = "none";
    int first = -1;
    assert_int_equal(kp_machine_create(&(kp_config){.processors = 3}, &machine), KP_OK);
    assert_int_equal(kp_port_machine_here(machine, &first, &network), 3);
    assert_int_equal(first, 0);
    assert_null(network);
    assert_int_equal(kp_machine_destroy(machine), KP_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slot_keeps_short_messages_and_describes_long_ones),
        cmocka_unit_test(members_end_with_the_run),
        cmocka_unit_test(all_processors_of_an_ordinary_machine_are_here),
        cmocka_unit_test(every_way_of_waiting_sees_the_change),
        cmocka_unit_test(a_wait_ends_with_its_time_limit),
        cmocka_unit_test(threads_are_pinned_if_asked),
        cmocka_unit_test(a_thread_leaves_its_core_and_may_come_back),
#ifndef KP_NO_AFFINITY
        cmocka_unit_test(threads_are_kept_while_cores_have_work),
        cmocka_unit_test(threads_that_were_let_go_stay_free),
#endif
        cmocka_unit_test(those_of_a_core_come_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
