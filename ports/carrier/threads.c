/* The carrier that gives each processor a thread of its own, and its reports to the deadlock
 * detector. */
#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/machine_data.h"

#include <limits.h>

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
    return kp_complete_stack(config, KP_THREAD_STACK, (size_t)PTHREAD_STACK_MIN);
}

static void carry(kp_machine *machine, int hand)
{
    kp_proc *self = &machine->procs[hand];
    kp_clear_error();
    int status = machine->program(self, machine->argument);
    (void)kp_carry(NULL);
    if (machine->forks == kp_fork_count())
        kp_proc_returned(self, status);
}

static void parking(void *waiting_member, struct kp_wait_word *word, uint32_t old)
{
    kp_group *member = waiting_member;
    kp_proc *self = member->self;
    kp_machine *machine = self->machine;
    if (member->since == 0)
        member->since = kp_deadlock_clock();
    kp_parked_show(self->parked, member, word, old);
    kp_deadlock_many_parked(machine, 1);
    if (machine->keeping)
        kp_keeping_sleeps(machine->keeping, self->number, word, old, machine->config.time_limit_ms);
}

static void unparked(void *waiting_member)
{
    kp_group *member = waiting_member;
    kp_proc *self = member->self;
    kp_machine *machine = self->machine;
    kp_parked_hide(self->parked);
    if (machine->keeping)
        kp_keeping_wakes(machine->keeping, self->number);
    if (kp_deadlock_count_busy(machine, 1)) {
        kp_deadlock_lock_late(member);
        pthread_mutex_unlock(&machine->lock);
    }
}

bool kp_note_thread(const kp_proc *proc, struct kp_note *note)
{
    const struct kp_parked *parked = proc->parked;
    note->member = kp_parked_in(proc->parked);
    if (!note->member)
        return false;
    note->exact = true;
    note->since = note->member->since;
    return kp_deadlock_sleeps(note->member, atomic_load_explicit(&parked->value, KP_ORDER_NOTE));
}

const struct kp_carrier_row kp_threads_row = {
    .attaches = true,
    .complete = complete,
    .carry = carry,
    .parking = parking,
    .unparked = unparked,
    .note = kp_note_thread,
};
