/* What a trace (kport/trace.h) is made of, and how a call records its rounds.
 *
 * Each processor has records of its own. It alone writes them, without a lock, and no thread reads
 * them while a run is under way. A record is one cache line. It says which round of which call it
 * is of, and when that round was. The messages of the round are found in the call's schedule when
 * the file is written. When a schedule is used the first time, the layer above says how they are
 * found (struct kp_trace_subject). Calls that have no schedule record their messages one by one.
 *
 * A traced call is: kp_member_open; kp_trace_open; for each round {pack, kp_trace_sends, arrive,
 * await, kp_trace_passed, take, kp_trace_round}; kp_member_close. Only the member's own processor
 * calls these functions. */
#ifndef KPORT_PORTS_TRACE_H
#define KPORT_PORTS_TRACE_H

#include "kport/trace.h"
#include "ports/machine_data.h"
#include "ports/ticks.h"

#include <stdio.h>

enum kp_trace_kind {
    KP_TRACE_ROUND,   /* a round by the barrier */
    KP_TRACE_LETTERS, /* a round by mailboxes, recorded after its waits */
    KP_TRACE_CLOSE,   /* an episode that is no round, so it only waits */
    KP_TRACE_WAIT,    /* a wait at a mailbox */
    KP_TRACE_SENT,    /* a message sent in the round whose record follows */
    KP_TRACE_TAKEN,   /* a message taken in that round */
};

enum kp_trace_flag {
    KP_TRACE_FIRST = 1,    /* the first record of its call */
    KP_TRACE_FAILED = 2,   /* the round did not happen */
    KP_TRACE_EXPLICIT = 4, /* its messages are recorded before it, not found in a schedule */
};

struct kp_trace_record {
    uint64_t call; /* the number of the group's call, from 1 (low half), and of the group's run
                      (high half) */
    uint32_t group, subject;
    int32_t round; /* the round's number, or -1 for an episode that is no round */
    uint32_t root : 20, kind : 4, flags : 8;
    uint64_t begin, end; /* in ticks; unused in the record of a message */
    union {
        struct {
            uint64_t sends;  /* the time before which no member had the messages */
            uint64_t waits;  /* the time at which copying ends and waiting begins */
            uint64_t passed; /* the time at which waiting ends */
        };
        /* In the record of a message: the sender's port, and the other member's rank. */
        struct {
            int32_t port, peer;
            uint64_t bytes;
        };
    };
};

_Static_assert(sizeof(struct kp_trace_record) == 64, "a record is one line");

/* The records of a processor. */
struct kp_trace_row {
    alignas(KP_CACHE_LINE) struct kp_trace_record *records;
    uint64_t count; /* the number of records so far, of which the last `mask` + 1 are there */
    uint64_t mask;
    uint64_t last; /* the latest time that was noted */
    int worker;    /* the worker of a fiber, or -1 for a thread */
};

/* A member's part of the trace: where it records, and the round under way. */
struct kp_trace_member {
    alignas(KP_CACHE_LINE) struct kp_trace_row *row;
    uint64_t run; /* the high half of its calls' numbers */
    uint64_t begin, sends, waits, passed;
    uint32_t group, subject;
    uint32_t root : 20, first : 1; /* first: the next record is the first of its call */
    bool counter;                  /* true: ticks come from the processors' counter */
};

_Static_assert(sizeof(void *) > 8 || sizeof(struct kp_trace_member) <= 64,
               "a member's part is one line");

/* What a call is: one of these, or the number of a subject plus KP_TRACE_SUBJECTS. */
enum kp_trace_name {
    KP_TRACE_UNASKED, /* a call that has not been traced yet */
    KP_TRACE_UNNAMED, /* a call for whose subject there was no room */
    KP_TRACE_BARRIER,
    KP_TRACE_EXCHANGE,
    KP_TRACE_LENGTHS,
    KP_TRACE_MEETING,
    KP_TRACE_SUBJECTS
};

typedef void kp_trace_each(void *context, int port, int peer, uint64_t bytes);

struct kp_trace_subject {
    char key[192]; /* the same for equal subjects of one schedule */
    const void *schedule;
    void *data;                /* data of the layer above, which `keep` makes for a new subject */
    void *(*keep)(void *from); /* returns NULL if there is no memory */
    void (*free)(void *data);
    void (*describe)(const void *data, int root, char *text, size_t size);
    /* Calls `each` for the messages that a rank sends (`out`) or receives in a round, with the
     * sender's port and the other member's rank. */
    void (*messages)(const void *data, int root, int rank, int round, bool out, kp_trace_each *each,
                     void *context);
};

/* Returns the number of an equal subject that is stored already. Otherwise stores this subject,
 * with the data that `keep` makes of `from`, and returns its number. Returns KP_TRACE_UNNAMED if
 * there is no room. Takes a lock, once for each call that is prepared. */
uint32_t kp_trace_subject(const kp_group *member, const struct kp_trace_subject *like, void *from);

/* --- Recording --- */

