/* What kport keeps for each flow of control: a thread has one set, and a thread that carries fibers
 * exchanges it at every switch. Everything a thread would keep in a word of its own stands here. */
#ifndef KPORT_PORTS_SELF_H
#define KPORT_PORTS_SELF_H

#include "kport/error.h"
#include "kport/machine.h"

#include <stdbool.h>

/* The library is small and linked at start, so its thread-local words may use the fast model. */
#if defined(__GNUC__)
#define KP_FAST_TLS __attribute__((tls_model("initial-exec")))
#else
#define KP_FAST_TLS
#endif

struct kp_fiber;

struct kp_self {
    kp_proc *carried;        /* the processor, NULL if none */
    struct kp_fiber *fiber;  /* that runs on this thread, NULL on a thread without fibers */
    kp_error_record *errors; /* the latest error of the fiber, NULL: the thread's own record */
    bool points;             /* the order is a seed's: every point may let another fiber go on */
};

extern _Thread_local KP_FAST_TLS struct kp_self kp_self;

void kp_self_point(void); /* carrier/fibers_run.c */

/* A place where the order of execution may change; never under a lock. Costs a look where it does
 * not. */
static inline void kp_point(void)
{
    if (kp_self.points)
        kp_self_point();
}

#endif
