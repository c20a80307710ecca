/* The calls that are a single round: barrier and send_recv. */
#include "kport.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define N 5

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
        cmocka_unit_test(nobody_passes_a_barrier_early),
        cmocka_unit_test(send_and_receive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
