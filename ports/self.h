/* What kport keeps for each flow of control. A thread has one set; a thread that carries fibers
 * exchanges it at every switch. So state that differs between fibers belongs here and not in
 * another thread-local variable. */
#ifndef KPORT_PORTS_SELF_H
#define KPORT_PORTS_SELF_H

#include "kport/error.h"
#include "kport/machine.h"

#include <stdbool.h>

/* The library has few thread-local words and is linked at program start, so it may use the fast
 * model. */
#if defined(__GNUC__)
#define KP_FAST_TLS __attribute__((tls_model("initial-exec")))
#else
#define KP_FAST_TLS
#endif

struct kp_fiber;

struct kp_self {
    kp_proc *carried;        /* the processor; NULL: none */
    struct kp_fiber *fiber;  /* the running fiber; NULL on a thread without fibers */
    kp_error_record *errors; /* the fiber's latest error; NULL: the thread's own record */
    bool points;             /* a seed determines the order, so every point may switch fibers */
};

extern _Thread_local KP_FAST_TLS struct kp_self kp_self;

void kp_self_point(void); /* carrier/fibers_run.c */

/* A point at which another fiber may go on; never called under a lock. It costs one test if the
 * order is fixed. */
static inline void kp_point(void)
{
    if (kp_self.points)
        kp_self_point();
}

#endif
