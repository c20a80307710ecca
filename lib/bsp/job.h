/* A job: one BSP program, whose processes are the processors of one machine. The command kportrun
 * starts a job by kp_bsp_run; so do the tests. This header is the interface of lib/bsp/ to them. */
#ifndef KPORT_BSP_JOB_H
#define KPORT_BSP_JOB_H

#include "kport/machine.h"
#include "ports/fail/finding.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KP_BSP_FACE __attribute__((visibility("default")))

struct kp_bsp_job {
    kp_config config; /* the machine; `on_failure` must be NULL */
    /* Conflicts are looked for: two processes that put different values in one place in a
     * superstep, and what bsp_hpput sends and the program changes too early. */
    bool checks;
    /* Where the report of all supersteps goes (report.h); NULL: none. */
    struct kp_bsp_record *record;
    /* Called for each finding, by one thread at a time. NULL: the sentence goes to stderr. */
    void (*tell)(void *argument, const struct kp_finding *finding);
    /* Called when the job ends before its processes have ended: bsp_abort, a wrong call, exit.
     * Does not return. Other processes may still be running. NULL: standard output is flushed, and
     * the process ends with this status. */
    void (*leave)(void *argument, int exit_status);
    /* Ends the calling process's program as `exit(0)` does; NULL: process_main is left. Does not
     * return. */
    void (*end_process)(void *argument);
    void *argument; /* of all these functions */
};

/* Runs `process_main` as every process of a job, on a machine of its own. Stores in `exit_status`
 * what a shell shall see: 0, or the first other number that a process has returned. `report` may be
 * NULL. Returns 0, or the status of kp_run if the machine cannot be made. */
KP_BSP_FACE int kp_bsp_run(const struct kp_bsp_job *job,
                           int (*process_main)(int number, void *argument), void *argument,
                           kp_report *report, int *exit_status);

/* Runs `process_main` as one process of a job whose processes share no memory: that which carries
 * `proc`, a processor of a machine over a wire. The programs of all its processors call this. The
 * machine is the caller's, so the job's configuration does not count, and it has no record. */
KP_BSP_FACE int kp_bsp_take_part(const struct kp_bsp_job *job, kp_proc *proc,
                                 int (*process_main)(int number, void *argument), void *argument,
                                 int *exit_status);

/* What a program's exit() does: ends the calling process's job with this status, if the process is
 * between bsp_begin and bsp_end, as then the others wait for it in vain. Otherwise returns. */
KP_BSP_FACE void kp_bsp_exit(int status);

/* Ends the job that runs, because its time is over: tells `head` and what every process does, and
 * calls `leave` with this status. Returns if no job runs, or if it ends already. Any thread may
 * call this. */
KP_BSP_FACE void kp_bsp_time_over(const char *head, int exit_status);

/* Writes which call of BSPlib the calling process has made last, as in "bsp_sync at app.c:9", or
 * nothing. For a handler of signals. */
KP_BSP_FACE void kp_bsp_last_call(char *text, size_t size);

/* The number of the calling thread's process, or -1. */
KP_BSP_FACE int kp_bsp_number(void);

#ifdef __cplusplus
}
#endif

#endif
