/* A group is a list of processors that make calls together. A processor's part in a group is a
 * member, and its position in the list is its rank. This header has the data of a member, what each
 * member publishes to the others, and the data that all members share. An episode is one use of the
 * group's barrier. */
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

/* What a member publishes to the others, on cache lines of its own. The member writes this data
 * before it arrives at an episode, and the others read it after the episode. */
struct kp_published {
    /* The addresses of lent memory. They change seldom, so the readers' caches keep this line. */
    alignas(KP_CACHE_LINE) const char *bases[KP_PORT_SPACES];
    struct kp_slot *slots[KP_GENERATIONS]; /* the member's slots for kp_exchange, by port */
    int slot_count[KP_GENERATIONS]; /* the number of slots, enough for the ports used so far */
    const void *work; /* work that another thread on the same core may do for the member, or NULL */
    alignas(KP_CACHE_LINE) const struct kp_call *call; /* the call opened last; may be &plain */
    const kp_error_record *refused; /* why the member refuses the call, or NULL */
    _Atomic uint64_t episodes;      /* the number of arrivals at the barrier */
    struct kp_call plain;           /* storage for a call that kp_port_open opens */
    /* Where the call was made, if its processor may be elsewhere: in a lane, where the request was
     * started; and of a call that its member leaves early. In the second case `line` has
     * KP_LEFT_EARLY. Else `line` is 0. */
    struct kp_site started;
};

/* A member. Except for `published`, only the member's own thread uses it. Many members may share a
 * core. Then a member's cache lines are evicted between its turns. So the fields are ordered by how
 * often they are used: a barrier touches only the line of the published call and the two lines
 * after `published`. */
struct kp_group {
    struct kp_published published;

    alignas(KP_CACHE_LINE) kp_proc *self; /* its processor */
    struct kp_shared *shared;             /* the group */
    union {
        /* for fibers: the members on the same thread (sync/worker_sets.h) */
        struct kp_worker_set *worker_set;
        /* for threads: the members on the same core (sync/core_sets.h) */
        struct kp_core_set *core_set;
    };
    struct kp_exchange_state *exchange; /* the data of kp_exchange, or NULL before its first use */
    struct kp_trace_member *trace;      /* NULL: no trace */
    uint64_t episodes;                  /* the number of episodes at which it has arrived */
    uint32_t seen; /* the value of the barrier's generation word after the last episode */
    /* The value that the barrier's word will have after this episode. In a pair: the value that the
     * member's own word will have. */
    uint32_t next;
    int rank;
    bool exchanged; /* it sent messages by kp_exchange that are not yet known to be taken */
    bool was_last;  /* it was the last member of the group to arrive at the episode */
    /* It was the last of its core set to arrive, and has not called kp_core_set_look since. */
    bool was_last_here;
    bool opening;  /* the next episode is the first of its call */
    bool within;   /* its calls are parts of a larger call that all members have entered */
    bool dead;     /* the group has failed, so no further episode can happen */
    bool has_late; /* a call that it has left early has failed, and nobody has been told (`late`) */

    unsigned char sync; /* an enum kp_sync: the kind of the group's barrier */
    unsigned char bits; /* in a pair: those of the latest episode, of both once it is over */
    kp_tell_difference *tell_difference; /* of the latest arrival with a difference */
    uint32_t calls; /* the number of calls that it has opened since the group's last reset */
    uint64_t lent;  /* the last episode for which this member called kp_port_lend_all */
    uint64_t since; /* when it went to sleep, by kp_deadlock_clock; 0: it is awake */
    struct kp_attachment attachment;
    int round; /* the round in which the member waits, for reports */
    int port; /* the port of the mailbox at which the member waits, or -1 in an episode; for reports
               */
    struct kp_waiter waiter;

