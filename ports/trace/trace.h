/* What a trace (kport/trace.h) is made of, and how a call records its rounds.
 *
 * A processor's records are its own: one writer, no lock, nobody looks while a run is under way.
 * A record says in one cache line which round of which call it is and when; who sent what to whom
 * is found in the call's schedule when the file is written. The layer above says once, when a plan
 * is used the first time, how that is found (struct kp_trace_subject); calls that have no schedule
 * record their messages one by one.
 *
 * A traced call is: kp_pass_open; kp_trace_open; for each round {pack, kp_trace_sends, arrive,
 * await, kp_trace_passed, take, kp_trace_round}; kp_pass_close. All by the member's own processor.
 */
#ifndef KPORT_PORTS_TRACE_H
#define KPORT_PORTS_TRACE_H

#include "kport/trace.h"
#include "ports/machine_data.h"
#include "ports/ticks.h"

#include <stdio.h>

enum kp_trace_kind {
    KP_TRACE_ROUND,   /* by the barrier */
    KP_TRACE_LETTERS, /* by the mailboxes; its waits stand before it */
    KP_TRACE_CLOSE,   /* a pass that is no round: waiting alone */
    KP_TRACE_WAIT,    /* by a mailbox */
    KP_TRACE_SENT,    /* the last two: a message of the round that stands behind it */
    KP_TRACE_TAKEN,
};

enum kp_trace_flag {
    KP_TRACE_FIRST = 1,    /* of its call */
    KP_TRACE_FAILED = 2,   /* the round did not happen */
    KP_TRACE_EXPLICIT = 4, /* its messages stand before it, not in a schedule */
};

struct kp_trace_record {
    uint64_t call; /* of the group: low half, from 1; high half: the group's run */
    uint32_t group, subject;
    int32_t round; /* -1: none */
    uint32_t root : 20, kind : 4, flags : 8;
    uint64_t begin, end; /* ticks; not of a message */
    union {
        struct {
            uint64_t sends;  /* nobody had its messages before */
            uint64_t waits;  /* waiting begins, copying up to there */
            uint64_t passed; /* waiting ends */
        };
        struct {                /* of a message */
            int32_t port, peer; /* the sender's port; rank */
            uint64_t bytes;
        };
    };
};

_Static_assert(sizeof(struct kp_trace_record) == 64, "a record is one line");

/* A processor's records. */
struct kp_trace_row {
    alignas(KP_CACHE_LINE) struct kp_trace_record *records;
    uint64_t count; /* so far; the last `mask` + 1 are there */
    uint64_t mask;
    uint64_t last; /* moment that was noted */
    int worker;    /* -1: it is a thread */
};

/* A member's part: where it records, and the round under way. */
struct kp_trace_member {
    alignas(KP_CACHE_LINE) struct kp_trace_row *row;
    uint64_t run; /* high half of its calls' numbers */
    uint64_t begin, sends, waits, passed;
    uint32_t group, subject;
    uint32_t root : 20, first : 1; /* first: the next record is of a new call */
    bool counter;                  /* what it looks at */
};

_Static_assert(sizeof(void *) > 8 || sizeof(struct kp_trace_member) <= 64,
               "a member's part is one line");

/* What a call is: one of these, or a subject, numbered from KP_TRACE_SUBJECTS on. */
enum kp_trace_name {
    KP_TRACE_UNASKED, /* a plan that was not traced yet */
    KP_TRACE_UNNAMED, /* more different ones than are kept apart */
    KP_TRACE_BARRIER,
    KP_TRACE_EXCHANGE,
    KP_TRACE_LENGTHS,
    KP_TRACE_MEETING,
    KP_TRACE_SUBJECTS
};

typedef void kp_trace_each(void *context, int port, int peer, uint64_t bytes);

struct kp_trace_subject {
    char key[192]; /* equal for equal subjects of one plan */
    const void *plan;
    void *data;                /* of the layer above, made by `keep` when it is new */
    void *(*keep)(void *from); /* NULL: no memory */
    void (*free)(void *data);
    void (*describe)(const void *data, int root, char *text, size_t size);
    /* The messages out, or in, of a rank in a round: the sender's port, the other's rank. */
    void (*messages)(const void *data, int root, int rank, int round, bool out, kp_trace_each *each,
                     void *context);
};

/* The number of an equal subject that is kept already, or of this one from now on, kept with what
 * `keep` makes `from`. KP_TRACE_UNNAMED if there is no room. Locks: once a plan. */
