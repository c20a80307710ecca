/* A service is the data of one processor's call of kp_route. The functions below do parts of the
 * call. */
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
    size_t packet; /* the length of a full packet in bytes */

    struct kp_stream *streams; /* one stream for each destination */
    /* told[j] is the announcement of this member to member j; heard[i] is the announcement of
     * member i to this member. */
    struct kp_announcement *told, *heard;
    struct kp_router router;
    struct kp_stream_writer *writers; /* one writer for each destination */
    uint32_t *numbers;                /* the number of the next packet for each destination */
    uint32_t *order;
    struct kp_passage passage;
    struct kp_spare *spare;
    char *out, *in; /* room for n blocks each */
    bool written;   /* true: `out` already has every stream, each as a single packet */
    struct kp_arrivals_data *arrived;
    uint64_t rounds, word_rounds;
    bool failed; /* true: this member has no memory for the call */
    /* The record of an error KP_EUNTAKEN, which is reported at the end of the call; status 0: there
     * is no such error. */
    kp_error_record untaken;
};

static inline uint64_t kp_service_packets(const struct kp_service *s, uint64_t bytes)
{
    return (bytes + s->packet - 1) / s->packet;
}

/* Returns the length of a full packet in bytes, for n processors. `asked` is the caller's
 * packet_bytes; 0 means the default. */
size_t kp_service_packet_bytes(size_t n, size_t asked);

/* If `status` is KP_EUNTAKEN, keeps the error's record and returns KP_OK, because the collective
 * itself was carried out. Returns any other status as it is. */
int kp_service_note_untaken(struct kp_service *s, int status);

/* Makes a total exchange with blocks of b bytes. The algorithm is the one in the hints of
 * kp_route. */
int kp_service_index(struct kp_service *s, const void *out, void *in, size_t b);

/* Replaces each of the `count` words by its maximum over all members. */
int kp_service_agree(struct kp_service *s, uint64_t *words, size_t count);

/* Carries out all rounds. The members have exchanged and checked their announcements before. */
int kp_service_rounds(struct kp_service *s);

/* Frees the call's memory, except what belongs to the caller's arrivals. */
void kp_service_end(struct kp_service *s);

#endif
