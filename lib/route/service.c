/* kp_route, from the check of its arguments to its result. rounds.c has the rounds in between. */
#include "lib/route/service.h"

#include "lib/call/prepared.h"
#include "ports/member.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PACKET   (UINT64_C(1) << 30)
#define LEAST_DEFAULT 1024
#define MOST_DEFAULT  32768
/* If packet_bytes is 0, the n packets that a processor sends in a round have this many bytes
 * together, unless one of the two limits above applies. */
#define DEFAULT_ALL (2 << 20)
#define FINGERPRINT UINT64_C(0x7075e)

/* --- Arguments --- */

static const struct kp_protocol *find_protocol(const char *name)
{
    int i = 0;
    while (name && kp_protocol_row(i) && strcmp(kp_protocol_row(i)->name, name) != 0)
        i++;
    return kp_protocol_row(i);
}

/* Tries to write all streams to `out`, each as one packet. Returns whether every stream fits into
 * one packet and all messages are valid. If so, the messages need not be read a second time. */
static bool write_at_once(struct kp_service *s)
{
    size_t block = sizeof(struct kp_packet_head) + s->packet;
    struct kp_stream_target *targets = NULL;
    if (s->hints.two_stage || block > KP_SPARE_MOST / s->n)
        return false;
    targets = calloc(s->n, sizeof *targets);
    s->out = kp_spare_take(s->spare, s->n * block);
    for (size_t j = 0; j < s->n && targets && s->out; j++) {
        targets[j].to = s->out + j * block + sizeof(struct kp_packet_head);
        targets[j].end = targets[j].to + s->packet;
    }
    s->written =
        targets && s->out && kp_stream_write_all(s->parcels, s->count, s->n, targets) == s->count;
    for (size_t j = 0; j < s->n && s->written; j++) {
        uint64_t bytes = (uint64_t)(s->packet - (size_t)(targets[j].end - targets[j].to));
        s->streams[j] = (struct kp_stream){
            .bytes = bytes, .messages = targets[j].messages, .payload = targets[j].payload};
    }
    free(targets);
    if (!s->written) {
        kp_spare_give(s->spare, s->out);
        s->out = NULL;
    }
    return s->written;
}

/* Adds up the lengths of the streams, message by message. If a message is invalid, turns the
 * announcement into a refusal. */
static void measure(struct kp_service *s, struct kp_announcement *own)
{
    for (size_t i = 0; i < s->count; i++) {
        const kp_parcel *parcel = &s->parcels[i];
        if (parcel->to < 0 || (size_t)parcel->to >= s->n) {
            kp_announce_refusal(own, KP_ROUTE_RANK, i, (uint64_t)(int64_t)parcel->to);
            return;
        }
        if (!parcel->data && parcel->bytes > 0) {
            kp_announce_refusal(own, KP_ROUTE_NO_DATA, i, parcel->bytes);
            return;
        }
        if (!kp_stream_add(&s->streams[parcel->to], parcel->bytes)) {
            kp_announce_refusal(own, KP_ROUTE_LENGTH, i, parcel->bytes);
            return;
        }
    }
    for (size_t j = 0; j < s->n; j++) {
        s->streams[j].bytes = kp_rounded_up(s->streams[j].bytes);
        uint64_t packets = kp_service_packets(s, s->streams[j].bytes);
        if (packets > INT32_MAX && !own->refusal)
            kp_announce_refusal(own, KP_ROUTE_PACKETS, j, packets);
    }
}

size_t kp_service_packet_bytes(size_t n, size_t asked)
{
    size_t each = DEFAULT_ALL / n;
    each = each < LEAST_DEFAULT ? LEAST_DEFAULT : each > MOST_DEFAULT ? MOST_DEFAULT : each;
    return (size_t)kp_rounded_up(asked ? asked : each);
}

static void look_at(struct kp_service *s, const kp_arrivals *arrivals, struct kp_announcement *own)
{
    s->packet = kp_service_packet_bytes(s->n, s->hints.packet_bytes);
    s->protocol = find_protocol(s->hints.protocol);
    if (!arrivals)
        kp_announce_refusal(own, KP_ROUTE_NO_ARRIVALS, 0, 0);
    else if (!s->protocol)
        kp_announce_refusal(own, KP_ROUTE_PROTOCOL, 0, 0);
    else if (s->hints.packet_bytes > MOST_PACKET)
        kp_announce_refusal(own, KP_ROUTE_PACKET, s->hints.packet_bytes, MOST_PACKET);
    else if (!s->parcels && s->count > 0)
        kp_announce_refusal(own, KP_ROUTE_NO_PARCELS, s->count, 0);
    else if (s->count > UINT32_MAX)
        kp_announce_refusal(own, KP_ROUTE_MANY_PARCELS, s->count, UINT32_MAX);
    else if (!write_at_once(s))
        measure(s, own);
}

