/* This header has the barrier of threads that are pinned to cores which they share. One use of the
 * barrier is an episode. The threads of one core are a core set. They count their arrivals on a
 * cache line that only their core uses. The last of them arrives at the group's counter for the
 * whole set. So a cache line moves between cores once for each core and not once for each thread.
 * No thread waits more often than with the counter alone. doc/design.md has the gain (special case
 * `core-sets`). */
#ifndef KPORT_PORTS_SYNC_CORE_SETS_H
#define KPORT_PORTS_SYNC_CORE_SETS_H

#include "ports/sync/counter.h"
#include "ports/without.h"

extern const struct kp_sync_row kp_core_sets_row;

struct kp_core_set {
    alignas(KP_LINES_APART) _Atomic uint64_t
        arrivals; /* the arrival word (arrival.h) of this set alone */
    int members;
    /* the first and the last member; next_here and before_here link the members */
    kp_group *first, *last;
    /* how often one member has copied for the whole set; the copying member adds 1, between
     * episodes */
    unsigned turns;
};

/* Returns whether the group gets core sets. The machine must pin its threads to at least two cores.
 * There must be at least two members for each core. The members must not spin. */
bool kp_core_sets_serve(const struct kp_shared *shared);

/* Arrives at the barrier. The last member of a core set to arrive has acquired what the others of
 * the set released. The last member can clear the set's arrival word, because no other member of
 * the set needs the word again before the episode is over. After that the last member arrives at
 * the group's counter for the whole set. */
static inline void kp_core_set_arrive(kp_group *member, uint64_t fingerprint, uint64_t difference,
                                      unsigned bits)
{
    struct kp_core_set *set = member->core_set;
    kp_episode_begin(member, bits);
    uint64_t more = kp_arrive(&set->arrivals, kp_arrival_of(fingerprint + difference, 1));
    member->was_last = false;
    member->was_last_here = kp_arrivals_complete(more, set->members);
    if (!member->was_last_here)
        return;
    kp_arrivals_clear(&set->arrivals);
    kp_counter_add(member, fingerprint, more);
}

/* The last member of a core set to arrive knows that all other threads of its core wait. It looks
 * at the barrier's word for some time without yielding, and then is the first thread of its core to
 * go on. If it yielded, the threads of its core would look and yield in turn, until the threads of
 * the other cores have arrived. doc/design.md has the gain (special case `last-looks`). */
static inline void kp_core_set_look(kp_group *member)
{
    if (member->was_last_here && !member->was_last)
        (void)kp_wait_briefly(&member->shared->generation, member->seen, member->waiter.last_spins);
    member->was_last_here = false;
}

/* --- One member does the copying for all members of its core set, between two episodes --- */

/* Returns whether this member does the copying, because it was the last of its core set to arrive.
 * The caller asks after its arrival and before its wait. */
static inline bool kp_core_set_came_last(const kp_group *member)
{
    return member->was_last_here;
}

/* Returns whether the copying member goes through the set from last to first. This is so every
 * other time, because the copying then begins with the data that were used last and are still in
 * the cache. */
static inline bool kp_core_set_backwards(const kp_group *member)
{
    return KP_HAS(BACKWARDS) && member->core_set->turns % 2 != 0;
}

static inline const kp_group *kp_core_set_first(const kp_group *member, bool backwards)
{
    return backwards ? member->core_set->last : member->core_set->first;
}

/* Returns the member of the set that follows `one`, or NULL if `one` was the last to be served. */
static inline const kp_group *kp_core_set_next(const kp_group *one, bool backwards)
{
    return backwards ? one->before_here : one->next_here;
}

static inline void kp_core_set_worked(const kp_group *member)
{
    member->core_set->turns++;
}

#endif
