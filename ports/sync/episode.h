/* This header has what all kinds of barriers have in common. One use of a barrier is an episode.
 * Members count their episodes, and in each episode they share one more word, the word beside the
 * barrier. */
#ifndef KPORT_PORTS_SYNC_EPISODE_H
#define KPORT_PORTS_SYNC_EPISODE_H

#include "ports/shared.h"

/* With KP_UNCHECKED members do not compare their calls, and reports do not name calls and call
 * sites. Only bench/agreement.py uses such a build, to measure what the comparison and the sites
 * cost. */
#ifdef KP_UNCHECKED
#define KP_COMPARES_CALLS false
#else
#define KP_COMPARES_CALLS true
#endif

enum kp_episode_result {
    KP_EPISODE_AGREED,
    KP_EPISODE_SPLIT,  /* the members' calls differ, or a member refused its call */
    KP_EPISODE_FAILED, /* the group has failed, and shared->failure says why */
    KP_EPISODE_LATE,   /* the time limit is over, and the episode may still happen */
};

/* --- The word beside the barrier ---
 *
 * Members write this word seldom, before they arrive, and read it after the episode. Its low 8 bits
 * are the bits that the members arrive with, combined by OR. The bits above these hold 1 + the
 * longest length that a member offers (kp_port_offer_longest), or 0 if no member offers a length.
 * They have room for lengths up to 2^56, more than any memory. */

#define KP_EPISODE_BITS 8
#define KP_EPISODE_MASK ((UINT64_C(1) << KP_EPISODE_BITS) - 1)

/* Returns the word beside the barrier in this episode. A few such words are used in turn. */
static inline _Atomic uint64_t *kp_episode_beside(struct kp_shared *shared, uint64_t episode)
{
    return &shared->beside[episode % KP_BESIDE];
}

/* Clears the word for episode e + 2, where e is `episode`. Episode e - 2 used the same word, and
 * every member reads the word of an episode before it arrives at a later episode. Before a member
 * writes the word for episode e + 2, it passes the episodes e and e + 1. */
static inline void kp_episode_clear(struct kp_shared *shared, uint64_t episode)
{
    _Atomic uint64_t *beside = kp_episode_beside(shared, episode + 2);
    if (atomic_load_explicit(beside, KP_ORDER_WITHIN_EPISODE) != 0)
        atomic_store_explicit(beside, 0, KP_ORDER_WITHIN_EPISODE);
}

/* Adds a member's bits to the word, before the member arrives. Members mostly arrive with the same
 * bits. Then the first one alone writes them, as a write takes the line from all others. */
static inline void kp_episode_add_bits(struct kp_shared *shared, uint64_t episode, unsigned bits)
{
    _Atomic uint64_t *beside = kp_episode_beside(shared, episode);
    if (bits != 0 && bits & ~atomic_load_explicit(beside, KP_ORDER_WITHIN_EPISODE))
        atomic_fetch_or_explicit(beside, bits, KP_ORDER_WITHIN_EPISODE);
}

/* Stores the bits of the only member of a group of one. */
static inline void kp_episode_set_bits(struct kp_shared *shared, uint64_t episode, unsigned bits)
{
    atomic_store_explicit(kp_episode_beside(shared, episode), bits, KP_ORDER_WITHIN_EPISODE);
}

/* Returns the combined bits of all members, after the episode. */
static inline unsigned kp_episode_bits(struct kp_shared *shared, uint64_t episode)
{
    uint64_t now =
        atomic_load_explicit(kp_episode_beside(shared, episode), KP_ORDER_WITHIN_EPISODE);
    return (unsigned)(now & KP_EPISODE_MASK);
}

/* Over a wire, messages carry the word. These two functions read and write the whole word. */
static inline uint64_t kp_episode_word(struct kp_shared *shared, uint64_t episode)
{
    return atomic_load_explicit(kp_episode_beside(shared, episode), KP_ORDER_WITHIN_EPISODE);
}

static inline void kp_episode_set_word(struct kp_shared *shared, uint64_t episode, uint64_t word)
{
    atomic_store_explicit(kp_episode_beside(shared, episode), word, KP_ORDER_WITHIN_EPISODE);
}

/* Raises the length that the word holds to `bytes`, unless the word holds at least that already. */
static inline void kp_episode_offer_longest(struct kp_shared *shared, uint64_t episode,
                                            uint64_t bytes)
{
    _Atomic uint64_t *beside = kp_episode_beside(shared, episode);
    uint64_t now = atomic_load_explicit(beside, KP_ORDER_WITHIN_EPISODE), more;
    do
        more = (bytes + 1) << KP_EPISODE_BITS | (now & KP_EPISODE_MASK);
    while (now < more && !atomic_compare_exchange_weak_explicit(
                             beside, &now, more, KP_ORDER_WITHIN_EPISODE, KP_ORDER_WITHIN_EPISODE));
}

/* Returns 1 + the longest offered length, or 0 if no member has offered a length. */
static inline uint64_t kp_episode_longest(struct kp_shared *shared, uint64_t episode)
{
    return atomic_load_explicit(kp_episode_beside(shared, episode), KP_ORDER_WITHIN_EPISODE) >>
           KP_EPISODE_BITS;
}

/* Counts the episode at which a member is about to arrive, and adds the member's bits. */
static inline void kp_episode_begin(kp_group *member, unsigned bits)
{
    atomic_store_explicit(&member->published.episodes, ++member->episodes, KP_ORDER_COME);
    kp_episode_add_bits(member->shared, member->episodes, bits);
}

/* Stores the failure of a group's barrier. Returns false if an earlier failure is stored. If `why`
 * is shared->failure itself, the record stays as it is, because other threads may already read
 * it. */
static inline bool kp_episode_fail(struct kp_shared *shared, const kp_error_record *why)
{
    if (shared->failed)
        return false;
    shared->failed = true;
    if (why != &shared->failure)
        shared->failure = *why;
    return true;
}

#endif