    /* Its data for messages, if they are made, members share memory, and there is no trace. */
    struct kp_messages *messages;
    struct kp_mail *mail;   /* NULL: the discipline is the barrier */
    struct kp_wired *wired; /* NULL: members share memory */
    struct kp_lanes *lanes; /* NULL: the member has started no request of a collective call */
    bool one_lane;          /* the member uses lane 0 only (kp_face_one_lane) */
    int held;            /* the number of handles to this member; guarded by the machine's lock */
    kp_group *next_held; /* the next member of the same processor */
    kp_group *next_here, *before_here; /* its neighbours in the core set */
    uint64_t copies; /* the number of copies that it has asked for (kp_group_dup) */
    uint64_t number;
    int named_from;       /* the rank that descriptions of messages call rank 0 */
    kp_error_record late; /* the error of a call that it has left early */
};

#define KP_BESIDE 4 /* the number of words in `beside`, which episodes use in turn */

#define KP_SYNCS_OF_A_GROUP 3

/* What a snapshot for a failure report has collected about a group. The machine's lock guards
 * it. */
struct kp_group_snapshot {
    uint64_t snapshot;  /* the snapshot's number */
    uint64_t episode;   /* the episode that `missing` is about */
    const int *members; /* the processors of the members; NULL: all processors */
    const int *missing; /* the processors of the members that have not arrived at that episode */
    int missing_count;
};

/* The part of a group that all members share. */
struct kp_shared {
    /* The two words of the barrier, explained in sync/arrival.h: `arrivals` counts the members that
     * have arrived, and members wait until `generation` changes. */
    alignas(KP_CACHE_LINE) _Atomic uint64_t arrivals;
    struct kp_wait_word generation;
    struct kp_wait_word pair[2]; /* the words of a barrier of two, by rank (sync/pair.h) */
    /* These fields may share a cache line, because members seldom write them. A member writes them
     * before it arrives. */
    alignas(KP_CACHE_LINE) _Atomic uint64_t lent; /* the last episode with lent memory */
    _Atomic uint64_t invalid;           /* the last episode in which a member refused its call */
    _Atomic uint64_t beside[KP_BESIDE]; /* the bits with which members arrive (sync/episode.h) */
    /* How many members are reading one member's memory, or will read it after the episode, by the
     * episode's generation (sync/worker_sets.h). */
    alignas(KP_CACHE_LINE) _Atomic uint32_t readers[KP_GENERATIONS];

    alignas(KP_CACHE_LINE) kp_machine *machine;
    int size, ports;
    uint64_t number;         /* unique among groups */
    uint64_t original, copy; /* of a copy: the number of the group, and that of the copy; else 0 */
    /* [0]: the functions of its barrier; then those of its messages and of its mailboxes, as far as
     * it has them; then NULL. */
    const struct kp_sync_row *sync[KP_SYNCS_OF_A_GROUP];
    size_t near_end; /* in a pair, eager buffers shorter than this lie beside the pair's words; 0:
                        none do */
    int *processors; /* the members' processors, by rank */
    size_t buffer_bytes, long_bytes; /* the length of an eager buffer, and of the long one */
    struct kp_group *members;
    void *members_block; /* the memory that contains `members` */
    int generations;     /* the number of boxes of each mailbox */
    void *mails; /* this, `boxes` and `mail_buffers`: the memory of the mailboxes, or NULL */
    void *boxes;
    char *mail_buffers;
    size_t mail_long_bytes;       /* by mailboxes, the length of the long buffer */
    _Atomic uint32_t broken;      /* 1: members no longer wait by mailboxes, because of a failure */
    kp_error_record break_reason; /* why `broken` is 1; written before `broken` */
    _Atomic(struct kp_messages_group *) messages; /* NULL before its first message with a tag */
    struct kp_worker_set *worker_sets; /* the worker sets, by worker, or NULL if there are none */
    struct kp_core_set *core_sets;     /* the core sets, by core, or NULL if there are none */
    struct kp_trace_member *traces;    /* the members' trace data, by rank; NULL: no trace */
    int held; /* the number of handles to its members; guarded by the machine's lock */
    struct kp_shared *lanes[4]; /* the groups of its lanes, NULL before their first use */
    struct kp_shared *lane_of;  /* the group of which this is a lane, or NULL */
    struct kp_shared *next;     /* the next group of the machine; guarded by the machine's lock */
    bool failed;                /* whether its barrier has failed; guarded by the machine's lock */
    kp_error_record failure;    /* why it has failed; written before the failure is published */
    /* The last episode for which kport reported (on_failure) that calls differ or that a member
     * refused its call; guarded by the machine's lock. */
    uint64_t told;
    struct kp_group_snapshot snapshot;
    struct kp_eager_buffers eager[KP_EAGER_KINDS];
};

