/* These functions switch a thread from one stack to another. A flow is whatever runs on one stack,
 * that is, a fiber or the thread's own program. When the library is built, one of boost.context,
 * ucontext and no switching at all is chosen. kp_fibers returns which.
 *
 * ucontext takes much longer than boost.context, because it also exchanges the signal mask through
 * the kernel. */
#ifndef KPORT_PORTS_SWITCH_H
#define KPORT_PORTS_SWITCH_H

#include "kport/machine.h"

#include <stddef.h>

#define KP_SWITCH_NONE     0
#define KP_SWITCH_BOOST    1
#define KP_SWITCH_UCONTEXT 2

#if KP_SWITCH == KP_SWITCH_UCONTEXT
#include <ucontext.h>
#endif

/* The state of a flow that does not run at present. kp_context_make fills it for a new flow, and
 * kp_switch fills it for the flow that it leaves. */
struct kp_context {
#if KP_SWITCH == KP_SWITCH_UCONTEXT
    ucontext_t at;
#else
    void *at;
#endif
};

/* Makes the context of a new flow. The flow calls `enter`, and its stack is the `bytes` bytes below
 * `top`. `enter` never returns. */
void kp_context_make(struct kp_context *context, void *top, size_t bytes, void (*enter)(void));

/* Stores the state of the running flow in `from` and continues the flow `to`. Returns when another
 * flow on the same thread switches to `from`. */
void kp_switch(struct kp_context *from, struct kp_context *to);

#endif
