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

const struct kp_sync_row kp_worker_sets_row = {
    .long_buffer = true,
    .make = make,
    .free = free_worker_sets,
    .reset = reset,
    .fail = kp_counter_fail,
    .is_awaited = kp_counter_has_arrivals,
    .word = kp_counter_word,
};
