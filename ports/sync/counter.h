/* Passes of many threads: one counter, one generation word, and agreement on the call in the
 * counter (arrival.h).
 *
 * One counter beats trees and dissemination here: where threads outnumber cores every dependent
 * wait is one more context switch, and where they do not, n is small. */
#ifndef KPORT_PORTS_SYNC_COUNTER_H
#define KPORT_PORTS_SYNC_COUNTER_H

#include "ports/sync/phase.h"

struct kp_sync_row;
extern const struct kp_sync_row kp_counter_row;

/* What the last to arrive does: judges the word of arrivals, and opens the pass for all. */
void kp_counter_open(kp_group *member, uint64_t fingerprint, uint64_t all);

/* Releases this member's part of the round, and that of those in whose place it comes (partner: the
 * last to arrive). `more`: what they add to the word of arrivals. */
static inline void kp_counter_add(kp_group *member, uint64_t fingerprint, uint64_t more)
{
    struct kp_shared *shared = member->shared;
    uint64_t all = kp_arrive(&shared->arrivals, more);
    member->was_last = kp_arrivals_complete(all, shared->size);
    if (member->was_last)
        kp_counter_open(member, fingerprint, all);
}

static inline void kp_counter_arrive(kp_group *member, uint64_t fingerprint, unsigned bits)
{
    kp_phase_begin(member, bits);
    kp_counter_add(member, fingerprint, kp_arrival_of(fingerprint, 1));
}

/* Whether the pass has happened and all agree, after the first looks. If so, the member is past it.
 */
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

/* Waits for that, however long. */
enum kp_pass_result kp_counter_await(kp_group *member);

/* What the kinds that have these two words have in common. */
int kp_counter_make(struct kp_shared *shared);
void kp_counter_free(struct kp_shared *shared);
void kp_counter_reset(struct kp_shared *shared);
void kp_counter_fail(struct kp_shared *shared, const kp_error_record *why);
bool kp_counter_has_arrivals(const struct kp_shared *shared, int processor);
struct kp_wait_word *kp_counter_word(const kp_group *member);

#endif
