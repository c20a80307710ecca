/* This header has the barrier of two threads, or of two fibers of different workers (pair.h). One
 * use of the barrier is an episode. */
#ifndef KPORT_PORTS_SYNC_PAIR_EPISODE_H
#define KPORT_PORTS_SYNC_PAIR_EPISODE_H

#include "ports/sync/episode.h"
#include "ports/sync/pair.h"

struct kp_sync_row;
extern const struct kp_sync_row kp_pair_row;

_Static_assert(sizeof(struct kp_pair_note) <= KP_CACHE_LINE - 8, "a note lies in its word's line");
_Static_assert((offsetof(struct kp_wait_word, room) + offsetof(struct kp_pair_note, buffer)) % 16 ==
                   0,
               "operands are read in buffers");

static inline struct kp_pair_note *kp_pair_note(struct kp_shared *shared, int rank)
{
    return (struct kp_pair_note *)(void *)shared->pair[rank].room;
}

/* Returns the number that a member writes beside its word, and that the other member's must equal.
 * `difference` is what the member adds to the sum of fingerprints (sync.h): the two numbers are
 * equal if the two differences add up to 0. */
static inline uint64_t kp_pair_number(const kp_group *member, uint64_t fingerprint,
                                      uint64_t difference)
{
    return member->rank == 0 ? fingerprint + difference : fingerprint - difference;
}

static inline void kp_pair_arrive(kp_group *member, uint64_t number, unsigned bits)
{
    struct kp_shared *shared = member->shared;
    struct kp_wait_word *own = &shared->pair[member->rank];
    kp_episode_begin(member, 0);
    struct kp_pair_note *note = kp_pair_note(shared, member->rank);
    note->fingerprint[kp_generation_of(member->episodes)] = number;
    note->bits[kp_generation_of(member->episodes)] = (unsigned char)bits;
    member->bits = (unsigned char)bits;
    kp_episode_clear(shared, member->episodes);
    member->next = kp_pair_next(member->seen);
    if (!kp_pair_come(&own->value, member->seen))
        member->next = member->seen;
    else if (kp_has_sleepers(own))
        kp_wake_all(own);
}

/* Called after the other member has arrived. The caller passes as `number` the one with which it
 * arrived itself. Returns whether the other member arrived with the same number. A member that
 * refuses its call arrives with KP_REFUSED. So unless `number` is KP_REFUSED, true means that both
 * members make the same call and neither refuses it. */
static inline bool kp_pair_told_alike(const kp_group *member, uint64_t number)
{
    unsigned generation = kp_generation_of(member->episodes);
    return kp_pair_note(member->shared, 1 - member->rank)->fingerprint[generation] == number;
}

/* Adds the bits of the other member, which has arrived, to those of this member. This is done as
 * soon as it has arrived, because it soon fetches its line back (kp_pair_passed). */
static inline void kp_pair_take_bits(kp_group *member)
{
    unsigned generation = kp_generation_of(member->episodes);
    member->bits |= kp_pair_note(member->shared, 1 - member->rank)->bits[generation];
}

/* Looks at the other member's word a few times. `number` is the one with which this member
 * arrived. Returns true if the episode has happened and both members agree, so this member may go
 * on. Otherwise the caller calls kp_pair_await. */
static inline bool kp_pair_passed(kp_group *member, uint64_t number)
{
    uint32_t now = kp_wait_briefly(&member->shared->pair[1 - member->rank], member->seen,
                                   member->waiter.spins);
    /* seldom taken: the barrier fails meanwhile */
    if (now == member->seen || (now & KP_PAIR_FROZEN) || member->next == member->seen ||
        (KP_COMPARES_CALLS && !kp_pair_told_alike(member, number)))
        return false;
    kp_pair_take_bits(member);
    /* The other member looks at this member's word again and again, so its core has the word's
     * cache line. To fetch the line back now saves time at the next episode (doc/design.md, special
     * case `fetch-to-write`). */
    kp_fetch_to_write(&member->shared->pair[member->rank]);
    member->seen = member->next;
    return true;
}

/* Waits until the episode has happened, the barrier has failed, or the time limit is over. */
enum kp_episode_result kp_pair_await(kp_group *member);

#endif
