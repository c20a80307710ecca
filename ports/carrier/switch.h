/* Switching from one stack to another on the same thread: what the build has for it.
 *
 * boost.context's C functions take some 7 ns; ucontext takes 0.3 us, because it also exchanges the
 * signal mask through the kernel; a build may have neither. kp_fibers says which it is. */
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

/* A place to go on from: filled by kp_context_make, or by leaving it with kp_switch. */
struct kp_context {
#if KP_SWITCH == KP_SWITCH_UCONTEXT
    ucontext_t at;
#else
    void *at;
#endif
};

/* Makes a context that begins with `enter` on the `bytes` bytes below `top`. `enter` never returns.
 */
void kp_context_make(struct kp_context *context, void *top, size_t bytes, void (*enter)(void));

/* Leaves the running flow in `from` and goes on with `to`. Returns when somebody switches to `from`
 * again, on the same thread. */
void kp_switch(struct kp_context *from, struct kp_context *to);

#endif
