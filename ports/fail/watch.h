/* Over a wire a processor sees only its own machine. A member that has waited for a while tells the
 * processors that it waits for what it calls, and compares what others tell. So calls that differ
 * are found even if none of their messages meet. A member whose time limit is over asks all
 * processors what they do. A processor that leaves says what it has called, and all compare that.
 *
 * Nothing of this is done in a wait that is short (struct kp_wire, `watch`). */
#ifndef KPORT_PORTS_WATCH_H
#define KPORT_PORTS_WATCH_H

#include "ports/carrier/wire.h"

#include <stdbool.h>

struct kp_shared;

/* `kp_watch_make` makes what a machine over a wire needs for this. It returns 0 or KP_EMEMORY.
 * `kp_watch_free` takes NULL. */
int kp_watch_make(kp_machine *machine);
void kp_watch_free(kp_machine *machine);

/* Called by the member's processor after a wait that has been watched. */
void kp_watch_over(kp_machine *machine);

/* Called by a member whose time limit is over, before the group fails. `kp_watch_ask` asks all
 * processors what they do, for a short time. `awaited` is the one that the member waits for, or -1.
 * `kp_watch_say_awaited` adds to the error's sentence what the processor does that it names. */
void kp_watch_ask(kp_group *member, int awaited);
void kp_watch_say_awaited(const kp_machine *machine, kp_error_record *why);

/* Stores what a processor says of its wait, and returns true. Returns false if it does not wait, or
 * if this is not known. `local` is the machine of this process that carries the processor, or NULL.
 * Any thread may call this under the lock of `machine`. */
bool kp_watch_look(const kp_machine *machine, const kp_machine *local, int processor,
                   struct kp_wire_notice *notice);

/* Returns whether a processor is known to have left the run in which this machine's processor is.
 * Called as kp_watch_look is, or by the machine's processor. */
bool kp_watch_has_left(const kp_machine *machine, int processor);

/* Counts the calls of a group that ends, or that its members make anew. */
void kp_watch_count(struct kp_shared *shared);

/* Leaves the run, and says what this processor has called. The caller holds the machine's lock. */
void kp_watch_leave(kp_machine *machine);

/* Compares what the processors said when they left the run that those of this process have left. If
 * calls differ, sets an error, once, and returns KP_EMISMATCH. Returns 0 also if a processor has
 * not left, as far as is known here. What is not compared then is compared at the next time.
 * `first` is the first machine of this process. */
int kp_watch_compare_ends(kp_machine *first);

#endif
