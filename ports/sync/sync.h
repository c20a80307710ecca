/* This header says how the members of a group wait for each other. Every group has one kind of
 * barrier, and may have mailboxes, too. One use of the barrier is an episode. Functions that must
 * be fast are inline and branch on the kind of barrier. For the other functions, each kind has a
 * row of function pointers (struct kp_sync_row). No code outside this folder asks for the kind. */
#ifndef KPORT_PORTS_SYNC_SYNC_H
#define KPORT_PORTS_SYNC_SYNC_H

#include "ports/sync/core_sets.h"
#include "ports/sync/counter.h"
#include "ports/sync/pair_episode.h"
#include "ports/sync/wired.h"
#include "ports/sync/worker_sets.h"

enum kp_sync {
    KP_SYNC_COUNTER,     /* many threads */
    KP_SYNC_CORE_SETS,   /* many threads, pinned to cores which they share */
    KP_SYNC_WORKER_SETS, /* other fibers; each thread that carries fibers counts their arrivals by
                          * itself
                          */
    KP_SYNC_PAIR,        /* two threads, or two fibers of different workers */
    KP_SYNC_ALONE,       /* a group of one member */
    KP_SYNC_WIRED,       /* members that share no memory */
    KP_SYNCS,
};

/* The functions and properties of one kind of barrier, or of the mailboxes. */
struct kp_sync_row {
    /* Properties for the choice of eager buffers (ports/eager.c). Buffers shorter than `near_end`
     * lie in the cache lines of the barrier's words (0: none). `quick` says that one more episode
     * is cheap if members spin. `long_buffer` says that a member packing alone may use a longer
     * buffer. */
    size_t near_end;
    bool quick, long_buffer;

    /* `make` allocates what a new group needs. It is called after the group's members and eager
     * buffers have been made. It returns 0, or KP_EMEMORY without setting an error. `free` is
     * called even if `make` failed. `reset` is called before every run. */
    int (*make)(struct kp_shared *shared);
    void (*free)(struct kp_shared *shared);
    void (*reset)(struct kp_shared *shared);

    /* Ends all present and future waits in the group. The caller holds the machine's lock. */
    void (*fail)(struct kp_shared *shared, const kp_error_record *why);

    /* Returns whether other members may be waiting for the member of this processor. The result is
     * meaningless for a processor that has no member in the group. It may be out of date, because
     * members may be arriving during the call. NULL: this cannot be known. */
    bool (*is_awaited)(const struct kp_shared *shared, int processor);

    /* Returns the word on which a member waits in an episode. */
    struct kp_wait_word *(*word)(const kp_group *member);
};

extern const struct kp_sync_row kp_mailboxes_row;

/* Chooses the kind of barrier of a new group. The members' `waiter` must be set before. */
void kp_sync_choose(struct kp_shared *shared);

/* Each of these five functions calls the function of the same name in the row of the group's
 * barrier, and also in the row of the mailboxes if the group has them. */
int kp_sync_make(struct kp_shared *shared);
void kp_sync_free(struct kp_shared *shared);
void kp_sync_reset(struct kp_shared *shared);
void kp_sync_fail(struct kp_shared *shared, const kp_error_record *why);
bool kp_sync_is_awaited(const struct kp_shared *shared, int processor);

/* Arrives at the barrier with the fingerprint of the member's call. The arrival is a release of
 * what the member wrote. Before it waits, the member may do work that concerns no other member.
 * `kind` is the kind of the group's barrier, which a caller may pass as a constant. The barrier
 * combines all members' `bits` by OR, and adds up their differences. Members agree if their
 * fingerprints are equal and the sum of their differences is 0, modulo 2^44. Over a wire the
 * difference is 0. */
