/* A job: one MPI program, whose ranks are the processors of one machine. The command kportrun
 * starts a job by kp_mpi_run; so do the tests. This header is the interface of lib/mpi/ to them. */
#ifndef KPORT_MPI_JOB_H
#define KPORT_MPI_JOB_H

#include "kport/machine.h"
#include "ports/fail/finding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KP_MPI_FACE __attribute__((visibility("default")))

/* What is checked beyond what every call checks (0: all of it). */
enum kp_mpi_unchecked {
    KP_MPI_NO_LEAKS = 1,      /* requests, communicators, types ... left at MPI_Finalize */
    KP_MPI_NO_BUFFERS = 2,    /* buffers that change while a request owns them */
    KP_MPI_NO_SIGNATURES = 4, /* the types of a message and of its receive */
};

struct kp_mpi_decision {
    int rank;
    const char *function;
    const char *file; /* NULL: not known */
    int line, what;
};

struct kp_mpi_job {
    /* The machine. `on_failure` must be NULL. */
    kp_config config;
    /* The longest message that a send buffers. 0: kport's default. KP_UNBUFFERED: every send waits
     * for its receive. */
    size_t buffering;
    unsigned unchecked; /* enum kp_mpi_unchecked, combined by | */
    /* Takes more time and memory, and finds more: all of a buffer is compared, messages come into
     * memory of their own until their requests end, every collective waits for all ranks, and ready
     * sends do not wait. */
    bool strict;
    /* Called for each finding, by one thread at a time. NULL: the sentence goes to stderr. */
    void (*tell)(void *argument, const struct kp_finding *finding);
    /* Called when all ranks have come through MPI_Finalize, and so have told what they leave, if
     * not NULL; not at the same time as `tell`. */
    void (*all_told)(void *argument);
    /* Called when the job ends before its ranks have ended: MPI_Abort, an error that no error
     * handler of the program takes, a deadlock, exit. Does not return. Other ranks may still be
     * running. NULL: standard output is flushed, and the process ends with this status. */
    void (*leave)(void *argument, int exit_status);
    /* Called for what the order of the ranks has decided, if not NULL: the source of the message
     * that a receive or a probe of MPI_ANY_SOURCE has got, the number of the request that
     * MPI_Waitany or its like has found ended, or -1 if a test or probe has found nothing. */
    void (*decided)(void *argument, const struct kp_mpi_decision *decision);
    void *argument; /* of these functions */
};

/* Runs `rank_main` as every rank of a job, on a machine of its own. Stores in `exit_status` what a
 * shell shall see: 0; or the first other number that a rank has returned; or 1 if a rank has ended
 * without MPI_Finalize. `report` may be NULL. Returns 0, or the status of kp_run if the machine
 * cannot be made. */
KP_MPI_FACE int kp_mpi_run(const struct kp_mpi_job *job, int (*rank_main)(int rank, void *argument),
                           void *argument, kp_report *report, int *exit_status);

/* What a program's exit() does: ends the calling rank's job with this status, if the rank has
 * called MPI_Init and not MPI_Finalize, as then other ranks may wait for it in vain. Otherwise
 * returns, and the caller ends the rank. Returns too if the calling thread is no rank. */
KP_MPI_FACE void kp_mpi_exit(int status);

/* Ends the job that runs, because its time is over: tells `head` and what every rank does, and
 * calls `leave` with this status. Returns if no job runs, or if it ends already. Any thread may
 * call this. */
KP_MPI_FACE void kp_mpi_time_over(const char *head, int exit_status);

/* Writes which call of MPI the calling rank has made last, as in "MPI_Barrier at app.c:9", or
 * nothing. For a handler of signals. */
KP_MPI_FACE void kp_mpi_last_call(char *text, size_t size);

/* The rank to which the calling thread belongs, or -1. */
KP_MPI_FACE int kp_mpi_rank(void);

/* Whether the calling thread or fiber is the one that runs a rank's main. */
KP_MPI_FACE bool kp_mpi_is_own_thread(void);

/* What sleep and sched_yield of a rank do: other ranks of the same worker run meanwhile. The first
 * returns how many nanoseconds the caller has still to sleep by libc's function: all of them if the
 * calling thread carries no fibers. The second returns whether it does. For programs of BSPlib,
 * too. */
KP_MPI_FACE uint64_t kp_mpi_sleep(uint64_t nanoseconds);
KP_MPI_FACE bool kp_mpi_yield(void);

/* Says how the calling rank asks how many parallel regions of OpenMP it is in. OpenMP keeps this
 * for each thread, so on fibers a rank may not call MPI there. */
KP_MPI_FACE void kp_mpi_use_openmp(int (*parallel_level)(void));

/* Make a thread that a rank's thread starts belong to the same rank. The first returns whose thread
 * the caller is, or NULL. The new thread calls the second with this value. The third counts such
 * threads: before one is started, and when it has ended. */
KP_MPI_FACE void *kp_mpi_thread_whose(void);
KP_MPI_FACE void kp_mpi_thread_begin(void *whose);
KP_MPI_FACE void kp_mpi_thread_count(void *whose, int more);

#ifdef __cplusplus
}
#endif

#endif
