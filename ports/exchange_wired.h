/* This header has the rounds of kp_exchange over a wire, where the members of a group share no
 * memory. In such a round a sender does not know whether its receiver wants the message. A receiver
 * does not know whether its sender sends one. So each member first sends every other member three
 * numbers (struct kp_exchange_share). If one of them is not 0, the member also sends a notice. The
 * notice contains the member's messages for the other member, and the ports from which it wants the
 * other member's messages. */
#ifndef KPORT_PORTS_EXCHANGE_WIRED_H
#define KPORT_PORTS_EXCHANGE_WIRED_H

#include "ports/sync/wired.h"

/* What a notice contains. `messages` is the number of messages in it, and `bytes` is their total
 * length. `wanted` is the number of messages that the notice's writer wants in return. */
struct kp_exchange_share {
    uint64_t messages, wanted, bytes;
};

/* What this member sends to one other member in a round (`gives`), and what it receives from that
 * member (`comes`). */
struct kp_exchange_pair {
    struct kp_exchange_share gives, comes;
    char *names, *data; /* where the next message's port and data go in the notice */
    const char *came;   /* the notice received, which stays valid until the next round */
};

/* Sends this member's notices of a round, and receives the others' notices. `pairs` has one element
 * for each rank of the group. Returns 0 or the status of an error that is set. If the status is
 * KP_EMEMORY, no notice has been sent. After any other error the group is unusable. */
int kp_exchange_deliver(kp_group *member, struct kp_exchange_pair *pairs, const kp_outgoing *out,
                        int outs, const kp_incoming *in, int ins);

/* Returns whether the other member's notice has a message from its port `port`. If so, stores the
 * address and the length of the message. */
bool kp_exchange_find(const struct kp_exchange_pair *pair, int port, const void **data,
                      size_t *bytes);

/* Returns whether the other member's notice asks for a message from this member's port `port`. */
bool kp_exchange_is_wanted(const struct kp_exchange_pair *pair, int port);

#endif
