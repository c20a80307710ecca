/* Episodes of threads that are kept on cores which they share. The threads of one core are a core
 * set. They count their arrivals on a cache line that stays at that core. The last of them arrives
 * at the group's counter for the whole set. So an episode has no more waits than with the counter
 * alone, and lines move between cores as often as there are cores, not members. doc/design.md has
 * the gain (special case `core-sets`). */
#ifndef KPORT_PORTS_SYNC_CORE_SETS_H
#define KPORT_PORTS_SYNC_CORE_SETS_H

#include "ports/sync/counter.h"
#include "ports/without.h"

extern const struct kp_sync_row kp_core_sets_row;

struct kp_core_set {
    alignas(KP_LINES_APART) _Atomic uint64_t
        arrivals; /* an arrival word (arrival.h) of this set alone */
    int members;
    /* The members of the set, linked by next_here and before_here. */
    kp_group *first, *last;
    /* How often a member has worked for all. That member writes it, between two episodes. */
    unsigned turns;
};

/* Returns whether core sets suit the group. The machine must keep its threads on at least two
 * cores, there must be at least two members for each core, and members must not spin. */
bool kp_core_sets_serve(const struct kp_shared *shared);

/* The last member of a core set to arrive has acquired what the others of the set released. It
 * arrives at the group's counter for all of them. Before that it clears the word of the set. No
 * member of the set arrives again before it has seen the episode. */
static inline void kp_core_set_arrive(kp_group *member, uint64_t fingerprint, unsigned bits)
{
    struct kp_core_set *set = member->core_set;
    kp_episode_begin(member, bits);
    uint64_t more = kp_arrive(&set->arrivals, kp_arrival_of(fingerprint, 1));
    member->was_last = false;
    member->was_last_here = kp_arrivals_complete(more, set->members);
    if (!member->was_last_here)
        return;
    kp_arrivals_clear(&set->arrivals);
    kp_counter_add(member, fingerprint, more);
}

/* The last member of a core set to arrive knows that the other threads of its core wait too. If it
 * yielded, each of them would look and yield until the other cores are ready. So it looks without
 * yielding for that time, and is the first to go on (doc/design.md, special case `last-looks`). */
static inline void kp_core_set_look(kp_group *member)
{
    if (member->was_last_here && !member->was_last)
        (void)kp_wait_briefly(&member->shared->generation, member->seen, member->waiter.last_spins);
    member->was_last_here = false;
}

/* --- One member works for its core set, between two episodes --- */

/* Returns whether this member works. To be asked after its arrival and before its wait. */
static inline bool kp_core_set_came_last(const kp_group *member)
{
    return member->was_last_here;
}

/* Returns whether the working member goes through the set from last to first this time. It does so
 * every other time, to begin with the data that it used last. */
static inline bool kp_core_set_backwards(const kp_group *member)
{
    return KP_HAS(BACKWARDS) && member->core_set->turns % 2 != 0;
}

static inline const kp_group *kp_core_set_first(const kp_group *member, bool backwards)
{
    return backwards ? member->core_set->last : member->core_set->first;
}

/* Returns the member to work for after the member `one`, or NULL after the last member. */
static inline const kp_group *kp_core_set_next(const kp_group *one, bool backwards)
{
    return backwards ? one->before_here : one->next_here;
}

static inline void kp_core_set_worked(const kp_group *member)
{
    member->core_set->turns++;
}

#endif
