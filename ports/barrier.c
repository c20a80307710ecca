#include "ports/barrier.h"

/* Short messages of a pair go with its words: they cost no line's way of their own. */
void kp_barrier_place(struct kp_shared *shared)
{
    shared->paired = shared->size == 2 && !shared->machine->crew;
    shared->near_end = shared->paired ? KP_PAIR_ROW + 1 : 0;
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
    kp_barrier_clear_largest(shared, pass);
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
    kp_point();
    if (shared->paired) {
        kp_pair_arrive(seat, fingerprint);
        return;
    }
    uint64_t pass = ++seat->passes;
    uint32_t seen = seat->seen;
    atomic_store_explicit(&seat->shown.passes, pass, KP_ORDER_WITHIN_PASS);
    uint64_t all;
    uint32_t next = kp_generation_after(seen);
    seat->was_last = arrive(seat, fingerprint, &all);
    if (!seat->was_last)
        return;
    bool agreed = all_agree(shared, all, fingerprint, pass);
    seat->next = next | (agreed ? 0 : KP_GENERATION_SPLIT);
    if (!publish(shared, pass, seen, seat->next))
        seat->next = seen;
}

static enum kp_pass_result await_other(kp_group *seat)
{
    uint32_t seen = seat->seen;
    if (seat->next == seen)
        return KP_PASS_FAILED;
    uint32_t now = kp_wait_change(kp_barrier_word(seat), seen, &seat->waiter);
    if (now == seen)
        return KP_PASS_LATE;
    if (!kp_pair_has_come(now, seen))
        return KP_PASS_FAILED;
    seat->seen = seat->next;
    kp_point();
    return kp_pair_agrees(seat) ? KP_PASS_AGREED : KP_PASS_SPLIT;
}

enum kp_pass_result kp_barrier_await(kp_group *seat)
{
    uint32_t seen = seat->seen;
    if (seat->shared->paired)
        return await_other(seat);
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
