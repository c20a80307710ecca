/* A group: its members, what each member publishes to the others, and the part that all share. */
#ifndef KPORT_PORTS_SHARED_H
#define KPORT_PORTS_SHARED_H

#include "kport/group.h"
#include "kport/machine.h"
#include "ports/eager.h"
#include "ports/port.h"
#include "ports/slot.h"
#include "ports/sync/arrival.h"
#include "ports/sync/wait.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a member publishes to the others, on cache lines of its own. The member writes it before it
 * arrives; the others read it after the episode. */
struct kp_published {
    /* Addresses of lent memory. They change seldom, so this line stays in the readers' caches.
     */
    alignas(KP_CACHE_LINE) const char *bases[KP_PORT_SPACES];
    struct kp_slot *slots[KP_GENERATIONS]; /* the slots of kp_exchange, one for each port */
    int slot_count[KP_GENERATIONS]; /* the number of slots: enough for the ports used so far */
    const void *work; /* the work that another thread of its core set does for this member after an
                         episode, or NULL */
    alignas(KP_CACHE_LINE) const struct kp_call *call; /* the call opened last; may be `plain` */
    const kp_error_record *refused; /* why the member refuses the call, or NULL */
    _Atomic uint64_t episodes;      /* the number of arrivals; for reports only */
    struct kp_call plain;           /* a call that no plan keeps; empty before the first */
};

/* A member. Only the member's own thread uses it, except for `published`. Fields are in order of
 * use: if many members share a core, each finds its lines evicted, so a barrier touches only the
 * published call and the next two lines. */
struct kp_group {
    struct kp_published published;

    alignas(KP_CACHE_LINE) kp_proc *self;
    struct kp_shared *shared;
    union {
        struct kp_part *part;         /* its worker's part (sync/parts.h), or */
        struct kp_core_set *core_set; /* its core's set (sync/core_sets.h) */
    };
    struct kp_exchange_state *exchange;
    struct kp_trace_member *trace; /* NULL: no trace */
    uint64_t episodes;             /* the number of episodes begun, including the current one */
    uint32_t seen; /* the generation word, or a pair's words, after the last episode */
    uint32_t next; /* the generation word after the current episode; in a pair, the own word */
    int rank;
    bool exchanged;     /* messages it sent by kp_exchange are still to be checked or reported */
    bool was_last;      /* it was the last member to arrive at the episode */
    bool was_last_here; /* it was the last of its core set, and has not looked since */
    bool opening;       /* the next episode is the first of its call */
    bool within;        /* the call is part of a call in which all members are */
    bool dead;          /* an episode has failed, so no later one can happen */

    unsigned char sync; /* an enum kp_sync, the kind of its episodes */
    uint32_t calls;     /* the calls opened since the group's last reset */
    uint64_t lent;      /* the last episode for which all members know of lent memory */
    uint64_t since;     /* when it went to sleep (kp_deadlock_clock); 0: it is awake */
    struct kp_attachment attachment;
    int round; /* the round, and below the port, that reports name for a wait */
    int port;
    struct kp_waiter waiter;

    struct kp_mail *mail;   /* NULL: the discipline is the barrier */
    struct kp_wired *wired; /* NULL: members share memory */
    int held;               /* the number of handles to this member; under the machine's lock */
    kp_group *next_held;    /* the next member of its processor */
    kp_group *next_here, *before_here; /* its neighbours in the core set */
    uint64_t number;                   /* the number of its group */
};

#define KP_BESIDE 4 /* the number of words in `beside`, used in turn by episode */

#define KP_SYNCS_OF_A_GROUP 2

/* What a snapshot has collected about the members of a group; under the machine's lock. */
struct kp_group_snapshot {
    uint64_t snapshot;  /* the snapshot's number */
    uint64_t episode;   /* the episode in which they wait */
    const int *members; /* the members; NULL: the world's */
    const int *missing; /* the members that have not arrived at that episode */
    int missing_count;
};

/* The part of a group that all members share. */
struct kp_shared {
    /* `arrivals` and `generation` are explained in sync/arrival.h. */
    alignas(KP_CACHE_LINE) _Atomic uint64_t arrivals;
    struct kp_wait_word generation;
    struct kp_wait_word pair[2]; /* a pair's words by rank (sync/pair.h), used instead */
    /* What members write about an episode before they arrive: seldom, so one line is enough. */
    alignas(KP_CACHE_LINE) _Atomic uint64_t lent; /* the last episode with lent memory */
    _Atomic uint64_t invalid;                     /* the last episode with a refused call */
    _Atomic uint64_t beside[KP_BESIDE]; /* the bits that members arrive with (sync/episode.h) */

