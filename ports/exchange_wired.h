/* Rounds of kp_exchange over a wire, where the members of a group share no memory. In such a round
 * a sender does not know whether its receiver wants the message. A receiver does not know whether
 * its sender sends one. So each member first tells every other member how many messages and bytes
 * follow. If anything follows, it travels in one notice. The notice contains the messages, and the
 * ports of the other member from which this member wants messages. */
#ifndef KPORT_PORTS_EXCHANGE_WIRED_H
#define KPORT_PORTS_EXCHANGE_WIRED_H

#include "ports/sync/wired.h"

/* The contents of a notice. `messages` is the number of messages in it, and `bytes` is their total
 * length. `wanted` is the number of messages that the notice's writer wants in return. */
struct kp_exchange_share {
    uint64_t messages, wanted, bytes;
};

/* What this member sends to one other member in a round, and what it receives from that member. */
struct kp_exchange_pair {
    struct kp_exchange_share gives, comes;
    char *names, *data; /* where the next message's port and data go in the notice */
    const char *came;   /* the notice received, which stays valid until the next round */
};

/* Sends this member's notices of a round, and receives the others' notices. `pairs` has one element
 * for each rank of the group. Returns 0 or the error's status. If the status is KP_EMEMORY, no
 * notice has been sent, and the error's sentence is set. After any other error the group is
 * unusable. */
int kp_exchange_deliver(kp_group *member, struct kp_exchange_pair *pairs, const kp_outgoing *out,
                        int outs, const kp_incoming *in, int ins);

/* Returns whether the other member's notice has a message that it sent from `port` to this member.
 * If so, stores the address and the length of the message. */
bool kp_exchange_find(const struct kp_exchange_pair *pair, int port, const void **data,
                      size_t *bytes);

/* Returns whether the other member's notice asks for this member's message from `port`. */
bool kp_exchange_is_wanted(const struct kp_exchange_pair *pair, int port);

#endif
