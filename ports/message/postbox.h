/* Messages with tags between members that share no memory. They go by the packets of a wire
 * (carrier/wire.h), and the receiver matches them (matching.h) as it does those that come through
 * memory.
 *
 * A message that may be buffered is one packet. Another one stays in the sender's memory: a packet
 * offers it. When a receive has matched it, the receiver posts a packet that it wants the contents,
 * and begins to receive them on a branch of the wire. Then the sender sends them from its memory,
 * so they are copied once, where the wire does that. All contents have one tag. Both ends begin
 * them in the order of these packets, so they meet.
 *
 * Each processor has a postbox. What comes for a group that does not use messages yet waits in it.
 */
#ifndef KPORT_PORTS_MESSAGE_POSTBOX_H
#define KPORT_PORTS_MESSAGE_POSTBOX_H

#include "ports/message/links.h"

/* `kp_postbox_open` gives a member, whose group is over a wire, what it needs for messages. It
 * returns 0 or KP_EMEMORY, with no error set. `kp_postbox_close` is called before the member's data
 * is freed. */
int kp_postbox_open(struct kp_messages *own);
void kp_postbox_close(struct kp_messages *own);

/* Frees the machine's postbox. */
void kp_postbox_free(kp_machine *machine);

/* Puts a message to another processor on its way, as kp_link_post does. */
int kp_postbox_send(struct kp_messages *own, struct kp_outgoing_message *send);

/* Takes all that has come to the processor, for any of its groups. Returns 0 or KP_EMEMORY, with no
 * error set. If a failure has ended the wire, makes the member's group fail. */
int kp_postbox_poll(struct kp_messages *own);

/* Gives a kept message, which has come by a packet, to a receive. */
void kp_postbox_hand_over(struct kp_messages *own, struct kp_message *message,
                          struct kp_receiving *receive);

/* Goes on with the contents of a message that `receive` has matched. Returns KP_WAITS, or 0 if they
 * have come, or the status of the failure with which the group has failed. */
int kp_postbox_receive(struct kp_messages *own, struct kp_receiving *receive);

/* Goes on with the contents of a message that this member has offered. */
void kp_postbox_go_on(struct kp_messages *own, struct kp_message *message);

/* Returns whether a member has ended its program, and everything has come that it has sent. */
bool kp_postbox_is_gone(const struct kp_messages *own, int rank);

/* Finds a message to this processor whose group does not exist or does not use messages, and
 * forgets all of these. Called at the end of a run. */
bool kp_postbox_find_left(kp_machine *machine, struct kp_envelope *left);

/* Returns how many messages this processor has sent to others in buffers, less those that it has
 * received. */
uint64_t kp_postbox_balance(const kp_machine *machine);

#endif
