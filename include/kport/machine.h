/* The machine: n fully connected processors with k ports each. A processor is a thread or a fiber.
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
typedef struct kp_proc kp_proc;   /* one processor, as its own thread sees it */
typedef struct kp_group kp_group; /* a member's handle; the world is a group too */
typedef struct kp_trace kp_trace; /* a record of runs (trace.h) */

/* How a processor waits. Under every policy a wait ends by parking (sleeping), so an idle machine
 * uses no processor time. */
typedef enum kp_wait_policy {
    KP_WAIT_AUTO,  /* KP_WAIT_SPIN if each thread of the machine has a core of its own, else
                      KP_WAIT_YIELD */
    KP_WAIT_SPIN,  /* spin for 1000 pauses, yield 16 times, go on yielding for 300 us (longer than a
                      wake-up takes), then park */
    KP_WAIT_YIELD, /* yield 16 times, then park */
    KP_WAIT_PARK,  /* park at once */
} kp_wait_policy;

/* What keeps the rounds of the collectives apart.
 *
 * The barrier: every processor passes it once a round, even if it has nothing to send. So when a
 * processor leaves an episode, all messages of the round before have been received.
 * Mailboxes: a processor waits only for the messages it expects, and for room in the mailboxes it
 * fills. A mailbox holds `generations` messages, so the root of a broadcast may be that many calls
 * ahead of its receivers. Schedules and results are the same with both. Under mailboxes
 * - a call does not synchronise: it returns when this processor's part is done and its outgoing
 *   data may be overwritten;
 * - a sender of messages longer than its eager buffer (eager_bytes) waits for their receivers
 *   within the call;
 * - members that call different operations get KP_EMISMATCH or KP_EPEER in this call or a later
 *   one: as soon as one receives a message of the other call, or when all wait. A call that a
 *   member refuses fails for all in the same way. The group is then unusable for the rest of the
 *   run (with the barrier it stays usable);
 * - kp_barrier, kp_exchange, kp_send_recv and the v forms use the barrier all the same. */
typedef enum kp_discipline {
    KP_ROUNDS_BY_BARRIER,
    KP_ROUNDS_BY_MAILBOXES,
    /* Each call uses the discipline that the profile predicts to be faster (profile.h); without a
     * profile, the barrier. A program may rely only on what both guarantee. */
    KP_ROUNDS_BY_TUNER,
} kp_discipline;
#define KP_HAS_DISCIPLINES 1

/* What carries the processors. A fiber is a program with its own stack that shares a thread, called
 * a worker, with other fibers. A fiber runs until it waits for other processors; then the worker
 * runs the next fiber that is ready.
 * - A fiber must not block its thread (sleep, read a socket, wait for a lock that another fiber of
 *   its worker holds). While it does, no other fiber of the worker runs and kport checks no time
 *   limit.
 * - A loop that waits for another processor without calling kport never ends.
 * - A fiber may hold no lock across a call of kport. After a call, a pointer to a thread-local
 *   variable may point to another fiber's data.
 * - pthread_exit, or cancelling the worker, ends the fiber that is running and, after the run, the
 *   worker. Members that wait for that processor get KP_ELOST; the worker's other fibers go on. */
typedef enum kp_carrier {
    KP_CARRIER_THREADS, /* one thread for each processor */
    KP_CARRIER_FIBERS,  /* fibers, on `workers` threads; not in every build (kp_fibers) */
} kp_carrier;

/* How a machine chooses the algorithms that its calls leave open (profile.h). */
typedef struct kp_profile kp_profile;
typedef enum kp_tuning {
    KP_TUNING_AUTO,     /* the first there is: the config's `profile`, the environment variable
                           KPORT_TUNE, the profile in the cache, the built-in model */
    KP_TUNING_BUILTIN,  /* the built-in model and thresholds, equal on every machine */
    KP_TUNING_MEASURED, /* as KP_TUNING_AUTO, but the first calls of a problem try the algorithms
                           with the best predictions in turn; then all members adopt the fastest.
                           Plain calls and plan executions both count. This covers the first 64
                           problems of a group; a problem is an operation, b, root, to and `hints`.
                           Reductions are excluded, as their last bits depend on the algorithm, and
                           so are the v forms */
} kp_tuning;

