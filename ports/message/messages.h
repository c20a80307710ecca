/* Messages with tags (include/kport/message.h): what a group has for them, and how they meet the
 * rest of the machine. A group's first message makes this data. */
#ifndef KPORT_PORTS_MESSAGE_MESSAGES_H
#define KPORT_PORTS_MESSAGE_MESSAGES_H

#include "ports/shared.h"
#include "ports/sync/sync.h"

struct kp_messages;

/* Fills in the defaults in a configuration. Returns 0, or KP_EARGUMENT with an error set. */
int kp_messages_complete(struct kp_machine_config *config);

/* Among a group's synchronisations, the row of its messages. */
extern const struct kp_sync_row kp_messages_row;

/* --- Called under the machine's lock --- */

/* The processor has ended or failed. Messages that it is still offering are withdrawn, because
 * their memory may not last. If `by_ending` is true, its other messages can still be received.
 * Otherwise all waits in the group end. The processor's own thread calls this, or one that knows
 * that the processor does not run. */
void kp_messages_leave(struct kp_shared *shared, int processor, const kp_error_record *why,
                       bool by_ending);

/* Returns whether the members have received all messages. Called when no handle is left. */
bool kp_messages_are_settled(const struct kp_shared *shared);

/* Sets KP_EUNTAKEN for a message to this member that it has not received. Returns 0 if there is
 * none. The member receives nothing any more. */
int kp_messages_left(const kp_group *member);

/* Does this for all members of a processor that detaches. */
int kp_messages_left_of(kp_proc *self);

#endif
