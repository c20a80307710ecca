/* A machine has n processors with k ports each, and a link between any two processors. It runs a
 * program on every processor. A processor is a thread or a fiber.
 *
 * The model is that of Bruck, Ho, Kipnis, Upfal and Weathersby 1997, section 1.2. In a round a
 * processor sends at most k messages to other processors, and receives at most k messages from
 * other processors. */
#ifndef KPORT_MACHINE_H
#define KPORT_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kp_machine kp_machine;
typedef struct kp_proc kp_proc;   /* a processor; only its own thread uses the handle */
typedef struct kp_group kp_group; /* a member's handle of a group (group.h) */
typedef struct kp_trace kp_trace; /* a record of runs (trace.h) */

/* How a processor waits. Under every policy, a thread that waits for a long time parks in the end.
 * A parked thread sleeps, so an idle machine uses no processor time. If other programs use the
 * cores, too, they get a core at a yield and keep it for milliseconds. When kport sees this, it
 * parks without yielding for the next 50 ms, under every policy. */
typedef enum kp_wait_policy {
    /* Same as KP_WAIT_SPIN if each thread of the machine has a core of its own, else the
     * same as KP_WAIT_YIELD. */
    KP_WAIT_AUTO,
    /* Spin for 1000 pause instructions, yield 16 times, go on yielding for 300 us, then park. The
     * 300 us are more than it takes to wake a parked thread. */
    KP_WAIT_SPIN,
    KP_WAIT_YIELD, /* Yield 16 times, then park. */
    KP_WAIT_PARK,  /* Park at once. */
} kp_wait_policy;

/* How kport separates the rounds of a collective call from each other.
 *
 * With the barrier, every processor passes the barrier once in each round, even if it has nothing
 * to send. So when a processor leaves the barrier, all messages of the previous round have been
 * received.
 *
 * With mailboxes, a processor waits only for messages that it expects, and for room in the
 * mailboxes that it fills. A mailbox holds `generations` messages (kp_config), so the root of a
 * broadcast may be that many calls ahead of its receivers. Schedules and results are the same as
 * with the barrier. These are the differences:
 * - A call does not synchronise the members. A call returns when this processor's part is done and
 *   the caller may overwrite its outgoing data.
 * - If a message is longer than its sender's eager buffer (eager_bytes), the sender waits within
 *   the call until the receiver has read the message.
 * - Members that call different operations get KP_EMISMATCH or KP_EPEER, in this call or in a later
 *   call. The error comes as soon as a member receives a message of the other operation, or when
 *   all members wait. If kport refuses a member's arguments, all members get an error, too, in this
 *   call or in a later call. In all these cases the group is unusable for the rest of the run.
 *   (With the barrier it stays usable.)
 * - kp_barrier, kp_exchange, kp_send_recv and the v forms (lengths.h) still use the barrier. */
typedef enum kp_discipline {
    KP_ROUNDS_BY_BARRIER,
    KP_ROUNDS_BY_MAILBOXES,
    /* Each call uses the discipline that the profile predicts to be faster (profile.h). Without a
     * profile the call uses the barrier. A program may rely only on guarantees that both
     * disciplines give. */
    KP_ROUNDS_BY_TUNER,
} kp_discipline;
#define KP_HAS_DISCIPLINES 1

