/* This header has what the files of the barrier and the messages over a wire share (wired.c,
 * wired_messages.c), and what watch.c, postbox.c, request.c and lane_episode.c need of it. No other
 * file includes it. */
#ifndef KPORT_PORTS_SYNC_WIRED_DATA_H
#define KPORT_PORTS_SYNC_WIRED_DATA_H

#include "ports/carrier/wire.h"
#include "ports/machine_data.h"
#include "ports/mix.h"
#include "ports/request/lane.h"
#include "ports/sync/wired.h"

#include <pthread.h>
#include <stdalign.h>

/* Every group has a context, a number that the tags of its messages contain. Two groups with a
 * common processor have different contexts. Context 0 is that of the messages by which a group's
 * members agree on the group's context, and context 1 that of the world. */
#define WORLDS_CONTEXT   1
#define CONTENTS_CONTEXT 2 /* of the contents of messages with tags (message/postbox.h) */
#define CONTEXTS         2048

struct contexts {
    uint64_t free[CONTEXTS / 64]; /* bit i % 64 of word i / 64 is set if context i is free */
};

static inline void contexts_set(struct contexts *contexts, uint64_t i, bool is_free)
{
    const uint64_t bit = (uint64_t)1 << i % 64;
    if (is_free)
        contexts->free[i / 64] |= bit;
    else
        contexts->free[i / 64] &= ~bit;
}

/* Returns the smallest free context, or 0 if there is none. */
static inline uint64_t contexts_first(const struct contexts *contexts)
{
    uint64_t i = 0;
    while (i < CONTEXTS && !(contexts->free[i / 64] >> i % 64 & 1))
        i++;
    return i < CONTEXTS ? i : 0;
}

/* A message of the barrier. It says what its sender knows of itself and of the members from which
 * news has reached it. `agree` says that these members make the same call and none refuses it. */
struct news {
    uint64_t mark, beside;
    bool agree;
};

/* After an episode (a use of the barrier) that has found a difference, each member tells all others
 * its call by this message. `before` is the mark that it had before this call. */
struct statement {
    uint64_t fingerprint, before;
    bool refused;
    char called[220];
    kp_error_record why;
};

/* The marks of so many positions are kept, for comparison. The lowest bit of what is kept says that
 * the position is that of an episode. */
#define KP_WIRED_LOG     16
#define KP_WIRED_EPISODE 1

/* The most ports on which a member tells others in an episode what it knows. Among 16 processes on
 * two cores a barrier takes 81 us with one port, 61 us with four, and 73 us with seven: what more
 * messages take is then more than what fewer steps save. */
#define KP_WIRED_PORTS 4

/* An episode of a lane, which is made in steps (request/lane_episode.c). */
struct kp_wired_episode {
    enum {
        KP_WIRED_SPREADS, /* the dissemination */
        KP_WIRED_TELLS,   /* the members exchange what they tell each other */
        KP_WIRED_STATES,  /* the members exchange what they have called */
        KP_WIRED_OVER,
    } stage;
    int64_t step;
    bool begun; /* the messages of the step have begun */
    struct news all;
    struct kp_wire_message in[KP_WIRED_PORTS], out[KP_WIRED_PORTS];
    int count;                        /* the number of messages of the step */
    const struct kp_telling *telling; /* not NULL: the members tell each other this */
    int space;
    enum kp_episode_result result;
};

struct kp_wired {
    struct kp_wired_round rounds; /* comes first */
    struct kp_wire *wire;         /* in a lane: a branch of the machine's wire */
    struct kp_wired_episode episode;
    kp_error_record why; /* what a wait that failed has said */
    uint64_t birth;      /* the first mark, which no other group with these members has, nor this
                            group in another run */
    uint64_t before;     /* the mark before the latest of these */
    uint64_t position;   /* how many these are, equal at all members at the same place */
    uint64_t log[KP_WIRED_LOG];
    bool is_counted; /* kp_watch_count */
    uint64_t runs;   /* at the world's member: the number of runs so far */
    uint64_t
        groups; /* at the world's member: the largest number of a group so far (struct claim) */
    struct contexts own_contexts; /* at the world's member: the contexts of its processor */
    struct news own;
    int ports; /* on which this member tells others in an episode what it knows */
    /* What comes in a step of an episode, by port. */
    alignas(16) char news[KP_WIRED_PORTS][KP_WIRE_SHORT];
    struct statement
        *statements; /* the statements of all members; NULL until the first difference */
    char *told; /* memory for kp_wired_tell: this member's rows, then the other members' rows */
    size_t told_room;
};

/* Returns what is kept of the present position. */
static inline uint64_t *kp_wired_logged(struct kp_wired *wired)
{
    return &wired->log[wired->position % KP_WIRED_LOG];
}

static inline void kp_wired_set_mark(struct kp_wired *wired, uint64_t mark, uint64_t episode)
{
    wired->rounds.mark = mark;
    *kp_wired_logged(wired) = mark << 1 | episode;
}

