/* This header has the data of a trace (kport/trace.h), and the functions by which a call records
 * its rounds.
 *
 * Each processor has records of its own. Only this processor writes them, without a lock, and no
 * thread reads them during a run. A record is one cache line. It names a call and a round, and has
 * the times of this round. It does not have the round's messages. The function that writes the file
 * finds the messages in the call's schedule. For this purpose the layer above (lib) hands over a
 * struct kp_trace_subject when a plan is first used in a traced call. A call without a schedule
 * records its messages one by one.
 *
 * A traced call takes these steps: kp_member_open; kp_trace_open; for each round {pack,
 * kp_trace_sends, arrive, await, kp_trace_passed, take, kp_trace_round}; kp_member_close. Only the
 * member's own processor calls these functions. */
#ifndef KPORT_PORTS_TRACE_H
#define KPORT_PORTS_TRACE_H

#include "kport/trace.h"
#include "ports/machine_data.h"
#include "ports/ticks.h"

#include <stdio.h>

enum kp_trace_kind {
    KP_TRACE_ROUND, /* a round whose members wait at the barrier */
    /* A round whose members wait at mailboxes; the records of these waits precede its record. */
    KP_TRACE_LETTERS,
    KP_TRACE_CLOSE, /* an episode that belongs to no round; the member only waits in it */
    KP_TRACE_WAIT,  /* one wait at a mailbox */
    KP_TRACE_SENT,  /* a message that was sent in the round whose record follows */
    KP_TRACE_TAKEN, /* a message that was received in the round whose record follows */
    /* A time at which a request went on. If it is a collective call, the records of the rounds of
     * this time precede its record. */
    KP_TRACE_REQUEST,
};

enum kp_trace_flag {
    KP_TRACE_FIRST = 1,  /* the record is the first of its call */
    KP_TRACE_FAILED = 2, /* the round did not happen, because the call failed */
    /* The messages are recorded one by one before this record, not found in a schedule. */
    KP_TRACE_EXPLICIT = 4,
    KP_TRACE_LAST = 8,       /* the record is the last of its request */
    KP_TRACE_IN_REQUEST = 16 /* the record is about a round that a request has carried out */
};

struct kp_trace_record {
    /* The low half is the call's number in its group, from 1. The high half is the number of the
     * group's run. In the record of a request: its number at its processor, from 1. */
    uint64_t call;
    uint32_t group, subject;
    int32_t round; /* the round's number, or -1 for an episode that is no round */
    uint32_t root : 20, kind : 4, flags : 8;
    uint64_t begin, end; /* the round's times in ticks; unused in the record of a message */
    union {
        struct {
            uint64_t sends;  /* the time from which other members could have the messages */
            uint64_t waits;  /* the time at which the member stopped copying and began to wait */
            uint64_t passed; /* the time at which the wait ended */
        };
        /* The record of a message has these fields instead: the sender's port, the other member's
         * rank, and the length in bytes. */
        struct {
            int32_t port, peer;
            uint64_t bytes;
        };
        /* The record of a request has these fields instead (struct kp_trace_request). */
        struct {
            const char *name;
            int32_t with, tag;
            uint64_t length;
        };
    };
};

_Static_assert(sizeof(struct kp_trace_record) == 64, "a record is one line");

/* The records of one processor, in a ring buffer. */
struct kp_trace_row {
    alignas(KP_CACHE_LINE) struct kp_trace_record *records;
    /* The number of records written so far; the buffer has the latest `mask` + 1 of them. */
    uint64_t count;
    uint64_t mask;
    uint64_t last;     /* the latest time that was recorded */
    uint64_t requests; /* the number of requests that have been recorded */
    int worker; /* the worker that carries the processor's fiber, or -1 if a thread carries it */
};

/* The data with which a member records: its processor's records, and the contents of its next
 * record, such as the times of the current round. */
struct kp_trace_member {
    alignas(KP_CACHE_LINE) struct kp_trace_row *row;
    uint64_t run; /* the number of the group's run, times 2^32 (see kp_trace_record) */
    uint64_t begin, sends, waits, passed;
    uint32_t group, subject;
    uint32_t root : 20, first : 1; /* `first`: the next record is the first of its call */
    /* What a tick is. true: a step of the CPU's counter. false: a nanosecond of the system's
     * clock. */
    bool counter;
};

