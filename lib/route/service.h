/* A call of kp_route while it is under way, at one processor. */
#ifndef KPORT_LIB_ROUTE_SERVICE_H
#define KPORT_LIB_ROUTE_SERVICE_H

#include "lib/route/announce.h"
#include "lib/route/arrivals.h"
#include "lib/route/passage.h"
#include "lib/route/router.h"
#include "lib/route/stream.h"
#include "ports/port.h"

struct kp_service {
    kp_group *member;
    size_t n;
    int32_t rank;
    struct kp_site site;
    const kp_parcel *parcels;
    size_t count;
    kp_route_how how;
    const struct kp_protocol *protocol;
    size_t packet; /* bytes of a packet at most */

    struct kp_stream *streams;            /* to each */
    struct kp_announcement *told, *heard; /* to each, from each */
    struct kp_router router;
    struct kp_stream_writer *writers; /* to each */
    uint32_t *numbers;                /* of the packet that each writer writes next */
    uint32_t *order;
    struct kp_passage passage;
    struct kp_spare *spare;
    char *out, *in; /* n blocks */
    bool written;   /* all streams lie in `out` already, one packet each */
    struct kp_arrivals_data *arrived;
    uint64_t rounds, word_rounds;
    bool failed;             /* memory has ended */
    kp_error_record untaken; /* KP_EUNTAKEN is to be told at the end; status 0: no */
};

static inline uint64_t kp_service_packets(const struct kp_service *s, uint64_t bytes)
{
    return (bytes + s->packet - 1) / s->packet;
}

/* Bytes of a packet among n processors, where so many were asked for. */
size_t kp_service_packet_bytes(size_t n, size_t asked);

/* The status of one that was done, where what an earlier exchange left is told at the end. */
int kp_service_note_untaken(struct kp_service *s, int status);

/* A collective of the machine's, by the algorithm that the caller chose. */
int kp_service_index(struct kp_service *s, const void *out, void *in, size_t b);

/* The largest of what any member offers. */
int kp_service_agree(struct kp_service *s, uint64_t *words, size_t count);

/* What is to be done when all have heard what is to come. */
int kp_service_rounds(struct kp_service *s);

/* Everything that is not given to the caller. */
void kp_service_end(struct kp_service *s);

#endif