uint32_t kp_trace_subject(const kp_group *member, const struct kp_trace_subject *like, void *from);

/* --- Recording --- */

/* Never before the moment that was noted last: looks at the counter may change places by some
 * nanoseconds. */
static inline uint64_t kp_trace_now(const kp_group *member)
{
    struct kp_trace_row *row = member->trace->row;
    uint64_t ticks = kp_ticks(member->trace->counter);
    return row->last = ticks > row->last ? ticks : row->last;
}

/* The call that the member has opened is traced from here on. */
static inline void kp_trace_open(kp_group *member, uint32_t subject, int root)
{
    struct kp_trace_member *trace = member->trace;
    trace->subject = subject;
    trace->root = (uint32_t)root & 0xfffff;
    trace->first = 1;
    trace->begin = trace->sends = trace->waits = trace->passed = kp_trace_now(member);
}

/* Before the others can have this round's messages, if something was packed for it; else its
 * beginning stands for that. */
static inline void kp_trace_sends(kp_group *member)
{
    struct kp_trace_member *trace = member->trace;
    trace->sends = trace->waits = trace->passed = kp_trace_now(member);
}

/* What is copied behind that, before waiting. */
static inline void kp_trace_waits(kp_group *member)
{
    member->trace->waits = member->trace->passed = kp_trace_now(member);
}

static inline void kp_trace_passed(kp_group *member)
{
    member->trace->passed = kp_trace_now(member);
}

/* The end of a round: its record. */
void kp_trace_round(kp_group *member, enum kp_trace_kind kind, int round, int flags);

/* The same of one that did not happen; returns the status. */
int kp_trace_failed(kp_group *member, enum kp_trace_kind kind, int round, int status);

/* A wait by a mailbox, of the round that is not over; a message of that round. */
void kp_trace_wait(kp_group *member, uint64_t begin, int round);
void kp_trace_message(kp_group *member, enum kp_trace_kind kind, int round, int port, int peer,
                      uint64_t bytes);

/* --- Machines and groups --- */

/* Records for a new machine, whose carriers are known, if its configuration names a trace: 0, or a
 * status with its sentence. The second in any case, before anything of it is freed. */
int kp_trace_join(kp_machine *machine);
void kp_trace_leave(kp_machine *machine);

/* For a new group of a machine that is traced: false if there is no memory. For a group that starts
 * anew: its calls are counted from the beginning. */
bool kp_trace_members_make(struct kp_shared *shared);
void kp_trace_members_reset(struct kp_shared *shared);

/* --- The whole, for who writes the file --- */

struct kp_trace_group {
    int *processors; /* NULL: the world */
    int size;
    uint64_t runs; /* so far */
};

/* A machine, which may be gone. */
struct kp_trace_machine {
    struct kp_trace_machine *next;
    kp_machine *machine; /* NULL: gone */
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
    size_t records; /* asked for; 0: the default */
    bool counter;   /* ticks are those of the processors' counter */
    struct kp_tick_mark start;
    int writers;          /* under the table's lock */
    pthread_mutex_t lock; /* of all that follows; taken before a machine's */
    int numbers;
    uint64_t dropped;                  /* with machines that are not kept any more */
    struct kp_trace_machine *machines; /* in the order of their numbers */
    struct kp_trace_subject *subjects;
    size_t subject_count;
};

#define KP_TRACE_LEAST    ((size_t)16)
#define KP_TRACE_MOST     ((size_t)1 << 24)
#define KP_TRACE_DEFAULT  ((size_t)1024)
#define KP_TRACE_MESSAGES ((size_t)1 << 19)

/* Under the table's lock: 0, or a status with its sentence; nothing is read there before it is
 * known that there is a trace. */
int kp_trace_look(const kp_trace *trace);

void kp_trace_machine_free(struct kp_trace_machine *machine);

/* The number of the oldest record that is there: of those that were overwritten. */
static inline uint64_t kp_trace_first_kept(const struct kp_trace_row *row)
{
    return row->count > row->mask ? row->count - row->mask - 1 : 0;
}

/* Records that were overwritten: of a machine; and of all, or dropped with a machine. */
uint64_t kp_trace_overwritten(const struct kp_trace_machine *machine);
uint64_t kp_trace_lost(const kp_trace *trace);

/* Writes the text of the file; the trace is locked. False if there is no memory; whether it could
 * be written the stream says. */
bool kp_trace_print(const kp_trace *trace, FILE *out);

#endif
