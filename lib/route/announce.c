#include "lib/route/announce.h"

#include "ports/port.h"

#include <inttypes.h>
#include <stdio.h>

/* The status and the error sentence of a refusal. `first`, `second` and `third` are the text before
 * the first number, between the two numbers, and after the second number. */
struct refusal_row {
    int status;
    const char *first, *second, *third;
};

static const struct refusal_row refusals[KP_ROUTE_REFUSALS] = {
    [KP_ROUTE_NO_ARRIVALS] = {KP_EARGUMENT, "arrivals is NULL", NULL, NULL},
    [KP_ROUTE_NO_PARCELS] = {KP_EARGUMENT, "parcels is NULL, but count is ", NULL, NULL},
    [KP_ROUTE_MANY_PARCELS] = {KP_EARGUMENT, "count is ", "; it may be up to ", NULL},
    [KP_ROUTE_RANK] = {KP_EARGUMENT, "message ", " is for rank ", ", which is not in the group"},
    [KP_ROUTE_LENGTH] = {KP_EARGUMENT, "message ", " has ",
                         " bytes; with those before it that is more than memory can hold"},
    [KP_ROUTE_NO_DATA] = {KP_EARGUMENT, "message ", " has ", " bytes, but its data is NULL"},
    [KP_ROUTE_PROTOCOL] = {KP_EARGUMENT, "the protocol is none that kp_protocol_name knows", NULL,
                           NULL},
    [KP_ROUTE_PACKET] = {KP_EARGUMENT, "packet_bytes is ", "; it may be up to ", NULL},
    [KP_ROUTE_PACKETS] = {KP_EARGUMENT, "the messages for rank ", " take ",
                          " packets; with larger ones it may be up to 2147483647"},
    [KP_ROUTE_MEMORY] = {KP_EMEMORY, "no memory for the tables of routing", NULL, NULL},
};

void kp_announce_refusal(struct kp_announcement *own, enum kp_route_refusal refusal, uint64_t first,
                         uint64_t second)
{
    own->refusal = (uint64_t)refusal;
    own->about[0] = first;
    own->about[1] = second;
}

/* Writes the error sentence about the refusal to `text`. A rank is printed as a signed number,
 * because the caller of kp_route may have given a negative rank. */
static void say(const struct kp_announcement *a, char *text, size_t size)
{
    const struct refusal_row *row = &refusals[a->refusal];
    if (!row->second)
        snprintf(text, size, a->refusal == KP_ROUTE_NO_PARCELS ? "%s%" PRIu64 : "%s", row->first,
                 a->about[0]);
    else if (a->refusal == KP_ROUTE_RANK)
        snprintf(text, size, "%s%" PRIu64 "%s%" PRId64 "%s", row->first, a->about[0], row->second,
                 (int64_t)a->about[1], row->third);
    else
        snprintf(text, size, "%s%" PRIu64 "%s%" PRIu64 "%s", row->first, a->about[0], row->second,
                 a->about[1], row->third ? row->third : "");
}

static int refuse(kp_group *member, int rank, const struct kp_announcement *heard)
{
    char text[256];
    say(heard, text, sizeof text);
    if (rank == kp_port_rank(member))
        return kp_port_error(member, refusals[heard->refusal].status, -1, -1, -1, "%s", text);
    int processor = kp_port_processor(member, rank);
    return kp_port_error_about(member, KP_EPEER, processor, "processor %d: %s", processor, text);
}

int kp_announce_check(kp_group *member, const struct kp_announcement *heard)
{
    int own = kp_port_rank(member);
    if (heard[own].refusal)
        return refuse(member, own, &heard[own]);
    for (int rank = 0; rank < kp_port_size(member); rank++) {
        if (heard[rank].refusal)
            return refuse(member, rank, &heard[rank]);
    }
    for (int rank = 0; rank < kp_port_size(member); rank++) {
        if (heard[rank].hints != heard[own].hints)
            return kp_port_error(member, KP_EMISMATCH, -1, -1, rank,
                                 "processors %d and %d want messages routed differently: protocol, "
                                 "two_stage, packet_bytes and seed are to be the same",
                                 kp_port_processor(member, own), kp_port_processor(member, rank));
    }
    return KP_OK;
}
