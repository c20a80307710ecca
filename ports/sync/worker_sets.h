/* This header has the barrier of fibers. The members of a group that run on one worker are a worker
 * set. They count their arrivals without atomics, because only their worker touches the count. The
 * last of them arrives at the group's counter for the whole set. */
#ifndef KPORT_PORTS_SYNC_WORKER_SETS_H
#define KPORT_PORTS_SYNC_WORKER_SETS_H

#include "ports/self.h"
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

#endif
