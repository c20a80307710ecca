/* The barrier of fibers. A worker is a thread that carries fibers, and a group's members on one
 * worker are a part. The members of a part count their arrivals without atomics, because only their
 * worker touches the count. The last of them arrives at the group's counter for the whole part. */
#ifndef KPORT_PORTS_SYNC_PARTS_H
#define KPORT_PORTS_SYNC_PARTS_H

#include "ports/self.h"
#include "ports/sync/counter.h"

extern const struct kp_sync_row kp_parts_row;

struct kp_part {
    alignas(KP_LINES_APART) int members;
    int arrived;
    uint64_t sum; /* the sum of the members' fingerprints, the hashes of their calls */
};

static inline void kp_part_arrive(kp_group *member, uint64_t fingerprint, unsigned bits)
{
    kp_point();
    struct kp_part *part = member->part;
    kp_episode_begin(member, bits);
    part->sum += fingerprint;
    member->was_last = false;
    if (++part->arrived < part->members)
        return;
    uint64_t more = kp_arrival_of(part->sum, part->members);
    part->sum = 0;
    part->arrived = 0;
    kp_counter_add(member, fingerprint, more);
}

/* Returns true if the episode (this use of the barrier) has happened and all members agree. Only
 * the last member of the group to arrive looks. For any other member a look seldom finds the
 * episode, because members on the same worker cannot run meanwhile. */
static inline bool kp_part_passed(kp_group *member)
{
    if (!member->was_last || !kp_counter_passed(member))
        return false;
    kp_point();
    return true;
}

#endif
