/* Passes of threads that are kept on cores which they share. Those of a core are a core set: they
 * count on a line that stays there, and the last of them comes to the one counter for all: no wait
 * more than with the counter alone, and as many ways of a line from core to core as there are
 * cores, not members (n = 8 on 2 cores: 0.95 to 0.98 of the time, and less where a line takes
 * longer). */
#ifndef KPORT_PORTS_SYNC_CORE_SETS_H
#define KPORT_PORTS_SYNC_CORE_SETS_H

#include "ports/sync/counter.h"
#include "ports/without.h"

extern const struct kp_sync_row kp_core_sets_row;

struct kp_core_set {
    alignas(KP_LINES_APART) _Atomic uint64_t arrivals; /* as the group's (arrival.h) */
    int members;
    kp_group *first, *last; /* of them; the others by next_here and before_here */
    unsigned turns;         /* how often one has worked for all; of who does, between passes */
};

/* Whether the group's members share cores, each of which the machine knows. */
bool kp_core_sets_serve(const struct kp_shared *shared);

/* The last of a core set has acquired what the others of it released, and comes for all. It clears
 * their word before: nobody of them arrives again before having seen the pass. */
static inline void kp_core_set_arrive(kp_group *member, uint64_t fingerprint, unsigned bits)
{
    struct kp_core_set *set = member->core_set;
    kp_phase_begin(member, bits);
    uint64_t more = kp_arrive(&set->arrivals, kp_arrival_of(fingerprint, 1));
    member->was_last = false;
    member->was_last_here = kp_arrivals_complete(more, set->members);
    if (!member->was_last_here)
        return;
    kp_arrivals_clear(&set->arrivals);
    kp_counter_add(member, fingerprint, more);
}

/* The last of a core set knows that all who share its core wait like itself: were it to yield, each
 * of them would look and yield, until the other cores are ready. It looks for that time, and is the
 * first to go on: 0.9 of the time of a barrier of 8 on two cores. */
static inline void kp_core_set_look(kp_group *member)
{
    if (member->was_last_here && !member->was_last)
        (void)kp_wait_briefly(&member->shared->generation, member->seen, member->waiter.last_spins);
    member->was_last_here = false;
}

/* --- One works for all of its core set, between two passes --- */

/* Whether this member is the one: to be asked after its arrival and before the wait. */
static inline bool kp_core_set_came_last(const kp_group *member)
{
    return member->was_last_here;
}

/* Whether they are gone through backwards this time. Every other time they are, so that what was
 * used last is used first. */
static inline bool kp_core_set_backwards(const kp_group *member)
{
    return KP_HAS(BACKWARDS) && member->core_set->turns % 2 != 0;
}

static inline const kp_group *kp_core_set_first(const kp_group *member, bool backwards)
{
    return backwards ? member->core_set->last : member->core_set->first;
}

/* NULL after the last one. */
static inline const kp_group *kp_core_set_next(const kp_group *one, bool backwards)
{
    return backwards ? one->before_here : one->next_here;
}

static inline void kp_core_set_worked(const kp_group *member)
{
    member->core_set->turns++;
}

#endif