/* Returns the time in ticks. It never goes back, although two looks at the counter may change
 * places by some nanoseconds. */
static inline uint64_t kp_trace_now(const kp_group *member)
{
    struct kp_trace_row *row = member->trace->row;
    uint64_t ticks = kp_ticks(member->trace->counter);
    return row->last = ticks > row->last ? ticks : row->last;
}

/* Begins to trace the call that the member has opened. */
static inline void kp_trace_open(kp_group *member, uint32_t subject, int root)
{
    struct kp_trace_member *trace = member->trace;
    trace->subject = subject;
    trace->root = (uint32_t)root & 0xfffff;
    trace->first = 1;
    trace->begin = trace->sends = trace->waits = trace->passed = kp_trace_now(member);
}

/* Notes the time from which other members can have the messages that this member has packed. In a
 * round without this call, the beginning of the round stands for this time. */
static inline void kp_trace_sends(kp_group *member)
{
    struct kp_trace_member *trace = member->trace;
    trace->sends = trace->waits = trace->passed = kp_trace_now(member);
}

/* Notes the time at which the copying after kp_trace_sends ends and the wait begins. */
static inline void kp_trace_waits(kp_group *member)
{
    member->trace->waits = member->trace->passed = kp_trace_now(member);
}

static inline void kp_trace_passed(kp_group *member)
{
    member->trace->passed = kp_trace_now(member);
}

/* Ends a round and writes its record. */
void kp_trace_round(kp_group *member, enum kp_trace_kind kind, int round, int flags);

/* The same for a round that did not happen. Returns `status`. */
int kp_trace_failed(kp_group *member, enum kp_trace_kind kind, int round, int status);

/* `wait` records a wait at a mailbox, `message` a message. Both belong to the round under way. */
void kp_trace_wait(kp_group *member, uint64_t begin, int round);
void kp_trace_message(kp_group *member, enum kp_trace_kind kind, int round, int port, int peer,
                      uint64_t bytes);

/* --- Machines and groups --- */

/* `join` makes records for a new machine, whose carriers are known, if its configuration names a
 * trace. Returns 0, or a status with its sentence. `leave` is called for every machine, before any
 * part of it is freed. */
int kp_trace_join(kp_machine *machine);
void kp_trace_leave(kp_machine *machine);

/* `make` is called for a new group, and returns false if there is no memory. `reset` is called for
 * a group that starts anew, whose calls are then counted from 1. */
bool kp_trace_members_make(struct kp_shared *shared);
void kp_trace_members_reset(struct kp_shared *shared);

/* --- The whole trace, for writing the file --- */

struct kp_trace_group {
    int *processors; /* NULL for the world */
    int size;
    uint64_t runs; /* the number of runs so far */
};

/* The trace of a machine, which may have been destroyed. */
struct kp_trace_machine {
    struct kp_trace_machine *next;
    kp_machine *machine; /* NULL: destroyed */
    int number, n, k;
    bool mailboxes;
    struct kp_trace_row *rows;
    struct kp_trace_record *records;
    struct kp_trace_group *groups; /* the world is the first; under the machine's lock */
    size_t group_count;
};

struct kp_trace {
    void *block;
    struct kp_live live;
    uint32_t forks;
    size_t records; /* as the user asked; 0: the default */
    bool counter;   /* true: ticks come from the processors' counter */
    struct kp_tick_mark start;
    int writers;          /* the number of threads that read the trace; under the handles' lock */
    pthread_mutex_t lock; /* the lock of all that follows, taken before a machine's lock */
    int numbers;
    uint64_t dropped; /* the records dropped with machines that are not kept any more */
    struct kp_trace_machine *machines; /* in the order of their numbers */
    struct kp_trace_subject *subjects;
    size_t subject_count;
};

#define KP_TRACE_LEAST    ((size_t)16)
#define KP_TRACE_MOST     ((size_t)1 << 24)
#define KP_TRACE_DEFAULT  ((size_t)1024)
#define KP_TRACE_MESSAGES ((size_t)1 << 19)

/* Checks the handle of a trace: 0, or a status with its sentence. Reads nothing of the trace before
 * it is known to exist. The caller holds the lock of the table of handles. */
int kp_trace_look(const kp_trace *trace);

void kp_trace_machine_free(struct kp_trace_machine *machine);

/* Returns the number of the oldest record, which is also how many records were overwritten. */
static inline uint64_t kp_trace_first_kept(const struct kp_trace_row *row)
{
    return row->count > row->mask ? row->count - row->mask - 1 : 0;
}

/* `overwritten` returns how many records of a machine were overwritten. `lost` returns the sum over
 * all machines, plus the records dropped with machines. */
uint64_t kp_trace_overwritten(const struct kp_trace_machine *machine);
uint64_t kp_trace_lost(const kp_trace *trace);

/* Writes the text of the file. The caller has locked the trace. Returns false if there is no
 * memory. Errors of writing are left in the stream. */
bool kp_trace_print(const kp_trace *trace, FILE *out);

#endif
