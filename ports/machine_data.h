/* This header has the data of machines and processors. A machine has n processors, and each
 * processor is carried by a thread or a fiber, which runs the program. A member is a processor's
 * part in a group. An episode is one use of the group's barrier. Only the files of ports/ use the
 * fields declared here. */
#ifndef KPORT_PORTS_MACHINE_DATA_H
#define KPORT_PORTS_MACHINE_DATA_H

#include "kport/machine.h"
#include "ports/handle.h"
#include "ports/request/requests.h"
#include "ports/self.h"
#include "ports/shared.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kp_proc_state {
    KP_PROC_EMPTY,   /* no thread has carried the processor yet */
    KP_PROC_RUNNING, /* a thread or fiber carries the processor */
    KP_PROC_ENDED,   /* the processor's program has ended, or its thread is gone */
};

/* Whether a processor is in a call of kport. The processor's own thread sets this. */
enum kp_calling {
    KP_CALLS_NOTHING, /* the processor is in no call */
    KP_CALL_PLACED,   /* the processor is about to make a call, whose site kp_here has stored */
    KP_CALL_INSIDE,   /* the processor is in a call, or has left it by longjmp or an exception */
};

/* What a processor waits for, written by the processor for the deadlock detector (fail/deadlock.c).
 * A parked processor sleeps, or is about to sleep, until the value of the word `on` is not
 * `value`. */
struct kp_parked {
    _Atomic(struct kp_wait_word *) on;
    _Atomic(kp_group *) in; /* the member in whose call the processor is parked */
    _Atomic uint32_t value;
    _Atomic bool holds; /* the other fields are valid; written last */
};

/* A processor. The fields that are used most often come first, so most calls touch only the first
 * cache line. */
struct kp_proc {
    /* The pointer of the layer above. It comes first, as kp_face_data expects it there (face.h). */
    alignas(KP_CACHE_LINE) void *face;
    kp_machine *machine;
    /* the members that this processor used last (kp_known_slot) */
    const void *known_members[KP_KNOWN];
    _Atomic(const char *) file; /* the file of the current or the next call in the user's program */
    _Atomic int line;
    _Atomic unsigned char calling; /* an enum kp_calling; atomic because reports read it */
    /* Its fiber sleeps or yields outside of calls. A signal's handler must not do so in between. */
    _Atomic bool rests;
    bool failed; /* the processor has called kp_fail, or has left a call by longjmp */
    /* The processor has failed, has requests under way, or has left a call early. So a call that
     * begins has more to do. */
    bool unusual;
    bool error_told; /* its latest error has already been reported to on_failure */
    /* the rounds (C1) and bytes (C2) that the run's report counts for this processor */
    uint64_t c1, c2;
    /* Of a call that it has left early: the member, or NULL, and what is left of the call. */
    kp_group *left;
    int (*rest)(kp_group *left);
    int number;        /* its number in the machine, 0 ... n - 1 */
    _Atomic int state; /* an enum kp_proc_state */
    const void *known_plans[KP_KNOWN];
    kp_group *world;   /* its member in the group of all processors */
    kp_group *members; /* its members in other groups; used by its own thread only */
    /* Its thread has detached, and none has attached since. A reset of the machine keeps this. */
    bool detached;
    bool end_told; /* its end has been reported to on_failure; guarded by the machine's lock */
    int mark; /* set by searches for a cycle of waiting processors; guarded by the machine's lock */
    kp_error_record error; /* its latest error */
    kp_error_record end;   /* the error for members that wait for it after its end or failure */

    struct kp_parked *parked; /* what it waits for: `own`, or the structure of its fiber */
    struct kp_requests requests;
    /* Whether a request goes on at this moment, and the site of its start. A wait then lets no
     * other request go on. The progress thread writes these, but not `file` and `line`. */
    _Atomic bool in_request;
    _Atomic int started_line;
    _Atomic(const char *) started_file;
    alignas(KP_CACHE_LINE) struct kp_parked own;
    /* The word on which the processor sleeps until another processor posts or takes a message, or
     * until one of its requests can go on. */
    struct kp_wait_word bell;
    /* 1: the processor sleeps on its bell until one of its requests can go on (request/request.h).
     * Above that: the progress thread waits for this (request/progress.h). The word has a cache
     * line of its own, as other processors look at it often. */
    alignas(KP_CACHE_LINE) _Atomic uint32_t listening;
    bool asymmetric; /* how they do so (request/handshake.h); the same for all of the machine */
};