/* Returns the machine's number of the processor with this rank, or -1 if there is no such rank. */
static inline int kp_member_processor(const kp_group *member, int rank)
{
    return rank >= 0 && rank < member->shared->size ? member->shared->processors[rank] : -1;
}

/* Returns the rank of a processor, or -1 if the processor is not in the group. */
static inline int kp_rank_of(const struct kp_shared *shared, int processor)
{
    int rank = shared->size - 1;
    if (processor <= rank &&
        shared->processors[processor] == processor) /* true in the group of all */
        return processor;
    while (rank >= 0 && shared->processors[rank] != processor)
        rank--;
    return rank;
}

/* --- group.c --- */

/* Makes a group of `count` processors. If `processors` is NULL, it is the group of all processors.
 * `lane_of` is the group of which this is a lane (request/lane.h), or NULL. Returns 0, or sets an
 * error and returns KP_EMEMORY. */
int kp_shared_create(kp_machine *machine, const int *processors, int count,
                     struct kp_shared *lane_of, struct kp_shared **shared);

/* `register` adds a group to the machine's list, and `unregister` takes it out and frees it. The
 * callers hold the machine's lock, or nobody uses the machine. */
void kp_shared_register(struct kp_shared *shared);
void kp_shared_unregister(struct kp_shared *shared);

/* `kp_shared_free` frees a group. `kp_shared_reset` prepares it for a new run. */
void kp_shared_free(struct kp_shared *shared);
void kp_shared_reset(struct kp_shared *shared);

/* Frees the data that lib/ attached to the members, unless every member has made the same number of
 * calls and none has failed. This data depends on what all members did, so it is valid only if all
 * of them did the same. Called after a run, before the reset. */
void kp_shared_forget_failed(struct kp_shared *shared);

/* Reports messages of the last kp_exchange that no receiver took, and calls by mailboxes that
 * differed without an error. Called under the machine's lock, or after the run, when no receiver
 * can take these messages any more. */
void kp_shared_settle(struct kp_shared *shared);

/* Does what kp_lines_zeroed does, but does not clear the memory. */
void *kp_lines(size_t count, size_t bytes);

/* Gets the pages of memory that will soon be used from the system, all at once. On a virtual
 * machine the first use of a page takes 10 us, and a page that comes with others 0.7 us. The caller
 * is the thread that writes there, so the pages come from its node. */
void kp_lines_touch(void *memory, size_t bytes);

/* If the computer has several NUMA nodes, gives the pages of a group's rows back to the system.
 * They come anew, cleared, from the node of the thread that first writes there, which is the row's
 * member. The memory stays allocated. It has no contents yet, or is cleared. */
void kp_rows_leave(void *memory, size_t bytes);

/* Checks that the calling thread may use the member. Reads nothing at the address before it is
 * known that a member lies there. Returns 0, or the status of an error that is set. */
int kp_member_look(const kp_group *member);

/* Returns whether the processor has a handle of the member. */
bool kp_member_is_held(const kp_proc *self, const kp_group *member);

/* --- sync/mail.c --- */

/* These two functions are called under the machine's lock. `kp_mail_break` ends all waits by
 * mailboxes in the group. `kp_mail_leave` ends the waits for a processor that has ended. Messages
 * that this processor has sent can still be received. */
void kp_mail_break(struct kp_shared *shared, const kp_error_record *why);
void kp_mail_leave(struct kp_shared *shared, int processor, const kp_error_record *why);

/* When a processor has ended or failed, its own thread calls this. Clears the flag which says that
 * the processor's member may be reading another's memory. */
