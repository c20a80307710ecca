/* Processors of one process that are fibers of one thread, over a wire. Each has a machine of its
 * own, as every processor over a wire; the first of these machines has the thread and the fibers.
 *
 * No fiber sleeps. One that waits looks itself whether what it waits for has come, in the wire's
 * function `wait`, and lets the others run between two looks. The thread rests when none of its
 * fibers has done more than to look since each of them looked. */
#include "ports/carrier/fibers.h"
#include "ports/carrier/wire.h"
#include "ports/error.h"

/* A fiber over a wire calls the network's functions, which need more of a stack. */
#define USUAL_STACK ((size_t)256 << 10)

static int complete(struct kp_machine_config *config)
{
    int status = kp_wired_complete_config(config);
    if (!status && !kp_fibers_exist(config)) /* seldom taken: builds without fibers */
        status = kp_error_slot()->status;
    return status ? status
                  : kp_complete_stack(config, USUAL_STACK * KP_STACK_FACTOR, KP_LEAST_FIBER_STACK);
}

static bool let_others_run(struct kp_wire *wire, bool news)
{
    struct kp_worker *worker = kp_self.fiber->worker;
    (void)wire;
    worker->news += news;
    const uint64_t before = worker->news;
    kp_fiber_yield(NULL);
    return worker->news != before;
}

/* A program that tests a request again and again may do other work in between. */
static void yield(kp_proc *self)
{
    kp_self.fiber->worker->news++;
    kp_fiber_yield(self);
}

static int make(kp_machine *machine)
{
    machine->config.wire->others = let_others_run;
    return KP_OK;
}

/* All machines of the process have been made when the first run begins. */
static int prepare(kp_machine *machine)
{
    int count = 0;
    if (machine->config.follows)
        return KP_OK;
    for (const kp_machine *local = machine; local; local = local->next_local)
        count++;
    int status = machine->pool ? KP_OK : kp_fibers_make(machine, count);
    if (status)
        return status;
    struct kp_fiber *fiber = machine->pool->fibers;
    for (const kp_machine *local = machine; local; local = local->next_local)
        (fiber++)->proc = &local->procs[local->config.wire->processor];
    return kp_fibers_prepare(machine);
}

static int worker_of(const kp_machine *machine, int processor)
{
    (void)machine, (void)processor;
    return 0;
}

const struct kp_carrier_row kp_wired_fibers_row = {
    .thread_stack = KP_FIBERS_WORKER_STACK,
    .complete = complete,
    .make = make,
    .free = kp_fibers_free,
    .prepare = prepare,
    .carry = kp_fibers_carry,
    .carry_rest = kp_fibers_carry_rest,
    .worker_of = worker_of,
    .yield = yield,
    .note = kp_note_thread,
};
