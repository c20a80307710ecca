#include "tools/kport/run/barrier.h"

#include "tools/kport/run/batch.h"

/* Makes a barrier. No processor may leave it, by the clock, before the last one has arrived. */
static int verify_by_clock(kp_group *world, barrier_call *barrier, const kp_hints *hints)
{
    const int64_t arrived = batch_now_ns();
    int status = barrier(world, hints);
    const int64_t own[2] = {arrived, -batch_now_ns()};
    int64_t last[2];
    if (!status)
        status = kp_allreduce(world, own, last, 2, KP_INT64, KP_MAXIMUM, NULL);
    if (!status && -last[1] < last[0])
        status = kp_fail(kp_group_self(world), "a processor left the barrier before all had come");
    return status;
}

/* Detects every processor that leaves a barrier too early. The proof: let P be the first processor
 * that leaves its b-th barrier before all n processors have arrived at that barrier. At that time
 * no processor has arrived at a later barrier. So each processor has arrived at most b times, and
 * at least one processor has arrived fewer times. So `come` < b * n, and the test below fails. */
int barrier_verify(struct barrier_count *count, kp_group *world, barrier_call *barrier,
                   const kp_hints *hints, uint64_t calls, uint64_t *passed)
{
    uint64_t n = (uint64_t)kp_size(world);
    int status = 0;
    for (uint64_t i = 0; i < calls && !status && count->spread; i++)
        status = verify_by_clock(world, barrier, hints);
    for (uint64_t i = 0; i < calls && !status && !count->spread; i++) {
        /* The accesses are relaxed, because the barrier that is tested must order them. */
        atomic_fetch_add_explicit(&count->come, 1, memory_order_relaxed);
        status = barrier(world, hints);
        uint64_t come = atomic_load_explicit(&count->come, memory_order_relaxed);
        ++*passed;
        if (!status && come < *passed * n)
            status = kp_fail(kp_group_self(world), "it left the barrier before all had come");
    }
    return status;
}