/* kport calls such a function once for each failure and passes it what every processor was doing
 * (diagnosis.h). `diagnosis` and all it points to are valid until the function returns. The thread
 * that found the failure calls it: a processor's thread, a thread that is ending, or a worker. The
 * function runs on that thread's stack (a fiber's may be 64 KiB), with cancellation off, and once
 * at a time for a machine. It may not call kport with this machine or one of its processors or
 * groups, longjmp, throw or end the thread. */
typedef struct kp_diagnosis kp_diagnosis;
typedef void kp_on_failure(const kp_diagnosis *diagnosis, void *arg);

/* Whether the machine keeps the threads that it starts on cores. */
enum kp_pin {
    KP_PIN_AUTO,   /* yes if there are at least two threads for each core that this process may use,
                      the policy is KP_WAIT_YIELD, and no time quota amounts to fewer cores. If all
                      threads of a core sleep for more than 10 ms plus 1/8 of a run, the machine no
                      longer keeps any of its threads on a core */
    KP_PIN_ALWAYS, /* yes; an error if this build cannot (kp_pinning) */
    KP_PIN_NEVER,  /* no: the system places the threads */
};

/* The configuration of a machine. In every field 0 is the default. */
typedef struct kp_config {
    int processors; /* n, at most 1048575; 0: the number of cores that this process may use */
    int ports; /* k, 1 ... 1048575; 0: max(1, n - 1). Collectives of a group of m members use at
                  most m - 1 ports, kp_exchange all k */
    size_t stack_bytes; /* the stack of each processor that kport starts; 0: 1 MiB for a thread, 64
                           KiB for a fiber (256 KiB under a sanitizer). Only pages that are touched
                           use memory */
    int pin; /* enum kp_pin. Thread i is kept on the i-th allowed core; with more threads than
                cores, on core number floor(i * cores / threads), so neighbours share a core.
                Threads of a core reach a barrier together, and within a call one of them may copy
                between their buffers for all of them. Threads that they start inherit their core */
    kp_wait_policy wait; /* 0: KP_WAIT_AUTO. With fibers: how a worker waits when none of its fibers
                            is ready */
    unsigned time_limit_ms; /* the longest wait for other members to arrive at a call, in
                               milliseconds; 0: no limit. The error names as late a member that does
                               not itself wait in that group. Under mailboxes kport finds that
                               member by following who waits for whom; if this leads in a circle,
                               calls differ, and the sentence has the circle. Processors run
                               meanwhile, so one that arrives at that moment may still be named */
    /* The length of an eager buffer, rounded up to a multiple of 64: a processor's messages of a
     * round are packed into it if they fit, and stay in place otherwise. 0: the length that is
     * fastest on this machine (profile.h). The only sender of a round may pack this much for each
     * member of the group, up to 256 KiB in all. */
    size_t eager_bytes;
    kp_discipline discipline; /* 0: KP_ROUNDS_BY_BARRIER */
    int generations; /* the number of messages that a mailbox holds: a power of two, 2 ... 1024; 0:
                        32, or fewer so that a processor's mailboxes take at most 256 KiB */
    size_t plan_bytes; /* the most memory for schedules kept for later calls, in bytes; 0: 64 MiB */
    double beta_us;    /* beta for the choice of algorithms: the time to start a round, in
                          microseconds; 0: kp_model_builtin's */
    double tau_us;     /* tau: the time of a byte, in microseconds; 0: kp_model_builtin's */
    kp_tuning tuning;  /* 0: KP_TUNING_AUTO. beta_us and tau_us, if set, take precedence */
    const kp_profile *profile; /* NULL: as `tuning` says. The profile must outlive the machine */
    kp_carrier carrier;        /* 0: KP_CARRIER_THREADS */
    int workers;   /* the number of threads that carry fibers, at most n; each carries a range of
                      processors. 0: one for each core that this process may use. With threads: 0 */
    uint64_t seed; /* With fibers on one worker, the seed determines the order in which they run. 0:
                      in turn, each until it waits. Otherwise kport draws the next fiber, perhaps
                      the running one, at every call, arrival and episode. With several workers the
                      seed orders the fibers of each worker. With threads: 0 */
    kp_on_failure *on_failure; /* NULL: no function is called. Calls return errors in any case */
    void *on_failure_arg;
    kp_trace *trace; /* the trace that records all rounds (trace.h); NULL: none */
} kp_config;