/* Counts a call, or an episode (KP_WIRED_EPISODE), of which all members make the same. */
static inline void kp_wired_count(struct kp_wired *wired, uint64_t fingerprint, uint64_t episode)
{
    wired->before = wired->rounds.mark;
    wired->position++;
    kp_wired_set_mark(wired, kp_hash(wired->rounds.mark, fingerprint), episode);
}

/* Begins to count the calls of a new group, or of a run. kp_hash of two values alone does not tell
 * which is which, so it begins with a third. */
static inline void kp_wired_start(struct kp_wired *wired, uint64_t context, uint64_t number)
{
    const uint64_t birth = kp_hash(kp_hash(CONTEXTS, context), number);
    wired->birth = birth;
    wired->position = 0;
    wired->is_counted = false;
    kp_wired_set_mark(wired, birth, 0);
}

/* Returns the tag of a message on a port. The message of an episode counts as port k. */
static inline uint64_t kp_wired_tag(const kp_group *member, int port)
{
    const uint64_t k = (uint64_t)member->shared->machine->k;
    return member->wired->rounds.context * (k + 1) + (uint64_t)port;
}

static inline uint64_t kp_wired_contents_tag(const kp_group *member)
{
    return CONTENTS_CONTEXT * ((uint64_t)member->shared->machine->k + 1);
}

/* Returns a number that no other length has, or 0 if it has more than `bits` bits: a factor, and in
 * the last KP_WIRED_POWER_BITS bits the power of 2 by which it is multiplied. */
#define KP_WIRED_POWER_BITS 4
static inline uint64_t kp_wired_number_of(size_t bytes, unsigned bits)
{
    const uint64_t most_power = (1 << KP_WIRED_POWER_BITS) - 1;
    uint64_t power = 0, factor = bytes;
    for (; power < most_power && !(factor & 1); power++)
        factor >>= 1;
    const uint64_t number = factor << KP_WIRED_POWER_BITS | power;
    return number >> bits ? 0 : number;
}

/* Makes the group unusable because of a failure that the wire has found. `why` is as the wire has
 * stored it. Sets the error and returns its status. */
int kp_wired_fails(kp_group *member, int status, kp_error_record *why);

/* Checks, before this member sends or receives, that the group has not failed. It may have failed
 * while this call ran an operator. Returns 0 or the error's status. */
int kp_wired_may_not_begin(const kp_group *member);
static inline int kp_wired_may_begin(const kp_group *member)
{
    return member->shared->failed ? kp_wired_may_not_begin(member) : KP_OK;
}

/* Waits for what was begun. If beginning it has failed, `begun` is the status, and the group fails
 * with the error that is set. Returns 0 or the error's status. */
int kp_wired_completed(kp_group *member, bool begun, int status, int round);
static inline void kp_wired_will_wait(kp_group *member)
{
    struct kp_wire *wire = member->wired->wire;
    wire->waiting = member;
    if (member->self->unusual && kp_requests_go_on(member))
        wire->go_on = kp_requests_beside;
}
static inline int kp_wired_has_waited(kp_group *member, bool begun, int status, int round)
{
    struct kp_wire *wire = member->wired->wire;
    wire->go_on = NULL;
    return status || wire->watched ? kp_wired_completed(member, begun, status, round) : KP_OK;
}
static inline int kp_wired_complete(kp_group *member, int begun, enum kp_wire_what what,
                                    unsigned limit_ms, int round)
{
    struct kp_wired *wired = member->wired;
    kp_wired_will_wait(member);
    const int status = begun ? begun : wired->wire->wait(wired->wire, what, limit_ms, &wired->why);
    return kp_wired_has_waited(member, !begun, status, round);
}

/* Makes the group unusable. The other members get the error `told`, and this member returns the
 * error that is set. */
int kp_wired_broken_by_own(kp_group *member, int round, kp_error_record told);

/* The parts of a step of a dissemination, of kp_wired_swap, of kp_wired_tell, and of the exchange
 * of calls after an episode that has found a difference. A blocking call waits between them. Those
 * that return an int return 0 or the status of the error with which the group has failed. */
int kp_wired_step(kp_group *member, int64_t step, void *known, size_t bytes,
                  struct kp_wire_message *in, struct kp_wire_message *out);
int kp_wired_step_came(kp_group *member, const struct kp_wire_message *in, int count, size_t bytes);
void kp_wired_add_news(void *known, const void *other);
void kp_wired_spread_over(kp_group *member, const struct news *all);
int kp_wired_swap_pack(kp_group *member, struct kp_wired_rows own, size_t bytes);
void kp_wired_swap_take(kp_group *member, struct kp_wired_rows others, size_t bytes);
int kp_wired_tell_pack(kp_group *member, const struct kp_telling *own);
void kp_wired_tell_take(kp_group *member, const struct kp_telling *own, int space);
int kp_wired_state_pack(kp_group *member);
enum kp_episode_result kp_wired_state_take(kp_group *member);

/* Begins an episode of a lane, after kp_wired_arrive. */
void kp_wired_begin_steps(kp_group *member);

void kp_wired_free_transfers(struct kp_transfers *transfers);

#endif
