/* The machine: n processors, fully connected, each with k ports, every processor a
 * thread, or a fiber.
 *
 * The model is that of Bruck, Ho, Kipnis, Upfal and Weathersby 1997, section 1.2: in a round a
 * processor sends at most k messages to k others and receives at most k from k others. */
#ifndef KPORT_MACHINE_H
#define KPORT_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kp_machine kp_machine;
typedef struct kp_proc kp_proc;   /* one processor, for the thread that carries it */
typedef struct kp_group kp_group; /* one processor's handle of a group; the world is a group too */
typedef struct kp_trace kp_trace; /* what was recorded of machines; see kport/trace.h */

/* How a waiting processor passes the time. Whatever the policy, every wait ends by parking, so an
 * idle machine uses no processor time. */
typedef enum kp_wait_policy {
    KP_WAIT_AUTO,  /* spin only if the machine's threads all have a core of their own */
    KP_WAIT_SPIN,  /* spin 1000 pauses, yield 16 times and then for 300 us, longer than a wake
                      takes; park */
    KP_WAIT_YIELD, /* yield 16 times, then park */
    KP_WAIT_PARK,  /* park at once */
} kp_wait_policy;

/* What keeps the rounds of the collectives apart.
 *
 * By the barrier: every processor passes it once a round, also where it has nothing to do; so what
 * a call sent has been taken everywhere before any processor leaves the next one. By mailboxes: a
 * processor waits only for the messages it expects, and for room: a mailbox holds `generations`
 * messages, so the root of a broadcast may be that many calls ahead of its leaves. The schedules
 * are the same, and so is what arrives. Under mailboxes
 *   - a call is no synchronisation: it returns when the own part is done and what it sent may be
 *     written again;
 *   - messages that do not fit the row (eager_bytes) wait for their readers within the call;
 *   - members that call different things learn it as soon as one takes a message of the other, or
 *     all wait, in this call or a later one, and a call that a member refuses fails at all:
 *     KP_EMISMATCH or KP_EPEER, and the group is dead for this run (by the barrier it works on);
 *   - kp_barrier, kp_exchange, kp_send_recv and the v forms are kept by the barrier all the same.
 */
typedef enum kp_discipline {
    KP_ROUNDS_BY_BARRIER,
    KP_ROUNDS_BY_MAILBOXES,
    /* Each call by that of the two which its profile predicts to be faster (profile.h); without one
     * by the barrier. Only what both keep may be relied on. */
    KP_ROUNDS_BY_TUNER,
} kp_discipline;
#define KP_HAS_DISCIPLINES 1

/* What carries the processors. A fiber is a program with a stack of its own that shares a thread, a
 * worker, with others: it runs until it waits for other processors, then the worker goes on with
 * the next that need not wait. Thousands are cheap, and a switch costs nanoseconds. What runs as a
 * fiber must not block its thread (sleep, read a socket, wait for a lock that another fiber of the
 * same worker holds): nobody else on the worker goes on meanwhile, and none of the library's
 * deadlines is looked at. A loop that waits for another processor without calling kport never ends.
 * A lock may not be held across a call of kport, nor a pointer to a thread-local variable kept
 * across one be taken for this processor's own. pthread_exit, or cancelling the worker, ends the
 * processor that is running (the others get KP_ELOST, and go on on the same thread), and its worker
 * after the run. */
typedef enum kp_carrier {
    KP_CARRIER_THREADS, /* a thread each */
    KP_CARRIER_FIBERS,  /* fibers, on `workers` threads; not in every build (kp_fibers) */
} kp_carrier;

/* By what a machine chooses what its calls leave open (profile.h). */
typedef struct kp_profile kp_profile;
typedef enum kp_tuning {
    KP_TUNING_AUTO,     /* `profile`; or else what KPORT_TUNE says; or else the cache's profile; or
                           else the built-in model */
    KP_TUNING_BUILTIN,  /* the built-in model and thresholds, on every machine the same */
    KP_TUNING_MEASURED, /* as KP_TUNING_AUTO, and the first calls of a problem try what is predicted
                           to be good, one after the other; then all members together take the
                           fastest. Plain calls and executions of plans count alike. So it is for
                           the first 64 problems of a group, by operation, b, root, to and `how`.
                           Not for reductions, whose last bits depend on the algorithm, nor for the
                           v forms */
} kp_tuning;

/* Called once for each failure, with what every processor was doing (diagnosis.h); `diagnosis` and
 * what it points to are valid until it returns. By the thread that found the failure: a
 * processor's, one that is just ending, a worker, on the stack that is there (a fiber's may be 64
 * KiB). One call at a time for a machine, with cancellation off. It may do anything but call kport
 * with this machine or one of its processors or groups; it may not longjmp, throw or end the
 * thread. */
typedef struct kp_diagnosis kp_diagnosis;
typedef void kp_on_failure(const kp_diagnosis *diagnosis, void *arg);

