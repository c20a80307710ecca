/* Counts the rounds that routing takes, without messages.
 *
 * The routers of all processors run side by side in one thread. Each router gets only what it would
 * get by messages: the agreed maxima, the packets and the words that are sent to it. */
#ifndef KPORT_LIB_ROUTE_COUNT_H
#define KPORT_LIB_ROUTE_COUNT_H

#include "lib/route/router.h"

struct kp_route_count {
    uint64_t rounds;      /* the number of total exchanges of packets */
    uint64_t words;       /* the number of total exchanges of words */
    uint64_t relayed;     /* how often a packet went to a processor that is not its destination */
    uint64_t most_relays; /* the most packets of others at one processor after a round */
};

/* The relation to route, the protocol, and a function that can stop the count. */
struct kp_route_relation {
    int32_t n;
    const int32_t *packets; /* packets[i * n + j]: the number of packets from i to j */
    const struct kp_protocol *protocol;
    bool two_stage;
    uint64_t seed;
    bool (*stop)(void *context); /* asked before every step; NULL: never stop */
    void *context;
};

enum kp_count_status {
    KP_COUNT_DONE,
    KP_COUNT_STOPPED,
    KP_COUNT_MEMORY, /* there is no memory */
};

enum kp_count_status kp_route_count(const struct kp_route_relation *relation,
                                    struct kp_route_count *count);

/* Returns a lower bound on the rounds of every protocol. It holds because a processor sends at most
 * n packets in a round, and receives at most n. */
uint64_t kp_route_bound(int32_t n, const int32_t *packets);

#endif