/* What carries the processors. A fiber is a program with its own stack. It shares a thread, called
 * a worker, with other fibers. A fiber runs until it waits for other processors. Then the worker
 * runs the next fiber that is ready. These rules hold for fibers:
 * - A fiber must not block its thread, for example by sleeping, by reading a socket, or by waiting
 *   for a lock that another fiber of its worker holds. While the thread is blocked, no other fiber
 *   of the worker runs, and kport checks no time limit.
 * - A fiber must not wait for another processor in a loop that never calls kport, because such a
 *   loop never ends.
 * - A fiber must not hold a lock while it calls kport. A pointer to a thread-local variable may
 *   point to another fiber's data after the call.
 * - If a fiber calls pthread_exit, or if its worker is cancelled, that fiber ends. Members that
 *   wait for the fiber's processor get KP_ELOST. The worker's other fibers go on, and the worker
 *   ends after the run.
 *
 * These rules hold for processes of an MPI (KP_CARRIER_MPI):
 * - All processes of the communicator `mpi_comm` make the machine (kp_machine_create, kp_run), run
 *   it and destroy it, in the same order. Each of these calls may wait for the other processes.
 * - kport opens a shared object that uses the MPI (kport-carrier-openmpi.so or
 *   kport-carrier-mpich.so). If the program has not initialised the MPI, kport does so, and ends
 *   the MPI when the process exits.
 * - kp_machine_run runs the program on the processors of this process only, and its report is that
 *   of these processors. It returns when the program has ended on all processors of all processes,
 *   or a minute after it has ended here. It returns KP_EMISMATCH if only the end of the run shows
 *   that calls differed.
 * - kp_group_create waits for the other members of the group (group.h).
 * - kport detects no deadlock between processes. Only `time_limit_ms` ends a wait.
 * - After a failure the machine is unusable. A new machine may be made.
 * - With `workers` = 1 the processors of a process are fibers of one thread, which makes all calls
 * of the MPI. The rules for fibers above hold for them, too.
 * - There are no mailboxes and no traces. */
typedef enum kp_carrier {
    KP_CARRIER_THREADS, /* one thread for each processor */
    KP_CARRIER_FIBERS,  /* fibers on `workers` threads, if this build has fibers (kp_fibers) */
    /* Processes of an MPI, with `per_process` processors each. A processor is a thread, or with
     * `workers` = 1 a fiber. */
    KP_CARRIER_MPI,
} kp_carrier;

/* How a machine chooses an algorithm if a call does not name one (profile.h). */
typedef struct kp_profile kp_profile;
typedef enum kp_tuning {
    /* Choose by the first of these that exists: the config's `profile`, the environment variable
     * KPORT_TUNE, the profile in the user's cache folder, the built-in model. */
    KP_TUNING_AUTO,
    /* Choose by the built-in model and thresholds, which are equal on every machine. */
    KP_TUNING_BUILTIN,
    /* Choose as with KP_TUNING_AUTO, but measure first. The first calls of a problem try the
     * algorithms with the best predictions in turn. Then all members adopt the fastest algorithm.
     * An execution of a persistent plan counts as a call. Only the first 64 problems of a group are
     * measured. Two calls have the same problem if they agree in operation, b, root, `to` and
     * `hints`. Reductions are not measured, because the last bits of a result depend on the
     * algorithm. The v forms are not measured either. */
    KP_TUNING_MEASURED,
} kp_tuning;

/* A function that kport calls once for each failure. `diagnosis` says what every processor was
 * doing (diagnosis.h). `diagnosis` and all data that it points to are valid until the function
 * returns. The thread that found the failure calls the function: a processor's thread, a thread
 * that is ending, or a worker. The function runs on that thread's stack, which may be only 64 KiB
 * for a fiber. Thread cancellation is off while the function runs. For one machine, at most one
 * such function runs at a time. The function may not call kport with this machine or with its
 * processors or groups. It may not longjmp, throw or end the thread. */
typedef struct kp_diagnosis kp_diagnosis;
typedef void kp_on_failure(const kp_diagnosis *diagnosis, void *arg);

/* Whether the machine pins its threads, so that each of these threads runs on one core only. */
enum kp_pin {
    /* The machine pins its threads if the process may use at most one core for every two threads,
     * and the wait policy is KP_WAIT_YIELD. It does not pin them if a cgroup gives the process less
     * processor time than these cores have. The machine unpins all its threads again if all threads
     * of one core have slept at once for more than 10 ms plus 1/8 of the run so far. Over an MPI,
     * the processes of a computer share out the cores that they may use, if at most one core is
     * there for every two threads, and mpirun has given none of them cores of its own. The threads
     * of a process stay on its share until some process has waited for as long. */
    KP_PIN_AUTO,
    /* The machine pins its threads. It is an error if this build cannot pin threads (kp_pinning),
     * and over an MPI, where mpirun binds the processes. */
    KP_PIN_ALWAYS,
    KP_PIN_NEVER, /* The machine pins no thread. The system places the threads. */
};

