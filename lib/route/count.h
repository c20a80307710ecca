/* Routing without messages: how many rounds a relation takes.
 *
 * All processors' routers side by side in one thread. Each gets what it would get by messages, and
 * nothing else: the maxima that are agreed on, the packets sent to it, the words sent to it. */
#ifndef KPORT_LIB_ROUTE_COUNT_H
#define KPORT_LIB_ROUTE_COUNT_H

#include "lib/route/router.h"

struct kp_route_count {
    uint64_t rounds;      /* total exchanges of packets */
    uint64_t words;       /* total exchanges of words */
    uint64_t relayed;     /* packets that were left with a processor that they were not for */
    uint64_t most_relays; /* of others, at any processor after any round */
};

/* What to route, how, and who may stop it. */
struct kp_route_relation {
    int32_t n;
    const int32_t *packets; /* from i to j: at i * n + j */
    const struct kp_protocol *protocol;
    bool two_stage;
    uint64_t seed;
    bool (*stop)(void *context); /* asked before every step; may be NULL */
    void *context;
};

enum kp_count_status {
    KP_COUNT_DONE,
    KP_COUNT_STOPPED,
    KP_COUNT_MEMORY, /* there is none */
};

enum kp_count_status kp_route_count(const struct kp_route_relation *relation,
                                    struct kp_route_count *count);

/* No protocol needs fewer rounds: a processor sends and receives at most n packets in one. */
uint64_t kp_route_bound(int32_t n, const int32_t *packets);

#endif
