/* The data of machines and processors. Only ports/ uses their fields. */
#ifndef KPORT_PORTS_MACHINE_DATA_H
#define KPORT_PORTS_MACHINE_DATA_H

#include "kport/machine.h"
#include "ports/handle.h"
#include "ports/self.h"
#include "ports/shared.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kp_proc_state {
    KP_PROC_EMPTY,   /* no thread carries the processor */
    KP_PROC_RUNNING, /* a thread carries the processor */
    KP_PROC_ENDED,   /* the program has ended, or the thread is gone */
};

/* Where a processor's own thread is. */
enum kp_calling {
    KP_CALLS_NOTHING,
    KP_CALL_PLACED, /* kp_here has noted the site of the next call */
    KP_CALL_INSIDE, /* a call is running, or a jump has left it */
};

/* The notes by which the deadlock detector (the watch) knows what a processor waits for, and in
 * which member's call. */
struct kp_parked {
    _Atomic(struct kp_wait_word *) on;
    _Atomic(kp_group *) in;
    _Atomic uint32_t value; /* the processor waits until the word differs from this */
    _Atomic bool holds;     /* the other notes are valid; written last */
};

/* Fields are in order of use, because most calls touch only the first line. */
struct kp_proc {
    alignas(KP_CACHE_LINE) kp_machine *machine;
    const void *known_members[KP_KNOWN];
    _Atomic(const char *) file; /* call site of the current or next call */
    _Atomic int line;
    _Atomic unsigned char calling; /* an enum kp_calling; for reports, as file and line */
    bool failed;                   /* kp_fail was called */
    bool error_told;               /* its latest error comes from a failure already reported */
    bool end_told;                 /* its end has been reported; under the machine's lock */
    uint64_t c1, c2;
    const void *known_plans[KP_KNOWN];
    int number;
    _Atomic int state;
    kp_group *world;
    kp_group *members; /* its members in other groups than the world; used by its own thread only */
    int mark;          /* the mark of a search for cycles; under the machine's lock */
    kp_error_record error;
    kp_error_record end; /* set at its end: what members that wait for it are told */

    struct kp_parked *parked; /* its notes: `own`, or a fiber's */
    alignas(KP_CACHE_LINE) struct kp_parked own;
};

enum kp_machine_use {
    KP_USE_NONE,
    KP_USE_RUN,      /* a run is under way */
    KP_USE_ATTACHED, /* at least one thread is attached */
};

struct kp_machine {
    struct kp_machine_config config; /* the complete configuration */
    struct kp_live live;
    void *block; /* the memory that contains the machine */
    uint64_t number;
    int n, k;
    int cores; /* the cores on which its threads are kept; 0: they are not */
    struct kp_proc *procs;

    pthread_mutex_t lock;
    struct kp_shared *groups; /* all groups; the world is the last */
    struct kp_shared *world;
    _Atomic int use; /* enum kp_machine_use; written under the lock */
    int attached;
    bool spent;              /* a thread has detached; no thread attaches before all have */
    kp_error_record first;   /* the first failure of the run */
    uint64_t snapshots;      /* snapshots made; under the lock */
    pthread_mutex_t telling; /* held while on_failure runs; never taken together with `lock` */
    uint32_t forks;          /* kp_fork_count when the machine was made */
    struct kp_attachment attachment;
    struct kp_trace_machine *traced; /* the machine's part of the trace; NULL: no trace */

    /* The watch word. High half: number of changes; low half: processors that are parked or have
     * ended. */
    alignas(KP_CACHE_LINE) _Atomic uint64_t idle;

    /* What carries the processors (carrier/carrier.h). */
    const struct kp_carrier_row *carrier;
    struct kp_pool *pool; /* for fibers; else NULL */
    int hands;            /* the number of threads that the machine starts */
    struct kp_hand *hand; /* these threads, from the first run on */
    struct kp_keeping *keeping;
    kp_program *program;
    void *argument;
    bool stopping;
    struct kp_wait_word go;        /* the number of the run */
    struct kp_wait_word remaining; /* the threads whose programs have not ended */
};

/* The values at which counters of a new machine, group or run begin: 0, unless a test wants to see
 * them wrap. */
