/* Switching from one stack to another on the same thread, by what the build has for it.
 *
 * ucontext takes much longer than boost.context, because it also exchanges the signal mask through
 * the kernel. A build may have neither. kp_fibers returns the name of what the build has. */
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

/* A place to go on from. kp_context_make fills it, or kp_switch when a flow leaves. */
struct kp_context {
#if KP_SWITCH == KP_SWITCH_UCONTEXT
    ucontext_t at;
#else
    void *at;
#endif
};

/* Makes a context that calls `enter` on the `bytes` bytes below `top`. `enter` never returns. */
void kp_context_make(struct kp_context *context, void *top, size_t bytes, void (*enter)(void));

/* Saves the running flow in `from` and goes on with `to`. Returns when another flow switches to
 * `from`, on the same thread. */
void kp_switch(struct kp_context *from, struct kp_context *to);

#endif
