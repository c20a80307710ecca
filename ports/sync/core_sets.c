#include "ports/sync/core_sets.h"

#include "ports/machine_data.h"
#include "ports/sync/sync.h"

#include <stdlib.h>

bool kp_core_sets_serve(const struct kp_shared *shared)
{
    const kp_machine *machine = shared->machine;
    return machine->cores > 1 && shared->size >= 2 * machine->cores &&
           shared->members[0].waiter.spins == 0;
}

static void join(kp_group *member, struct kp_core_set *set)
{
    *(set->last ? &set->last->next_here : &set->first) = member;
    member->before_here = set->last;
    set->last = member;
    set->members++;
    member->core_set = set;
}

static int make(struct kp_shared *shared)
{
    const kp_machine *machine = shared->machine;
    shared->core_sets = kp_lines_zeroed((size_t)machine->cores, sizeof *shared->core_sets);
    if (!shared->core_sets)
        return KP_EMEMORY;
    for (int i = 0; i < shared->size; i++) {
        int core = kp_core_of(shared->processors[i], machine->n, machine->cores);
        join(&shared->members[i], &shared->core_sets[core]);
    }
    return kp_counter_make(shared);
}

static void free_sets(struct kp_shared *shared)
{
    free(shared->core_sets);
    kp_counter_free(shared);
}

static void reset(struct kp_shared *shared)
{
    for (int i = 0; i < shared->machine->cores; i++)
        atomic_store_explicit(&shared->core_sets[i].arrivals, 0, KP_ORDER_RESET);
    kp_counter_reset(shared);
}

static bool has_arrivals(const struct kp_shared *shared, int processor)
{
    bool has = kp_counter_has_arrivals(shared, processor);
    for (int i = 0; i < shared->machine->cores; i++)
        has = has || atomic_load_explicit(&shared->core_sets[i].arrivals, KP_ORDER_NOTE) != 0;
    return has;
}

const struct kp_sync_row kp_core_sets_row = {
    .long_buffer = true,
    .make = make,
    .free = free_sets,
    .reset = reset,
    .fail = kp_counter_fail,
    .is_awaited = has_arrivals,
    .word = kp_counter_word,
};
