#include "tools/kport/run/batch.h"

#include "lib/problem/operation.h"
#include "tools/kport/common/operation_call.h"

#include <stdlib.h>
#include <time.h>

int64_t batch_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int batch_meet(kp_group *group)
{
    return kp_barrier(group);
}

bool batch_call_is_met(const kp_problem *problem)
{
    const struct kp_operation_row *row = kp_operation_row(problem->operation);
    bool scans = row->operands && row->operands(2, 0).end < 2; /* processor 0 needs no other's */
    return !kp_operation_has_root(problem->operation) && !scans;
}

bool batch_may_repeat(const kp_problem *problem)
{
    return !problem->in_place || !kp_operation_row(problem->operation)->copied_in_place;
}

/* Returns the number of calls in all samples before `sample`. The sizes of two samples differ by at
 * most one call. */
static uint64_t calls_before(const struct batch *batch, uint64_t sample)
{
    uint64_t each = batch->calls / batch->samples, more = batch->calls % batch->samples;
    return sample * each + (sample < more ? sample : more);
}

uint64_t batch_calls(const struct batch *batch, uint64_t sample)
{
    return calls_before(batch, sample + 1) - calls_before(batch, sample);
}

static int pass_barrier(kp_group *world, const kp_arguments *arguments)
{
    (void)arguments;
    return kp_barrier(world);
}

static int call_all(const struct batch *batch, uint64_t calls, kp_group *world,
                    const kp_arguments *arguments)
{
    int (*call)(kp_group *, const kp_arguments *) = batch->barrier ? pass_barrier : operation_call;
    int status = 0;
    if (!batch->followed) {
        for (; calls > 0 && !status; calls--)
            status = call(world, arguments);
        return status;
    }
    for (; calls > 0 && !status; calls--) {
        status = call(world, arguments);
        if (!status)
            status = kp_barrier(world);
    }
    return status;
}

/* Makes the times of this processor those of all processes: each sample takes as long as in the
 * process in which it takes longest. All processors of the process have the same times then. */
static int combine(const struct batch *batch, kp_group *world, int64_t *times)
{
    const size_t samples = (size_t)batch->samples;
    int64_t *ns = malloc(samples * sizeof *ns);
    if (!ns)
        return kp_fail(kp_group_self(world), "no memory for the times");
    for (size_t i = 0; i < samples; i++)
        ns[i] = (int64_t)batch_sample_ns(batch, i);
    int status = kp_allreduce(world, KP_IN_PLACE, ns, samples, KP_INT64, KP_MAXIMUM, NULL);
    /* The others have read this processor's times before they took part in the reduction. */
    times[0] = 0;
    for (size_t i = 0; i < samples && !status; i++)
        times[i + 1] = times[i] + ns[i];
    free(ns);
    return status ? status : kp_barrier(world);
}

int batch_carry_out(const struct batch *batch, kp_proc *self, const kp_arguments *arguments)
{
    kp_group *world = kp_world(self);
    const size_t i = (size_t)(kp_processor(self) - batch->first);
    int64_t *times = batch->times + i * BATCH_TIMES(batch->samples);
    int status = call_all(batch, batch->warm_up, world, arguments);
    if (!status)
        status = batch_meet(world);
    times[0] = batch_now_ns();
    for (uint64_t sample = 0; sample < batch->samples && !status; sample++) {
        status = call_all(batch, batch_calls(batch, sample), world, arguments);
        times[sample + 1] = batch_now_ns();
    }
    if (!status)
        status = batch_meet(world);
    return status || !batch->spread ? status : combine(batch, world, times);
}

/* Each processor has a time number `sample`. Returns the latest of these times. */
static int64_t latest(const struct batch *batch, uint64_t sample)
{
    int64_t last = batch->times[sample];
    for (int i = 1; i < batch->n; i++) {
        int64_t own = batch->times[(size_t)i * BATCH_TIMES(batch->samples) + sample];
        last = own > last ? own : last;
    }
    return last;
}

double batch_sample_ns(const struct batch *batch, uint64_t sample)
{
    return (double)(latest(batch, sample + 1) - latest(batch, sample));
}

double batch_ns(const struct batch *batch)
{
    return (double)(latest(batch, batch->samples) - latest(batch, 0));
}
