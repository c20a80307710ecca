/* The carrier of a machine over a wire. Such a machine carries one processor, by a thread of its
 * own or of the caller. The thread waits in the wire's function `wait`. (wired_fibers.c has the
 * carrier by fibers.) */
#include "ports/carrier/carrier.h"
#include "ports/carrier/wire.h"
#include "ports/error.h"
#include "ports/fail/watch.h"
#include "ports/machine_data.h"
#include "ports/request/lane.h"

#include <limits.h>

/* The fewest groups that a machine must be able to have at a time, one number for making groups,
 * and one for messages with tags. */
#define LEAST_CONTEXTS 5

int kp_wired_complete_config(struct kp_machine_config *config)
{
    if (config->workers < 0 || config->workers > 1)
        return kp_set_error(KP_EARGUMENT,
                            "workers is %d; over a wire it may be 0 (each processor has a thread) "
                            "or 1 (the processors of a process are fibers of one thread)",
                            config->workers);
    if (config->seed != 0)
        return kp_set_error(KP_EARGUMENT, "seed is %llu; over a wire it may be 0",
                            (unsigned long long)config->seed);
    if (config->discipline == KP_ROUNDS_BY_MAILBOXES)
        return kp_set_error(KP_EARGUMENT,
                            "discipline is %d (mailboxes), which lie in memory that processors "
                            "share; over a wire it may be 0",
                            (int)config->discipline);
    if (config->trace)
        return kp_set_error(KP_EARGUMENT, "trace is given, and nothing is recorded over a wire; it "
                                          "may be NULL");
    const uint64_t most = config->wire->most_tag / (LEAST_CONTEXTS * (1 + KP_LANES)) - 1;
    if ((uint64_t)config->ports > most)
        return kp_set_error(KP_EARGUMENT,
                            "ports is %d; the tags of the network go to %llu, so it may be 1 ... "
                            "%llu",
                            config->ports, (unsigned long long)config->wire->most_tag,
                            (unsigned long long)most);
    config->discipline = KP_ROUNDS_BY_BARRIER;
    return KP_OK;
}

static int complete(struct kp_machine_config *config)
{
    const int status = kp_wired_complete_config(config);
    return status ? status : kp_complete_stack(config, KP_THREAD_STACK, (size_t)PTHREAD_STACK_MIN);
}

static void carry(kp_machine *machine, int hand)
{
    kp_proc *self = &machine->procs[machine->config.wire->processor];
    (void)hand;
    kp_clear_error();
    int status = machine->program(self, machine->argument);
    (void)kp_carry(NULL);
    if (machine->forks == kp_fork_count()) /* seldom taken: false only in a fork's child */
        kp_proc_returned(self, status);
}

void kp_wired_end_run(kp_machine *first)
{
    kp_error_record why = KP_ERROR_OF(KP_OK, -1);
    struct kp_wires *wires = first->wires;
    const bool failed = wires && wires->await_ends(wires, &why);
    pthread_mutex_lock(&first->lock);
    first->given_up = first->given_up || failed;
    if (failed)
        kp_first_failure(first, &why);
    pthread_mutex_unlock(&first->lock);
    for (kp_machine *local = first; local; local = local->next_local)
        kp_machine_settle(local);
    pthread_mutex_lock(&first->lock);
    if (wires && !failed && kp_watch_compare_ends(first))
        kp_first_failure(first, kp_error_slot());
    pthread_mutex_unlock(&first->lock);
}

static int worker_of(const kp_machine *machine, int processor)
{
    (void)machine, (void)processor;
    return 0;
}

const struct kp_carrier_row kp_wired_row = {
    .attaches = true,
    .complete = complete,
    .carry = carry,
    .worker_of = worker_of,
    .note = kp_note_thread,
};
