/* This header has the barrier of many threads. An arrival word counts the members and adds up their
 * fingerprints, which are hashes of their calls. A generation word tells the waiting members that
 * all have arrived (arrival.h). One use of the barrier is an episode.
 *
 * A single counter is faster here than a tree or a dissemination, which take about log2 n steps for
 * n members. With more threads than cores, each step costs one more context switch. With at most
 * one thread for each core, n is too small for a tree to be faster. */
#ifndef KPORT_PORTS_SYNC_COUNTER_H
#define KPORT_PORTS_SYNC_COUNTER_H

#include "ports/sync/episode.h"

struct kp_sync_row;
extern const struct kp_sync_row kp_counter_row;

/* The last member to arrive calls this with the arrival word `all`. The function compares the
 * members' calls, and publishes the episode to all members. */
void kp_counter_open(kp_group *member, uint64_t fingerprint, uint64_t all);

/* Arrives for this member and perhaps for others, by adding `more` to the arrival word. The
 * addition is a release of what these members wrote for the round (partner: the last member to
 * arrive). */
static inline void kp_counter_add(kp_group *member, uint64_t fingerprint, uint64_t more)
{
    struct kp_shared *shared = member->shared;
    uint64_t all = kp_arrive(&shared->arrivals, more);
    member->was_last = kp_arrivals_complete(all, shared->size);
    if (member->was_last)
        kp_counter_open(member, fingerprint, all);
}

static inline void kp_counter_arrive(kp_group *member, uint64_t fingerprint, uint64_t difference,
                                     unsigned bits)
{
    kp_episode_begin(member, bits);
    kp_counter_add(member, fingerprint, kp_arrival_of(fingerprint + difference, 1));
}

/* Looks at the generation word a few times. Returns true if the episode has happened and all
 * members agree, so this member may go on. Otherwise the caller calls kp_counter_await. */
static inline bool kp_counter_passed(kp_group *member)
{
    uint32_t next = member->next;
    if (!member->was_last)
        next = kp_wait_early(&member->shared->generation, member->seen, &member->waiter);
    if (next == member->seen || (next & (KP_GENERATION_FAILED | KP_GENERATION_SPLIT)))
        return false;
    member->seen = next;
    return true;
}

/* Waits until the episode has happened, the group has failed, or the time limit is over. */
enum kp_episode_result kp_counter_await(kp_group *member);

/* These functions serve all barriers that have an arrival word and a generation word. struct
 * kp_sync_row (sync.h) explains the functions. */
int kp_counter_make(struct kp_shared *shared);
void kp_counter_free(struct kp_shared *shared);
void kp_counter_reset(struct kp_shared *shared);
void kp_counter_fail(struct kp_shared *shared, const kp_error_record *why);
bool kp_counter_has_arrivals(const struct kp_shared *shared, int processor);
struct kp_wait_word *kp_counter_word(const kp_group *member);

#endif
