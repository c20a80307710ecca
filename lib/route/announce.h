/* Before the first round of kp_route, every member sends an announcement to every other member. The
 * announcement says how many bytes and messages the sender has for the receiver, and which options
 * the sender's call has. If the sender refuses the call, the announcement also says why. */
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

/* The announcement from one member to one other member. */
struct kp_announcement {
    /* The sizes of the stream from the sender to the receiver (struct kp_stream). */
    uint64_t bytes, messages, payload;
    uint64_t hints; /* a hash of protocol, packet_bytes, two_stage and seed */
    /* Why the sender refuses the call (enum kp_route_refusal); 0: the sender takes part. */
    uint64_t refusal;
    uint64_t about[2]; /* the numbers that the error sentence about the refusal contains */
};

/* Turns the announcement `own` into a refusal. `first` and `second` are the numbers that the error
 * sentence about the refusal contains. */
void kp_announce_refusal(struct kp_announcement *own, enum kp_route_refusal refusal, uint64_t first,
                         uint64_t second);

/* Returns KP_OK if all members take part with the same options. Otherwise sets an error and returns
 * its status. heard[i] is the announcement of member i to the caller. The caller's own announcement
 * is among them. */
int kp_announce_check(kp_group *member, const struct kp_announcement *heard);

#endif
