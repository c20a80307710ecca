/* Tests that no wake-up is lost when a worker arms its queue of waiting fibers
 * (ports/carrier/fibers_run.c; tests/models/queues.pml). A worker that arms a queue asks the thread
 * that next changes the episode word to post the queue to this worker. The post wakes the worker.
 * Here another thread changes the word and looks for armed queues while a worker is arming one. The
 * test holds threads at the points of ports/test_point.h, so that the events have a fixed order.
 *
 * There are three workers with one processor each. Worker 0 has armed its queue and sleeps. Worker
 * 1 is held while it arms its queue. Processor 2 completes the episode and posts the queue of
 * worker 0. Then processor 2 is held until worker 0 has armed its queue for the next episode and
 * sleeps. After that, processor 2 looks at the queue of worker 1. Then it fails the group, which
 * must wake processor 0. Only after that worker 1 continues. */
#include "tests/common/machine_common.h"

#include "kport.h"
#include "ports/carrier/fibers.h"
#include "ports/test_point.h"

#define NAPS 50000 /* the test gives up after so many naps of at least 100 us */

static _Atomic(struct kp_wait_word *) word; /* the word that counts the world's episodes */
static atomic_bool one_arms, is_over, is_back[3];

/* --- Conditions for which threads wait --- */

static bool zero_sleeps(void)
{
    const struct kp_wait_queue *queue = &atomic_load(&word)->queues[0];
    return atomic_load(&queue->state) == KP_QUEUE_ARMED && atomic_load(&queue->worker->parked);
}

static bool one_is_held(void)
{
    return atomic_load(&one_arms);
}

static bool all_is_over(void)
{
    return atomic_load(&is_over);
}

static bool zero_is_back(void)
{
    return atomic_load(&is_back[0]);
}

static bool one_is_back(void)
{
    return atomic_load(&is_back[1]);
}

static bool comes_true(bool (*condition)(void))
{
    for (int i = 0; i < NAPS; i++) {
        if (condition())
            return true;
        nap(100);
    }
    return false;
}

/* --- The points at which threads are held --- */

static bool slept_again, was_woken;

void kp_test_point_arming(const struct kp_wait_queue *queue)
{
    if (queue->word == atomic_load(&word) && queue->worker->index == 1 &&
        !atomic_exchange(&one_arms, true))
        (void)comes_true(all_is_over);
}

void kp_test_point_waking(const struct kp_wait_queue *queue)
{
    if (queue->word == atomic_load(&word) && queue->worker->index == 1 && !slept_again)
        slept_again = comes_true(zero_sleeps);
}

/* --- The program --- */

/* The program of processor 2. If no thread has woken processor 0, processor 2 wakes it at the end,
 * so that the run can end. */
static int passes_and_fails(kp_proc *self)
{
    NEED(self, comes_true(one_is_held));
    NEED(self, comes_true(zero_sleeps));
    NEED(self, kp_barrier(kp_world(self)) == 0);
    int status = kp_fail(self, "on purpose");
    was_woken = comes_true(zero_is_back);
    atomic_store(&is_over, true);
    if (!was_woken && comes_true(one_is_back))
        kp_fiber_wake(atomic_load(&word));
    return status;
}

static int program(kp_proc *self, void *arg)
{
    int me = kp_processor(self);
    (void)arg;
    atomic_store(&word, &kp_world(self)->shared->generation);
    if (me == 2)
        return passes_and_fails(self);
    NEED(self, kp_barrier(kp_world(self)) == 0);
    int status = kp_barrier(kp_world(self));
    atomic_store(&is_back[me], true);
    return keep(self, status);
}

static void a_queue_is_armed_while_others_are_posted(void **state)
{
    kp_report report;
    kp_config config = {
        .processors = 3, .carrier = KP_CARRIER_FIBERS, .workers = 3, .wait = KP_WAIT_PARK};
    (void)state;
    assert_int_equal(kp_run(&config, program, NULL, &report), KP_EFAILED);
    assert_string_equal(report.error.sentence, "processor 2: on purpose");
    assert_true(slept_again);
    assert_true(was_woken);
    assert_outcome(0, KP_EFAILED, 2);
    assert_outcome(1, KP_EFAILED, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(a_queue_is_armed_while_others_are_posted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
