#include "ports/sync/counter.h"

#include "ports/carrier/carrier.h"
#include "ports/machine_data.h"
#include "ports/sync/sync.h"
#include "ports/without.h"

int kp_counter_make(struct kp_shared *shared)
{
    /* fibers need the generation word here only in a build without worker sets */
    return KP_HAS(WORKER_SETS) ? KP_OK
                               : kp_wait_word_make(shared->machine, &shared->generation, -1);
}

void kp_counter_free(struct kp_shared *shared)
{
    kp_wait_word_free(&shared->generation);
}

void kp_counter_reset(struct kp_shared *shared)
{
    atomic_store_explicit(&shared->arrivals, 0, KP_ORDER_RESET);
    atomic_store_explicit(&shared->generation.value, kp_first_counters.words, KP_ORDER_RESET);
}

void kp_counter_fail(struct kp_shared *shared, const kp_error_record *why)
{
    if (!kp_episode_fail(shared, why))
        return;
    kp_generation_freeze(&shared->generation.value);
    kp_wake_all(&shared->generation);
}

bool kp_counter_has_arrivals(const struct kp_shared *shared, int processor)
{
    (void)processor;
    return atomic_load_explicit(&shared->arrivals, KP_ORDER_NOTE) != 0;
}

struct kp_wait_word *kp_counter_word(const kp_group *member)
{
    return &member->shared->generation;
}

static bool all_agree(const struct kp_shared *shared, uint64_t all, uint64_t fingerprint,
                      uint64_t episode)
{
    if (!kp_arrivals_agree(all, fingerprint, shared->size))
        return false;
    return atomic_load_explicit(&shared->invalid, KP_ORDER_WITHIN_EPISODE) != episode;
}

/* Publishes the episode (this use of the barrier) to all members. Returns false if a failure has
 * frozen the generation word. Then the episode happens for no member. */
static bool publish(struct kp_shared *shared, uint64_t episode, uint32_t seen, uint32_t next)
{
    kp_arrivals_clear(&shared->arrivals);
    kp_episode_clear(shared, episode);
    if (!kp_generation_publish(&shared->generation.value, seen, next))
        return false;
    kp_wake_all(&shared->generation);
    return true;
}

void kp_counter_open(kp_group *member, uint64_t fingerprint, uint64_t all)
{
    struct kp_shared *shared = member->shared;
    uint32_t seen = member->seen;
    bool agreed = all_agree(shared, all, fingerprint, member->episodes);
    member->next = kp_generation_after(seen) | (agreed ? 0 : KP_GENERATION_SPLIT);
    if (!publish(shared, member->episodes, seen, member->next))
        member->next = seen;
}

enum kp_episode_result kp_counter_await(kp_group *member)
{
    uint32_t seen = member->seen;
    if (!member->was_last) {
        uint32_t now = kp_wait_change(&member->shared->generation, seen, &member->waiter);
        if (now == seen)
            return KP_EPISODE_LATE;
        member->next = now & KP_GENERATION_LOW;
    }
    if (member->next == seen)
        return KP_EPISODE_FAILED;
    member->seen = member->next;
    kp_point();
    return member->next & KP_GENERATION_SPLIT ? KP_EPISODE_SPLIT : KP_EPISODE_AGREED;
}

const struct kp_sync_row kp_counter_row = {
    .long_buffer = true,
    .make = kp_counter_make,
    .free = kp_counter_free,
    .reset = kp_counter_reset,
    .fail = kp_counter_fail,
    .is_awaited = kp_counter_has_arrivals,
    .word = kp_counter_word,
};