/* In the config's `unreceived_bytes`: no message with a tag is buffered. */
#define KP_UNBUFFERED SIZE_MAX

/* The configuration of a machine. 0 in a field selects the default. */
typedef struct kp_config {
    int processors; /* n, at most 1048575; 0: the number of cores that this process may use */
    /* k, 1 ... 1048575; 0: max(1, n - 1). Collectives of a group of m members use at most m - 1
     * ports. More serve kp_exchange: it may send several messages to one member. */
    int ports;
    /* The size of the stack that kport makes for each processor. 0: 1 MiB for a thread, 64 KiB for
     * a fiber (256 KiB under a sanitizer). Only pages that the program touches use memory. */
    size_t stack_bytes;
    /* An enum kp_pin. If the machine pins its threads, thread i runs on the i-th core that the
     * process may use. If there are more threads than cores, thread i is pinned to core floor(i *
     * cores / threads), so threads with neighbouring numbers share a core. The threads of one core
     * reach a barrier together. Within a call one of these threads may copy data for all of them. A
     * thread that the program starts inherits the core of the thread that starts it. */
    int pin;
    /* How a thread waits. 0: KP_WAIT_AUTO. On a machine of fibers: how a worker waits while none of
     * its fibers is ready. */
    kp_wait_policy wait;
    /* The longest time that a member waits in a call for other members, in milliseconds. 0: no
     * limit. The error names a late member, which is a member that does not itself wait in the
     * group of the call. Under mailboxes kport follows the chain of members that wait for each
     * other, until it finds a member that does not wait. If the chain is a circle, the members'
     * calls differ, and the error's sentence names the circle. The processors go on running during
     * this search, so kport may name a member that arrives at that moment. The limit ends
     * waits, not programs: kp_run returns when the programs of all processors have ended. */
    unsigned time_limit_ms;
    /* The length of an eager buffer, rounded up to a multiple of 64. A processor packs its messages
     * of a round into this buffer if they fit. Otherwise the messages stay in place, and the
     * receivers copy from there. 0: the length that is fastest on this machine (profile.h). If only
     * one processor sends in a round, it may pack eager_bytes for each member of the group, up to
     * 256 KiB in all. */
    size_t eager_bytes;
    kp_discipline discipline; /* 0: KP_ROUNDS_BY_BARRIER */
    /* The number of messages that a mailbox holds: a power of two, 2 ... 1024. 0: 32, or fewer if
     * the mailboxes of one processor would take more than 256 KiB. */
    int generations;
    /* The length up to which a message with a tag (message.h) is buffered, so that its sender need
     * not wait for its receive. At most 1 MiB. 0: 4 KiB. A longer message stays in the sender's
     * memory until the receiver copies it. */
    size_t message_eager_bytes;
    /* The most bytes that one member may have sent to another by messages with tags, and that are
     * buffered and not yet received. Each message counts 64 bytes more than its contents. A message
     * beyond that waits for its receive, like a long message. 0: 64 KiB, which holds a window of
     * some hundred short messages, or of 15 messages of 4 KiB; so a receiver with many senders
     * keeps at most as many times 64 KiB. KP_UNBUFFERED: no message is buffered, so every send
     * waits for its receive, and a program that relies on buffers deadlocks every time. */
    size_t unreceived_bytes;
    /* The most bytes for schedules that the machine keeps for later calls. 0: 64 MiB. */
    size_t plan_bytes;
    /* beta, the time to start a round, in microseconds. 0: the beta of kp_model_builtin. */
    double beta_us;
    double tau_us;    /* tau, the time of a byte, in microseconds; 0: the tau of kp_model_builtin */
    kp_tuning tuning; /* 0: KP_TUNING_AUTO; beta_us and tau_us take precedence */
    /* The profile to use. It must outlive the machine. NULL: `tuning` decides. */
    const kp_profile *profile;
    kp_carrier carrier; /* 0: KP_CARRIER_THREADS */
    /* The number of threads that carry fibers, at most n. Each thread carries a range of
     * processors. 0: one for each core that this process may use. Must be 0 with
     * KP_CARRIER_THREADS. With KP_CARRIER_MPI: 0 (each processor is a thread) or 1 (the processors
     * of a process are fibers of one thread); all processes give the same. */
    int workers;
    /* The seed of the order in which the fibers of a worker run. 0: the fibers run in turn, and
     * each fiber runs until it waits. Any other seed: at every call, arrival and episode kport
     * draws at random which fiber runs next, and it may draw the running fiber. On one worker, the
     * same seed gives the same order of all fibers. On several workers, the seed orders the fibers
     * of each worker, but not the workers. Must be 0 with KP_CARRIER_THREADS. */
    uint64_t seed;
    /* The function to call at a failure; NULL: none. Calls return errors in any case. */
    kp_on_failure *on_failure;
    void *on_failure_arg;
    kp_trace *trace; /* the trace that records all rounds (trace.h); NULL: none */
    /* 1: the machine has a thread of its own, the progress thread, which goes on with the requests
     * (request.h) of every processor that is in no call of kport, for example because it computes
     * for long. A reduction's operator may then be called by that thread. The thread sleeps while
     * no request can go on. 0: a request goes on in calls of its processor only. Must be 0 unless
     * the carrier is KP_CARRIER_THREADS. */
    int progress;
    /* 1: kport looks whether the program writes to what a request sends before it has waited for
     * the request (KP_EUNWAITED, request.h). It compares a sum of the bytes at the start with one
     * at the end, which takes time for all of them. It knows the bytes of messages, and of calls
     * with blocks of one length, if they have no layout and are not in place. 0: it does not
     * look. */
    int check_buffers;
    /* With KP_CARRIER_MPI: the processors of each process, the same number in all processes
     * (0: 1), and the address of the MPI_Comm of all processes that take part (NULL:
     * MPI_COMM_WORLD). Process p carries the processors p * per_process ... (p + 1) * per_process -
     * 1. `processors` must be 0, or the number of all these processors. With more than one
     * processor in a process the MPI must offer MPI_THREAD_SERIALIZED. Must be 0 and NULL with
     * another carrier. */
    int per_process;
    const void *mpi_comm;
    /* The CPUs to which the machine binds its threads: lists such as "0-3,8" of the system's
     * numbers, with a semicolon between two lists. Thread i runs on the CPUs of list i. If there
     * are more threads than lists, thread i runs on those of list floor(i * lists / threads). Each
     * CPU must be one that the process may use. `pin` must not be KP_PIN_NEVER. The text must
     * outlive the machine. A thread writes to its processors' buffers and mailboxes first, so on a
     * machine with several NUMA nodes they lie on the node of its CPUs. NULL: `pin` decides. Must
     * be NULL with KP_CARRIER_MPI, where mpirun binds the processes. */
    const char *cpus;
} kp_config;