struct kp_counters {
    uint32_t words;     /* the value of the barrier's words; even */
    uint64_t episodes;  /* episodes of a group */
    uint64_t exchanges; /* rounds of kp_exchange */
    uint32_t letters;   /* rounds by mailboxes */
    uint32_t rings;     /* rings of a bell */
    uint32_t changes;   /* changes, in the watch word's high half */
    uint32_t runs;      /* runs of a machine */
};
extern struct kp_counters kp_first_counters;

static inline enum kp_machine_use kp_machine_use_of(const kp_machine *machine)
{
    return (enum kp_machine_use)atomic_load_explicit(&machine->use, KP_ORDER_STATE);
}

static inline kp_proc *kp_member_carrier(const kp_group *member)
{
    return &member->shared->machine->procs[member->shared->processors[member->rank]];
}

static inline void kp_parked_show(struct kp_parked *parked, kp_group *in, struct kp_wait_word *on,
                                  uint32_t value)
{
    atomic_store_explicit(&parked->value, value, KP_ORDER_NOTE);
    atomic_store_explicit(&parked->in, in, KP_ORDER_NOTE);
    atomic_store_explicit(&parked->on, on, KP_ORDER_NOTE);
    atomic_store_explicit(&parked->holds, true, KP_ORDER_SHOW);
}

static inline void kp_parked_hide(struct kp_parked *parked)
{
    atomic_store_explicit(&parked->holds, false, KP_ORDER_NOTE);
}

static inline bool kp_is_parked(const struct kp_parked *parked)
{
    return atomic_load_explicit(&parked->holds, KP_ORDER_INSPECT);
}

static inline kp_group *kp_parked_in(const struct kp_parked *parked)
{
    return kp_is_parked(parked) ? atomic_load_explicit(&parked->in, KP_ORDER_NOTE) : NULL;
}

/* Returns whether the word on which a processor is parked is unchanged. */
static inline bool kp_is_asleep(const struct kp_parked *parked)
{
    const struct kp_wait_word *word =
        kp_is_parked(parked) ? atomic_load_explicit(&parked->on, KP_ORDER_NOTE) : NULL;
    return word && atomic_load_explicit(&word->value, KP_ORDER_INSPECT) ==
                       atomic_load_explicit(&parked->value, KP_ORDER_NOTE);
}

/* Returns the site of the processor's current call. Unless the processor waits it may be writing
 * file and line; if `file` changes meanwhile the result is empty. */
static inline struct kp_site kp_site_of(const kp_proc *proc)
{
    const char *file = atomic_load_explicit(&proc->file, KP_ORDER_NOTE);
    int line = atomic_load_explicit(&proc->line, KP_ORDER_NOTE);
    bool same = atomic_load_explicit(&proc->file, KP_ORDER_NOTE) == file;
    return same ? (struct kp_site){file, line} : (struct kp_site){NULL, 0};
}

/* Returns whether the processor has used this member lately, so that reading the member is safe. */
static inline bool kp_member_is_known(kp_proc *self, const kp_group *member)
{
    return self && member && *kp_known_place(self->known_members, member) == member;
}

/* --- machine.c --- */

/* Checks that the handle is that of a machine of this process. Returns 0, or a status with its
 * sentence. Called under the table's lock; a machine in use stays in the table. */
int kp_machine_look(const kp_machine *machine);

/* Returns processors, groups and watch word to the state of a new machine. Called when no processor
 * is in a call. */
void kp_machine_reset(kp_machine *machine);

/* Notes that an attached thread has left; after the last one attaching makes the machine new. */
void kp_processor_left(kp_proc *self);

/* --- carrier/ --- */

static inline kp_proc *kp_carried(void)
{
    return kp_self.carried;
}

/* The number of forks between the first process that used kport and this one. */
extern _Atomic uint32_t kp_forks;
static inline uint32_t kp_fork_count(void)
{
    return atomic_load_explicit(&kp_forks, KP_ORDER_FORK);
}

/* --- fail/failure.c --- */

/* Both are called under the machine's lock and keep the first failure, of the machine or of the
 * group. The second returns false if the member's episode has happened meanwhile. */
void kp_first_failure(kp_machine *machine, const kp_error_record *why);
bool kp_fail_group_unless_moved(kp_group *member, const kp_error_record *why);

/* Copies the calling thread's latest error to this processor, and returns its status. */
int kp_proc_keep_error(kp_proc *self);
/* Makes a saved error the latest error of both, and returns its status. */
int kp_proc_set_error(kp_proc *self, const kp_error_record *error);

