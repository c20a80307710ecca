/* Tests that the verification of `kport run barrier` detects a processor that leaves the barrier
 * too early. */
#include "tests/common/machine_common.h"

#include "kport.h"
#include "tools/kport/run/barrier.h"

#define N     4
#define CALLS 50
#define AT    20 /* the call in which processor `early` does not wait */

static struct barrier_count count;
static uint64_t passed[N]; /* for each processor, the calls that barrier_verify has counted */
static int early;          /* the processor that leaves too early; -1: none */
static atomic_int gone;    /* whether `early` has left the call and has looked who has arrived */

/* The barrier under test. In call AT, `early` does not wait, and the others arrive only after it
 * has left. */
static int barrier(kp_group *world, const kp_hints *hints)
{
    (void)hints;
    int me = kp_rank(world);
    if (me == early && passed[me] == AT)
        return 0;
    int status = kp_barrier(world);
    while (early >= 0 && me != early && passed[me] == AT - 1 && !atomic_load(&gone))
        sched_yield();
    return status;
}

static int program(kp_proc *self, void *arg)
{
    int me = kp_processor(self);
    (void)arg;
    int status = barrier_verify(&count, kp_world(self), barrier, NULL, CALLS, &passed[me]);
    if (me == early)
        atomic_store(&gone, 1);
    return status;
}

static int run(int who, kp_report *report)
{
    kp_config config = {.processors = N, .ports = 1};
    early = who;
    atomic_store(&gone, 0);
    atomic_store(&count.come, 0);
    memset(passed, 0, sizeof passed);
    return kp_run(&config, program, NULL, report);
}

static void nobody_leaves(void **state)
{
    kp_report report;
    (void)state;
    assert_good(run(-1, &report), &report);
    for (int i = 0; i < N; i++)
        assert_int_equal(passed[i], CALLS);
}

static void one_leaves(void **state)
{
    (void)state;
    for (int who = 0; who < N; who++) {
        kp_report report;
        assert_int_equal(run(who, &report), KP_EFAILED);
        assert_non_null(strstr(report.error.sentence, "left the barrier before all had come"));
        assert_int_equal(report.error.processor, who);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST(nobody_leaves), TEST(one_leaves)};
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