/* The program of a processor. It returns 0 for success. Any other number is a failure: a member
 * that waits for this processor gets an error that names this processor. If the number is the
 * status of the latest error (kp_error, or kp_last_error of this thread), that error and the run's
 * report have the error's sentence. So a program may return what kp_hints_parse returned. */
typedef int kp_program(kp_proc *self, void *arg);

/* The result of a run. */
typedef struct kp_report {
    /* The first failure of the run; its status is 0 if no processor failed. */
    kp_error_record error;
    /* The number of threads of this machine: n with KP_CARRIER_THREADS, else the number of workers.
     */
    int started;
    uint64_t c1; /* the rounds of the processor with most rounds; messages with tags do not count */
    /* The C2, in bytes, of the processor that c1 describes. Each round in which this processor took
     * part adds the length of the longest message that any processor sent in this round. If several
     * processors have this c1, `c2` is the largest C2 among them. */
    uint64_t c2;
} kp_report;

/* Makes a machine, runs `program(self, arg)` on n processors, and ends the machine. Returns 0, or
 * the status of the first failure; KP_EPEER gives way to the error of the processor whose arguments
 * were refused. The status is KP_EFAILED if a program returned a number that is no status. `report`
 * may be NULL. Any thread may call this function, several threads at the same time. */
KP_API int kp_run(const kp_config *config, kp_program *program, void *arg,
                  kp_report *report) KP_MUST_CHECK;