/* Whether the threads that a machine starts are kept on cores. */
enum kp_pin {
    KP_PIN_AUTO,   /* if there are at least twice as many as this process may use cores, under
                      KP_WAIT_YIELD, until all threads of a core are found asleep for more than
                      an eighth of a run's time (and 10 ms): then they are left to the system, as
                      long as the machine lives. Not with a quota below those cores */
    KP_PIN_ALWAYS, /* they are; refused where the build cannot (kp_pinning) */
    KP_PIN_NEVER,  /* they are left to the system */
};

/* Zero is the default in every field. */
typedef struct kp_config {
    int processors;     /* n; 0: as many as this process may use cores. At most 1048575. */
    int ports;          /* k, 1 ... 1048575; 0: max(1, n - 1). The collectives of a group of m use
                           at most m - 1 of them, kp_exchange all */
    size_t stack_bytes; /* of each processor that kport starts; 0: 1 MiB for a thread, 64 KiB for
                           a fiber (256 KiB under a sanitizer); only what is touched is used */
    int pin; /* enum kp_pin. Thread i is kept on the i-th allowed core; where there are more threads
                than cores, on the floor(i * cores / threads)-th, so that neighbours share one:
                those of a core come to a barrier together, and one of them may copy for all,
                within a call, from and to their buffers. What they start inherits their core */
    kp_wait_policy wait;    /* 0: KP_WAIT_AUTO. Of fibers: how a worker waits that has none ready */
    unsigned time_limit_ms; /* longest wait for the others to come to a call, in milliseconds; 0:
                               none. Who is named as late did not wait in that group itself when
                               the time was over: under mailboxes, where a member waits for one
                               other, it is found by going from each to whom it waits for. Where
                               that goes in a circle, calls differ, and the sentence has the
                               circle. Processors go on meanwhile: one that came at that moment
                               may be named still */
    size_t eager_bytes;     /* a processor's messages of one round that are packed, not described,
                               up to the next multiple of 64; 0: what takes less time on this
                               machine (profile.h). Who alone packs in a round may pack so much
                               for each processor of the group, up to 256 KiB */
    kp_discipline discipline; /* 0: KP_ROUNDS_BY_BARRIER */
    int generations;   /* messages that a mailbox holds, under KP_ROUNDS_BY_MAILBOXES: a power
                          of two, 2 ... 1024; 0: 32, or as many as 256 KiB of mailboxes a
                          processor allow */
    size_t plan_bytes; /* schedules kept for the next call, in bytes; 0: 64 MiB */
    double beta_us;    /* start-up time of a round for the choice of algorithms, in
                          microseconds; 0: kp_model_builtin's */
    double tau_us;     /* time of a byte, in microseconds; 0: kp_model_builtin's */
    kp_tuning tuning;  /* 0: KP_TUNING_AUTO; beta_us or tau_us come before it */
    const kp_profile *profile; /* stays until the machine is destroyed; NULL: as `tuning` says */
    kp_carrier carrier;        /* 0: threads */
    int workers;               /* threads that carry the fibers, at most n, each a range of the
                                  processors; 0: as many as this process may use cores. For threads 0 */
    uint64_t seed; /* of fibers: with one worker the order in which they run is a function
                      of it. 0: in turn, each until it waits. Else at every call, arrival
                      and pass the next is drawn, the running one included. With
                      more workers only the order within each. For threads 0 */
    kp_on_failure *on_failure; /* NULL: nobody is told; errors are returned in any case */
    void *on_failure_arg;
    kp_trace *trace; /* where all rounds are recorded (kport/trace.h); NULL: nowhere */
} kp_config;

/* A processor's program. 0 is success. Anything else is a failure: the others learn it as an error
 * that names this processor, as soon as they wait for it. */
typedef int kp_program(kp_proc *self, void *arg);

typedef struct kp_report {
    kp_error_record error; /* the first failure of the run; status 0 if there was none */
    int started;           /* threads that exist for this machine: n, or its workers */
    uint64_t c1;           /* rounds, the largest over the processors */
    uint64_t c2;           /* sum over its rounds of the largest message of any processor, in bytes,
                              of the processor with the most */
} kp_report;

/* Makes a machine, lets n threads run `program(self, arg)`, ends it. Returns 0, or the status of
 * the first failure (KP_EFAILED where a program returned a number that is no status). `report` may
 * be NULL. Any thread; calls are independent of each other. */
KP_API int kp_run(const kp_config *config, kp_program *program, void *arg,
                  kp_report *report) KP_MUST_CHECK;

/* Makes a machine without threads; they start with the first kp_machine_run and are kept, or the
 * caller's own threads attach. Any thread. Errors: KP_EARGUMENT, KP_EMEMORY (kp_last_error). */
KP_API int kp_machine_create(const kp_config *config, kp_machine **machine) KP_MUST_CHECK;

/* Runs one program on all processors and waits for all to end. What an earlier run left (a lost
 * processor, a deadlock) is cleared first. One thread at a time (KP_EBUSY), not beside attached
 * threads. If a thread cannot be started: KP_ETHREAD, those started are ended, and report->started
 * and the sentence say how many there were. */
