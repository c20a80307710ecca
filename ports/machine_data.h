/* What the machine, its processors, groups and seats are made of. Only ports/ includes this. */
#ifndef KPORT_PORTS_MACHINE_DATA_H
#define KPORT_PORTS_MACHINE_DATA_H

#include "kport/group.h"
#include "kport/machine.h"
#include "ports/handle.h"
#include "ports/port.h"
#include "ports/self.h"
#include "ports/slot.h"
#include "ports/sync/arrival.h"
#include "ports/wait.h"

#include <pthread.h>
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
    int held;                          /* handles that the member has; under the machine's lock */
    kp_group *next_held;               /* of its processor's */
    kp_group *next_here, *before_here; /* of its core set */
    uint64_t number;                   /* its group's own */
};

#define KP_BESIDE 4 /* words beside passes, by pass */

#define KP_SYNCS_OF_A_GROUP 2

/* What a survey has put together for the members of a group; under the machine's lock. */
struct kp_surveyed {
    uint64_t survey;    /* its number */
    uint64_t pass;      /* that they wait in */
    const int *members; /* NULL: the world */
    const int *missing; /* who has not come to that pass */
    int missing_count;
};

/* What a member packs for the others goes into its row for that round. Rows of each kind have
 * memory of their own, and so has each member's row, so those who mean different calls do not write
 * the same places; but for the long row, which one member alone packs, for all.
 *
 * Short rows lie together where members share cores: those of neighbours, who share one, are on one
 * line, and only that has to come back to be written, and to go to who reads them (gather of 8
 * bytes, n = 64: 0.85 of the time where a line takes long). Where each has a core of its own they
 * would disturb each other. */
enum kp_row_kind {
    KP_ROWS_OF_8,
    KP_ROWS_OF_16,
    KP_ROWS_OF_32,
    KP_ROWS_OF_64,
    KP_ROWS,
    KP_LONG_ROW,
    KP_ROW_KINDS,
};

/* That of a rank and a generation begins at first + rank * stride + generation * apart. */
struct kp_rows {
    char *first;
    size_t stride, apart;
};

/* The part of a group that all members share. */
struct kp_shared {
    /* This word and `generation` are those of sync/arrival.h. */
    alignas(KP_CACHE_LINE) _Atomic uint64_t far_arrivals;
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
    _Atomic uint64_t *arrivals; /* far_arrivals, or in the room beside the generation */
    size_t near_end;            /* shorter rows lie with the words of the pair; 0: none does */
    int *processors;
    size_t short_end;             /* shorter rows are short ones; 0: none is */
    size_t row_bytes, long_bytes; /* of a row, and of the long one: at most */
    struct kp_group *members;
    void *members_block; /* where they lie */
    int generations;     /* of mailboxes, and their memory; NULL by the barrier */
    void *mails;
    void *boxes;
    char *mail_rows;
    size_t mail_long_bytes;  /* of a row that one member packs alone, made when it first does */
    _Atomic uint32_t broken; /* 1: no member waits any more */
    kp_error_record break_reason;  /* written before `broken` */
    struct kp_part *parts;         /* by worker, where such keep the passes; else NULL */
    struct kp_core_set *core_sets; /* by core, the same */
    struct kp_trace_seat *traces;  /* by rank; NULL where nothing is recorded */
    int held;                      /* seats that are held; under the machine's lock */
    struct kp_shared *next;        /* in the machine's registry; under its lock */
    bool failed;                   /* under the machine's lock */
    kp_error_record failure;       /* why; written before the failure is published */
    uint64_t told;                 /* the last pass whose disagreement was told; under the lock */
    struct kp_surveyed surveyed;
    struct kp_rows rows[KP_ROW_KINDS];
};

enum kp_proc_state {
    KP_PROC_EMPTY,   /* nobody carries it */
    KP_PROC_RUNNING, /* a thread carries it */
    KP_PROC_ENDED,   /* its program has ended, or its thread is gone */
};

/* What a processor's own thread is at. */
enum kp_calling {
    KP_CALLS_NOTHING,
    KP_CALL_PLACED, /* kp_here has told where the call stands that comes next */
    KP_CALL_INSIDE, /* a call is under way, or was left by a jump */
};

