/* A member's seat in a group, and what it shows to the others. */
#ifndef KPORT_PORTS_SEAT_H
#define KPORT_PORTS_SEAT_H

#include "kport/group.h"
#include "kport/machine.h"
#include "ports/port.h"
#include "ports/slot.h"
#include "ports/wait.h"

#include <stdbool.h>
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

/* One member's seat. All but `shown` belongs to the member's thread alone. In the order of its use:
 * where many members share a core each of them finds its lines gone, so a barrier touches the call
 * that is shown and the two lines that follow. */
struct kp_group {
    struct kp_shown shown;

    alignas(KP_CACHE_LINE) kp_proc *self;
    struct kp_shared *shared;
    union {
        struct kp_part *part;         /* of its worker (sync/parts.h), or */
        struct kp_core_set *core_set; /* of its core (sync/core_sets.h) */
    };
    struct kp_exchange_state *exchange;
    struct kp_trace_seat *trace; /* NULL where nothing is recorded */
    uint64_t passes;             /* passes begun; the current one while in a pass */
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
    uint64_t since;     /* when it went to sleep (kp_watch_clock); 0: it has not */
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

/* --- group.c --- */

/* Whether the calling thread may use the seat: 0, or a status with its sentence. Reads nothing
 * there before that is known. */
int kp_seat_look(const kp_group *seat);
bool kp_seat_is_held(const kp_proc *self, const kp_group *seat);

/* --- port.c --- */

/* What the others are told of a member that cannot take part in its call, because of `error`. */
kp_error_record kp_port_refusal(const kp_group *member, const kp_error_record *error, int round);

/* The call with its call site. */
void kp_call_name(const kp_group *seat, char *text, size_t size);

/* The round never happens, because of `why`: the seat is dead. Sets the error and returns its
 * status. */
int kp_port_failed(kp_group *seat, int round, const kp_error_record *why);

/* --- exchange.c --- */

void kp_exchange_free(kp_group *seat);

/* After a pass: whether messages of the previous exchange were left lying; remembers the first. */
void kp_exchange_settle(kp_group *seat);
/* After a pass that moved nothing: forgets what was posted for it, and before it. */
void kp_exchange_forget(kp_group *seat);
/* At the end of a call: that finding, as a status, once. */
int kp_exchange_left(kp_group *seat);
/* When a processor leaves: the same for all its seats; and when nobody is left to take anything:
 * for the last round of a seat, whoever held it. */
int kp_exchange_left_of(kp_proc *self);
int kp_exchange_end(kp_group *seat);

#endif