KP_API int kp_machine_run(kp_machine *machine, kp_program *program, void *arg,
                          kp_report *report) KP_MUST_CHECK;

/* Ends the machine's threads and frees it. KP_EBUSY, and nothing is done, while a run is under way
 * or a processor is attached; KP_EENDED for what is no machine (any more). NULL is allowed. */
KP_API int kp_machine_destroy(kp_machine *machine);

/* Makes the calling thread carry processor `processor` until it detaches. A thread carries one
 * processor at a time. Errors: KP_EARGUMENT (also for a machine of fibers, which carries all its
 * processors itself), KP_EBUSY (the processor has a thread, a run is under way, the
 * thread carries a processor, or the processor was left while others are still attached). */
KP_API int kp_machine_attach(kp_machine *machine, int processor, kp_proc **self) KP_MUST_CHECK;

/* Ends the calling thread's part. Others that wait for it then or later get KP_ELOST. When the last
 * one has detached the machine is as new. Returns KP_EUNTAKEN if a message that this processor sent
 * is known not to have been taken; KP_EFAILED, and it stays attached, if its last call was left by
 * a jump or is still under way (the next one detaches); KP_EWRONGTHREAD if it is not attached. */
KP_API int kp_machine_detach(kp_proc *self);

/* The group of all processors, in order. Owned by the machine. */
KP_API kp_group *kp_world(kp_proc *self);

/* Number of this processor in the machine, 0 ... n - 1. */
KP_API int kp_processor(const kp_proc *self);

/* Ends one's part with a reason: `return kp_fail(self, "no such file");`. All groups of this
 * processor fail with KP_EFAILED and this sentence; its own later calls do too. Returns KP_EFAILED.
 * Called by the processor itself. */
KP_API int kp_fail(kp_proc *self, const char *sentence);

/* The processor's latest error; status 0 if there was none. Called by the processor itself; valid
 * until its next call. */
KP_API const kp_error_record *kp_error(const kp_proc *self);

/* "major.minor.patch" of the library that is running. */
KP_API const char *kp_version(void);

/* How this build switches between fibers: "boost.context" or "ucontext"; NULL if it has none. */
KP_API const char *kp_fibers(void);

/* What a thread of this build sleeps on: "futexes" or "condition variables". */
KP_API const char *kp_waiting(void);

/* How this build keeps threads on cores (the config's `pin`): "affinity"; NULL if it cannot. */
KP_API const char *kp_pinning(void);

/* --- One round for an algorithm of one's own --- */

typedef struct kp_outgoing {
    int port;         /* own port, 0 ... k - 1, each at most once in a round */
    int peer;         /* rank of the receiver in the group, never oneself; the same for several
                         ports: several messages */
    const void *data; /* stays unchanged until the call returns */
    size_t bytes;
} kp_outgoing;

typedef struct kp_incoming {
    int port;     /* the sender's port */
    int peer;     /* rank of the sender; of two messages from one the port says which is which */
    void *data;   /* overlaps nothing that is sent in this round */
    size_t bytes; /* exact, unless up_to is set */
    int up_to;    /* not 0: `bytes` is a capacity, and the length is written back to it */
} kp_incoming;

/* One round of the group: sends `outs` messages and receives `ins`, at most k each, where k is the
 * machine's, however few members the group has. All members call it together, also those with
 * nothing to send or receive (outs = ins = 0).
 * A message is known by its sender and the sender's port. So neighbours in a ring may be one
 * processor: on a ring of two, with what goes to the left on port 0 and to the right on port 1,
 * both go to the other one, and what comes from the left lies at its port 1, from the right at its
 * port 0.
 * Ordering: what a processor wrote before the call is seen by those that take its messages.
 * Errors, each naming round, processor, port and peer:
 *   KP_EARGUMENT, KP_EPORT  own arguments break the port rule; every member returns (the others
 *                           with KP_EPEER), nothing was moved, the group works on
 *   KP_EMISSING             no message of this round lies at that port for this processor
 *   KP_ELENGTH              the message has another length (or is longer than the capacity);
 *                           nothing of it was written
 *   KP_EUNTAKEN             a message of the previous round was not taken; this round was done.
 *                           The first of those that are known and were not told yet is named
 *   KP_EMISMATCH            others called something else; nothing was moved, the group works on
 *   KP_ELOST, KP_EFAILED, KP_EDEADLOCK, KP_ETIMEOUT  the group is dead for this run */
KP_API int kp_exchange(kp_group *group, const kp_outgoing *out, int outs, kp_incoming *in,
                       int ins) KP_MUST_CHECK;

/* --- Call sites --- */

/* Remembers the place of the next kport call of this thread, for error messages. The macros below
 * do it; define KP_NO_CALL_SITES before including to be without them. */
KP_API void kp_here(const char *file, int line);

#ifndef KP_NO_CALL_SITES
#define kp_exchange(...) (kp_here(__FILE__, __LINE__), kp_exchange(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
