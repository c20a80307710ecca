/* Processors carried by threads, one each: what is told of one that parks. */
#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/machine_data.h"

#include <limits.h>

#define DEFAULT_STACK ((size_t)1 << 20)

static int complete(struct kp_machine_config *config)
{
    if (config->workers != 0)
        return kp_set_error(KP_EARGUMENT,
                            "workers is %d; with processors that are threads it may be 0",
                            config->workers);
    if (config->seed != 0)
        return kp_set_error(KP_EARGUMENT,
                            "seed is %llu; with processors that are threads, whose order is the "
                            "system's, it may be 0",
                            (unsigned long long)config->seed);
    return kp_complete_stack(config, DEFAULT_STACK, (size_t)PTHREAD_STACK_MIN);
}

static void carry(kp_machine *machine, int hand)
{
    kp_proc *self = &machine->procs[hand];
    int status = machine->program(self, machine->argument);
    (void)kp_carry(NULL);
    if (machine->forks == kp_fork_count())
        kp_proc_returned(self, status);
}

static void parking(void *watched, struct kp_wait_word *word, uint32_t old)
{
    kp_group *seat = watched;
    kp_proc *self = seat->self;
    kp_machine *machine = self->machine;
    if (seat->since == 0)
        seat->since = kp_watch_clock();
    kp_parked_show(self->parked, seat, word, old);
    kp_watch_many_parked(machine, 1);
    if (machine->keeping)
        kp_keeping_sleeps(machine->keeping, self->number, word, old, machine->config.time_limit_ms);
}

static void unparked(void *watched)
{
    kp_group *seat = watched;
    kp_proc *self = seat->self;
    kp_machine *machine = self->machine;
    kp_parked_hide(self->parked);
    if (machine->keeping)
        kp_keeping_wakes(machine->keeping, self->number);
    if (kp_watch_count_busy(machine, 1)) {
        kp_watch_lock_late(seat);
        pthread_mutex_unlock(&machine->lock);
    }
}

bool kp_note_thread(const kp_proc *proc, struct kp_note *note)
{
    const struct kp_parked *parked = proc->parked;
    note->seat = kp_parked_in(proc->parked);
    if (!note->seat)
        return false;
    note->exact = true;
    note->since = note->seat->since;
    return kp_watch_sleeps(note->seat, atomic_load_explicit(&parked->value, KP_ORDER_NOTE));
}

const struct kp_carrier_row kp_threads_row = {
    .attaches = true,
    .complete = complete,
    .carry = carry,
    .parking = parking,
    .unparked = unparked,
    .note = kp_note_thread,
};
