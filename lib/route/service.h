/* The state of a call of kp_route at one processor. */
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
    kp_route_hints hints;
    const struct kp_protocol *protocol;
    size_t packet; /* the most bytes of a packet */

    struct kp_stream *streams;            /* the streams, by destination */
    struct kp_announcement *told, *heard; /* `told` by destination, `heard` by source */
    struct kp_router router;
    struct kp_stream_writer *writers; /* the streams' writers, by destination */
    uint32_t *numbers;                /* the number of the packet that each writer writes next */
    uint32_t *order;
    struct kp_passage passage;
    struct kp_spare *spare;
    char *out, *in; /* n blocks each */
    bool written;   /* true: `out` already has all streams, each as one packet */
    struct kp_arrivals_data *arrived;
    uint64_t rounds, word_rounds;
    bool failed;             /* true: this member has run out of memory */
    kp_error_record untaken; /* a KP_EUNTAKEN to report at the end; status 0: there is none */
};

static inline uint64_t kp_service_packets(const struct kp_service *s, uint64_t bytes)
{
    return (bytes + s->packet - 1) / s->packet;
}

/* Returns the most bytes of a packet among n processors. `asked` is the caller's packet_bytes; 0
 * means the default. */
size_t kp_service_packet_bytes(size_t n, size_t asked);

/* Turns KP_EUNTAKEN into KP_OK and keeps its record, because the operation was done. Other statuses
 * are returned as they are. */
int kp_service_note_untaken(struct kp_service *s, int status);

/* Makes a total exchange with blocks of b bytes, by the algorithm that the caller of kp_route
 * chose. */
int kp_service_index(struct kp_service *s, const void *out, void *in, size_t b);

/* Replaces every word by its maximum over all members. */
int kp_service_agree(struct kp_service *s, uint64_t *words, size_t count);

/* Carries out the rounds, after all members have compared their announcements. */
int kp_service_rounds(struct kp_service *s);

/* Frees everything that has not been given to the caller. */
void kp_service_end(struct kp_service *s);

#endif
