/* Functions for passes of any kind: counting a pass, and the word beside its words. */
#ifndef KPORT_PORTS_SYNC_PHASE_H
#define KPORT_PORTS_SYNC_PHASE_H

#include "ports/shared.h"

/* With KP_UNCHECKED, members' calls are not compared, and reports do not name calls and call sites.
 * This serves only to measure the cost of both (bench/agreement.py). */
#ifdef KP_UNCHECKED
#define KP_COMPARES_CALLS false
#else
#define KP_COMPARES_CALLS true
#endif

enum kp_pass_result {
    KP_PASS_AGREED,
    KP_PASS_SPLIT,  /* the fingerprints differ, or a member refused its call */
    KP_PASS_FAILED, /* the group is dead; shared->failure says why */
    KP_PASS_LATE,   /* the time limit is over, and the pass is still open */
};

/* --- Beside a pass: a word that is seldom written, and ordered by the words of the pass ---
 *
 * Its low bits are the members' bits, combined by OR. Above them is the longest message of an
 * exchange, plus one, so that an empty message counts as one. There is room for 2^56 lengths, more
 * than any memory has bytes. */

#define KP_PHASE_BITS 8
#define KP_PHASE_MASK ((UINT64_C(1) << KP_PHASE_BITS) - 1)

static inline _Atomic uint64_t *kp_phase_beside(struct kp_shared *shared, uint64_t pass)
{
    return &shared->beside[pass % KP_BESIDE];
}

/* Clears the word of pass `pass` + 2, which was the word of pass `pass` - 2. Its readers have all
 * arrived since. Its next writers first go through `pass` and one pass more. */
static inline void kp_phase_clear(struct kp_shared *shared, uint64_t pass)
{
    _Atomic uint64_t *beside = kp_phase_beside(shared, pass + 2);
    if (atomic_load_explicit(beside, KP_ORDER_WITHIN_PASS) != 0)
        atomic_store_explicit(beside, 0, KP_ORDER_WITHIN_PASS);
}

/* `add_bits` is called before arriving at the pass, `set_bits` by a member that is alone, and
 * `bits` after the pass. */
static inline void kp_phase_add_bits(struct kp_shared *shared, uint64_t pass, unsigned bits)
{
    if (bits != 0)
        atomic_fetch_or_explicit(kp_phase_beside(shared, pass), bits, KP_ORDER_WITHIN_PASS);
}

static inline void kp_phase_set_bits(struct kp_shared *shared, uint64_t pass, unsigned bits)
{
    atomic_store_explicit(kp_phase_beside(shared, pass), bits, KP_ORDER_WITHIN_PASS);
}

static inline unsigned kp_phase_bits(struct kp_shared *shared, uint64_t pass)
{
    uint64_t now = atomic_load_explicit(kp_phase_beside(shared, pass), KP_ORDER_WITHIN_PASS);
    return (unsigned)(now & KP_PHASE_MASK);
}

/* `word` and `set_word` read and write the whole word, where it comes with messages over a wire. */
static inline uint64_t kp_phase_word(struct kp_shared *shared, uint64_t pass)
{
    return atomic_load_explicit(kp_phase_beside(shared, pass), KP_ORDER_WITHIN_PASS);
}

static inline void kp_phase_set_word(struct kp_shared *shared, uint64_t pass, uint64_t word)
{
    atomic_store_explicit(kp_phase_beside(shared, pass), word, KP_ORDER_WITHIN_PASS);
}

static inline void kp_phase_offer_longest(struct kp_shared *shared, uint64_t pass, uint64_t bytes)
{
    _Atomic uint64_t *beside = kp_phase_beside(shared, pass);
    uint64_t now = atomic_load_explicit(beside, KP_ORDER_WITHIN_PASS), more;
    do
        more = (bytes + 1) << KP_PHASE_BITS | (now & KP_PHASE_MASK);
    while (now < more && !atomic_compare_exchange_weak_explicit(
                             beside, &now, more, KP_ORDER_WITHIN_PASS, KP_ORDER_WITHIN_PASS));
}

/* Returns the longest message of all members, plus one. Returns 0 if no member sent anything. */
static inline uint64_t kp_phase_longest(struct kp_shared *shared, uint64_t pass)
{
    return atomic_load_explicit(kp_phase_beside(shared, pass), KP_ORDER_WITHIN_PASS) >>
           KP_PHASE_BITS;
}

/* Returns the hash of a member's calls after one more call, in their order. Where rounds are
 * messages, this mark shows whether a message belongs to the receiver's call. */
static inline uint64_t kp_mark_after(uint64_t mark, uint64_t fingerprint)
{
    mark = (mark ^ fingerprint) * UINT64_C(0x9e3779b97f4a7c15);
    return mark ^ mark >> 29;
}

/* Begins a member's next pass, to which it brings these bits. */
static inline void kp_phase_begin(kp_group *member, unsigned bits)
{
    atomic_store_explicit(&member->shown.passes, ++member->passes, KP_ORDER_WITHIN_PASS);
    kp_phase_add_bits(member->shared, member->passes, bits);
}

/* Notes a failure of the group's passes. Returns false if an earlier failure is noted. `why` may be
 * shared->failure itself, which others may be reading by then. */
static inline bool kp_phase_fail(struct kp_shared *shared, const kp_error_record *why)
{
    if (shared->failed)
        return false;
    shared->failed = true;
    if (why != &shared->failure)
        shared->failure = *why;
    return true;
}

#endif