enum kp_machine_use {
    KP_USE_NONE,
    KP_USE_RUN,      /* a run is under way */
    KP_USE_ATTACHED, /* at least one thread is attached */
};

struct kp_machine {
    struct kp_machine_config config; /* the configuration, with all defaults filled in */
    struct kp_live live;
    void *block;     /* the memory that contains the machine */
    uint64_t number; /* unique among machines, groups and plans (kp_handle_number) */
    int n, k;        /* the number of processors, and of ports of each processor */
    int cores; /* the number of cores to which its threads are pinned; 0: they are not pinned */
    struct kp_proc *procs; /* the processors, by number */

    pthread_mutex_t lock;
    struct kp_shared *groups; /* a list of all groups, linked by `next`; the world is the last */
    struct kp_shared *world;  /* the group of all processors */
    _Atomic int use;          /* an enum kp_machine_use; written under `lock` */
    int attached;             /* the number of the user's threads that are attached */
    int cancel_state;         /* kp_hold_thread */
    bool spent;            /* a thread has detached, so none may attach before all have detached */
    kp_error_record first; /* the first failure of the run, for the run's report */
    uint64_t snapshots;    /* the number of snapshots taken so far; guarded by `lock` */
    pthread_mutex_t telling; /* held while on_failure runs; never held together with `lock` */
    uint32_t forks;          /* the value of kp_fork_count when the machine was made */
    struct kp_attachment attachment; /* the data that lib/ has attached (lib/call/machine.c) */
    struct kp_trace_machine *traced; /* the machine's part of the trace; NULL: no trace */

    /* A process that carries several processors of a machine over wires has a struct kp_machine for
     * each. The first one, `first_local`, has the public handle, and the wires. `next_local` links
     * them. */
    kp_machine *first_local, *next_local;
    struct kp_wires *wires;       /* NULL: the wire is the caller's, or there is none */
    bool given_up;                /* a failure has ended the wire; written under `lock` */
    struct kp_watch *watch;       /* fail/watch.c; NULL: there is no wire */
    struct kp_postbox *postbox;   /* message/postbox.c; NULL before its first message over a wire */
    struct kp_progress *progress; /* request/progress.c; NULL: there is no progress thread */

    /* The idle word of the deadlock detector. Its low half counts the processors that are parked
     * or have ended. Its high half counts the changes of the word. */
    alignas(KP_CACHE_LINE) _Atomic uint64_t idle;

    /* The carrier: what runs the processors (carrier/carrier.h). */
    const struct kp_carrier_row *carrier;
    struct kp_pool *pool; /* the fibers; NULL if threads carry the processors */
    int hands;            /* the number of threads that the machine starts */
    struct kp_hand *hand; /* the machine's threads, which exist from the first run on */
    /* the measurement that decides how long threads stay pinned (carrier/keeping.c), or NULL */
    struct kp_keeping *keeping;
    kp_program *program; /* the program of the run, and its argument */
    void *argument;
    bool stopping;          /* the machine is being destroyed, so its threads are to end */
    struct kp_wait_word go; /* the number of runs so far; the machine's threads wait for the next */
    struct kp_wait_word remaining; /* the number of threads whose programs have not ended */
};

/* The first values of the counters of a new machine, group or run. They are 0, unless a test sets
 * them to values so large that the counters wrap around to 0. */
struct kp_counters {
    uint32_t words;       /* the words of a barrier; an even number */
    uint64_t episodes;    /* episodes (uses of the barrier) of a group */
    uint64_t exchanges;   /* rounds of kp_exchange */
    uint32_t mail_rounds; /* rounds in which members synchronise by mailboxes */
    uint32_t rings;   /* the value of a bell, the word on which a member sleeps until it is woken */
    uint32_t changes; /* changes of the idle word */
    uint32_t runs;    /* runs of a machine */
};
extern struct kp_counters kp_first_counters;

