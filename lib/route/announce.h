/* Before the first round every member sends every other member an announcement. It says how much
 * the sender has for the receiver, which options the sender's call has, and why the sender refuses,
 * if it does. */
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

/* The announcement of one member to one other. */
struct kp_announcement {
    uint64_t bytes, messages, payload; /* sizes of the stream between the two */
    uint64_t hints;                    /* a hash of protocol, packet_bytes, two_stage and seed */
    uint64_t refusal;                  /* an enum kp_route_refusal: why the sender refuses */
    uint64_t about[2];                 /* the numbers in the refusal's sentence */
};

/* Makes the announcement one of refusal; `first` and `second` are the numbers in its sentence. */
void kp_announce_refusal(struct kp_announcement *own, enum kp_route_refusal refusal, uint64_t first,
                         uint64_t second);

/* Returns KP_OK if all members take part with the same options. Otherwise it sets an error and
 * returns its status. heard[i] is the announcement of member i, the caller's own included. */
int kp_announce_check(kp_group *member, const struct kp_announcement *heard);

#endif
