/* What a rank has: its job, its call, its tables of handles. Only the rank's own thread or fiber
 * uses it, but for what reports read (struct kp_mpi_call). */
#ifndef KPORT_MPI_RANK_H
#define KPORT_MPI_RANK_H

#define KP_NO_CALL_SITES
#include "kport-mpi/mpi.h"
#include "kport.h"
#include "lib/mpi/handle.h"
#include "lib/mpi/job.h"
#include "ports/face.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KP_MPI_EXPORT __attribute__((visibility("default")))

/* Follows the definition of a function of MPI: makes it visible, and gives it its second name. */
#define KP_MPI_NAMES(name)                                                                         \
    extern __typeof__(MPI_##name) PMPI_##name __attribute__((alias("MPI_" #name)))

/* Of a sentence, which is longer than kport's by the rank, the function and the place. */
#define KP_MPI_SENTENCE_BYTES (2 * KP_SENTENCE_BYTES)

struct kp_mpi_comm;
struct kp_mpi_rank;
struct kp_mpi_type;
struct kp_mpi_op;

enum kp_mpi_phase {
    KP_MPI_BEFORE_INIT,
    KP_MPI_RUNNING,
    KP_MPI_AFTER_FINALIZE
};

/* All ranks of a job. */
struct kp_mpi_world {
    const struct kp_mpi_job *job;
    int size;
    kp_machine *machine;
    struct kp_mpi_rank *_Atomic *ranks; /* by number (kp_mpi_rank_of); NULL: not begun */
    _Atomic int ending;                 /* 1: a rank is ending the job */
    _Atomic int findings;               /* how many there have been */
    _Atomic unsigned asked;             /* odd: ranks are to say what they test (check/spin.c) */
    bool all_told;                      /* all ranks have come through MPI_Finalize */
    _Atomic bool unreceived;            /* a message that was never received has been told */
    struct kp_mpi_kept *kept;           /* those that have been told (check/repeated.c) */
    double begin;                       /* the clock at the job's beginning, in seconds */
};

struct kp_mpi_rank {
    struct kp_mpi_world *world;
    kp_proc *proc;
    int number;
    _Atomic(enum kp_mpi_phase) phase; /* all threads of the rank may ask */
    _Atomic int thread_level;
    _Atomic pthread_t calling;    /* with MPI_THREAD_SERIALIZED: the thread of the present call */
    _Atomic int threads;          /* those that the rank has started and that have not ended */
    pthread_mutex_t completing;   /* recursive; held by a wait for a general request (general.c) */
    pthread_cond_t completed;     /* another thread has completed one */
    bool waits_general;           /* under `completing` */
    bool ends;                    /* in MPI_Finalize, or later */
    _Atomic bool ended;           /* what its handles held is freed */
    struct kp_mpi_place call;     /* the present call */
    _Atomic(const char *) latest; /* its function, for reports of other threads at any time */
    int (*parallel_level)(void);  /* on fibers, of a program with OpenMP (kp_mpi_use_openmp) */
    bool placed;                  /* the macro of the next call has stored its place in `call` */
    /* Of loops of tests (check/spin.c). Other ranks read the atomic ones. */
    _Atomic uint64_t calls, vain; /* all calls; those that have asked in vain */
    _Atomic uint64_t others;      /* those that have not, before the latest tests in a row */
    _Atomic int64_t tested;       /* when the rank was still testing, in ms */
    _Atomic unsigned answered; /* the value of `asked` at which the rank has said what it tests */
    struct kp_mpi_idle *idle;  /* what it has said (check/idle.c); NULL: nothing yet */
    unsigned in_a_row;
    uint64_t state;
    int64_t state_since, looked;
    struct kp_mpi_table tables[KP_MPI_KINDS];
    struct kp_mpi_type *predefined_types; /* an array (datatype/life.c) */
    struct kp_mpi_op *predefined_ops;     /* an array (operator/operators.c) */
    struct kp_mpi_keyvals *keyvals;       /* keys of attributes (attribute.c); NULL: none */
    struct kp_mpi_comm *comm_world, *comm_self;
    struct kp_mpi_again *again;   /* calls that may be made again (collective/again.c), or NULL */
    struct kp_mpi_bases *bases;   /* comm.c: one group for each list of ranks */
    struct kp_mpi_buffer *buffer; /* of buffered sends (buffered.c) */
    /* The active requests that own buffers: how many there are, where the first one was started,
     * and whether all of them were started there (check/owned.c). The bounds `read` and `written`
     * contain all that they read and write. Bounds only grow until no owner is left. */
    unsigned owners;
    struct kp_mpi_place owner;
    bool one_place;
    bool owned_gaps; /* data with gaps are among them, whose bounds are not counted */
    struct kp_mpi_hull {
        uintptr_t begin, end;
    } read, written;
    bool apart;        /* what requests receive comes apart from the program's buffers */
    bool leaves_early; /* collectives in which it has nothing more to do (lib/call/face.h) */
    struct kp_mpi_request *spare; /* memory of former requests */
    struct kp_mpi_request *left;  /* requests that nobody waits for */
    kp_layout *byte;              /* a layout of one byte */
    struct kp_mpi_code *codes;    /* error codes of the program */
    int code_count, last_code;
    const struct kp_mpi_place *awaited; /* what has made the request whose end fails; NULL: none */
    int last_error;                     /* the code whose sentence `sentence` is */
    char sentence[KP_MPI_SENTENCE_BYTES]; /* of the latest error */
};

/* --- call/enter.c --- */

/* Begins a function of MPI. Returns the calling rank, which is between MPI_Init and MPI_Finalize;
 * otherwise ends the job. `kp_mpi_enter_any` is for functions that may be called at any time, and
 * returns NULL if the calling thread is no rank. */
struct kp_mpi_rank *kp_mpi_enter(const char *function, const void *caller);
struct kp_mpi_rank *kp_mpi_enter_any(const char *function, const void *caller);

/* The same for a function that a rank may also call before MPI_Init and after MPI_Finalize. */
struct kp_mpi_rank *kp_mpi_enter_always(const char *function, const void *caller);

/* Begins a function `name` (without MPI_), and declares `self`. */
#define KP_MPI_ENTER(name)                                                                         \
    struct kp_mpi_rank *self = kp_mpi_enter("MPI_" #name, __builtin_return_address(0))

/* The calling rank's present call is also that of its next call of kport. The first call of kport
 * has it from kp_mpi_enter. */
static inline void kp_mpi_again(const struct kp_mpi_rank *self)
{
    kp_here(self->call.file, self->call.line);
}

/* Writes " at app.c:31"; without debug information " at main+0x1c"; or nothing if the place is not
 * known. */
void kp_mpi_say_place(const struct kp_mpi_place *place, char *text, size_t size);

/* Returns the place with its file and line, which are looked up if the macro was not used. */
struct kp_mpi_place kp_mpi_place_found(const struct kp_mpi_place *place);

/* Ends the job, as kport does not serve the function. */
_Noreturn void kp_mpi_unserved(const char *function, const void *caller);

/* --- call/thread.c --- */

/* Returns the rank to which the calling thread belongs, or NULL. */
struct kp_mpi_rank *kp_mpi_thread_rank(void);

/* The same for a thread that carries no rank, and makes it carry the rank. Ends the job if
 * MPI_Init_thread has not granted that such a thread calls. */
struct kp_mpi_rank *kp_mpi_thread_enter(const char *function);

/* Notes the place of such a thread's next call. */
void kp_mpi_thread_here(const char *file, int line);

/* With MPI_THREAD_SERIALIZED: ends the job if another thread of the rank is in a call. */
void kp_mpi_thread_alone(struct kp_mpi_rank *self, const char *function);

/* --- error.c --- */

/* Reports an error of the present call: to the error handler of `comm` (NULL: of MPI_COMM_SELF).
 * Returns the error's class, if the handler returns. The sentence gets the rank, the function and
 * the place before it. */
int kp_mpi_fail(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int class, const char *format,
                ...) __attribute__((format(printf, 4, 5)));

/* Does this for a status other than 0 that a function of kport has returned to the rank. */
int kp_mpi_fail_by(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int status);

/* Tells a finding after which the job goes on. */
void kp_mpi_tell(struct kp_mpi_rank *self, const char *kind, const struct kp_mpi_place *place,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Tells what only the end of the run has shown. */
void kp_mpi_tell_end(struct kp_mpi_world *world, const kp_error_record *why);

/* Ends the job, with a finding if `kind` is not NULL. */
_Noreturn void kp_mpi_end(struct kp_mpi_rank *self, int exit_status, const char *kind,
                          const struct kp_mpi_place *place, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The word of a class, "MPI_ERR_RANK", and its meaning. */
const char *kp_mpi_class_name(int class);
const char *kp_mpi_class_text(int class);

/* Writes a sentence of kport in the words of MPI (words.c). */
void kp_mpi_reword(const char *sentence, char *text, size_t size);

/* What kport reports at a failure of the machine (kp_config.on_failure). */
void kp_mpi_on_failure(const kp_diagnosis *diagnosis, void *world);

/* Ends the job, unless it ends already, and tells what every rank does after `head`. Any thread may
 * call this while the machine is there. */
void kp_mpi_end_late(struct kp_mpi_world *world, const char *head, int exit_status);

/* Ends the job, because every rank waits or tests in vain. */
_Noreturn void kp_mpi_end_idle(struct kp_mpi_world *world);

/* Tells what the order of the ranks has decided in the present call, or in the call that has made
 * the request whose end the present one learns of (kp_mpi_job.decided). */
void kp_mpi_decided(const struct kp_mpi_rank *self, int what);

/* Says that all ranks have told what they leave. Each rank calls this before it goes on after
 * MPI_Finalize, so that its output comes after the findings. */
void kp_mpi_all_told(struct kp_mpi_world *world);

/* Tells how often findings have come that were told once only. */
void kp_mpi_tell_counts(struct kp_mpi_world *world);

/* --- check/repeated.c --- */

/* Of these functions, one thread at a time calls one. The first keeps a finding, and returns
 * whether it is another one than those that are kept. The second tells those that have come more
 * than once. */
bool kp_mpi_is_new(struct kp_mpi_world *world, const struct kp_finding *finding);
void kp_mpi_tell_repeated(struct kp_mpi_world *world,
                          void (*tell)(const struct kp_mpi_world *world,
                                       const struct kp_finding *finding));
void kp_mpi_forget_findings(struct kp_mpi_world *world);

/* --- check/left.c --- */

/* Tells what the program has made and not freed, and the requests that it has not completed. */
void kp_mpi_tell_left(struct kp_mpi_rank *self);

/* --- check/unreceived.c --- */

/* Tells which messages to the rank nobody has received: a message of each communicator, when all
 * ranks have sent all of theirs; or a message of one that is freed. */
void kp_mpi_tell_unreceived(struct kp_mpi_rank *self);
void kp_mpi_tell_unreceived_in(struct kp_mpi_rank *self, const struct kp_mpi_comm *comm);

/* --- check/spin.c --- */

/* What a call asks for: the end of requests, or a message. */
struct kp_mpi_tested {
    int count; /* of the handles */
    const MPI_Request *handles;
    const struct kp_mpi_comm *comm; /* of a probe; else NULL */
    int source, tag;
};

/* The present call has asked for something, and there was nothing. */
void kp_mpi_in_vain(struct kp_mpi_rank *self, const struct kp_mpi_tested *what);

/* --- check/idle.c --- */

/* While ranks are asked what they test, each call that tests in vain says so here. */
void kp_mpi_say_tested(struct kp_mpi_rank *self, unsigned asked, const struct kp_mpi_tested *what);

/* Returns what a rank tests in its loop, in words, if the ranks are asked and it has said all of
 * it; else NULL. */
const struct kp_finding_rank *kp_mpi_tested_by(const struct kp_mpi_rank *rank);

/* --- init.c --- */

/* The rank of a program that was started by itself and has called MPI_Init, or NULL. */
struct kp_mpi_rank *kp_mpi_only_rank(void);

/* Makes the state of the processor's rank, and frees it. */
struct kp_mpi_rank *kp_mpi_rank_make(struct kp_mpi_world *world, kp_proc *proc);
void kp_mpi_rank_end(struct kp_mpi_rank *self);

/* Returns a rank of the job, or NULL if it has not begun or has ended. The memory of a rank that
 * ends meanwhile stays until the job's end. */
static inline const struct kp_mpi_rank *kp_mpi_rank_of(const struct kp_mpi_world *world, int number)
{
    /* acquire: pairs with the release of kp_mpi_rank_make, which has filled in the rank */
    const struct kp_mpi_rank *rank =
        atomic_load_explicit(&world->ranks[number], memory_order_acquire);
    return rank && !atomic_load_explicit(&rank->ended, memory_order_relaxed) ? rank : NULL;
}

#endif
