#include "ports/sync/worker_sets.h"

#include "ports/carrier/carrier.h"
#include "ports/machine_data.h"
#include "ports/sync/sync.h"

#include <stdlib.h>

static int make(struct kp_shared *shared)
{
    kp_machine *machine = shared->machine;
    shared->worker_sets = kp_lines_zeroed((size_t)machine->hands, sizeof *shared->worker_sets);
    if (!shared->worker_sets)
        return KP_EMEMORY;
    for (int i = 0; i < shared->size; i++) {
        int worker = machine->carrier->worker_of(machine, shared->processors[i]);
        shared->members[i].worker_set = &shared->worker_sets[worker];
        shared->worker_sets[worker].members++;
    }
    return kp_wait_word_make(machine, &shared->generation, -1);
}

static void free_worker_sets(struct kp_shared *shared)
{
    free(shared->worker_sets);
    kp_counter_free(shared);
}

static void reset(struct kp_shared *shared)
{
    for (int i = 0; i < shared->machine->hands; i++) {
        shared->worker_sets[i].arrived = 0;
        shared->worker_sets[i].sum = 0;
    }
    kp_counter_reset(shared);
}

static bool nobody_reads(const void *readers)
{
    return atomic_load_explicit((const _Atomic uint32_t *)readers, KP_ORDER_READERS) == 0;
}

void kp_readers_give_turn(kp_group *member)
{
    member->shared->machine->carrier->yield(member->self);
}

/* The deadlock detector need not know of this wait. All readers have come to the call, and wait for
 * nobody. */
void kp_readers_await(kp_group *member, unsigned generation)
{
    const _Atomic uint32_t *readers = &member->shared->readers[generation];
    const struct kp_waiter quiet = {.spins = member->waiter.spins,
                                    .yields = member->waiter.yields,
                                    .longer_us = member->waiter.longer_us};
    (void)kp_wait_until(&member->self->bell, nobody_reads, readers, &quiet);
}

const struct kp_sync_row kp_worker_sets_row = {
    .long_buffer = true,
    .make = make,
    .free = free_worker_sets,
    .reset = reset,
    .fail = kp_counter_fail,
    .is_awaited = kp_counter_has_arrivals,
    .word = kp_counter_word,
};