static inline enum kp_machine_use kp_machine_use_of(const kp_machine *machine)
{
    return (enum kp_machine_use)atomic_load_explicit(&machine->use, KP_ORDER_STATE);
}

/* Returns the processor of a member. */
static inline kp_proc *kp_member_carrier(const kp_group *member)
{
    return &member->shared->machine->procs[member->shared->processors[member->rank]];
}

/* Tells the deadlock detector that the processor is about to sleep on a word. */
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

/* Returns the member in whose call the processor is parked, or NULL if it is not parked. */
static inline kp_group *kp_parked_in(const struct kp_parked *parked)
{
    return kp_is_parked(parked) ? atomic_load_explicit(&parked->in, KP_ORDER_NOTE) : NULL;
}

/* Returns whether a processor is parked on a word that has not changed since. If the word has
 * changed, the processor has been woken. */
static inline bool kp_is_asleep(const struct kp_parked *parked)
{
    const struct kp_wait_word *word =
        kp_is_parked(parked) ? atomic_load_explicit(&parked->on, KP_ORDER_NOTE) : NULL;
    /* seldom taken: the processor goes on meanwhile */
    return word && atomic_load_explicit(&word->value, KP_ORDER_INSPECT) ==
                       atomic_load_explicit(&parked->value, KP_ORDER_NOTE);
}

/* Reads a site that another thread may be changing. If the file changes meanwhile, the result is
 * empty. */
static inline struct kp_site kp_site_read(const _Atomic(const char *) *at, const _Atomic int *of)
{
    const char *file = atomic_load_explicit(at, KP_ORDER_NOTE);
    int line = atomic_load_explicit(of, KP_ORDER_NOTE);
    bool same = atomic_load_explicit(at, KP_ORDER_NOTE) == file;
    /* seldom taken: the processor begins another call meanwhile */
    return same ? (struct kp_site){file, line} : (struct kp_site){NULL, 0};
}

/* `kp_site_of_call` returns the file and line of the processor's current call, which may be a wait
 * for a request. While a request goes on, `kp_site_of` returns those of the request's start. */
static inline struct kp_site kp_site_of_call(const kp_proc *proc)
{
    return kp_site_read(&proc->file, &proc->line);
}

static inline struct kp_site kp_site_of(const kp_proc *proc)
{
    return atomic_load_explicit(&proc->in_request, KP_ORDER_NOTE)
               ? kp_site_read(&proc->started_file, &proc->started_line)
               : kp_site_of_call(proc);
}

/* Returns whether the processor has used this member lately. If so, the member is alive. */
static inline bool kp_member_is_known(kp_proc *self, const kp_group *member)
{
    return self && member && *kp_known_slot(self->known_members, member) == member;
}

/* --- port.c --- */

/* Does the rest of a call that the processor has left early, and keeps its error (member.h).
 * `kp_proc_come_back` does so if there is such a call, outside of a call. */
void kp_proc_do_rest(kp_proc *self);
void kp_proc_come_back(kp_proc *self);

/* --- machine.c --- */

/* Returns the machine of this process that carries the processor. `machine` is one of its machines
 * over wires. NULL: another process carries the processor. */
kp_machine *kp_machine_local(const kp_machine *machine, int processor);

/* Checks that the handle is that of a live machine, made by this process and not by its parent
 * before a fork. The caller holds the table's lock (handle.h). Returns 0 or the error's status. */
int kp_machine_look(const kp_machine *machine);

/* Resets the processors, groups and idle word of a machine to what they are in a new machine. No
 * processor may be in a call. */
void kp_machine_reset(kp_machine *machine);

/* Reports messages that no receiver took. No program runs. */
void kp_machine_settle(kp_machine *machine);

/* Counts an attached thread as detached. After the last attached thread has detached, the next
 * thread that attaches resets the machine. */
void kp_processor_left(kp_proc *self);