/* A processor's program. It returns 0 for success. Any other number is a failure: a member that
 * waits for this processor gets an error that names it. */
typedef int kp_program(kp_proc *self, void *arg);

/* The result of a run. */
typedef struct kp_report {
    kp_error_record error; /* the first failure of the run; status 0 if no processor failed */
    int started;           /* the number of threads of this machine: n, or its workers */
    uint64_t c1;           /* the most rounds of any processor */
    uint64_t c2; /* for the processor with that c1 (of several, the largest): the sum over its
                    rounds of the longest message of any processor, in bytes */
} kp_report;

/* Makes a machine, runs `program(self, arg)` on n processors, and ends the machine. Returns 0, or
 * the status of the first failure (KP_EFAILED if a program returned a number that is no status).
 * `report` may be NULL. Any thread may call it; concurrent calls are independent. */
KP_API int kp_run(const kp_config *config, kp_program *program, void *arg,
                  kp_report *report) KP_MUST_CHECK;

/* Makes a machine without threads. The first kp_machine_run starts threads and keeps them; or the
 * caller's own threads attach. Any thread may call it. Errors: KP_EARGUMENT, KP_EMEMORY
 * (kp_last_error). */
KP_API int kp_machine_create(const kp_config *config, kp_machine **machine) KP_MUST_CHECK;

/* Runs one program on all processors and waits until all end. The run starts with a clean machine:
 * an earlier lost processor or deadlock has no effect. Any thread may call it; a second run, or
 * attached threads, make it return KP_EBUSY. If a thread cannot be started it ends those it started
 * and returns KP_ETHREAD; report->started and the sentence say how many threads it had started.
 * Other errors: the first failure of the run, as kp_run; KP_EARGUMENT, KP_EENDED. */
KP_API int kp_machine_run(kp_machine *machine, kp_program *program, void *arg,
                          kp_report *report) KP_MUST_CHECK;

/* Ends the machine's threads and frees the machine. Any thread may call it. Returns KP_EBUSY, and
 * does nothing, during a run or while a processor is attached; KP_EENDED if there is no such
 * machine. NULL is allowed. */
KP_API int kp_machine_destroy(kp_machine *machine);

/* Makes the calling thread carry processor `processor` until the thread detaches. A thread carries
 * at most one processor. Errors: KP_EARGUMENT (also for a machine of fibers, which carries all its
 * processors itself); KP_EBUSY if the processor has a thread, a run is under way, the thread
 * carries a processor, or any processor has detached while others are still attached; KP_EENDED. */
KP_API int kp_machine_attach(kp_machine *machine, int processor, kp_proc **self) KP_MUST_CHECK;

/* Ends the calling thread's part. Members that wait for this processor, then or later, get
 * KP_ELOST. When the last thread has detached, the machine is as new. Returns 0, or
 *   KP_EUNTAKEN    if a message that this processor sent is known not to have been received;
 *   KP_EFAILED     if the processor's last call was left by a jump or is still under way. The
 *                  thread stays attached; a second kp_machine_detach ends its part;
 *   KP_EWRONGTHREAD  if the thread is not attached to this processor. */
KP_API int kp_machine_detach(kp_proc *self);

/* Returns the processor's handle of the world, the group of all processors in order. The machine
 * owns it. Called by the thread that carries the processor. For another processor's handle, every
 * call with the result fails; NULL if there is no such processor (kp_last_error). */
KP_API kp_group *kp_world(kp_proc *self);

/* Returns this processor's number in the machine, 0 ... n - 1. Called by the thread that carries
 * the processor; otherwise returns -1. */
