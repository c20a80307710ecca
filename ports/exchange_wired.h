/* Rounds of kp_exchange over a wire. Sender and receiver each name the other independently. So
 * after the episode each member tells each other one how much follows. If anything follows, a
 * letter has the messages, and the ports from which the member wants messages. */
#ifndef KPORT_PORTS_EXCHANGE_WIRED_H
#define KPORT_PORTS_EXCHANGE_WIRED_H

#include "ports/sync/wired.h"

/* What one member has for another in a round: the number of messages it sends, of those it wants,
 * and the bytes it sends. */
struct kp_exchange_share {
    uint64_t messages, wanted, bytes;
};

/* Both directions between this member and another one. */
struct kp_exchange_pair {
    struct kp_exchange_share gives, comes;
    char *names, *data; /* where the next name and the next data go in the letter */
    const char *came;   /* the letter received; valid until the next round */
};

/* Exchanges the letters of a round; `pairs` is by rank. Returns 0, KP_EMEMORY with its sentence
 * before anything is sent, or another status after which the group is unusable. */
int kp_exchange_deliver(kp_group *member, struct kp_exchange_pair *pairs, const kp_outgoing *out,
                        int outs, const kp_incoming *in, int ins);

/* `kp_exchange_find` returns whether the other member has sent this one a message from that port,
 * and stores where it lies. `kp_exchange_is_wanted` returns whether the other member wants this
 * member's message from that port. */
bool kp_exchange_find(const struct kp_exchange_pair *pair, int port, const void **data,
                      size_t *bytes);
bool kp_exchange_is_wanted(const struct kp_exchange_pair *pair, int port);

#endif
