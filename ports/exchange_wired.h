/* Rounds of the user's own over a wire. Sender and receiver name each other each for itself, so
 * after the pass each tells each how much comes, and then, where that is anything, what: the
 * messages it sends it, and the ports from which it wants some. */
#ifndef KPORT_PORTS_EXCHANGE_WIRED_H
#define KPORT_PORTS_EXCHANGE_WIRED_H

#include "ports/sync/wired.h"

/* What one member has for another in a round. */
struct kp_exchange_share {
    uint64_t messages, wanted, bytes;
};

/* Both ways between this member and another one. */
struct kp_exchange_pair {
    struct kp_exchange_share gives, comes;
    char *names, *data; /* where the next goes to in what is sent */
    const char *came;   /* until the next round */
};

/* 0, or a status: KP_EMEMORY, with an error, before anything is sent, or the group is dead.
 * `pairs`: by rank. */
int kp_exchange_deliver(kp_group *member, struct kp_exchange_pair *pairs, const kp_outgoing *out,
                        int outs, const kp_incoming *in, int ins);

/* Whether the other one has sent this one a message from that port, and where it lies; whether it
 * wants one from that port of this one. */
bool kp_exchange_find(const struct kp_exchange_pair *pair, int port, const void **data,
                      size_t *bytes);
bool kp_exchange_is_wanted(const struct kp_exchange_pair *pair, int port);

#endif