/* --- carrier/ --- */

/* Waits until a run over wires is over in all processes. Compares what their processors have
 * called, and reports messages that no receiver took. `first` is the first machine of this process.
 */
void kp_wired_end_run(kp_machine *first);

/* Returns the processor that the calling thread or fiber carries, or NULL. */
static inline kp_proc *kp_carried(void)
{
    return kp_self.carried;
}

/* The number of forks between this process and the first ancestor that used kport. It shows whether
 * a machine belongs to the parent process. */
extern _Atomic uint32_t kp_forks;
static inline uint32_t kp_fork_count(void)
{
    return atomic_load_explicit(&kp_forks, KP_ORDER_FORK);
}

/* --- fail/failure.c --- */

/* Stores a run's first failure, and ignores later failures. The caller holds the machine's lock. */
void kp_first_failure(kp_machine *machine, const kp_error_record *why);

/* Makes the group fail because of `why`, and returns true. If the episode that the member waits for
 * has happened meanwhile, returns false instead. The caller holds the machine's lock. */
bool kp_fail_group_unless_moved(kp_group *member, const kp_error_record *why);

/* Copies the calling thread's latest error to this processor, and returns the error's status. */
int kp_proc_keep_error(kp_proc *self);

/* Begins the sentence of the processor's latest error with the processor and the place of its call:
 * "processor 0 called kp_send (app.c:31): ". This is for errors that concern one processor alone.
 * `call` NULL: without the call's name. Returns the error's status. */
int kp_proc_say_call(kp_proc *self, const char *call);

/* Makes a saved error the latest error of this processor and of its thread. Returns the status. */
int kp_proc_set_error(kp_proc *self, const kp_error_record *error);

/* Sets the error of a processor that begins a call inside another call. The processor has left the
 * other call by longjmp or an exception, or a reduction's operator calls kport. Returns
 * KP_EFAILED. */
int kp_proc_jumped(kp_proc *self);

/* Ends a processor whose program has returned `status`. Members that wait for this processor get an
 * error. */
void kp_proc_returned(kp_proc *self, int status);

/* These three functions end a processor for other reasons. `kp_proc_detached` is for a thread that
 * has called kp_machine_detach. `kp_proc_vanished` is for a thread that has ended without returning
 * from the program. `kp_proc_overflowed` is for a fiber whose stack has overflowed. */
void kp_proc_detached(kp_proc *self);
void kp_proc_vanished(kp_proc *self);
void kp_proc_overflowed(kp_proc *self);

/* Sets the error of a member whose call ends because of the failure `why`. The error's sentence is
 * the processor, its own call with the place, and the round, followed by the sentence of `why`.
 * Returns the status. */
int kp_proc_meets_failure(kp_group *member, int round, const kp_error_record *why);

/* Does this for a request, which the sentence describes in place of the member's call. */
int kp_request_meets_failure(const struct kp_request *request, const kp_error_record *why);

/* --- fail/deadlock.c --- */

/* Keeps all sleeping processors from going on, and returns the idle word as it was before. The
 * caller passes this result to kp_deadlock_let_go, which lets the processors go on. A hold within
 * another hold has no effect. The caller of both functions holds the machine's lock. */
uint64_t kp_deadlock_hold(kp_machine *machine);
void kp_deadlock_let_go(kp_machine *machine, uint64_t before);

/* Corrects the detector's data after a processor has left a wait by longjmp in a signal handler. */
void kp_deadlock_jumped(kp_proc *self);

/* Takes the machine's lock for a member that gives up its wait because the time limit has passed.
 * While the member waits for the lock, reports still show that it waits in its call. */
void kp_deadlock_lock_late(kp_group *member);

/* Returns the milliseconds since a fixed moment, at least 1. The clock is cheap and coarse. */
uint64_t kp_deadlock_clock(void);

/* What the deadlock detector knows of a waiting processor. */
struct kp_note {
    kp_group *member; /* the member in whose call the processor waits */
    bool exact;     /* true: all fields of the member may be read; false: only its atomic fields */
    uint64_t since; /* the kp_deadlock_clock at which the processor went to sleep; 0: not known */
};

