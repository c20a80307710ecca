/* A group: the member of each member, what it shows to the others, and the part that all share. */
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

/* What a member shows to the others, on lines of its own. Written by the member before it arrives,
 * read by the others after the pass. */
struct kp_shown {
    /* Of described memory: on a line that stays with those who read it while they do not change. */
    alignas(KP_CACHE_LINE) const char *bases[KP_PORT_SPACES];
    struct kp_slot *slots[KP_GENERATIONS]; /* mailboxes of kp_exchange, one a port */
    int slot_count[KP_GENERATIONS];        /* so far: as many as ports have been used */
    const void *work; /* what one of its core set does for it once all have come, or NULL */
    alignas(KP_CACHE_LINE) const struct kp_call *call; /* the last one opened, or `plain` */
    const kp_error_record *refused;                    /* why it cannot take part in it, or NULL */
    _Atomic uint64_t passes;                           /* arrivals so far; for reports only */
    struct kp_call plain; /* of a call that nobody keeps; nothing before the first one */
};

/* One member's member. All but `shown` belongs to the member's thread alone. In the order of its
 * use: where many members share a core each of them finds its lines gone, so a barrier touches the
 * call that is shown and the two lines that follow. */
struct kp_group {
    struct kp_shown shown;

    alignas(KP_CACHE_LINE) kp_proc *self;
    struct kp_shared *shared;
    union {
        struct kp_part *part;         /* of its worker (sync/parts.h), or */
        struct kp_core_set *core_set; /* of its core (sync/core_sets.h) */
    };
    struct kp_exchange_state *exchange;
    struct kp_trace_member *trace; /* NULL where nothing is recorded */
    uint64_t passes;               /* passes begun; the current one while in a pass */
    uint32_t seen; /* the generation word, or the words of a pair, as the last pass left them */
    uint32_t next; /* the generation word after the pass under way; of a pair the own one */
    int rank;
    bool exchanged;     /* what it has sent by kp_exchange is to be looked after, or told of */
    bool was_last;      /* to arrive at it */
    bool was_last_here; /* the same of its core set, and has not looked since */
    bool opening;       /* the next pass is the first of its call */
    bool within;        /* which is part of one that all members are in already */
    bool dead;          /* a pass has failed: none will ever happen again */

    unsigned char sync; /* enum kp_sync: how its passes are kept */
    uint32_t calls;     /* opened since the group began, or began anew */
    uint64_t described; /* last pass for which all members know that memory was described */
    uint64_t since;     /* when it went to sleep (kp_deadlock_clock); 0: it has not */
    struct kp_attachment attachment;
    int round; /* of the call, and the port: for reports, of what is waited for */
    int port;
    struct kp_waiter waiter;

    struct kp_mail *mail;              /* NULL where rounds are kept by the barrier */
    struct kp_wired *wired;            /* NULL where the members share memory */
    int held;                          /* handles that the member has; under the machine's lock */
    kp_group *next_held;               /* of its processor's */
    kp_group *next_here, *before_here; /* of its core set */
    uint64_t number;                   /* its group's own */
};

#define KP_BESIDE 4 /* words beside passes, by pass */

#define KP_SYNCS_OF_A_GROUP 2

/* What a snapshot has put together for the members of a group; under the machine's lock. */
struct kp_group_snapshot {
    uint64_t snapshot;  /* its number */
    uint64_t pass;      /* that they wait in */
    const int *members; /* NULL: the world */
    const int *missing; /* who has not come to that pass */
    int missing_count;
};

/* The part of a group that all members share. */
struct kp_shared {
    /* This word and `generation` are those of sync/arrival.h. */
    alignas(KP_CACHE_LINE) _Atomic uint64_t arrivals;
    struct kp_wait_word generation;
    struct kp_wait_word pair[2]; /* instead, of two members (sync/pair.h), by rank */
    /* What members say of a pass before they arrive: seldom written, so on one line. */
    alignas(KP_CACHE_LINE) _Atomic uint64_t exposed; /* last pass for which one did */
    _Atomic uint64_t invalid;                        /* last pass with a refused call */
    _Atomic uint64_t beside[KP_BESIDE];              /* what members come with (sync/phase.h) */

