/* This header has the thread-local data of kport. Each thread has one set. A thread that carries
 * fibers exchanges the set at every switch to another fiber. So data that differs between fibers
 * belongs here, and not in another thread-local variable. */
#ifndef KPORT_PORTS_SELF_H
#define KPORT_PORTS_SELF_H

#include "kport/error.h"
#include "kport/machine.h"

#include <stdbool.h>

/* The fastest thread-local access (initial-exec) uses space that is reserved at program start. The
 * library may use this space, because the library is loaded at program start and has few
 * thread-local bytes. */
#if defined(__GNUC__)
#define KP_FAST_TLS __attribute__((tls_model("initial-exec")))
#else
#define KP_FAST_TLS
#endif

struct kp_fiber;

struct kp_self {
    kp_proc *carried;        /* the processor that this thread or fiber carries; NULL: none */
    struct kp_fiber *fiber;  /* the running fiber; NULL if the thread carries no fibers */
    kp_error_record *errors; /* the fiber's record of its latest error; NULL: the thread's record */
    bool points; /* a seed determines the fibers' order, so kp_point may switch to another fiber */
};

/* Exported for face.h. */
extern _Thread_local KP_FAST_TLS __attribute__((visibility("default"))) struct kp_self kp_self;

void kp_self_point(void); /* carrier/fibers_run.c */

/* A point at which another fiber may run, if a seed determines the order of fibers. Otherwise the
 * point costs one test. Callers hold no lock. */
static inline void kp_point(void)
{
    if (kp_self.points)
        kp_self_point();
}

#endif