/* In the order of its use, as a seat; the first line is all that most calls touch. */
struct kp_proc {
    alignas(KP_CACHE_LINE) kp_machine *machine;
    const void *known_seats[KP_KNOWN];
    _Atomic(const char *) file; /* call site of the call under way, or about to begin */
    _Atomic int line;
    _Atomic unsigned char calling; /* enum kp_calling; these three are for reports */
    bool failed;                   /* kp_fail was called */
    bool error_told;               /* its latest error came of a failure that was told */
    bool end_told;                 /* that it is gone was told; under the machine's lock */
    uint64_t c1, c2;
    const void *known_plans[KP_KNOWN];
    int number;
    _Atomic int state;
    pthread_t thread;
    kp_group *world;
    kp_group *seats; /* held in other groups; its thread's own */
    uint32_t run;    /* the last run its thread knew when it was started */
    int mark;        /* of who looks for a cycle; under the machine's lock */
    kp_error_record error;
    kp_error_record end; /* once it has ended: what those who wait for it are told */

    /* What it is parked on, for the watch, where it has a thread of its own. */
    alignas(KP_CACHE_LINE) _Atomic(struct kp_wait_word *) parked_on;
    _Atomic uint32_t parked_value;
    _Atomic(kp_group *) parked_in;
    _Atomic bool parked; /* these hold */
};

enum kp_machine_use {
    KP_USE_NONE,
    KP_USE_RUN,      /* a run is under way */
    KP_USE_ATTACHED, /* at least one seat is attached */
};

struct kp_machine {
    kp_config config; /* nothing left to defaults */
    struct kp_live live;
    void *block; /* where it lies */
    uint64_t number;
    int n, k;
    int cores; /* over which its threads are spread, each kept on one; 0: they are not */
    struct kp_proc *procs;

    pthread_mutex_t lock;
    struct kp_shared *groups; /* the world is the last */
    struct kp_shared *world;
    _Atomic int use; /* enum kp_machine_use; written under the lock */
    int attached;
    bool spent;              /* a seat was left; no new attachment before all are */
    kp_error_record first;   /* the first failure of the run */
    uint64_t surveys;        /* so far; under the lock */
    pthread_mutex_t telling; /* one failure at a time; never taken under the lock, nor the lock
                                under it */
    uint32_t forks;          /* kp_fork_count when it was made */
    struct kp_attachment attachment;
    struct kp_trace_machine *traced; /* its part of the trace; NULL: there is none */

    /* High half: changes so far; low half: processors that are parked or have ended. */
    alignas(KP_CACHE_LINE) _Atomic uint64_t idle;

    /* The pool. */
    const struct kp_carrier_row *carrier; /* who carries the processors (carrier/carrier.h), */
    void *pool;                           /* with what: its own */
    int hands;                            /* how many threads it has */
    int started;
    kp_program *program;
    void *argument;
    bool stopping;
    bool once;                     /* there will be no other run: threads end with their program */
    struct kp_wait_word go;        /* number of the run */
    struct kp_wait_word remaining; /* threads whose programs have not ended */
};

/* Where the counters of a new machine, group or run begin: 0, unless a test is to see them wrap. */
struct kp_counters {
    uint32_t words;     /* of the barrier, even */
    uint64_t passes;    /* of a group */
    uint64_t exchanges; /* kp_exchange's rounds */
    uint32_t letters;   /* rounds by mailboxes */
    uint32_t rings;     /* of a bell */
    uint32_t changes;   /* in the watch word's high half */
    uint32_t runs;      /* of a machine */
};
extern struct kp_counters kp_first_counters;

static inline enum kp_machine_use kp_machine_use_of(const kp_machine *machine)
{
    return (enum kp_machine_use)atomic_load_explicit(&machine->use, KP_ORDER_STATE);
}

/* The rank's processor, for whoever reads the group. */
static inline int kp_seat_processor(const kp_group *seat, int rank)
{
    return rank >= 0 && rank < seat->shared->size ? seat->shared->processors[rank] : -1;
}

static inline kp_proc *kp_seat_carrier(const kp_group *seat)
{
    return &seat->shared->machine->procs[seat->shared->processors[seat->rank]];
}

/* Of the call under way. The processor may be writing the two words, unless it is known to wait. */
static inline struct kp_site kp_site_of(const kp_proc *proc)
{
    const char *file = atomic_load_explicit(&proc->file, KP_ORDER_NOTE);
    int line = atomic_load_explicit(&proc->line, KP_ORDER_NOTE);
    bool same = atomic_load_explicit(&proc->file, KP_ORDER_NOTE) == file;
    return same ? (struct kp_site){file, line} : (struct kp_site){NULL, 0};
}

