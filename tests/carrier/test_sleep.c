/* Tests processors that sleep and yield (ports/face.h): others of the same worker go on meanwhile,
 * and a processor that sleeps is no part of a deadlock. */
#include "tests/common/diagnosis_common.h"

#include "ports/face.h"

#include <stdatomic.h>

#define N 6

static _Atomic int turn;

/* Sleeps, and counts what is left of the time. */
static void rest(uint64_t nanoseconds)
{
    const struct timespec left = {.tv_nsec = (long)kp_face_sleep(nanoseconds)};
    if (left.tv_nsec > 0)
        nanosleep(&left, NULL);
}

/* The processors have their turns from the last to the first, and know it only by looking. On one
 * worker nobody has a turn if those that look keep the worker. */
static int by_turns(kp_proc *self, void *yields)
{
    kp_group *world = kp_world(self);
    for (int i = 0; i < 20; i++) {
        const int mine = i * N + N - 1 - kp_rank(world);
        while (turn != mine) {
            if (yields)
                NEED(self, kp_face_yield());
            else
                rest(20000);
        }
        turn++;
    }
    return kp_barrier(world);
}

static kp_config fibers(int workers, uint64_t seed)
{
    return (kp_config){
        .processors = N, .carrier = KP_CARRIER_FIBERS, .workers = workers, .seed = seed};
}

static void others_go_on(void **state)
{
    (void)state;
    for (int way = 0; way < 6; way++) {
        const kp_config config = fibers(way % 3 == 1 ? 2 : 1, way % 3 == 2 ? 7 : 0);
        turn = 0;
        const int status = kp_run(&config, by_turns, way < 3 ? NULL : &turn, &report);
        assert_good(status, &report);
    }
}

/* While processor 0 sleeps, all others wait for it: no deadlock, also where they have a time limit
 * that is longer. Then all wait: a deadlock. */
static int late(kp_proc *self, void *deadlock)
{
    kp_group *world = kp_world(self);
    int word = 1;
    if (kp_rank(world) == 0)
        rest(30000000);
    NEED(self, kp_broadcast(world, &word, sizeof word, 0, NULL) == 0);
    if (kp_rank(world) == 0)
        rest(1000000);
    return deadlock ? kp_receive(world, &word, sizeof word, (kp_rank(world) + 1) % N, 1, NULL) : 0;
}

static void no_deadlock(void **state)
{
    (void)state;
    for (int way = 0; way < 12; way++) {
        const struct machine *on = &machines[way % 6 % MACHINES];
        const bool deadlock = way >= 6;
        if (!can_be(on))
            continue;
        const int status = run_on(on, N, 20000, late, deadlock ? &turn : NULL);
        if (!deadlock)
            assert_good(status, &report);
        else
            assert_int_equal(status, KP_EDEADLOCK);
    }
}

/* --- Who may not sleep so --- */

static _Atomic int applied, wrong;

static void combine(void *to, const void *left, const void *right, size_t count, void *context)
{
    (void)context;
    for (size_t i = 0; i < count; i++) {
        ((int32_t *)to)[i] = ((const int32_t *)left)[i] + ((const int32_t *)right)[i];
    }
    applied++;
    wrong |= kp_face_sleep(7) != 7 || kp_face_yield();
}

static int in_a_call(kp_proc *self, void *arg)
{
    static const kp_operator sum = {.combine = combine};
    int32_t one = 1, all = 0;
    (void)arg;
    NEED(self, kp_allreduce(kp_world(self), &one, &all, 1, KP_INT32, &sum, NULL) == 0 && all == N);
    return 0;
}

static int on_a_thread(kp_proc *self, void *arg)
{
    (void)arg;
    NEED(self, kp_face_sleep(7) == 7 && !kp_face_yield());
    return 0;
}

static void not_everywhere(void **state)
{
    (void)state;
    const kp_config on_fibers = fibers(2, 0), on_threads = {.processors = N};
    assert_good(kp_run(&on_fibers, in_a_call, NULL, &report), &report);
    assert_true(applied > 0 && !wrong);
    assert_good(kp_run(&on_threads, on_a_thread, NULL, &report), &report);
    assert_true(kp_face_sleep(7) == 7 && !kp_face_yield());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(others_go_on),
        TEST(no_deadlock),
        TEST(not_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
