#include "ports/barrier.h"

#include <string.h>

/* Two members that spin for each other have messages of a few bytes where the words of the barrier
 * are: with the count, which the second to arrive fetches anyway, and, as the second's go, with the
 * generation, which the first one waits for. They cost no line's way of their own. Of members that
 * do not run at the same time, or of more, this would only make the words' lines longer on the
 * way. */
void kp_barrier_place(struct kp_shared *shared)
{
    bool near = shared->size == 2 && shared->members[0].waiter.spins > 0;
    shared->near_end = near ? KP_NEAR_ROW + 1 : 0;
}

static bool all_agree(const struct kp_shared *shared, uint64_t all, uint64_t fingerprint,
                      uint64_t pass)
{
    if (!kp_arrivals_agree(all, fingerprint, shared->size))
        return false;
    return atomic_load_explicit(&shared->invalid, KP_ORDER_WITHIN_PASS) != pass;
}

/* Opens the pass for all. A failure that came first has frozen the word: then the pass never
 * happens, for anybody. */
static bool publish(struct kp_shared *shared, uint64_t pass, uint32_t seen, uint32_t next)
{
    kp_arrivals_clear(&shared->arrivals);
    /* Those who read this word, of the pass before the last, have all arrived since; those who will
     * write it need this pass and another one first. */
    _Atomic uint64_t *largest = &shared->largest[(pass + 2) % KP_LARGEST];
    if (atomic_load_explicit(largest, KP_ORDER_WITHIN_PASS) != 0)
        atomic_store_explicit(largest, 0, KP_ORDER_WITHIN_PASS);
    if (!kp_generation_publish(&shared->generation.value, seen, next))
        return false;
    kp_wake_all(&shared->generation);
    return true;
}

/* Counts this member, and says whether it is the last; `all` is the arrival word then. */
static bool arrive(kp_group *seat, uint64_t fingerprint, uint64_t *all)
{
    struct kp_shared *shared = seat->shared;
    struct kp_part *part = seat->part;
    uint64_t more = kp_arrival_of(fingerprint, 1);
    if (part) {
        part->sum += fingerprint;
        if (++part->arrived < part->members)
            return false;
        more = kp_arrival_of(part->sum, part->members);
        part->sum = 0;
        part->arrived = 0;
    }
    /* Releases this member's part of the round, and what those of its worker wrote before it on the
     * same thread (partner: the last to arrive). */
    *all = kp_arrive(&shared->arrivals, more);
    return kp_arrivals_complete(*all, shared->size);
}

void kp_barrier_arrive(kp_group *seat, uint64_t fingerprint)
{
    struct kp_shared *shared = seat->shared;
    uint64_t pass = ++seat->passes;
    uint32_t seen = seat->seen;
    atomic_store_explicit(&seat->shown.passes, pass, KP_ORDER_WITHIN_PASS);
    uint64_t all;
    kp_point();
    uint32_t next = kp_generation_after(seen);
    seat->was_last = arrive(seat, fingerprint, &all);
    if (!seat->was_last)
        return;
    if (seat->near_pass == pass)
        memcpy(shared->generation.room, kp_near_row(seat, pass), KP_NEAR_ROW);
    bool agreed = all_agree(shared, all, fingerprint, pass);
    seat->next = next | (agreed ? 0 : KP_GENERATION_SPLIT);
    if (!publish(shared, pass, seen, seat->next))
        seat->next = seen;
}

enum kp_pass_result kp_barrier_await(kp_group *seat)
{
    uint32_t seen = seat->seen;
    if (!seat->was_last) {
        uint32_t now = kp_wait_change(&seat->shared->generation, seen, &seat->waiter);
        if (now == seen)
            return KP_PASS_LATE;
        seat->next = now & KP_GENERATION_LOW;
    }
    if (seat->next == seen)
        return KP_PASS_FAILED;
    seat->seen = seat->next;
    kp_point();
    return seat->next & KP_GENERATION_SPLIT ? KP_PASS_SPLIT : KP_PASS_AGREED;
}
