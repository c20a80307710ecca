/* What the machine and its processors are made of. Nobody above ports/ names a field of these. */
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

/* What a processor is parked on, and in what call, for the watch. */
struct kp_parked {
    _Atomic(struct kp_wait_word *) on;
    _Atomic(kp_group *) in;
    _Atomic uint32_t value; /* that it waits to see gone */
    _Atomic bool holds;     /* what the others say; the last to be written */
};

/* In the order of its use, as a member; the first line is all that most calls touch. */
struct kp_proc {
    alignas(KP_CACHE_LINE) kp_machine *machine;
    const void *known_members[KP_KNOWN];
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
    kp_group *world;
    kp_group *members; /* held in other groups; its thread's own */
    int mark;          /* of who looks for a cycle; under the machine's lock */
    kp_error_record error;
    kp_error_record end; /* once it has ended: what those who wait for it are told */

    struct kp_parked *parked; /* its notes; of a fiber they lie with what else the switch touches */
    alignas(KP_CACHE_LINE) struct kp_parked own;
};

enum kp_machine_use {
    KP_USE_NONE,
    KP_USE_RUN,      /* a run is under way */
    KP_USE_ATTACHED, /* at least one member is attached */
};

struct kp_machine {
    struct kp_machine_config config; /* nothing left to defaults */
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
    bool spent;              /* a member was left; no new attachment before all are */
    kp_error_record first;   /* the first failure of the run */
    uint64_t snapshots;      /* so far; under the lock */
    pthread_mutex_t telling; /* one failure at a time; never taken under the lock, nor the lock
                                under it */
    uint32_t forks;          /* kp_fork_count when it was made */
    struct kp_attachment attachment;
    struct kp_trace_machine *traced; /* its part of the trace; NULL: there is none */

    /* High half: changes so far; low half: processors that are parked or have ended. */
    alignas(KP_CACHE_LINE) _Atomic uint64_t idle;

    /* Who carries the processors (carrier/carrier.h). */
    const struct kp_carrier_row *carrier;
    struct kp_pool *pool; /* of fibers; else NULL */
    int hands;            /* threads that the machine starts, */
    struct kp_hand *hand; /* from the first run on, */
    struct kp_keeping *keeping;
    kp_program *program;
    void *argument;
    bool stopping;
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

/* Whether the word that one is parked on has not changed. */
static inline bool kp_is_asleep(const struct kp_parked *parked)
{
    const struct kp_wait_word *word =
        kp_is_parked(parked) ? atomic_load_explicit(&parked->on, KP_ORDER_NOTE) : NULL;
    return word && atomic_load_explicit(&word->value, KP_ORDER_INSPECT) ==
                       atomic_load_explicit(&parked->value, KP_ORDER_NOTE);
}

/* Of the call under way. The processor may be writing the two words, unless it is known to wait. */
static inline struct kp_site kp_site_of(const kp_proc *proc)
{
    const char *file = atomic_load_explicit(&proc->file, KP_ORDER_NOTE);
    int line = atomic_load_explicit(&proc->line, KP_ORDER_NOTE);
    bool same = atomic_load_explicit(&proc->file, KP_ORDER_NOTE) == file;
    return same ? (struct kp_site){file, line} : (struct kp_site){NULL, 0};
}

/* Whether the processor has used this member lately, so that it may be read. */
static inline bool kp_member_is_known(kp_proc *self, const kp_group *member)
{
    return self && member && *kp_known_place(self->known_members, member) == member;
}

/* --- machine.c --- */

/* Whether the handle is that of a machine of this process: 0, or a status with its sentence. Under
 * the table's lock; one in use stays in the table. */
int kp_machine_look(const kp_machine *machine);

/* Brings processors, groups and watch back to the state of a new machine; nobody is in a call. */
void kp_machine_reset(kp_machine *machine);

/* One attached thread fewer; the last one makes the machine new. */
void kp_processor_left(kp_proc *self);

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

/* --- fail/failure.c --- */

/* Both under the machine's lock. The first failure of a group, and of the machine, is kept. */
void kp_first_failure(kp_machine *machine, const kp_error_record *why);
bool kp_fail_group_unless_moved(kp_group *member, const kp_error_record *why);

/* Makes the calling thread's latest error this processor's, and returns its status. */
int kp_proc_keep_error(kp_proc *self);
/* Makes one that was kept both again. */
int kp_proc_set_error(kp_proc *self, const kp_error_record *error);

/* A call begins although the one before it is not over. Returns KP_EFAILED. */
int kp_proc_jumped(kp_proc *self);

/* The program has returned `status`: nobody waits for it in vain. */
void kp_proc_returned(kp_proc *self, int status);

/* The member was left by kp_machine_detach; or the thread has ended without returning. */
void kp_proc_detached(kp_proc *self);
void kp_proc_vanished(kp_proc *self);
void kp_proc_overflowed(kp_proc *self);

/* Sets the processor's error from `why`, for a call that it breaks. */
int kp_proc_meets_failure(kp_group *member, int round, const kp_error_record *why);

/* --- fail/deadlock.c --- */

/* Between these two, both under the machine's lock, nobody that sleeps goes on. The first returns
 * the watch word as it was, for the second; within such a pair another one does nothing. */
uint64_t kp_deadlock_hold(kp_machine *machine);
void kp_deadlock_let_go(kp_machine *machine, uint64_t before);

/* It has jumped out of a wait, as a handler of signals may. */
void kp_deadlock_jumped(kp_proc *self);

/* Takes the machine's lock to give up a wait whose time is over. Who describes others meanwhile
 * finds this one waiting still. */
void kp_deadlock_lock_late(kp_group *member);

/* Milliseconds since some time, at least 1. Cheap, and as coarse as the system's ticks. */
uint64_t kp_deadlock_clock(void);

/* What is known of a processor that waits. */
struct kp_note {
    kp_group *member;
    bool exact;     /* the member's own words can be read; else only what is atomic in it */
    uint64_t since; /* kp_deadlock_clock; 0: not known */
};

/* Whether who sleeps in that member has not been woken: for a member that was to act, or in a pass
 * that has not happened yet. `old` is what a bell was when it went to sleep on it. */
bool kp_deadlock_sleeps(const kp_group *member, uint32_t old);

/* So many processors park, with their notes written, and go on. kp_deadlock_count_busy says whether
 * somebody describes the sleepers at this moment; the second of the others waits then. */
void kp_deadlock_many_parked(kp_machine *machine, int count);
bool kp_deadlock_count_busy(kp_machine *machine, int count);
void kp_deadlock_many_unparked(kp_machine *machine, int count);

/* The first member from `rank` on that has not arrived at the pass that `member` is in; -1: there
 * is none. `late`: without those that wait in this group themselves, in an earlier call by
 * mailboxes. And all of them, at most a few by number. */
int kp_deadlock_missing(const kp_group *member, int rank, bool late);
void kp_deadlock_say_missing(const kp_group *member, bool late, struct kp_words *words);

/* --- cores.c --- */

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

/* On which cores the calling thread may run; false: not known. A thread that keeps to that core, as
 * it was made, is given them. */
struct kp_affinity {
    int count;
    unsigned long set[(1 << 15) / (8 * sizeof(unsigned long))]; /* more cores than systems know */
};
bool kp_affinity_here(struct kp_affinity *here);
void kp_unpin(pthread_t thread, int core, const struct kp_affinity *to);

#endif
