/* How the members of a group wait for each other: kinds of passes, of which a group has one, and
 * the mailboxes beside it. What is in a hurry is inline and switches on the kind; the rest is a row
 * of functions for each. Nothing outside this folder asks for the kind. */
#ifndef KPORT_PORTS_SYNC_SYNC_H
#define KPORT_PORTS_SYNC_SYNC_H

#include "ports/sync/core_sets.h"
#include "ports/sync/counter.h"
#include "ports/sync/pair_pass.h"
#include "ports/sync/parts.h"
#include "ports/sync/wired.h"

enum kp_sync {
    KP_SYNC_COUNTER,   /* many threads */
    KP_SYNC_CORE_SETS, /* that are kept on cores which they share */
    KP_SYNC_PARTS,     /* fibers, by worker */
    KP_SYNC_PAIR,      /* two threads */
    KP_SYNC_ALONE,     /* one member */
    KP_SYNC_WIRED,     /* members that share no memory */
    KP_SYNCS,
};

struct kp_sync_row {
    /* What suits rows (rows.c): shorter ones lie with the words (0: none does), whether a pass more
     * is cheap where members spin, and whether what goes to many may be longer. */
    size_t near_end;
    bool quick, long_buffer;

    /* Memory and places for a new group, its members and eager buffers made: 0 or KP_EMEMORY,
     * without a sentence; `free` in any case. `reset`: before every run. */
    int (*make)(struct kp_shared *shared);
    void (*free)(struct kp_shared *shared);
    void (*reset)(struct kp_shared *shared);

    /* Under the machine's lock: from now on nobody waits in vain. */
    void (*fail)(struct kp_shared *shared, const kp_error_record *why);

    /* Whether others may be waiting for that processor, if it is a member: a look, while others
     * come. NULL: there is nobody who could be looked at. */
    bool (*is_awaited)(const struct kp_shared *shared, int processor);

    /* The word that a member waits for in a pass. */
    struct kp_wait_word *(*word)(const kp_group *member);
};

extern const struct kp_sync_row kp_mailboxes_row;

/* For a new group whose members know how they wait: who keeps its passes. */
void kp_sync_choose(struct kp_shared *shared);

/* The rows' functions, for all that a group has. */
int kp_sync_make(struct kp_shared *shared);
void kp_sync_free(struct kp_shared *shared);
void kp_sync_reset(struct kp_shared *shared);
void kp_sync_fail(struct kp_shared *shared, const kp_error_record *why);
bool kp_sync_is_awaited(const struct kp_shared *shared, int processor);

/* Arrives at the next pass with `fingerprint`: releases what this member wrote. Between the two it
 * may do what concerns nobody else. `kind`: the member's, or known to be. `bits`: those of all
 * members are combined by OR. */
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
        kp_phase_set_bits(member->shared, member->passes, bits); /* one alone makes no passes */
}

/* Whether the pass is over and all agree, after the first looks. If so, the member is past it and
 * has acquired what all members wrote before they arrived. Every member makes every pass. */
static inline bool kp_sync_passed(kp_group *member, enum kp_sync kind, uint64_t fingerprint)
{
    if (kind == KP_SYNC_PAIR)
        return kp_pair_passed(member, fingerprint);
    if (kind == KP_SYNC_PARTS)
        return kp_part_passed(member);
    if (kind >= KP_SYNC_ALONE) /* over a wire all is heard in kp_sync_await */
        return kind == KP_SYNC_ALONE;
    if (kind == KP_SYNC_CORE_SETS)
        kp_core_set_look(member);
    return kp_counter_passed(member);
}

/* The bits of all members, of the pass that this one has come through last, until it arrives at the
 * next. */
static inline unsigned kp_sync_bits(const kp_group *member)
{
    return member->sync == KP_SYNC_PAIR ? kp_pair_bits(member)
                                        : kp_phase_bits(member->shared, member->passes);
}

/* Waits for the pass, however long. */
enum kp_pass_result kp_sync_await(kp_group *member);

/* The word that a member waits for in a pass. */
static inline struct kp_wait_word *kp_sync_word(const kp_group *member)
{
    return member->shared->sync[0]->word(member);
}

/* Whether the wait would be over at once. Of a pair that has failed the own word stays as it was;
 * the last of many has opened the pass itself. */
static inline bool kp_sync_has_come(const kp_group *member)
{
    if (member->sync == KP_SYNC_ALONE ||
        atomic_load_explicit(&kp_sync_word(member)->value, KP_ORDER_OBSERVE) != member->seen)
        return true;
    return member->sync == KP_SYNC_PAIR ? member->next == member->seen : member->was_last;
}

/* Eager buffers shorter than the row's near_end. */
static inline char *kp_sync_near_buffer(struct kp_shared *shared, int rank, unsigned generation)
{
    return (char *)kp_pair_note(shared, rank)->buffer[generation];
}

/* Whether there are two members and each waits for the other's word: known, it saves asking. */
static inline bool kp_sync_is_of_two(const kp_group *member)
{
    return member->sync == KP_SYNC_PAIR;
}

/* Whether one member may work for all that share its core (core_sets.h). */
static inline bool kp_sync_has_core_sets(const kp_group *member)
{
    return member->sync == KP_SYNC_CORE_SETS;
}

#endif