KP_API int kp_processor(const kp_proc *self);

/* Ends the processor's part with a reason: `return kp_fail(self, "no such file");`. All groups of
 * this processor fail with KP_EFAILED and this sentence, and so do its own later calls. Returns
 * KP_EFAILED. Called by the thread that carries the processor. */
KP_API int kp_fail(kp_proc *self, const char *sentence);

/* Returns the processor's latest error; its status is 0 if there was none. The record is valid
 * until the processor's next call. Called by the thread that carries the processor. */
KP_API const kp_error_record *kp_error(const kp_proc *self);

/* Returns the version of the running library, "major.minor.patch". Any thread may call this
 * function and the three below; each result is a constant. */
KP_API const char *kp_version(void);

/* Returns how this build switches between fibers, "boost.context" or "ucontext"; NULL if it has no
 * fibers. */
KP_API const char *kp_fibers(void);

/* Returns what a thread of this build sleeps on: "futexes" or "condition variables". */
KP_API const char *kp_waiting(void);

/* Returns how this build keeps threads on cores (the config's `pin`), "affinity"; NULL if it
 * cannot. */
KP_API const char *kp_pinning(void);

/* --- One round of the user's own --- */

/* A message to send. */
typedef struct kp_outgoing {
    int port; /* own port, 0 ... k - 1, each at most once in a round */
    int peer; /* the receiver's rank in the group, never the sender's own. Messages on different
                 ports may have the same receiver */
    const void *data; /* must stay unchanged until the call returns */
    size_t bytes;
} kp_outgoing;

/* A message to receive. */
typedef struct kp_incoming {
    int port;     /* the port on which the sender sends it */
    int peer;     /* the sender's rank; several messages from one sender differ in `port` */
    void *data;   /* must not overlap data that is sent in this round */
    size_t bytes; /* the exact length of the message, unless up_to is set */
    int up_to; /* not 0: `bytes` is a capacity, which kport overwrites with the message's length */
} kp_incoming;

/* One round of the group: sends `outs` messages and receives `ins`. Each number is at most the
 * machine's k, however few members the group has. All members call it, in the same order as their
 * other calls of the group, each from the thread that carries the processor. A member without
 * messages passes outs = 0 and ins = 0.
 * A sender's rank and port identify a message. So both neighbours in a ring may be one processor.
 * Suppose that a ring of two sends leftwards on port 0 and rightwards on port 1. Then the message
 * from the left neighbour comes from that neighbour's port 1, and the message from the right
 * neighbour from its port 0.
 * Ordering: a receiver sees all that the sender wrote before its call.
 * Errors; each sentence names round, processor, port and peer:
 *   KP_EARGUMENT, KP_EPORT  own arguments break the port rule. All other members get KP_EPEER; no
 *                  message was moved, and the group stays usable
 *   KP_EMEMORY     no memory for this member's messages; the rest is as for KP_EPORT
 *   KP_EMISSING    the named sender sent this member no message on that port in this round
 *   KP_ELENGTH     the message has another length, or is longer than the capacity; no byte of it
 *                  was written
 *   KP_EUNTAKEN    the receiver did not take a message of an earlier round; this round is complete.
 *                  The sentence names the first such message that no error has reported yet
 *   KP_EMISMATCH   other members made a different call; no message was moved, and the group stays
 *                  usable
 *   KP_ELOST, KP_EFAILED, KP_EDEADLOCK, KP_ETIMEOUT  the group is unusable for the rest of the run
 */
KP_API int kp_exchange(kp_group *group, const kp_outgoing *out, int outs, kp_incoming *in,
                       int ins) KP_MUST_CHECK;

/* --- Call sites --- */

/* Records the place of this thread's next kport call, for error messages. Any thread may call it.
 * The macros below call it; define KP_NO_CALL_SITES before including the header to leave them out.
 */
KP_API void kp_here(const char *file, int line);

#ifndef KP_NO_CALL_SITES
#define kp_exchange(...) (kp_here(__FILE__, __LINE__), kp_exchange(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
