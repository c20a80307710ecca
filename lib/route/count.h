/* Counts the rounds of routing without sending messages.
 *
 * The routers (router.h) of all processors run in one thread, step by step. Each router gets only
 * what messages would bring to it: the agreed maxima, and the packets and words that other routers
 * send to it. So the routers make the same decisions as in kp_route. */
#ifndef KPORT_LIB_ROUTE_COUNT_H
#define KPORT_LIB_ROUTE_COUNT_H

#include "lib/route/router.h"

struct kp_route_count {
    uint64_t rounds;  /* how often all processors exchange packets */
    uint64_t words;   /* how often all processors exchange words */
    uint64_t relayed; /* how often a packet went to a processor other than its destination */
    /* The most packets for other processors that any processor held after a round. */
    uint64_t most_relays;
};

/* The packets to route, the protocol, and a function that can stop the count. */
struct kp_route_relation {
    int32_t n;
    /* The number of packets from processor i to processor j is packets[i * n + j]. */
    const int32_t *packets;
    const struct kp_protocol *protocol;
    bool two_stage;
    uint64_t seed;
    /* Called before every step. If it returns true, the count ends. NULL: nothing stops the
     * count. */
    bool (*stop)(void *context);
    void *context;
};

enum kp_count_status {
    KP_COUNT_DONE,
    KP_COUNT_STOPPED,
    KP_COUNT_MEMORY, /* there is no memory */
};

enum kp_count_status kp_route_count(const struct kp_route_relation *relation,
                                    struct kp_route_count *count);

/* Returns ceil(h / n), where h is the most packets that any processor sends or receives. This is a
 * lower bound on the rounds of every protocol, because in a round a processor sends at most n
 * packets and receives at most n. */
uint64_t kp_route_bound(int32_t n, const int32_t *packets);

#endif
