/* Functions for episodes of any kind: counting an episode, and the word beside its words. */
#ifndef KPORT_PORTS_SYNC_EPISODE_H
#define KPORT_PORTS_SYNC_EPISODE_H

#include "ports/shared.h"

/* With KP_UNCHECKED, members' calls are not compared, and reports do not name calls and call sites.
 * This serves only to measure the cost of both (bench/agreement.py). */
#ifdef KP_UNCHECKED
#define KP_COMPARES_CALLS false
#else
#define KP_COMPARES_CALLS true
#endif

enum kp_episode_result {
    KP_EPISODE_AGREED,
    KP_EPISODE_SPLIT,  /* the fingerprints differ, or a member refused its call */
    KP_EPISODE_FAILED, /* the group is dead; shared->failure says why */
    KP_EPISODE_LATE,   /* the time limit is over, and the episode is still open */
};

/* --- Beside an episode: a word that is seldom written, and ordered by the words of the episode ---
 *
 * Its low bits are the members' bits, combined by OR. Above them is the longest message of an
 * exchange, plus one, so that an empty message counts as one. There is room for 2^56 lengths, more
 * than any memory has bytes. */

#define KP_EPISODE_BITS 8
#define KP_EPISODE_MASK ((UINT64_C(1) << KP_EPISODE_BITS) - 1)

static inline _Atomic uint64_t *kp_episode_beside(struct kp_shared *shared, uint64_t episode)
{
    return &shared->beside[episode % KP_BESIDE];
}

/* Clears the word of episode `episode` + 2, which was the word of episode `episode` - 2. Its
 * readers have all arrived since. Its next writers first go through `episode` and one episode more.
 */
static inline void kp_episode_clear(struct kp_shared *shared, uint64_t episode)
{
    _Atomic uint64_t *beside = kp_episode_beside(shared, episode + 2);
    if (atomic_load_explicit(beside, KP_ORDER_WITHIN_EPISODE) != 0)
        atomic_store_explicit(beside, 0, KP_ORDER_WITHIN_EPISODE);
}

/* `add_bits` is called before arriving at the episode, `set_bits` by a member that is alone, and
 * `bits` after the episode. */
static inline void kp_episode_add_bits(struct kp_shared *shared, uint64_t episode, unsigned bits)
{
    if (bits != 0)
        atomic_fetch_or_explicit(kp_episode_beside(shared, episode), bits, KP_ORDER_WITHIN_EPISODE);
}

static inline void kp_episode_set_bits(struct kp_shared *shared, uint64_t episode, unsigned bits)
{
    atomic_store_explicit(kp_episode_beside(shared, episode), bits, KP_ORDER_WITHIN_EPISODE);
}

static inline unsigned kp_episode_bits(struct kp_shared *shared, uint64_t episode)
{
    uint64_t now =
        atomic_load_explicit(kp_episode_beside(shared, episode), KP_ORDER_WITHIN_EPISODE);
    return (unsigned)(now & KP_EPISODE_MASK);
}

/* `word` and `set_word` read and write the whole word, where it comes with messages over a wire. */
static inline uint64_t kp_episode_word(struct kp_shared *shared, uint64_t episode)
{
    return atomic_load_explicit(kp_episode_beside(shared, episode), KP_ORDER_WITHIN_EPISODE);
}

static inline void kp_episode_set_word(struct kp_shared *shared, uint64_t episode, uint64_t word)
{
    atomic_store_explicit(kp_episode_beside(shared, episode), word, KP_ORDER_WITHIN_EPISODE);
}

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

/* Returns the longest message of all members, plus one. Returns 0 if no member sent anything. */
static inline uint64_t kp_episode_longest(struct kp_shared *shared, uint64_t episode)
{
    return atomic_load_explicit(kp_episode_beside(shared, episode), KP_ORDER_WITHIN_EPISODE) >>
           KP_EPISODE_BITS;
}

/* Returns the hash of a member's calls after one more call, in their order. Where rounds are
 * messages, this mark shows whether a message belongs to the receiver's call. */
static inline uint64_t kp_mark_after(uint64_t mark, uint64_t fingerprint)
{
    mark = (mark ^ fingerprint) * UINT64_C(0x9e3779b97f4a7c15);
    return mark ^ mark >> 29;
}

/* Begins a member's next episode, to which it brings these bits. */
static inline void kp_episode_begin(kp_group *member, unsigned bits)
{
    atomic_store_explicit(&member->published.episodes, ++member->episodes, KP_ORDER_WITHIN_EPISODE);
    kp_episode_add_bits(member->shared, member->episodes, bits);
}

/* Notes a failure of the group's episodes. Returns false if an earlier failure is noted. `why` may
 * be shared->failure itself, which others may be reading by then. */
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
