/* Tests the CPUs to which a machine binds its threads (the config's `cpus`): each thread may run on
 * the CPUs of its list and on no other, and a text that is no such list is refused. */
#include "kport.h"

#include "ports/carrier/cpus.h"
#include "tests/common/machine_common.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MOST 8

/* What the processors saw. */
struct seen {
    kp_proc *proc[MOST];
    struct kp_affinity on[MOST];
};

static int look(kp_proc *self, void *argument)
{
    struct seen *seen = argument;
    const int i = kp_processor(self);
    seen->proc[i] = self;
#ifndef KP_NO_AFFINITY
    if (sched_getaffinity(0, sizeof seen->on[i].set, (void *)seen->on[i].set) != 0)
        return kp_fail(self, "the system does not tell a thread's CPUs");
#endif
    return kp_barrier(kp_world(self));
}

static bool is_same(const struct kp_affinity *a, const struct kp_affinity *b)
{
    return memcmp(a->set, b->set, sizeof a->set) == 0;
}

/* Each processor may run on the CPUs of the list that is given for it. */
static void assert_bound(const kp_config *config, const char *const lists[])
{
    struct seen seen = {.proc = {NULL}};
    kp_report report;
    int status = kp_run(config, look, &seen, &report);
    assert_string_equal(report.error.sentence, "");
    assert_int_equal(status, 0);
    for (int i = 0; i < config->processors; i++) {
        struct kp_affinity wanted;
        kp_cpus_at(lists[i], 0, 1, &wanted);
        if (!is_same(&wanted, &seen.on[i]))
            fail_msg("processor %d of \"%s\" may not run on %s alone", i, config->cpus, lists[i]);
    }
}

static void threads_run_on_the_cpus_of_their_lists(void **state)
{
    char a[16], b[16], both[40], text[80];
    (void)state;
    if (!kp_pinning() || kp_allowed_cores() < 2)
        skip();
    snprintf(a, sizeof a, "%d", kp_core_at(0));
    snprintf(b, sizeof b, "%d", kp_core_at(1));
    snprintf(both, sizeof both, "%s,%s", a, b);
    kp_config config = {.processors = 2, .cpus = text};
    snprintf(text, sizeof text, "%s;%s", b, a);
    assert_bound(&config, (const char *const[]){b, a});
    config.processors = 5; /* more than lists: neighbours together, as a pinned machine has them */
    assert_bound(&config, (const char *const[]){b, b, b, a, a});
    config.processors = 3;
    config.wait = KP_WAIT_PARK;
    snprintf(text, sizeof text, "%s", both);
    assert_bound(&config, (const char *const[]){both, both, both});
    snprintf(text, sizeof text, "%s;%s;%s", both, a, b);
    config.pin = KP_PIN_ALWAYS;
    assert_bound(&config, (const char *const[]){both, a, b});
    if (kp_fibers()) {
        config = (kp_config){.processors = 6, .cpus = text, .carrier = KP_CARRIER_FIBERS};
        snprintf(text, sizeof text, "%s;%s", b, a);
        assert_bound(&config, (const char *const[]){b, b, b, a, a, a});
    }
}

/* Threads that share a core are known to the barrier only if each list is a core of its own, and
 * nobody spins where threads share one. */
static void the_machine_knows_which_threads_share_a_core(void **state)
{
    (void)state;
    const struct {
        const char *text;
        struct kp_cpus counts;
    } rows[] = {
        {"3", {1, 1, 1}},         {"1;0", {2, 2, 2}},     {"0-1", {1, 2, 0}},
        {"0-1;2-3", {2, 4, 0}},   {"0;0;1", {3, 2, 0}},   {"0,2-4,2", {1, 4, 0}},
        {"0;1;2,3", {3, 4, 0}},   {"7;6;5;4", {4, 4, 4}}, {"0-1023;5", {2, 1024, 0}},
        {"32767;0-3", {2, 5, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct kp_cpus found = kp_cpus_of(rows[i].text);
        assert_int_equal(found.lists, rows[i].counts.lists);
        assert_int_equal(found.cpus, rows[i].counts.cpus);
        assert_int_equal(found.cores, rows[i].counts.cores);
    }
    const struct kp_machine_config one = {.cpus = "0"};
    assert_int_equal(kp_cores_for(&one), 1);
}

static void assert_refused(const kp_config *config, const char *sentence)
{
    kp_machine *machine;
    assert_int_equal(kp_machine_create(config, &machine), KP_EARGUMENT);
    assert_null(machine);
    if (!strstr(kp_last_error()->sentence, sentence))
        fail_msg("\"%s\" does not have \"%s\"", kp_last_error()->sentence, sentence);
}

static void what_is_no_list_is_refused(void **state)
{
    static const char *const wrong[] = {
        "",     "a",    "0;",   ";0",    "0,", "-1",
        "1-0",  "0--1", "0 ;1", "32768", "0-", "99999999999999999999",
        "0;;1", "0x1",  "{0}",  "0:2",   ",0", "0-1-2"};
    (void)state;
    kp_config config = {.processors = 2};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char sentence[160];
        snprintf(sentence, sizeof sentence, "cpus is \"%s\"", wrong[i]);
        config.cpus = wrong[i];
        assert_refused(&config, sentence);
    }
    if (!kp_pinning())
        skip();
    config.cpus = "0;32767";
    assert_refused(&config, "cpus has CPU 32767; it may have the CPUs that this process may use: ");
    config.pin = KP_PIN_NEVER;
    assert_refused(&config, "pin is 2 and cpus \"0;32767\"; with cpus pin may be 0 or 1");
    config = (kp_config){.cpus = "0", .carrier = KP_CARRIER_MPI};
    assert_refused(&config, "mpirun binds the processes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_run_on_the_cpus_of_their_lists),
        cmocka_unit_test(the_machine_knows_which_threads_share_a_core),
        cmocka_unit_test(what_is_no_list_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
