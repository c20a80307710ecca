/* How the members of a group wait for each other. A group has one kind of episodes, and may have
 * mailboxes, too. Functions that must be fast are inline and switch on the kind. Each kind has a
 * row of the other functions. No code outside this folder asks for the kind. */
#ifndef KPORT_PORTS_SYNC_SYNC_H
#define KPORT_PORTS_SYNC_SYNC_H

#include "ports/sync/core_sets.h"
#include "ports/sync/counter.h"
#include "ports/sync/pair_episode.h"
#include "ports/sync/parts.h"
#include "ports/sync/wired.h"

enum kp_sync {
    KP_SYNC_COUNTER,   /* many threads */
    KP_SYNC_CORE_SETS, /* many threads, kept on cores which they share */
    KP_SYNC_PARTS,     /* fibers, counted by worker */
    KP_SYNC_PAIR,      /* two threads */
    KP_SYNC_ALONE,     /* a member that is alone */
    KP_SYNC_WIRED,     /* members that share no memory */
    KP_SYNCS,
};

struct kp_sync_row {
    /* Which eager buffers suit the kind (ports/eager.c). Buffers shorter than `near_end` lie with
     * the words of the episode (0: none). `quick`: one more episode is cheap where members spin.
     * `long_buffer`: one member that packs alone may use a longer buffer. */
    size_t near_end;
    bool quick, long_buffer;

    /* `make` allocates what a new group needs, after its members and eager buffers: 0 or
     * KP_EMEMORY, without a sentence. `free` is called in any case. `reset` is called before every
     * run. */
    int (*make)(struct kp_shared *shared);
    void (*free)(struct kp_shared *shared);
    void (*reset)(struct kp_shared *shared);

    /* Makes every wait in the group end, now and later. The caller holds the machine's lock. */
    void (*fail)(struct kp_shared *shared, const kp_error_record *why);

    /* Returns whether other members may be waiting for that processor, if it is a member. It only
     * looks, while others arrive. NULL: other members cannot be looked at. */
    bool (*is_awaited)(const struct kp_shared *shared, int processor);

    /* Returns the word that a member waits for in an episode. */
    struct kp_wait_word *(*word)(const kp_group *member);
};

extern const struct kp_sync_row kp_mailboxes_row;

/* Chooses the kind of a new group, whose members know already how they wait. */
void kp_sync_choose(struct kp_shared *shared);

/* Call the functions of the rows, for the group's episodes and its mailboxes. */
int kp_sync_make(struct kp_shared *shared);
void kp_sync_free(struct kp_shared *shared);
void kp_sync_reset(struct kp_shared *shared);
void kp_sync_fail(struct kp_shared *shared, const kp_error_record *why);
bool kp_sync_is_awaited(const struct kp_shared *shared, int processor);

/* Arrives at the next episode with `fingerprint`, and releases what this member wrote. Between this
 * and the wait the member may do what concerns no other member. `kind` is the member's kind, or a
 * constant known to equal it. `bits` of all members are combined by OR. */
static inline void kp_sync_arrive(kp_group *member, enum kp_sync kind, uint64_t fingerprint,
                                  unsigned bits)
{
    if (kind == KP_SYNC_COUNTER)
        kp_counter_arrive(member, fingerprint, bits);
    else if (kind == KP_SYNC_CORE_SETS)
        kp_core_set_arrive(member, fingerprint, bits);
    else if (kind == KP_SYNC_PARTS)
        kp_part_arrive(member, fingerprint, bits);
    else if (kind == KP_SYNC_PAIR)
        kp_pair_arrive(member, fingerprint, bits);
    else if (kind == KP_SYNC_WIRED)
        kp_wired_arrive(member, fingerprint, bits);
    else
        kp_episode_set_bits(member->shared, member->episodes,
                            bits); /* a member that is alone makes no episodes */
}

/* Takes the first looks at the episode. Returns true if the episode has happened and all members
 * agree. Then this member is past it, and has acquired what all members wrote before they arrived.
 * Every member makes every episode. */
static inline bool kp_sync_passed(kp_group *member, enum kp_sync kind, uint64_t fingerprint)
{
    if (kind == KP_SYNC_PAIR)
        return kp_pair_passed(member, fingerprint);
    if (kind == KP_SYNC_PARTS)
        return kp_part_passed(member);
    if (kind >= KP_SYNC_ALONE) /* over a wire messages come only in kp_sync_await */
        return kind == KP_SYNC_ALONE;
    if (kind == KP_SYNC_CORE_SETS)
        kp_core_set_look(member);
    return kp_counter_passed(member);
}

/* Returns the bits of all members in this member's last episode, until it arrives at the next. */
static inline unsigned kp_sync_bits(const kp_group *member)
{
    return member->sync == KP_SYNC_PAIR ? kp_pair_bits(member)
                                        : kp_episode_bits(member->shared, member->episodes);
}

/* Waits until the episode has happened, the group has failed, or the time limit is over. */
enum kp_episode_result kp_sync_await(kp_group *member);

/* Returns the word that a member waits for in an episode. */
static inline struct kp_wait_word *kp_sync_word(const kp_group *member)
{
    return member->shared->sync[0]->word(member);
}

/* Returns whether the wait would end at once. In a pair that has failed, this member's word stays
 * as it was. Of many members, the last to arrive has opened the episode itself. */
static inline bool kp_sync_has_come(const kp_group *member)
{
    if (member->sync == KP_SYNC_ALONE ||
        atomic_load_explicit(&kp_sync_word(member)->value, KP_ORDER_OBSERVE) != member->seen)
        return true;
    return member->sync == KP_SYNC_PAIR ? member->next == member->seen : member->was_last;
}

/* Returns the eager buffer for messages shorter than the row's near_end. */
static inline char *kp_sync_near_buffer(struct kp_shared *shared, int rank, unsigned generation)
{
    return (char *)kp_pair_note(shared, rank)->buffer[generation];
}

/* Returns whether there are two members, each of which waits for the other's word. Callers compiled
 * for a pair save asking again. */
static inline bool kp_sync_is_of_two(const kp_group *member)
{
    return member->sync == KP_SYNC_PAIR;
}

/* Returns whether one member may work for all that share its core (core_sets.h). */
static inline bool kp_sync_has_core_sets(const kp_group *member)
{
    return member->sync == KP_SYNC_CORE_SETS;
}

#endif
