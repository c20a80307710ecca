/* The round barrier: one counter, one generation word, and agreement on the call in the counter
 * (arrival.h).
 *
 * One counter beats trees and dissemination here: where threads outnumber cores every dependent
 * wait is one more context switch, and where they do not, n is small. Two members that are threads
 * have a word each instead (pair.h). Where threads are kept on cores which they share, those of a
 * core count on a line that stays there, and the last of them comes to the one counter for all: no
 * wait more, and as many ways of a line from core to core as there are cores, not members (n = 8 on
 * 2 cores: 0.95 to 0.98 of the time, and less where a line takes longer). */
#ifndef KPORT_PORTS_BARRIER_H
#define KPORT_PORTS_BARRIER_H

#include "ports/machine_data.h"
#include "ports/slot.h"

enum kp_pass_result {
    KP_PASS_AGREED,
    KP_PASS_SPLIT,  /* the fingerprints differ, or a member refused its call */
    KP_PASS_FAILED, /* the group is dead; shared->failure says why */
    KP_PASS_LATE,   /* the time limit is over, and the pass is still open */
};

/* Decides how the passes of a new group are kept, and where the words of its barrier lie. */
void kp_barrier_place(struct kp_shared *shared);

/* Arrives with `fingerprint`: releases what this member wrote. Between the two it may do what
 * concerns nobody else. Waits for all: acquires what all members wrote before they arrived. Every
 * member makes every pass. */
void kp_barrier_arrive(kp_group *seat, uint64_t fingerprint);
enum kp_pass_result kp_barrier_await(kp_group *seat);

/* Whether members have come to a pass that is not open: a look, while others come. */
bool kp_barrier_has_arrivals(const struct kp_shared *shared);

/* The word that a member waits for. */
static inline struct kp_wait_word *kp_barrier_word(const kp_group *seat)
{
    struct kp_shared *shared = seat->shared;
    return shared->paired ? &shared->pair[1 - seat->rank] : &shared->generation;
}

/* Clears the word of longest messages for the pass after next: those
 * who read it, of the pass before the last, have all arrived since; those who will write it need
 * this pass and another one first. */
static inline void kp_barrier_clear_largest(struct kp_shared *shared, uint64_t pass)
{
    _Atomic uint64_t *largest = &shared->largest[(pass + 2) % KP_LARGEST];
    if (atomic_load_explicit(largest, KP_ORDER_WITHIN_PASS) != 0)
        atomic_store_explicit(largest, 0, KP_ORDER_WITHIN_PASS);
}

static inline void kp_barrier_count(kp_group *seat)
{
    atomic_store_explicit(&seat->shown.passes, ++seat->passes, KP_ORDER_WITHIN_PASS);
}

/* What the last to arrive does: judges the word of arrivals, and opens the pass for all. */
void kp_barrier_open(kp_group *seat, uint64_t fingerprint, uint64_t all);

/* Releases this member's part of the round, and that of those in whose place it comes (partner: the
 * last to arrive). `more`: what they add to the word of arrivals. */
static inline void kp_barrier_add(kp_group *seat, uint64_t fingerprint, uint64_t more)
{
    struct kp_shared *shared = seat->shared;
    uint64_t all = kp_arrive(shared->arrivals, more);
    seat->was_last = kp_arrivals_complete(all, shared->size);
    if (seat->was_last)
        kp_barrier_open(seat, fingerprint, all);
}

static inline void kp_barrier_come(kp_group *seat, uint64_t fingerprint)
{
    kp_barrier_count(seat);
    kp_barrier_add(seat, fingerprint, kp_arrival_of(fingerprint, 1));
}

/* The last of a company has acquired what the others of it released, and comes for all. It clears
 * their word before: nobody of them arrives again before having seen the pass. */
static inline void kp_company_arrive(kp_group *seat, uint64_t fingerprint)
{
    struct kp_company *company = seat->company;
    kp_barrier_count(seat);
    uint64_t more = kp_arrive(&company->arrivals, kp_arrival_of(fingerprint, 1));
    seat->was_last = false;
    seat->was_last_here = kp_arrivals_complete(more, company->members);
    if (!seat->was_last_here)
        return;
    kp_arrivals_clear(&company->arrivals);
    kp_barrier_add(seat, fingerprint, more);
}

/* The last of a company knows that all who share its core wait like itself: were it to yield, each
 * of them would look and yield, until the other cores are ready. It looks for that time, and is the
 * first to go on: 0.9 of the time of a barrier of 8 on two cores. */
static inline void kp_company_look(kp_group *seat)
{
    if (seat->was_last_here)
        (void)kp_wait_briefly(&seat->shared->generation, seat->seen, seat->waiter.last_spins);
    seat->was_last_here = false;
}

static inline void kp_pair_arrive(kp_group *seat, uint64_t fingerprint)
{
    struct kp_shared *shared = seat->shared;
    struct kp_wait_word *own = &shared->pair[seat->rank];
    uint64_t pass = ++seat->passes;
    atomic_store_explicit(&seat->shown.passes, pass, KP_ORDER_WITHIN_PASS);
    kp_pair_note(shared, seat->rank)->fingerprint[kp_generation_of(pass)] = fingerprint;
    kp_barrier_clear_largest(shared, pass);
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

/* The same of any call: both may have been refused. */
static inline bool kp_pair_agrees(const kp_group *seat)
{
    return kp_pair_told_alike(seat, seat->shown.call->fingerprint) &&
           atomic_load_explicit(&seat->shared->invalid, KP_ORDER_WITHIN_PASS) != seat->passes;
}

#endif