void kp_mail_stop_reading(struct kp_shared *shared, int processor);

/* Returns whether all members have made the same calls by mailboxes and have received all messages.
 * Called when no member's handle is left. */
bool kp_mail_is_settled(const struct kp_shared *shared);

/* Returns whether members have made different calls by mailboxes and ended without an error. This
 * happens if no member received a message of a call other than its own. If so, sets the error.
 * Called when no member makes a call. */
bool kp_mail_differs(const struct kp_shared *shared);

/* Returns the rank that a member waits for by mailboxes, or -1 if the member does not wait by
 * mailboxes. A member that waits may be asleep or awake, or may be reporting that it gives up. Any
 * thread may call this. */
int kp_mail_awaited(const kp_group *member);

/* Does what kp_mail_awaited does, but returns -1 also if the message or space that the member waits
 * for is there. */
int kp_mail_still_awaited(const kp_group *member);

/* Returns the number of calls by mailboxes that this member has begun. */
uint64_t kp_mail_calls(const kp_group *member);

/* Returns whether this member and the member with rank `rank` have made different calls at the same
 * position of their sequences of calls. If so, writes both calls to `words`, and stores the place
 * of this member's call in `site`. */
bool kp_mail_say_difference(const kp_group *member, int rank, struct kp_words *words,
                            struct kp_site *site);

/* Called before and after the sleep of a member that waits by mailboxes. Shows the others for which
 * member it waits. */
void kp_mail_sleeping(void *waiting_member, bool begins);

/* --- port.c --- */

/* Returns the error for the other members if this member refuses its call because of `error`. */
kp_error_record kp_port_refusal(const kp_group *member, const kp_error_record *error, int round);

/* After this member has refused its call: if its own error is about an argument, the sentence names
 * the call and its site from now on, as the other members' sentences do. */
void kp_port_tell_refused(kp_group *member);

/* `kp_call_words` writes the member's current call in words, and `kp_call_name` its site, too. */
void kp_call_words(const kp_group *member, char *text, size_t size);
void kp_call_name(const kp_group *member, char *text, size_t size);

/* Returns where the member's current call was made. */
struct kp_site kp_call_site(const kp_group *member);

/* Changes the words of a call that was made at `site`: if the program used MPI's name of the
 * operation, the words have it, too. */
void kp_call_as_written(const kp_machine *machine, struct kp_site site, char *text, size_t size);

/* Writes a call's place as "app.c:31", or nothing if it is not known. */
#define KP_SITE_WORDS 84
void kp_site_name(struct kp_site site, char where[KP_SITE_WORDS]);

/* Writes the site of the member's current call, as in " (app.c:31)", or nothing if it is not known.
 * Says of a call that its member leaves early that it does so. */
#define KP_WHERE_WORDS (KP_SITE_WORDS + 20)
void kp_call_where(const kp_group *member, char where[KP_WHERE_WORDS]);

/* Ends the call of a member whose group has failed because of `why`. Marks the member as dead, sets
 * the error, and returns its status. */
int kp_port_failed(kp_group *member, int round, const kp_error_record *why);

/* --- exchange.c --- */

void kp_exchange_free(kp_group *member);

/* Called after an episode. Checks whether receivers took the messages that this member sent in its
 * previous kp_exchange. Stores which message was the first that no receiver took. */
void kp_exchange_settle(kp_group *member);

/* Called after an episode in which no message moved. Forgets this member's last messages, without a
 * check whether receivers took them. */
void kp_exchange_forget(kp_group *member);

/* Called at the end of a call. If kp_exchange_settle found a message that no receiver took, returns
 * KP_EUNTAKEN, once. Otherwise returns 0. */
int kp_exchange_left(kp_group *member);

/* `kp_exchange_left_of` does what kp_exchange_left does, for all members of a processor that
 * detaches. `kp_exchange_end` does the same for one member, and first checks this member's last
 * messages. Any thread may call kp_exchange_end once no receiver is left. */
int kp_exchange_left_of(kp_proc *self);
int kp_exchange_end(kp_group *member);

#endif
