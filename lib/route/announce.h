/* What members tell each other before the first round: how much is to come, what they cannot do,
 * and how they want it done. */
#ifndef KPORT_LIB_ROUTE_ANNOUNCE_H
#define KPORT_LIB_ROUTE_ANNOUNCE_H

#include "kport/route.h"

#include <stdint.h>

enum kp_route_refusal {
    KP_ROUTE_FINE,
    KP_ROUTE_NO_ARRIVALS,
    KP_ROUTE_NO_PARCELS,
    KP_ROUTE_MANY_PARCELS,
    KP_ROUTE_RANK,
    KP_ROUTE_LENGTH,
    KP_ROUTE_NO_DATA,
    KP_ROUTE_PROTOCOL,
    KP_ROUTE_PACKET,
    KP_ROUTE_PACKETS,
    KP_ROUTE_MEMORY,
    KP_ROUTE_REFUSALS
};

/* From one processor to one other. */
struct kp_announcement {
    uint64_t bytes, messages, payload; /* of the stream between the two */
    uint64_t how;                      /* equal for equal hows */
    uint64_t refusal;                  /* why its sender cannot take part */
    uint64_t about[2];                 /* the numbers in that sentence */
};

/* Makes the announcement one of refusal. */
void kp_announce_refusal(struct kp_announcement *own, enum kp_route_refusal refusal, uint64_t first,
                         uint64_t second);

/* Whether all can take part and mean the same: 0, or the status of the error that is set. `heard`
 * is what came from each, the own one included. */
int kp_announce_check(kp_group *member, const struct kp_announcement *heard);

#endif