/* Sets the error of a call that begins before the last one is over. Returns KP_EFAILED. */
int kp_proc_jumped(kp_proc *self);

/* Records that the program has returned `status`; members that wait for the processor get an error.
 */
void kp_proc_returned(kp_proc *self, int status);

/* Record other ends: by kp_machine_detach; by a thread that ends without returning; by a fiber's
 * stack overflow. */
void kp_proc_detached(kp_proc *self);
void kp_proc_vanished(kp_proc *self);
void kp_proc_overflowed(kp_proc *self);

/* Sets the processor's error to its own call and round followed by `why`, and returns the status.
 */
int kp_proc_meets_failure(kp_group *member, int round, const kp_error_record *why);

/* --- fail/deadlock.c --- */

/* Between these two, both called under the machine's lock, no sleeping processor goes on.
 * `kp_deadlock_hold` returns the previous watch word, which `kp_deadlock_let_go` needs. A nested
 * pair does nothing. */
uint64_t kp_deadlock_hold(kp_machine *machine);
void kp_deadlock_let_go(kp_machine *machine, uint64_t before);

/* Notes that the processor has jumped out of a wait, as a signal handler may. */
void kp_deadlock_jumped(kp_proc *self);

/* Takes the machine's lock to give up a wait whose time limit has passed. Until then reports find
 * this member waiting. */
void kp_deadlock_lock_late(kp_group *member);

/* Returns milliseconds since a fixed moment, at least 1. It is cheap and as coarse as the system's
 * ticks. */
uint64_t kp_deadlock_clock(void);

/* What the detector knows of a waiting processor. */
struct kp_note {
    kp_group *member;
    bool exact;     /* all fields of the member can be read; else only its atomic ones */
    uint64_t since; /* kp_deadlock_clock; 0: not known */
};

/* Returns whether a processor that sleeps in that member has not been woken: in an episode that has
 * not happened, or on a bell whose value is still `old`, as when it went to sleep. */
bool kp_deadlock_sleeps(const kp_group *member, uint32_t old);

/* `kp_deadlock_many_parked` notes that `count` processors park, after they have written their
 * notes; `kp_deadlock_many_unparked` that they go on. `kp_deadlock_count_busy` counts them as busy
 * and returns whether a report is reading the sleepers; kp_deadlock_many_unparked waits in that
 * case. */
void kp_deadlock_many_parked(kp_machine *machine, int count);
bool kp_deadlock_count_busy(kp_machine *machine, int count);
void kp_deadlock_many_unparked(kp_machine *machine, int count);

/* `kp_deadlock_missing` returns the first member from `rank` on that has not arrived at the episode
 * in which `member` waits; -1: none. `late` leaves out members that themselves wait in this group,
 * in an earlier call by mailboxes. `kp_deadlock_say_missing` writes all missing members, at most a
 * few by number. */
int kp_deadlock_missing(const kp_group *member, int rank, bool late);
void kp_deadlock_say_missing(const kp_group *member, bool late, struct kp_words *words);

/* --- cores.c --- */

/* Returns how many cores affinity allows; 0 if not known. */
int kp_allowed_cores(void);
/* Returns on which of `cores` cores thread i of `threads` is kept. Neighbours share a core: they
 * write side by side, and hardware that prefetches neighbouring lines would otherwise fetch lines
 * of the other core's threads. */
static inline int kp_core_of(int i, int threads, int cores)
{
    return threads > cores ? (int)((int64_t)i * cores / threads) : i;
}

/* Returns the i-th allowed core, modulo their number; -1 if not known. */
int kp_core_at(int i);
/* Sets that threads made with these attributes stay on the core. Returns 0 or an errno. */
int kp_pin_to(pthread_attr_t *attributes, int core);

/* `kp_affinity_here` stores the cores on which the calling thread may run; false: not known.
 * `kp_unpin` gives a thread the cores `to`, if it is still kept on `core` alone. */
struct kp_affinity {
    int count;
    unsigned long set[(1 << 15) / (8 * sizeof(unsigned long))]; /* enough for all systems */
};
bool kp_affinity_here(struct kp_affinity *here);
void kp_unpin(pthread_t thread, int core, const struct kp_affinity *to);

#endif
