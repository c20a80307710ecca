#include "ports/sync/pair_episode.h"

#include "ports/carrier/carrier.h"
#include "ports/machine_data.h"
#include "ports/sync/sync.h"

static int make(struct kp_shared *shared)
{
    for (int i = 0; i < 2; i++) {
        if (kp_wait_word_make(shared->machine, &shared->pair[i], shared->processors[1 - i]))
            return KP_EMEMORY;
    }
    return KP_OK;
}

static void free_words(struct kp_shared *shared)
{
    for (int i = 0; i < 2; i++)
        kp_wait_word_free(&shared->pair[i]);
}

static void reset(struct kp_shared *shared)
{
    for (int i = 0; i < 2; i++)
        atomic_store_explicit(&shared->pair[i].value, kp_first_counters.words, KP_ORDER_RESET);
}

static void fail(struct kp_shared *shared, const kp_error_record *why)
{
    if (!kp_episode_fail(shared, why))
        return;
    for (int i = 0; i < 2; i++) {
        kp_pair_freeze(&shared->pair[i].value);
        kp_wake_all(&shared->pair[i]);
    }
}

static bool one_has_come(const struct kp_shared *shared, int processor)
{
    (void)processor;
    return atomic_load_explicit(&shared->pair[0].value, KP_ORDER_NOTE) !=
           atomic_load_explicit(&shared->pair[1].value, KP_ORDER_NOTE);
}

static struct kp_wait_word *word(const kp_group *member)
{
    return &member->shared->pair[1 - member->rank];
}

/* Returns whether the members' calls agree. Unlike kp_pair_told_alike, this is false also if both
 * members have refused their calls. */
static bool agree(const kp_group *member)
{
    const unsigned generation = kp_generation_of(member->episodes);
    const struct kp_pair_note *own = kp_pair_note(member->shared, member->rank);
    return kp_pair_told_alike(member, own->fingerprint[generation]) &&
           atomic_load_explicit(&member->shared->invalid, KP_ORDER_WITHIN_EPISODE) !=
               member->episodes;
}

enum kp_episode_result kp_pair_await(kp_group *member)
{
    uint32_t seen = member->seen;
    if (member->next == seen)
        return KP_EPISODE_FAILED;
    uint32_t now = kp_wait_change(word(member), seen, &member->waiter);
    if (now == seen)
        return KP_EPISODE_LATE;
    if (!kp_pair_has_come(now, seen))
        return KP_EPISODE_FAILED;
    kp_pair_take_bits(member);
    member->seen = member->next;
    return agree(member) ? KP_EPISODE_AGREED : KP_EPISODE_SPLIT;
}

const struct kp_sync_row kp_pair_row = {
    .near_end = KP_PAIR_BUFFER + 1,
    .quick = true,
    .make = make,
    .free = free_words,
    .reset = reset,
    .fail = fail,
    .is_awaited = one_has_come,
    .word = word,
};