static inline void kp_sync_arrive_adding(kp_group *member, enum kp_sync kind, uint64_t fingerprint,
                                         uint64_t difference, unsigned bits)
{
    if (kind == KP_SYNC_COUNTER)
        kp_counter_arrive(member, fingerprint, difference, bits);
    else if (kind == KP_SYNC_CORE_SETS)
        kp_core_set_arrive(member, fingerprint, difference, bits);
    else if (kind == KP_SYNC_WORKER_SETS)
        kp_worker_set_arrive(member, fingerprint, difference, bits);
    else if (kind == KP_SYNC_PAIR)
        kp_pair_arrive(member, kp_pair_number(member, fingerprint, difference), bits);
    else if (kind == KP_SYNC_WIRED)
        kp_wired_arrive(member, fingerprint, bits);
    else
        kp_episode_set_bits(member->shared, member->episodes,
                            bits); /* a group of one needs no barrier */
}

static inline void kp_sync_arrive(kp_group *member, enum kp_sync kind, uint64_t fingerprint,
                                  unsigned bits)
{
    kp_sync_arrive_adding(member, kind, fingerprint, 0, bits);
}

/* Looks a few times whether all members have arrived, with the fingerprint and the difference with
 * which this member arrived. Returns true if they have arrived and agree.
 * In this case this member may go on, and has acquired what all members wrote before they arrived.
 * Otherwise the caller calls kp_sync_await. Every member takes part in every episode. */
static inline bool kp_sync_passed_adding(kp_group *member, enum kp_sync kind, uint64_t fingerprint,
                                         uint64_t difference)
{
    if (kind == KP_SYNC_PAIR)
        return kp_pair_passed(member, kp_pair_number(member, fingerprint, difference));
    if (kind == KP_SYNC_WORKER_SETS)
        return kp_worker_set_passed(member);
    if (kind >= KP_SYNC_ALONE) /* over a wire a member receives only in kp_sync_await */
        return kind == KP_SYNC_ALONE;
    if (kind == KP_SYNC_CORE_SETS)
        kp_core_set_look(member);
    return kp_counter_passed(member);
}

static inline bool kp_sync_passed(kp_group *member, enum kp_sync kind, uint64_t fingerprint)
{
    return kp_sync_passed_adding(member, kind, fingerprint, 0);
}

/* Returns the combined bits of all members from the last episode. They are valid until the next
 * arrival. */
static inline unsigned kp_sync_bits(const kp_group *member)
{
    return member->sync == KP_SYNC_PAIR ? member->bits
                                        : kp_episode_bits(member->shared, member->episodes);
}

/* Waits until the episode has happened, the group has failed, or the time limit is over. */
enum kp_episode_result kp_sync_await(kp_group *member);

/* Returns the word on which a member waits in an episode. */
static inline struct kp_wait_word *kp_sync_word(const kp_group *member)
{
    return member->shared->sync[0]->word(member);
}

/* Returns whether kp_sync_await would return at once. In a pair, next == seen means that the
 * barrier has failed. In a larger group, the last member to arrive need not wait. */
static inline bool kp_sync_has_come(const kp_group *member)
{
    if (member->sync == KP_SYNC_WIRED)
        return kp_wired_has_come((kp_group *)(uintptr_t)member);
    if (member->sync == KP_SYNC_ALONE ||
        atomic_load_explicit(&kp_sync_word(member)->value, KP_ORDER_RECHECK) != member->seen)
        return true;
    return member->sync == KP_SYNC_PAIR ? member->next == member->seen : member->was_last;
}

/* Returns the near eager buffer of a rank. It lies in the cache line of a barrier's word, and is
 * used for messages shorter than the row's near_end. */
static inline char *kp_sync_near_buffer(struct kp_shared *shared, int rank, unsigned generation)
{
    return (char *)kp_pair_note(shared, rank)->buffer[generation];
}

/* Returns whether the group has the barrier for two members. If so, the caller may use code that is
 * compiled for this kind alone. */
static inline bool kp_sync_is_of_two(const kp_group *member)
{
    return member->sync == KP_SYNC_PAIR;
}

/* Returns whether one member may do the copying for all members on its core (core_sets.h). */
static inline bool kp_sync_has_core_sets(const kp_group *member)
{
    return member->sync == KP_SYNC_CORE_SETS;
}

#endif