_Static_assert(sizeof(void *) > 8 || sizeof(struct kp_trace_member) <= 64,
               "a member's part is one line");

/* The subject of a call is a number that says which operation the call is. It is one of these
 * names, or KP_TRACE_SUBJECTS plus the number of a stored subject (struct kp_trace_subject). */
enum kp_trace_name {
    KP_TRACE_UNASKED, /* the value in a call that has not been traced yet */
    KP_TRACE_UNNAMED, /* a call whose subject could not be stored, because there was no room */
    KP_TRACE_BARRIER,
    KP_TRACE_EXCHANGE,
    KP_TRACE_LENGTHS,
    KP_TRACE_MEETING,
    KP_TRACE_SUBJECTS
};

typedef void kp_trace_each(void *context, int port, int peer, uint64_t bytes);

struct kp_trace_subject {
    char key[192]; /* two subjects are equal if they have the same `schedule` and the same `key` */
    const void *schedule;
    void *data; /* the data of the layer above, which `keep` makes when a subject is stored */
    void *(*keep)(void *from); /* returns `data`, made of `from`; NULL: no memory */
    void (*free)(void *data);
    void (*describe)(const void *data, int root, char *text, size_t size);
    /* Calls `each` for every message of a round that the member with rank `rank` sends (if `out` is
     * true) or receives (if `out` is false). `each` gets the sender's port and the other member's
     * rank. */
    void (*messages)(const void *data, int root, int rank, int round, bool out, kp_trace_each *each,
                     void *context);
};

/* Stores the subject unless an equal subject is stored already, and returns its number. A new
 * subject gets the data that `keep` makes of `from`. Returns KP_TRACE_UNNAMED if there is no room.
 * Takes a lock, but is called only once for each call that is prepared. */
uint32_t kp_trace_subject(const kp_group *member, const struct kp_trace_subject *like, void *from);

/* --- Recording --- */

/* Returns the time in ticks. Of two readings of the counter, the later one may be smaller by some
 * nanoseconds. In this case the function returns the row's latest time instead, so time never goes
 * back. */
static inline uint64_t kp_trace_now(const kp_group *member)
{
    struct kp_trace_row *row = member->trace->row;
    uint64_t ticks = kp_ticks(member->trace->counter);
    return row->last = ticks > row->last ? ticks : row->last;
}

/* Begins to record a call. The member has opened the call before (kp_member_open). */
static inline void kp_trace_open(kp_group *member, uint32_t subject, int root)
{
    struct kp_trace_member *trace = member->trace;
    trace->subject = subject;
    trace->root = (uint32_t)root & 0xfffff;
    trace->first = 1;
    trace->begin = trace->sends = trace->waits = trace->passed = kp_trace_now(member);
}

/* Records the time from which other members can have the messages that this member has packed. If
 * the member does not call this function in a round, this time is the beginning of the round. */
static inline void kp_trace_sends(kp_group *member)
{
    struct kp_trace_member *trace = member->trace;
    trace->sends = trace->waits = trace->passed = kp_trace_now(member);
}

/* Records the time at which the member stops copying after kp_trace_sends and begins to wait. */
static inline void kp_trace_waits(kp_group *member)
{
    member->trace->waits = member->trace->passed = kp_trace_now(member);
}

static inline void kp_trace_passed(kp_group *member)
{
    member->trace->passed = kp_trace_now(member);
}

/* Writes the record of a round and begins the next round. */
void kp_trace_round(kp_group *member, enum kp_trace_kind kind, int round, int flags);

/* Writes the record of a round that did not happen. Returns `status`. */
int kp_trace_failed(kp_group *member, enum kp_trace_kind kind, int round, int status);

/* `kp_trace_wait` records a wait at a mailbox that began at `begin` and ends now.
 * `kp_trace_message` records one message. Both belong to the round whose record follows. */
void kp_trace_wait(kp_group *member, uint64_t begin, int round);
void kp_trace_message(kp_group *member, enum kp_trace_kind kind, int round, int port, int peer,
                      uint64_t bytes);