    alignas(KP_CACHE_LINE) kp_machine *machine;
    int size, ports;
    uint64_t number;                                     /* no other group has it */
    const struct kp_sync_row *sync[KP_SYNCS_OF_A_GROUP]; /* of passes, and of mailboxes or NULL */
    size_t near_end; /* shorter eager buffers lie with the words of the pair; 0: none does */
    int *processors;
    size_t buffer_bytes, long_bytes; /* of an eager buffer, and of the long one: at most */
    struct kp_group *members;
    void *members_block; /* where they lie */
    int generations;     /* of mailboxes, and their memory; NULL by the barrier */
    void *mails;
    void *boxes;
    char *mail_buffers;
    size_t mail_long_bytes;  /* of an eager buffer that one member packs alone, made when it first
                                does */
    _Atomic uint32_t broken; /* 1: no member waits any more */
    kp_error_record break_reason;   /* written before `broken` */
    struct kp_part *parts;          /* by worker, where such keep the passes; else NULL */
    struct kp_core_set *core_sets;  /* by core, the same */
    struct kp_trace_member *traces; /* by rank; NULL where nothing is recorded */
    int held;                       /* members that are held; under the machine's lock */
    struct kp_shared *next;         /* in the machine's registry; under its lock */
    bool failed;                    /* under the machine's lock */
    kp_error_record failure;        /* why; written before the failure is published */
    uint64_t told;                  /* the last pass whose disagreement was told; under the lock */
    struct kp_group_snapshot snapshot;
    struct kp_eager_buffers eager[KP_EAGER_KINDS];
};

/* The rank's processor, for whoever reads the group. */
static inline int kp_member_processor(const kp_group *member, int rank)
{
    return rank >= 0 && rank < member->shared->size ? member->shared->processors[rank] : -1;
}

/* The other way round; -1: it is no member. */
static inline int kp_rank_of(const struct kp_shared *shared, int processor)
{
    int rank = shared->size - 1;
    if (processor <= rank && shared->processors[processor] == processor) /* as in the world */
        return processor;
    while (rank >= 0 && shared->processors[rank] != processor)
        rank--;
    return rank;
}

/* --- group.c --- */

/* `processors`: NULL: all. */
int kp_shared_create(kp_machine *machine, const int *processors, int count,
                     struct kp_shared **shared);
void kp_shared_free(struct kp_shared *shared);
void kp_shared_reset(struct kp_shared *shared);

/* After a run, before the reset: what the layer above keeps at the members goes by what all members
 * have done, so it is dropped unless they have come through the same calls. */
void kp_shared_forget_failed(struct kp_shared *shared);

/* Nobody is left to take anything: what was sent in the last round and not taken is an error. Under
 * the machine's lock, or after its run. */
void kp_shared_settle(struct kp_shared *shared);

/* As kp_lines_zeroed, of anything. */
void *kp_lines(size_t count, size_t bytes);

/* Whether the calling thread may use the member: 0, or a status with its sentence. Reads nothing
 * there before that is known. */
int kp_member_look(const kp_group *member);
bool kp_member_is_held(const kp_proc *self, const kp_group *member);

/* --- sync/mail.c --- */

/* Under the machine's lock. The first breaks all waits in the group; the second, of a member that
 * has ended, those for this member, once what it sent has been taken. */
void kp_mail_break(struct kp_shared *shared, const kp_error_record *why);
void kp_mail_leave(struct kp_shared *shared, int processor, const kp_error_record *why);

/* The processor has ended wherever it was: it reads nobody's memory. By its own thread. */
void kp_mail_stop_reading(struct kp_shared *shared, int processor);

/* Whether all members have made the same calls and taken what was sent. When nobody holds a member.
 */
bool kp_mail_is_settled(const struct kp_shared *shared);

/* The rank that a member waits for, parked or not, also while it tells that it gives up; -1 if it
 * does not wait, or in a pass. The second looks whether it has what it waits for, and so may be
 * going on: -1 then. Any thread. */
int kp_mail_awaited(const kp_group *member);
int kp_mail_still_awaited(const kp_group *member);

/* Calls by mailboxes that this member has begun. */
uint64_t kp_mail_calls(const kp_group *member);

/* Whether that member has called something else than this one, in a call that both have made: both
 * calls in words. */
bool kp_mail_say_difference(const kp_group *member, int rank, struct kp_words *words);

/* What it sleeps on then. */
const struct kp_wait_word *kp_mail_bell(const kp_group *member);

/* --- port.c --- */

/* What the others are told of a member that cannot take part in its call, because of `error`. */
kp_error_record kp_port_refusal(const kp_group *member, const kp_error_record *error, int round);

/* The call with its call site. */
void kp_call_name(const kp_group *member, char *text, size_t size);

/* The round never happens, because of `why`: the member is dead. Sets the error and returns its
 * status. */
int kp_port_failed(kp_group *member, int round, const kp_error_record *why);

/* --- exchange.c --- */

void kp_exchange_free(kp_group *member);

/* After a pass: whether messages of the previous exchange were left lying; remembers the first. */
void kp_exchange_settle(kp_group *member);
/* After a pass that moved nothing: forgets what was posted for it, and before it. */
void kp_exchange_forget(kp_group *member);
/* At the end of a call: that finding, as a status, once. */
int kp_exchange_left(kp_group *member);
/* When a processor leaves: the same for all its members; and when nobody is left to take anything:
 * for the last round of a member, whoever held it. */
int kp_exchange_left_of(kp_proc *self);
int kp_exchange_end(kp_group *member);

#endif
