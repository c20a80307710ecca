/* The progress thread of a machine (kp_config, `progress`). It goes on with the requests of
 * processors that are in no call of kport.
 *
 * A request is used by one thread at a time. A processor's own thread has its requests while it is
 * in a call. At the end of the call it lends them to the progress thread, if some are under way. It
 * takes them back when its next call begins, and waits for that if the progress thread goes on with
 * them just then. A mutex of the processor keeps the two apart.
 *
 * The progress thread never waits for another processor. It sleeps until a processor is roused:
 * while requests are lent, it listens for them as their own processor would (request.h). It counts
 * as no processor, and a processor in no call does not count as idle. So the deadlock detector is
 * as exact as without the thread. */
#ifndef KPORT_PORTS_REQUEST_PROGRESS_H
#define KPORT_PORTS_REQUEST_PROGRESS_H

#include "ports/machine_data.h"

/* What the progress thread adds to a processor's `listening`. The low half counts the processor's
 * own waits. */
#define KP_PROGRESS_LISTENS ((uint32_t)1 << 16)

/* Refuses a config that asks for a progress thread where there is none. */
int kp_progress_complete(const struct kp_machine_config *config);

/* Starts the machine's progress thread, if the config asks for one. Returns 0 or the error's
 * status. `stop` ends the thread. No requests are lent then. */
int kp_progress_start(kp_machine *machine);
void kp_progress_stop(kp_machine *machine);

/* These two functions are called by the thread that carries the processor, with the machine's lock
 * free. `take` takes the requests back if they are lent; `lend` lends them if some are under way.
 * Both do nothing if the machine has no progress thread. */
void kp_progress_take_back(kp_proc *self);
void kp_progress_lend_out(kp_proc *self);

static inline void kp_progress_take(kp_proc *self)
{
    if (self->machine->progress)
        kp_progress_take_back(self);
}

static inline void kp_progress_lend(kp_proc *self)
{
    if (self->machine->progress)
        kp_progress_lend_out(self);
}

/* Called after something that may let a lent request of the processor go on. */
void kp_progress_rouse(kp_proc *proc);

#endif