/* Returns whether a processor that sleeps in a call of `member` has not been woken yet. A processor
 * that sleeps in an episode counts as not woken while the episode has not happened. A processor
 * that sleeps on a bell counts as not woken while the bell's value is `old`, the value when the
 * processor went to sleep. */
bool kp_deadlock_sleeps(const kp_group *member, uint32_t old);

/* Returns the rank of a member for which a waiting member waits by mailboxes or for a request, or
 * -1 if it waits in an episode. */
int kp_deadlock_awaited(const kp_group *member);

/* Returns the request of this member for which its processor waits, or NULL. The processor sleeps
 * and is kept from going on, as for the two functions beside this one. */
const struct kp_request *kp_deadlock_request(const kp_group *member);

/* Returns whether a waiting member waits for a request that any member may let go on. */
bool kp_deadlock_awaits_any(const kp_group *member);

/* Counts `count` more processors as idle, after they have stored what they wait for. If now all
 * processors are idle, looks for a deadlock. */
void kp_deadlock_many_parked(kp_machine *machine, int count);

/* Counts `count` processors as busy again. Returns whether another thread is reading what sleeping
 * processors wait for. If so, the caller must take and release the machine's lock before it goes
 * on. */
bool kp_deadlock_count_busy(kp_machine *machine, int count);

/* Counts `count` processors as busy again. Waits until no thread reads what sleeping processors
 * wait for. */
void kp_deadlock_many_unparked(kp_machine *machine, int count);

/* Returns the first rank, from `rank` on, whose member has not arrived at the episode in which
 * `member` waits. Returns -1 if there is none. If `late` is true, skips members that still wait for
 * a message of an earlier call in this group. Such a member is late only because of another
 * member. */
int kp_deadlock_missing(const kp_group *member, int rank, bool late);

/* Writes to `words` the processor numbers of the members that kp_deadlock_missing would find. If
 * they are many, writes only the first few numbers, and how many more members there are. */
void kp_deadlock_say_missing(const kp_group *member, bool late, struct kp_words *words);

/* Writes where a processor made its last call that a member has waited for too long, if it is
 * outside of kport now. */
void kp_deadlock_say_outside(const kp_machine *machine, int processor, struct kp_words *words);

/* --- cores.c --- */

/* Returns how many cores the process's affinity allows, or 0 if this is not known. */
int kp_allowed_cores(void);

/* Returns the core, 0 ... cores - 1, to which thread i of `threads` threads is pinned. Threads with
 * neighbouring numbers share a core, because their data lies on neighbouring cache lines. Hardware
 * that prefetches neighbouring lines would otherwise fetch lines that another core writes. */
static inline int kp_core_of(int i, int threads, int cores)
{
    return threads > cores ? (int)((int64_t)i * cores / threads) : i;
}

/* Returns whether the computer has several NUMA nodes. A test may assume a number of them. */
extern int kp_nodes_assumed;
bool kp_has_several_nodes(void);

/* Returns the number of the core on which the calling thread runs, or -1 if this is not known. */
int kp_core_here(void);

/* Asks the system to move the calling thread from this core to another one that the thread may use.
 * The thread may come back later. */
void kp_leave_core(int core);

/* By its affinity the process may use c cores. Returns the system's own number of core i modulo c
 * of these, or -1 if these cores are not known. */
int kp_core_at(int i);

/* A set of cores on which a thread may run. */
struct kp_affinity {
    int count;
    unsigned long set[(1 << 15) / (8 * sizeof(unsigned long))]; /* enough for all systems */
};

/* Makes threads created with these attributes stay on the CPUs. Returns 0 or an errno value. */
int kp_pin_to(pthread_attr_t *attributes, const struct kp_affinity *cpus);

/* Stores the cores on which the calling thread may run. Returns false if they are not known. */
bool kp_affinity_here(struct kp_affinity *here);

/* Lets a thread run on the cores `to`, if at present it may run on `core` only. */
void kp_unpin(pthread_t thread, int core, const struct kp_affinity *to);

#endif