/* Whether the processor has used this seat lately, so that it may be read. */
static inline bool kp_seat_is_known(kp_proc *self, const kp_group *seat)
{
    return self && seat && *kp_known_place(self->known_seats, seat) == seat;
}

/* --- machine.c --- */

/* Whether the handle is that of a machine of this process: 0, or a status with its sentence. Under
 * the table's lock; one in use stays in the table. */
int kp_machine_look(const kp_machine *machine);

/* Brings processors, groups and watch back to the state of a new machine; nobody is in a call. */
void kp_machine_reset(kp_machine *machine);

/* One attached thread fewer; the last one makes the machine new. */
void kp_seat_left(kp_proc *self);

/* --- carrier/ --- */

static inline kp_proc *kp_carried(void)
{
    return kp_self.carried;
}

/* How often this process has been forked from one that used kport. */
extern _Atomic uint32_t kp_forks;
static inline uint32_t kp_fork_count(void)
{
    return atomic_load_explicit(&kp_forks, KP_ORDER_FORK);
}

/* --- group.c --- */

/* Whether the calling thread may use the seat: 0, or a status with its sentence. Reads nothing
 * there before that is known. */
int kp_seat_look(const kp_group *seat);

int kp_shared_create(kp_machine *machine, const int *processors, int count,
                     struct kp_shared **shared);
void kp_shared_free(struct kp_shared *shared);
void kp_shared_reset(struct kp_shared *shared);

/* After a run, before the reset: what the layer above keeps at the seats goes by what all members
 * have done, so it is dropped unless they have come through the same calls. */
void kp_shared_forget_failed(struct kp_shared *shared);

/* Lines, of anything or of zeroes, for `count` of so many bytes, the first at a multiple of
 * KP_LINES_APART; NULL if there is no memory. */
void *kp_lines(size_t count, size_t bytes);
void *kp_lines_zeroed(size_t count, size_t bytes);

/* --- rows.c --- */

/* For a group whose barrier has its place. False: no memory. */
bool kp_rows_make(struct kp_shared *shared);
void kp_rows_free(struct kp_shared *shared);

/* --- sync/mail.c --- */

/* Under the machine's lock. The first breaks all waits in the group; the second, of a member that
 * has ended, those for this member, once what it sent has been taken. */
void kp_mail_break(struct kp_shared *shared, const kp_error_record *why);
void kp_mail_leave(struct kp_shared *shared, int processor, const kp_error_record *why);

/* The processor has ended wherever it was: it reads nobody's memory. By its own thread. */
void kp_mail_stop_reading(struct kp_shared *shared, int processor);

/* Whether all members have made the same calls and taken what was sent. When nobody holds a seat.
 */
bool kp_mail_is_settled(const struct kp_shared *shared);

/* The rank that a member waits for, parked or not, also while it tells that it gives up; -1 if it
 * does not wait, or in a pass. The second looks whether it has what it waits for, and so may be
 * going on: -1 then. Any thread. */
int kp_mail_awaited(const kp_group *seat);
int kp_mail_still_awaited(const kp_group *seat);

/* Calls by mailboxes that this member has begun. */
uint64_t kp_mail_calls(const kp_group *seat);

/* Whether that member has called something else than this one, in a call that both have made: both
 * calls in words. */
bool kp_mail_word_difference(const kp_group *seat, int rank, char *text, size_t size);

/* What it sleeps on then. */
const struct kp_wait_word *kp_mail_bell(const kp_group *seat);

/* --- port.c --- */

/* What the others are told of a member that cannot take part in its call, because of `error`. */
kp_error_record kp_port_refusal(const kp_group *member, const kp_error_record *error, int round);

/* The call with its call site. */
void kp_call_name(const kp_group *seat, char *text, size_t size);

/* The round never happens, because of `why`: the seat is dead. Sets the error and returns its
 * status. */
int kp_port_failed(kp_group *seat, int round, const kp_error_record *why);

/* --- failure.c --- */