/* What a trace says of a request. */
struct kp_trace_request {
    const char *name; /* a text that exists for ever */
    int with;         /* of a message: the other member's rank; else, or if it may be any, -1 */
    int tag;          /* of a message: its tag; else, or if it may be any, -1 */
    uint64_t bytes;   /* of the message or of a block; 0 if the request has no length */
};

/* Records that a request of the member has gone on from `begin` until now. `number` is what the
 * last call for this request has returned, 0 before the first call. `flags` may have KP_TRACE_LAST
 * and KP_TRACE_FAILED. Returns the request's number. */
uint64_t kp_trace_request(kp_group *member, uint64_t number, const struct kp_trace_request *what,
                          uint64_t begin, int flags);

/* --- Machines and groups --- */

/* `kp_trace_join` makes the records for a new machine if its configuration names a trace. The
 * machine's carrier is already known. `kp_trace_join` returns 0, or the status of the error that it
 * sets. `kp_trace_leave` is called for every machine before any part of the machine is freed. */
int kp_trace_join(kp_machine *machine);
void kp_trace_leave(kp_machine *machine);

/* `kp_trace_members_make` makes the members' trace data for a new group, and returns false if there
 * is no memory. `kp_trace_members_reset` begins a new run of the group, whose calls are again
 * numbered from 1. */
bool kp_trace_members_make(struct kp_shared *shared);
void kp_trace_members_reset(struct kp_shared *shared);

/* --- The whole trace, from which the file is written --- */

struct kp_trace_group {
    int *processors; /* the processors of the members, by rank; NULL for the world */
    int size;
    uint64_t runs; /* the number of the group's runs so far */
};

/* The trace of one machine. It may exist longer than the machine. */
struct kp_trace_machine {
    struct kp_trace_machine *next;
    kp_machine *machine; /* the machine, or NULL after its end */
    int number, n, k;
    bool mailboxes;
    struct kp_trace_row *rows;
    struct kp_trace_record *records;
    /* The groups, of which the world is the first. The machine's lock protects them. */
    struct kp_trace_group *groups;
    size_t group_count;
};

struct kp_trace {
    void *block;
    struct kp_live live;
    uint32_t forks;
    /* How many records of each processor the user asked for; 0: the default. */
    size_t records;
    /* What a tick is. true: a step of the CPU's counter. false: a nanosecond of the system's
     * clock. */
    bool counter;
    struct kp_tick_mark start;
    /* the number of threads that write the trace to a file; protected by the lock of the table of
     * live objects */
    int writers;
    pthread_mutex_t lock; /* protects all fields below; taken before a machine's lock */
    int numbers;
    uint64_t dropped; /* the number of records that were dropped together with their machines */
    struct kp_trace_machine *machines; /* ordered by the machines' numbers */
    struct kp_trace_subject *subjects;
    size_t subject_count;
};

#define KP_TRACE_LEAST    ((size_t)16)
#define KP_TRACE_MOST     ((size_t)1 << 24)
#define KP_TRACE_DEFAULT  ((size_t)1024)
#define KP_TRACE_MESSAGES ((size_t)1 << 19)

/* Checks the handle of a trace. Returns 0, or the status of the error that it sets. The handle may
 * be invalid, so this function reads the trace only after it has found the handle in the table of
 * live objects (handle.h). The caller holds this table's lock. */
int kp_trace_look(const kp_trace *trace);

void kp_trace_machine_free(struct kp_trace_machine *machine);

/* Returns the number of the oldest record that is still there. Records are numbered from 0, so this
 * is also the number of overwritten records. */
static inline uint64_t kp_trace_first_kept(const struct kp_trace_row *row)
{
    return row->count > row->mask ? row->count - row->mask - 1 : 0;
}

/* `kp_trace_overwritten` returns the number of a machine's overwritten records. `kp_trace_lost`
 * returns the sum of these numbers over all machines, plus the records that were dropped together
 * with their machines. */
uint64_t kp_trace_overwritten(const struct kp_trace_machine *machine);
uint64_t kp_trace_lost(const kp_trace *trace);

/* Writes the text of the trace file to `out`. The caller holds the trace's lock. Returns false if
 * there is no memory. After a failed write the stream's error indicator is set. */
bool kp_trace_print(const kp_trace *trace, FILE *out);

#endif