/* Makes a machine that has no threads yet. Either the first kp_machine_run starts threads, which
 * the machine keeps for later runs, or the caller's own threads attach. Any thread may call this
 * function. After an error, `*machine` is NULL. Errors (kp_last_error): KP_EARGUMENT, KP_EMEMORY.
 */
KP_API int kp_machine_create(const kp_config *config, kp_machine **machine) KP_MUST_CHECK;

/* Runs one program on all processors and returns when all of them have ended. The run starts with a
 * clean machine, so a lost processor or a deadlock of an earlier run has no effect. Any thread may
 * call this function. Errors:
 * - the status of the first failure of the run, as for kp_run;
 * - KP_EBUSY if another run is under way, or if threads are attached;
 * - KP_ETHREAD if a thread cannot be started. kport then ends the threads that it started.
 *   report->started and the error's sentence say how many threads it had started;
 * - KP_EARGUMENT, KP_EENDED. */
KP_API int kp_machine_run(kp_machine *machine, kp_program *program, void *arg,
                          kp_report *report) KP_MUST_CHECK;

/* Ends the machine's threads and frees the machine. `machine` may be NULL. Any thread may call this
 * function. It returns KP_EBUSY, and does nothing, during a run or while a processor is attached.
 * It returns KP_EENDED if there is no such machine. With KP_CARRIER_MPI it returns KP_EMISMATCH if
 * it finds that the calls of attached threads differed; the machine is freed all the same. */
KP_API int kp_machine_destroy(kp_machine *machine);

/* Makes the calling thread carry processor `processor` until the thread detaches. A thread carries
 * at most one processor. No thread may detach before all have attached. A kp_barrier of the world
 * makes sure of that: see kp_machine_detach. Errors:
 * - KP_EARGUMENT, also if the machine has fibers, because such a machine carries all its processors
 *   itself;
 * - KP_EBUSY if the processor has a thread, if a run is under way, if the calling thread carries a
 *   processor, or if some processor has detached while others are still attached;
 * - KP_EENDED. */
KP_API int kp_machine_attach(kp_machine *machine, int processor, kp_proc **self) KP_MUST_CHECK;

/* Detaches the calling thread from its processor. Members that wait for this processor, now or
 * later, get KP_ELOST. When the last thread has detached, the machine is reset to the state of a
 * new one; a thread that attaches after that waits for all the others anew. Returns 0 or an
 * error:
 * - KP_EUNWAITED if the program has not waited for a request (request.h);
 * - KP_EUNTAKEN if kport knows that a message of this processor was not received;
 * - KP_EFAILED if the program left the processor's last call by a jump, or if that call is still
 *   under way. The thread stays attached then. A second kp_machine_detach detaches it;
 * - KP_EWRONGTHREAD if the thread is not attached to this processor. */
KP_API int kp_machine_detach(kp_proc *self);

/* Returns the processor's handle of the world, which is the group of all processors in the order of
 * their numbers. The machine owns the handle. Only the thread that carries the processor may call
 * this function. If another thread calls it, every call with the returned handle fails. Returns
 * NULL if there is no such processor (kp_last_error). */
KP_API kp_group *kp_world(kp_proc *self);

/* Returns this processor's number in the machine, 0 ... n - 1. Only the thread that carries the
 * processor may call this function. Another thread gets -1. */
KP_API int kp_processor(const kp_proc *self);

/* Ends this processor's part of the run, as in `return kp_fail(self, "no such file");`. All groups
 * of this processor fail with KP_EFAILED and this sentence. Later calls of this processor fail in
 * the same way. Returns KP_EFAILED. Only the thread that carries the processor may call this
 * function. */
KP_API int kp_fail(kp_proc *self, const char *sentence);

/* Returns the processor's latest error. Its status is 0 if there was no error. The record is valid
 * until the processor's next call. Only the thread that carries the processor may call this
 * function. */
KP_API const kp_error_record *kp_error(const kp_proc *self);

/* Returns the version of the running library as "major.minor.patch". This function and the next
 * three return constants. Any thread may call them. */
KP_API const char *kp_version(void);

/* Returns the means by which this build switches between fibers: "boost.context" or "ucontext".
 * Returns NULL if the build has no fibers. */
