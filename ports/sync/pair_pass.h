/* Passes of two threads: each member has a word of its own, and waits for the other's (pair.h). */
#ifndef KPORT_PORTS_SYNC_PAIR_PASS_H
#define KPORT_PORTS_SYNC_PAIR_PASS_H

#include "ports/sync/pair.h"
#include "ports/sync/phase.h"

struct kp_sync_row;
extern const struct kp_sync_row kp_pair_row;

_Static_assert(sizeof(struct kp_pair_note) <= KP_CACHE_LINE - 8, "a note lies in its word's line");
_Static_assert((offsetof(struct kp_wait_word, room) + offsetof(struct kp_pair_note, row)) % 16 == 0,
               "operands are read in rows");

static inline struct kp_pair_note *kp_pair_note(struct kp_shared *shared, int rank)
{
    return (struct kp_pair_note *)(void *)shared->pair[rank].room;
}

static inline void kp_pair_arrive(kp_group *seat, uint64_t fingerprint, unsigned bits)
{
    struct kp_shared *shared = seat->shared;
    struct kp_wait_word *own = &shared->pair[seat->rank];
    kp_phase_begin(seat, 0);
    struct kp_pair_note *note = kp_pair_note(shared, seat->rank);
    note->fingerprint[kp_generation_of(seat->passes)] = fingerprint;
    note->bits[kp_generation_of(seat->passes)] = (unsigned char)bits;
    kp_phase_clear(shared, seat->passes);
    seat->next = kp_pair_next(seat->seen);
    if (!kp_pair_come(&own->value, seat->seen))
        seat->next = seat->seen;
    else if (kp_has_sleepers(own))
        kp_wake_all(own);
}

/* Once the other has come: whether it has come with `fingerprint`. If that is of a call that was
 * not refused, both called the same and neither was refused, for who was comes with KP_REFUSED. */
static inline bool kp_pair_told_alike(const kp_group *seat, uint64_t fingerprint)
{
    unsigned generation = kp_generation_of(seat->passes);
    return kp_pair_note(seat->shared, 1 - seat->rank)->fingerprint[generation] == fingerprint;
}

/* Whether the pass has happened and both agree, after the first looks. If so, the seat is past it.
 * `fingerprint`: what this member has come with. */
static inline bool kp_pair_passed(kp_group *seat, uint64_t fingerprint)
{
    uint32_t now =
        kp_wait_briefly(&seat->shared->pair[1 - seat->rank], seat->seen, seat->waiter.spins);
    if (now == seat->seen || (now & KP_PAIR_FROZEN) || seat->next == seat->seen ||
        (KP_COMPARES_CALLS && !kp_pair_told_alike(seat, fingerprint)))
        return false;
    /* Who waits looks at the word again and again, so its line has to be taken away before the next
     * pass: now, and not when that is waited for (0.6 to 0.9 of the time of a call). */
    kp_fetch_to_write(&seat->shared->pair[seat->rank]);
    seat->seen = seat->next;
    return true;
}

/* Waits for that, however long. */
enum kp_pass_result kp_pair_await(kp_group *seat);

/* Of a pass that has happened. */
static inline unsigned kp_pair_bits(const kp_group *seat)
{
    unsigned generation = kp_generation_of(seat->passes);
    return kp_pair_note(seat->shared, 0)->bits[generation] |
           kp_pair_note(seat->shared, 1)->bits[generation];
}

#endif
