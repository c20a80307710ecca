#include "ports/barrier.h"

static enum kp_kept kept_by(const struct kp_shared *shared)
{
    if (shared->size == 1 || shared->machine->crew)
        return KP_KEPT_OTHERWISE;
    if (shared->paired)
        return KP_KEPT_BY_TWO;
    return shared->companies ? KP_KEPT_BY_COMPANIES : KP_KEPT_BY_MANY;
}

void kp_barrier_place(struct kp_shared *shared)
{
    shared->paired = shared->size == 2 && !shared->machine->crew;
    /* Short messages of a pair go with its words: they cost no line's way of their own. */
    shared->near_end = shared->paired ? KP_PAIR_ROW + 1 : 0;
    /* Who spins must not be disturbed by who arrives. Of members that share cores whoever runs
     * looks at the generation and arrives soon after: then one line's way serves both. */
    bool near = !shared->machine->crew && shared->members[0].waiter.spins == 0;
    shared->arrivals = near ? (void *)shared->generation.room : &shared->far_arrivals;
    for (int i = 0; i < shared->size; i++)
        shared->members[i].kept = (unsigned char)kept_by(shared);
}

bool kp_barrier_has_arrivals(const struct kp_shared *shared)
{
    bool has = atomic_load_explicit(shared->arrivals, KP_ORDER_NOTE) != 0;
    for (int i = 0; shared->companies && i < shared->machine->cores; i++)
        has = has || atomic_load_explicit(&shared->companies[i].arrivals, KP_ORDER_NOTE) != 0;
    return has;
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
    kp_arrivals_clear(shared->arrivals);
    kp_barrier_clear_largest(shared, pass);
    if (!kp_generation_publish(&shared->generation.value, seen, next))
        return false;
    kp_wake_all(&shared->generation);
    return true;
}

void kp_barrier_open(kp_group *seat, uint64_t fingerprint, uint64_t all)
{
    struct kp_shared *shared = seat->shared;
    uint32_t seen = seat->seen;
    bool agreed = all_agree(shared, all, fingerprint, seat->passes);
    seat->next = kp_generation_after(seen) | (agreed ? 0 : KP_GENERATION_SPLIT);
    if (!publish(shared, seat->passes, seen, seat->next))
        seat->next = seen;
}

/* A fiber: those of a worker arrive together, with the last of them. */
static void arrive_in_part(kp_group *seat, uint64_t fingerprint)
{
    struct kp_part *part = seat->part;
    kp_barrier_count(seat);
    part->sum += fingerprint;
    seat->was_last = false;
    if (++part->arrived < part->members)
        return;
    uint64_t more = kp_arrival_of(part->sum, part->members);
    part->sum = 0;
    part->arrived = 0;
    kp_barrier_add(seat, fingerprint, more);
}

void kp_barrier_arrive(kp_group *seat, uint64_t fingerprint)
{
    kp_point();
    if (seat->kept == KP_KEPT_BY_TWO)
        kp_pair_arrive(seat, fingerprint);
    else if (seat->kept == KP_KEPT_BY_COMPANIES)
        kp_company_arrive(seat, fingerprint);
    else if (seat->kept == KP_KEPT_BY_MANY)
        kp_barrier_come(seat, fingerprint);
    else
        arrive_in_part(seat, fingerprint);
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
        kp_company_look(seat);
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