KP_API const char *kp_fibers(void);

/* Returns the means by which a thread of this build sleeps: "futexes" or "condition variables". */
KP_API const char *kp_waiting(void);

/* Returns the means by which this build pins threads to cores (the config's `pin`): "affinity".
 * Returns NULL if the build cannot pin threads. */
KP_API const char *kp_pinning(void);

/* --- A round that the program writes itself --- */

/* A message to send. */
typedef struct kp_outgoing {
    /* The sender's port, 0 ... k - 1. In a round a member sends at most one message on each port.
     */
    int port;
    /* The receiver's rank in the group. It is never the sender's own rank. Messages on different
     * ports may have the same receiver. */
    int peer;
    const void *data; /* the contents, which must stay unchanged until the call returns */
    size_t bytes;
} kp_outgoing;

/* A message to receive. */
typedef struct kp_incoming {
    int port; /* the port on which the sender sends the message */
    /* The sender's rank in the group. Messages of the same sender differ in `port`. */
    int peer;
    /* Where the message goes; must not overlap data that this member sends in the round. */
    void *data;
    size_t bytes; /* the exact length of the message, unless up_to is set */
    /* If not 0, `bytes` is a capacity, which kport overwrites with the message's length. */
    int up_to;
} kp_incoming;

/* Carries out one round of the group: this member sends `outs` messages and receives `ins`
 * messages. Each of the two numbers is at most the machine's k, even in a small group. All members
 * make this call, in the same order as their other calls of the group. Each member calls it from
 * the thread that carries its processor. A member without messages passes outs = 0 and ins = 0.
 *
 * A message is identified by its sender's rank and the port on which it was sent. So a ring of two
 * members works, although a member's left and right neighbour are the same processor. Suppose that
 * each member sends to the left on port 0 and to the right on port 1. Then a member receives its
 * left neighbour's message with port = 1, because that neighbour sent it to the right. It receives
 * its right neighbour's message with port = 0.
 *
 * A receiver sees everything that the sender wrote before the sender's call.
 *
 * Errors. Each sentence names round, processor, port and peer.
 * - KP_EARGUMENT, KP_EPORT: an argument of this member is invalid. For example, a port is out of
 *   range or used twice. All other members get KP_EPEER. No message was moved, and the group stays
 *   usable.
 * - KP_EMEMORY: there is no memory for this member's messages. All else is as for KP_EPORT.
 * - KP_EMISSING: the named sender sent this member no message on that port in this round.
 * - KP_ELENGTH: the message has another length, or is longer than the capacity. kport wrote no byte
 *   of it.
 * - KP_EUNTAKEN: a receiver did not take a message of an earlier round. This round itself is
 *   complete. The sentence names the first such message that no error has reported yet.
 * - KP_EMISMATCH: other members made a different call. No message was moved, and the group stays
 *   usable.
 * - KP_ELOST, KP_EFAILED, KP_EDEADLOCK, KP_ETIMEOUT: the group is unusable in the rest of the run
 */
KP_API int kp_exchange(kp_group *group, const kp_outgoing *out, int outs, kp_incoming *in,
                       int ins) KP_MUST_CHECK;

/* --- Call sites --- */

/* Records the source line of this thread's next kport call, for error messages. The macros of these
 * headers call this function. To leave out the macros, define KP_NO_CALL_SITES before you include a
 * header. Any thread may call this function. With `line` | KP_BY_MPI_NAME, messages give the call's
 * operation its name in MPI: a program that calls kp_alltoall reads "alltoall", not "index". */
KP_API void kp_here(const char *file, int line);
#define KP_BY_MPI_NAME (1 << 30)

#ifdef KP_NO_CALL_SITES
#define KP_HERE_BY_MPI_NAME (void)0
#else
#define KP_HERE_BY_MPI_NAME kp_here(__FILE__, __LINE__ | KP_BY_MPI_NAME)
#define kp_exchange(...)    (kp_here(__FILE__, __LINE__), kp_exchange(__VA_ARGS__))
#define kp_fail(...)        (kp_here(__FILE__, __LINE__), kp_fail(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
