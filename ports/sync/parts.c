#include "ports/sync/parts.h"

#include "ports/carrier/carrier.h"
#include "ports/machine_data.h"
#include "ports/sync/sync.h"

#include <stdlib.h>

static int make(struct kp_shared *shared)
{
    kp_machine *machine = shared->machine;
    shared->parts = kp_lines_zeroed((size_t)machine->hands, sizeof *shared->parts);
    if (!shared->parts)
        return KP_EMEMORY;
    for (int i = 0; i < shared->size; i++) {
        int worker = machine->carrier->worker_of(machine, shared->processors[i]);
        shared->members[i].part = &shared->parts[worker];
        shared->parts[worker].members++;
    }
    return kp_wait_word_make(machine, &shared->generation, -1);
}

static void free_parts(struct kp_shared *shared)
{
    free(shared->parts);
    kp_counter_free(shared);
}

static void reset(struct kp_shared *shared)
{
    for (int i = 0; i < shared->machine->hands; i++) {
        shared->parts[i].arrived = 0;
        shared->parts[i].sum = 0;
    }
    kp_counter_reset(shared);
}

const struct kp_sync_row kp_parts_row = {
    .long_buffer = true,
    .make = make,
    .free = free_parts,
    .reset = reset,
    .fail = kp_counter_fail,
    .is_awaited = kp_counter_has_arrivals,
    .word = kp_counter_word,
};