    alignas(KP_CACHE_LINE) kp_machine *machine;
    int size, ports;
    uint64_t number; /* unique among groups */
    const struct kp_sync_row
        *sync[KP_SYNCS_OF_A_GROUP]; /* for episodes, and for mailboxes or NULL */
    size_t near_end; /* shorter eager buffers lie beside the words of a pair; 0: none do */
    int *processors;
    size_t buffer_bytes, long_bytes; /* the length of an eager buffer, and of the long one */
    struct kp_group *members;
    void *members_block; /* the memory that contains `members` */
    int generations;     /* generations of mailboxes; below, their memory or NULL */
    void *mails;
    void *boxes;
    char *mail_buffers;
    size_t mail_long_bytes;         /* that of a buffer that one member packs alone */
    _Atomic uint32_t broken;        /* 1: no member waits by mailboxes any more */
    kp_error_record break_reason;   /* why; written before `broken` */
    struct kp_part *parts;          /* by worker, if the episodes are kept by parts; else NULL */
    struct kp_core_set *core_sets;  /* by core, if the episodes are kept by core sets; else NULL */
    struct kp_trace_member *traces; /* by rank; NULL: no trace */
    int held;                /* the number of members with handles; under the machine's lock */
    struct kp_shared *next;  /* the next group of the machine; under its lock */
    bool failed;             /* under the machine's lock */
    kp_error_record failure; /* why it failed; written before the failure is published */
    uint64_t told; /* the last episode whose disagreement has been reported; under the lock */
    struct kp_group_snapshot snapshot;
    struct kp_eager_buffers eager[KP_EAGER_KINDS];
};

/* Returns the machine number of a rank's processor, or -1. */
static inline int kp_member_processor(const kp_group *member, int rank)
{
    return rank >= 0 && rank < member->shared->size ? member->shared->processors[rank] : -1;
}

/* Returns the rank of a processor; -1: it is no member. */
static inline int kp_rank_of(const struct kp_shared *shared, int processor)
{
    int rank = shared->size - 1;
    if (processor <= rank &&
        shared->processors[processor] == processor) /* true for every rank of the world */
        return processor;
    while (rank >= 0 && shared->processors[rank] != processor)
        rank--;
    return rank;
}

/* --- group.c --- */

/* Make a group (`processors` NULL: of all processors), free it, and reset it for a new run. */
int kp_shared_create(kp_machine *machine, const int *processors, int count,
                     struct kp_shared **shared);
void kp_shared_free(struct kp_shared *shared);
void kp_shared_reset(struct kp_shared *shared);

/* Frees what the layer above attached to the members, unless all members have made the same number
 * of calls without failure. Called after a run, before the reset: the data depends on what all
 * members did. */
void kp_shared_forget_failed(struct kp_shared *shared);

/* Reports messages of the last round that no receiver took, when no receiver is left. Called under
 * the machine's lock or after its run. */
void kp_shared_settle(struct kp_shared *shared);

/* As kp_lines_zeroed, but not zeroed. */
void *kp_lines(size_t count, size_t bytes);

/* `kp_member_look` checks that the calling thread may use the member, and reads nothing at the
 * address before it is known to be a member. Returns 0, or a status with its sentence.
 * `kp_member_is_held` returns whether the processor has a handle of the member. */
int kp_member_look(const kp_group *member);
bool kp_member_is_held(const kp_proc *self, const kp_group *member);

/* --- sync/mail.c --- */

/* Called under the machine's lock. `kp_mail_break` ends all waits in the group. `kp_mail_leave`
 * ends the waits for a processor that has ended, once its messages have been received. */
void kp_mail_break(struct kp_shared *shared, const kp_error_record *why);
void kp_mail_leave(struct kp_shared *shared, int processor, const kp_error_record *why);

/* Notes that the processor, which has ended, reads no member's memory. Called by its own thread. */
void kp_mail_stop_reading(struct kp_shared *shared, int processor);

/* Returns whether all members have made the same calls and received all messages. Called when no
 * handle is left. */
bool kp_mail_is_settled(const struct kp_shared *shared);

/* `kp_mail_awaited` returns the rank that a member waits for by mailboxes, parked or not, also
 * while it reports that it gives up; -1 if it does not wait there. `kp_mail_still_awaited` also
 * returns -1 if what the member waits for has arrived. Any thread may call them. */
int kp_mail_awaited(const kp_group *member);
int kp_mail_still_awaited(const kp_group *member);

/* Returns the number of calls by mailboxes that this member has begun. */
uint64_t kp_mail_calls(const kp_group *member);

/* Returns whether the member of that rank and this one made different calls at the same position;
 * writes both calls in words. */
bool kp_mail_say_difference(const kp_group *member, int rank, struct kp_words *words);

/* Returns the word on which a member sleeps while it waits by mailboxes. */
const struct kp_wait_word *kp_mail_bell(const kp_group *member);

/* --- port.c --- */

/* Returns the error that the other members get when this member refuses its call because of
 * `error`. */
kp_error_record kp_port_refusal(const kp_group *member, const kp_error_record *error, int round);

/* Writes the member's call and its call site. */
void kp_call_name(const kp_group *member, char *text, size_t size);

/* Ends a member whose round cannot happen because of `why`: marks it dead, sets the error, returns
 * its status. */
int kp_port_failed(kp_group *member, int round, const kp_error_record *why);

/* --- exchange.c --- */

void kp_exchange_free(kp_group *member);

/* After an episode: checks whether messages of the previous exchange were taken, and remembers the
 * first that was not. */
void kp_exchange_settle(kp_group *member);
/* After an episode that moved nothing: forgets the messages posted for it and before it. */
void kp_exchange_forget(kp_group *member);
/* At the end of a call: returns KP_EUNTAKEN once for the remembered message, else 0. */
int kp_exchange_left(kp_group *member);
/* `kp_exchange_left_of` does the same for all members of a processor that leaves. `kp_exchange_end`
 * does it for one member's last rounds when no receiver is left; any thread may call it then. */
int kp_exchange_left_of(kp_proc *self);
int kp_exchange_end(kp_group *member);

#endif
