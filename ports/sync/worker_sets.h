/* This header has the barrier of fibers. The members of a group that run on one worker are a worker
 * set. They count their arrivals without atomics, because only their worker touches the count. The
 * last of them arrives at the group's counter for the whole set. The header also has calls in which
 * all members read the memory of one: among fibers these need no second episode. */
#ifndef KPORT_PORTS_SYNC_WORKER_SETS_H
#define KPORT_PORTS_SYNC_WORKER_SETS_H

#include "ports/machine_data.h"
#include "ports/sync/counter.h"

extern const struct kp_sync_row kp_worker_sets_row;

struct kp_worker_set {
    alignas(KP_LINES_APART) int members;
    int arrived;
    uint64_t sum; /* the sum of the members' fingerprints, the hashes of their calls */
};

static inline void kp_worker_set_arrive(kp_group *member, uint64_t fingerprint, uint64_t difference,
                                        unsigned bits)
{
    kp_point();
    struct kp_worker_set *worker_set = member->worker_set;
    kp_episode_begin(member, bits);
    worker_set->sum += fingerprint + difference;
    member->was_last = false;
    if (++worker_set->arrived < worker_set->members)
        return;
    uint64_t more = kp_arrival_of(worker_set->sum, worker_set->members);
    worker_set->sum = 0;
    worker_set->arrived = 0;
    kp_counter_add(member, fingerprint, more);
}

/* Returns true if the episode (this use of the barrier) has happened and all members agree. Only
 * the member that arrived last in the whole group checks this; for every other member the function
 * returns false. A check by another member would seldom find that the episode has happened, because
 * members on the same worker cannot run meanwhile. */
static inline bool kp_worker_set_passed(kp_group *member)
{
    if (!member->was_last || !kp_counter_passed(member))
        return false;
    kp_point();
    return true;
}

/* --- Calls in which all members read the memory of one ---
 *
 * In a long broadcast or a long scatter the memory of one member, the source, is read by all
 * others, and no other memory is. Such a call has one episode. A reader that finds the source there
 * already reads at once, before it arrives, and then has nothing to wait for. A reader that comes
 * before the source reads after the episode. The source goes on when the episode is over and nobody
 * reads any more.
 *
 * The readers of an episode are counted in the word of its generation. A reader of the next episode
 * may begin while the source still waits, and must not hold it up. A reader of the episode after
 * the next one begins when the source has arrived at the next one. */

/* Says that this member reads, before it arrives at an episode of this generation. Each member that
 * has said so calls kp_readers_leave. */
static inline void kp_readers_enter(kp_group *member, unsigned generation)
{
    atomic_fetch_add_explicit(&member->shared->readers[generation], 1, KP_ORDER_READING);
}

/* Returns whether the source has come to the call that this member is about to arrive at, so this
 * member may read its memory now. The member has entered. A source that fails waits until nobody
 * reads. It looks at the readers after the generation word has been frozen, and a reader looks at
 * this word after it has entered. So one of the two sees the other's step. */
static inline bool kp_readers_may_read(const kp_group *member, int source)
{
    const struct kp_shared *shared = member->shared;
    const struct kp_published *other = &shared->members[source].published;
    if (atomic_load_explicit(&shared->generation.value, KP_ORDER_BROKEN) & KP_GENERATION_FAILED)
        return false;
    if (atomic_load_explicit(&other->episodes, KP_ORDER_SEE_COME) != member->episodes + 1)
        return false;
    return !KP_COMPARES_CALLS || other->call->fingerprint == member->published.call->fingerprint;
}

/* Lets the other fibers of this fiber's worker run that are ready. The source may be one of them.
 */
void kp_readers_give_turn(kp_group *member);

/* This member reads no more. */
static inline void kp_readers_leave(kp_group *member, unsigned generation, int source)
{
    if (atomic_fetch_sub_explicit(&member->shared->readers[generation], 1, KP_ORDER_READING) == 1)
        kp_ring(&kp_member_carrier(&member->shared->members[source])->bell);
}

/* The source waits until nobody reads its memory. */
void kp_readers_await(kp_group *member, unsigned generation);

#endif