/* Both under the machine's lock. The first failure of a group, and of the machine, is kept. */
void kp_fail_group(struct kp_shared *shared, const kp_error_record *why);
bool kp_fail_group_unless_moved(kp_group *seat, const kp_error_record *why);
void kp_fail_groups_of(kp_proc *self, const kp_error_record *why, bool by_ending);

/* Makes the calling thread's latest error this processor's, and returns its status. */
int kp_proc_keep_error(kp_proc *self);

/* A call begins although the one before it is not over. Returns KP_EFAILED. */
int kp_proc_jumped(kp_proc *self);

/* The program has returned `status`: nobody waits for it in vain. */
void kp_proc_returned(kp_proc *self, int status);

/* The seat was left by kp_machine_detach; or the thread has ended without returning. */
void kp_proc_detached(kp_proc *self);
void kp_proc_vanished(kp_proc *self);
void kp_proc_overflowed(kp_proc *self);

/* Sets the processor's error from `why`, for a call that it breaks. */
int kp_proc_meets_failure(kp_group *seat, int round, const kp_error_record *why);

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

/* --- watch.c --- */

void kp_watch_ended(kp_proc *self);

/* Between these two, both under the machine's lock, nobody that sleeps goes on. The first returns
 * the watch word as it was, for the second; within such a pair another one does nothing. */
uint64_t kp_watch_hold(kp_machine *machine);
void kp_watch_let_go(kp_machine *machine, uint64_t before);

/* It has jumped out of a wait, as a handler of signals may. */
void kp_watch_jumped(kp_proc *self);

/* Takes the machine's lock to give up a wait whose time is over. Who describes others meanwhile
 * finds this one waiting still. */
void kp_watch_lock_late(kp_group *seat);

/* Milliseconds since some time, at least 1. Cheap, and as coarse as the system's ticks. */
uint64_t kp_watch_clock(void);

/* What is known of a processor that waits. */
struct kp_note {
    kp_group *seat;
    bool exact;     /* the seat's own words can be read; else only what is atomic in it */
    uint64_t since; /* kp_watch_clock; 0: not known */
};

/* While the sleepers are held: false if it does not wait. */
bool kp_watch_note(const kp_proc *proc, struct kp_note *note);

/* Whether who sleeps in that seat has not been woken: for a member that was to act, or in a pass
 * that has not happened yet. `old` is what a bell was when it went to sleep on it. */
bool kp_watch_sleeps(const kp_group *seat, uint32_t old);

/* So many processors park, with their notes written, and go on. kp_watch_count_busy says whether
 * somebody describes the sleepers at this moment; the second of the others waits then. */
void kp_watch_many_parked(kp_machine *machine, int count);
bool kp_watch_count_busy(kp_machine *machine, int count);
void kp_watch_many_unparked(kp_machine *machine, int count);

/* Writes which members have not arrived at the pass that `seat` is in, at most a few by number.
 * Returns the first of them, -1 if there is none. `late`: without those that wait in this group
 * themselves, in an earlier call by mailboxes. */
int kp_watch_missing(const kp_group *seat, bool late, char *text, size_t size);

/* Whether that member is one of them. */
bool kp_watch_misses(const kp_group *seat, const kp_group *other, bool late);

/* --- cores.c --- */

/* Processors that this process may use: affinity, and the container's quota of time. */
int kp_cores(void);
/* Those that affinity allows; 0 where that is not known. */
int kp_allowed_cores(void);
/* On which of so many cores the i-th of so many threads is kept. Neighbours share one: what they
 * write lies side by side, and a core that asks for lines ahead of need would ask for those of the
 * other core's threads (barrier of 64 on 2 cores: 0.98 of the time, where a line takes long 0.83).
 */
static inline int kp_core_of(int i, int threads, int cores)
{
    return threads > cores ? (int)((int64_t)i * cores / threads) : i;
}

/* The i-th (mod their number) allowed core for pinning; -1 where that is not known. */
int kp_core_at(int i);
/* Threads made with these attributes keep to the core. 0, or an errno. */
int kp_pin_to(pthread_attr_t *attributes, int core);

/* On which cores the calling thread may run; NULL: not known. A thread that keeps to that core, as
 * it was made, is given them. */
struct kp_affinity;
struct kp_affinity *kp_affinity_here(void);
void kp_affinity_free(struct kp_affinity *affinity);
void kp_unpin(pthread_t thread, int core, const struct kp_affinity *to);

#endif