static uint64_t fingerprint(const struct kp_service *s)
{
    uint64_t mixed = kp_mix(s->hints.seed + 1), row = 0;
    while (s->protocol && kp_protocol_row((int)row) != s->protocol)
        row++;
    mixed = kp_mix(mixed + row);
    return kp_mix(mixed + 2 * s->packet + (s->hints.two_stage != 0));
}

/* --- The call --- */

static void describe(const void *subject, char *text, size_t size)
{
    (void)subject;
    if (size > 0)
        strncpy(text, "route", size - 1)[size - 1] = '\0';
}

/* Compares the members' calls in an episode, before any member reads another member's announcement.
 * Suppose that a member calls kp_index instead, with blocks as long as an announcement. Without
 * this episode the other members would take its blocks for announcements. The caller has called
 * kp_member_enter, and this function calls kp_member_leave. */
static int meet(struct kp_service *s)
{
    kp_port_open(s->member, FINGERPRINT, describe, s);
    if (kp_member_is_traced(s->member))
        kp_trace_open(s->member, KP_TRACE_MEETING, 0);
    int status = kp_port_meet(s->member, 0);
    status = status ? status : kp_port_close(s->member);
    return kp_service_note_untaken(s, kp_member_leave(s->member, status));
}

static void release_spare(void *spare)
{
    kp_spare_release(spare);
}

/* Returns the member's store of spare buffers, or NULL if there is no memory. */
static struct kp_spare *spare_of(kp_group *member)
{
    struct kp_attachment *own = kp_kept_of(member, KP_KEPT_SPARE);
    if (own && !own->data)
        *own = (struct kp_attachment){kp_spare_make(), release_spare};
    return own ? own->data : NULL;
}

static int announce(struct kp_service *s, const kp_arrivals *arrivals)
{
    struct kp_announcement own = {0};
    s->streams = calloc(s->n, sizeof *s->streams);
    s->told = calloc(2 * s->n, sizeof *s->told);
    s->spare = spare_of(s->member);
    if (!s->told || !s->streams || !s->spare) {
        kp_port_error(s->member, KP_EMEMORY, -1, -1, -1, "no memory for the tables of routing");
        /* The other members now call kp_index to exchange announcements. This member cannot, so it
         * refuses the call as it would refuse kp_index. */
        return kp_member_refuse(s->member, describe, s);
    }
    s->heard = s->told + s->n;
    look_at(s, arrivals, &own);
    own.hints = fingerprint(s);
    for (size_t j = 0; j < s->n; j++) {
        s->told[j] = own;
        s->told[j].bytes = s->streams[j].bytes;
        s->told[j].messages = s->streams[j].messages;
        s->told[j].payload = s->streams[j].payload;
    }
    int status = kp_service_index(s, s->told, s->heard, sizeof own);
    return status ? status : kp_announce_check(s->member, s->heard);
}

void kp_service_end(struct kp_service *s)
{
    kp_router_end(&s->router);
    kp_passage_end(&s->passage, s->n);
    kp_arrivals_free(s->arrived);
    free(s->streams);
    free(s->told);
    free(s->writers);
    free(s->numbers);
    free(s->order);
    if (s->spare) {
        kp_spare_give(s->spare, s->out);
        kp_spare_give(s->spare, s->in);
    }
}

static void hand_over(struct kp_service *s, kp_arrivals *arrivals)
{
    for (size_t i = 0; i < s->n; i++) {
        arrivals->count += s->heard[i].messages;
        arrivals->bytes += s->heard[i].payload;
    }
    arrivals->rounds = s->rounds;
    arrivals->word_rounds = s->word_rounds;
    arrivals->data = s->arrived;
    s->arrived = NULL;
}

int kp_route(kp_group *group, const kp_parcel *parcels, size_t count, kp_arrivals *arrivals,
             const kp_route_hints *hints)
{
    struct kp_service s = {.member = group};
    int status = kp_member_enter(group);
    if (arrivals)
        *arrivals = (kp_arrivals){.data = NULL};
    if (status)
        return status;
    s.site = kp_port_site(group);
    s.n = (size_t)kp_port_size(group);
    s.rank = kp_port_rank(group);
    s.parcels = parcels;
    s.count = count;
    if (hints)
        s.hints = *hints;
    /* `meet` calls kp_member_leave. The collectives that are called after it call kp_member_enter
     * and kp_member_leave themselves. */
    status = meet(&s);
    if (!status)
        status = announce(&s, arrivals);
    if (!status)
        status = kp_service_rounds(&s);
    if (!status)
        hand_over(&s, arrivals);
    if (!status && s.untaken.status) {
        *kp_error_slot() = s.untaken;
        status = kp_port_keep_error(group);
    }
    kp_service_end(&s);
    return status;
}
