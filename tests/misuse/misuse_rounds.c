/* Misuse of the calls that make a single round: kp_exchange, kp_send_recv and kp_route. */
#include "tests/misuse/misuse.h"

#include <stdint.h>

/* --- kp_exchange, in a ring --- */

struct round {
    kp_outgoing out[3];
    kp_incoming in[3];
    int outs, ins;
};

/* Returns the round of a ring: every processor sends to the next processor and receives from the
 * previous one. */
static struct round ring_of(struct scene *s)
{
    int me = kp_rank(s->group), next = (me + 1) % MEMBERS, last = (me + 2) % MEMBERS;
    return (struct round){.out = {{0, next, s->out, 8}, {1, last, s->out + 1, 8}},
                          .in = {{0, last, s->in, 8, 0}, {1, next, s->in + 1, 8, 0}},
                          .outs = 1,
                          .ins = 1};
}

static int exchange(struct scene *s, void (*spoil)(struct round *r))
{
    struct round r = ring_of(s);
    if (s->wrong)
        spoil(&r);
    return kp_exchange(s->group, r.out, r.outs, r.in, r.ins);
}

#define ROUND(name, ...)                                                                           \
    static void spoil_##name(struct round *r)                                                      \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    static int name(struct scene *s)                                                               \
    {                                                                                              \
        return exchange(s, spoil_##name);                                                          \
    }

static int exchange_group_null(struct scene *s)
{
    return s->wrong ? kp_exchange(NULL, NULL, 0, NULL, 0) : KP_OK;
}

static int out_array_null(struct scene *s)
{
    struct round r = ring_of(s);
    return kp_exchange(s->group, s->wrong ? NULL : r.out, r.outs, r.in, r.ins);
}

static int in_array_null(struct scene *s)
{
    struct round r = ring_of(s);
    return kp_exchange(s->group, r.out, r.outs, s->wrong ? NULL : r.in, r.ins);
}

ROUND(too_many_out, r->outs = 3)
ROUND(negative_in, r->ins = -1)
ROUND(port_outside, r->out[0].port = 2)
ROUND(in_port_outside, r->in[0].port = -1)
ROUND(port_twice, r->outs = 2; r->out[1].port = 0)
ROUND(in_twice, r->ins = 2; r->in[1].peer = 2; r->in[1].port = 0)
ROUND(peer_outside, r->out[0].peer = 3)
ROUND(to_oneself, r->out[0].peer = 0)
ROUND(out_data_null, r->out[0].data = NULL)
ROUND(in_data_null, r->in[0].data = NULL)
ROUND(bytes_too_many, r->out[0].bytes = SIZE_MAX)
ROUND(overlap, r->in[0].data = (void *)r->out[0].data)

/* With a capacity the true length is known only when the message arrives. So kport detects only
 * then that the buffers overlap, and only the receiver gets the error. */
ROUND(capacity_overlaps, r->in[0].up_to = 1; r->in[0].bytes = SIZE_MAX;
      r->in[0].data = (void *)r->out[0].data)

/* --- kp_send_recv --- */

struct sent {
    const void *out;
    size_t out_bytes;
    int to;
    void *in;
    size_t in_bytes;
    int from;
};

static int send_recv(struct scene *s, void (*spoil)(struct sent *x))
{
    int me = kp_rank(s->group);
    struct sent x = {s->out, 8, (me + 1) % MEMBERS, s->in, 8, (me + 2) % MEMBERS};
    if (s->wrong)
        spoil(&x);
    return kp_send_recv(s->group, x.out, x.out_bytes, x.to, x.in, x.in_bytes, x.from);
}

#define SENT(name, ...)                                                                            \
    static void spoil_##name(struct sent *x)                                                       \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    static int name(struct scene *s)                                                               \
    {                                                                                              \
        return send_recv(s, spoil_##name);                                                         \
    }

static int send_group_null(struct scene *s)
{
    return s->wrong ? kp_send_recv(NULL, NULL, 0, -1, NULL, 0, -1) : KP_OK;
}

SENT(to_outside, x->to = 3)
SENT(from_outside, x->from = -2)
SENT(only_to_oneself, x->to = 0)
SENT(self_null, x->to = x->from = 0; x->out = NULL)
SENT(self_too_long, x->to = x->from = 0; x->in_bytes = SIZE_MAX)
SENT(sent_null, x->out = NULL)
SENT(received_null, x->in = NULL)
SENT(sent_too_long, x->out_bytes = SIZE_MAX; x->in_bytes = 0; x->from = -1)
SENT(sent_overlaps, x->in = (void *)x->out)

/* --- kp_route: every processor sends to the next one --- */

static int route(struct scene *s, void (*spoil)(kp_parcel *p, size_t *count, kp_route_hints *hints))
{
    int me = kp_rank(s->group);
    kp_parcel parcel = {(me + 1) % MEMBERS, s->out, 8};
    kp_route_hints hints = {.protocol = NULL};
    kp_arrivals arrivals;
    size_t count = 1;
    if (s->wrong)
        spoil(&parcel, &count, &hints);
    int status = kp_route(s->group, &parcel, count, &arrivals, &hints);
    kp_error_record said = *kp_last_error();
    kp_route_free(&arrivals);
    *(kp_error_record *)kp_last_error() = said;
    return status;
}

#define ROUTED(name, ...)                                                                          \
    static void spoil_##name(kp_parcel *p, size_t *count, kp_route_hints *hints)                   \
    {                                                                                              \
        (void)p, (void)count, (void)hints;                                                         \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    static int name(struct scene *s)                                                               \
    {                                                                                              \
        return route(s, spoil_##name);                                                             \
    }

ROUTED(parcel_outside, p->to = 3)
ROUTED(parcel_null, p->data = NULL)
ROUTED(parcel_too_long, p->bytes = SIZE_MAX)
ROUTED(no_protocol, hints->protocol = "magic")
ROUTED(packet_too_long, hints->packet_bytes = SIZE_MAX)

static int route_group_null(struct scene *s)
{
    kp_arrivals arrivals;
    return s->wrong ? kp_route(NULL, NULL, 0, &arrivals, NULL) : KP_OK;
}

static int parcels_null(struct scene *s)
{
    kp_arrivals arrivals;
    return kp_route(s->group, NULL, s->wrong, &arrivals, NULL);
}

static int arrivals_null(struct scene *s)
{
    kp_arrivals arrivals;
    return kp_route(s->group, NULL, 0, s->wrong ? NULL : &arrivals, NULL);
}

static int next_null(void)
{
    kp_arrivals arrivals = {.count = 0};
    kp_arrival arrival = {.source = 0};
    return misuse_told(kp_route_next(NULL, &arrival) == 0 && kp_route_next(&arrivals, NULL) == 0);
}

const struct misuse misuses_of_rounds[] = {
    {"`kp_exchange`", "`group` is NULL", KP_EARGUMENT,
     "the group is NULL; it must be kp_world's, or what kp_group_create made",
     .among = exchange_group_null},
    {"`kp_exchange`", "`out` is NULL, with messages", KP_EARGUMENT,
     "round 0, processor 0: out is NULL with 1 messages; only with 0 messages it may be NULL",
     .among = out_array_null, .others = KP_EPEER},
    {"`kp_exchange`", "`in` is NULL, with messages", KP_EARGUMENT,
     "round 0, processor 0: in is NULL with 1 messages; only with 0 messages it may be NULL",
     .among = in_array_null, .others = KP_EPEER},
    {"`kp_exchange`", "more than k messages", KP_EPORT,
     "round 0, processor 0: 3 messages out and 1 in; with 2 ports each may be 0 ... 2",
     .among = too_many_out, .others = KP_EPEER},
    {"`kp_exchange`", "less than none", KP_EPORT,
     "round 0, processor 0: 1 messages out and -1 in; with 2 ports each may be 0 ... 2",
     .among = negative_in, .others = KP_EPEER},
    {"`kp_exchange`", "no own port", KP_EPORT,
     "round 0, processor 0: out[0].port is 2; it may be 0 ... 1", .among = port_outside,
     .others = KP_EPEER},
    {"`kp_exchange`", "no port of the sender", KP_EPORT,
     "round 0, processor 0: in[0].port is -1; it may be 0 ... 1", .among = in_port_outside,
     .others = KP_EPEER},
    {"`kp_exchange`", "a port twice", KP_EPORT,
     "round 0, processor 0: port 0 is used twice, the second time by out[1] to rank 2",
     .among = port_twice, .others = KP_EPEER},
    {"`kp_exchange`", "one message in two places", KP_EPORT,
     "round 0, processor 0: in[1] names port 0 of rank 2 a second time; a message is taken once",
     .among = in_twice, .others = KP_EPEER},
    {"`kp_exchange`", "`peer` is no rank", KP_EARGUMENT,
     "round 0, processor 0, port 0: out[0].peer is 3; it may be 0 ... 2, not the own rank 0",
     .among = peer_outside, .others = KP_EPEER},
    {"`kp_exchange`", "`peer` is oneself", KP_EARGUMENT,
     "round 0, processor 0, port 0: out[0].peer is 0; it may be 0 ... 2, not the own rank 0",
     .among = to_oneself, .others = KP_EPEER},
    {"`kp_exchange`", "`data` is NULL, with bytes to send", KP_EARGUMENT,
     "round 0, processor 0, port 0: out[0].data is NULL with 8 bytes; only with 0 bytes it may be "
     "NULL",
     .among = out_data_null, .others = KP_EPEER},
    {"`kp_exchange`", "`data` is NULL, with bytes to come", KP_EARGUMENT,
     "round 0, processor 0, port 0: in[0].data is NULL with 8 bytes; only with 0 bytes it may be "
     "NULL",
     .among = in_data_null, .others = KP_EPEER},
    {"`kp_exchange`", "`bytes` is more than memory can hold", KP_EARGUMENT,
     "round 0, processor 0, port 0: out[0].bytes is 18446744073709551615; it may be 0 ... "
     "9223372036854775807",
     .among = bytes_too_many, .others = KP_EPEER},
    {"`kp_exchange`", "what comes in overlaps what is sent", KP_EARGUMENT,
     "round 0, processor 0, port 0: in[0] (8 bytes) and out[0] (8 bytes) overlap; what comes in "
     "may overlap nothing that is sent",
     .among = overlap, .others = KP_EPEER},
    {"`kp_exchange`", "the same with a capacity; the others' round was done", KP_EARGUMENT,
     "round 0, processor 0, port 0: in[0] (8 bytes) and out[0] (8 bytes) overlap; what comes in "
     "may overlap nothing that is sent",
     .among = capacity_overlaps},
    {"`kp_send_recv`", "`group` is NULL", KP_EARGUMENT,
     "the group is NULL; it must be kp_world's, or what kp_group_create made",
     .among = send_group_null},
    {"`kp_send_recv`", "`to` is no rank", KP_EARGUMENT, "to is 3; it may be -1 ... 2",
     .among = to_outside, .others = KP_EPEER},
    {"`kp_send_recv`", "`from` is no rank", KP_EARGUMENT, "from is -2; it may be -1 ... 2",
     .among = from_outside, .others = KP_EPEER},
    {"`kp_send_recv`", "one of `to` and `from` is oneself", KP_EARGUMENT,
     "to is 0 and from is 2; one of them may be the own rank 0 only if both are",
     .among = only_to_oneself, .others = KP_EPEER},
    {"`kp_send_recv`", "to oneself, `out` or `in` is NULL", KP_EARGUMENT,
     "out is NULL with 8 bytes; only with 0 bytes it may be NULL", .among = self_null,
     .others = KP_EPEER},
    {"`kp_send_recv`", "to oneself, more than memory can hold", KP_EARGUMENT,
     "in_bytes is 18446744073709551615; it may be 0 ... 9223372036854775807",
     .among = self_too_long, .others = KP_EPEER},
    {"`kp_send_recv`", "`out` is NULL, with bytes to send", KP_EARGUMENT,
     "round 0, processor 0, port 0: out[0].data is NULL with 8 bytes; only with 0 bytes it may be "
     "NULL",
     .among = sent_null, .others = KP_EPEER},
    {"`kp_send_recv`", "`in` is NULL, with bytes to come", KP_EARGUMENT,
     "round 0, processor 0, port 0: in[0].data is NULL with 8 bytes; only with 0 bytes it may be "
     "NULL",
     .among = received_null, .others = KP_EPEER},
    {"`kp_send_recv`", "more than memory can hold", KP_EARGUMENT,
     "round 0, processor 0, port 0: out[0].bytes is 18446744073709551615; it may be 0 ... "
     "9223372036854775807",
     .among = sent_too_long, .others = KP_EPEER},
    {"`kp_send_recv`", "`out` and `in` overlap", KP_EARGUMENT, "out and in overlap (8 and 8 bytes)",
     .among = sent_overlaps, .others = KP_EPEER},
    {"`kp_route`", "`group` is NULL", KP_EARGUMENT,
     "the group is NULL; it must be kp_world's, or what kp_group_create made",
     .among = route_group_null},
    {"`kp_route`", "`parcels` is NULL, with messages", KP_EARGUMENT,
     "parcels is NULL, but count is 1", .among = parcels_null, .others = KP_EPEER},
    {"`kp_route`", "`arrivals` is NULL", KP_EARGUMENT, "arrivals is NULL", .among = arrivals_null,
     .others = KP_EPEER},
    {"`kp_route`", "`to` is no rank", KP_EARGUMENT,
     "message 0 is for rank 3, which is not in the group", .among = parcel_outside,
     .others = KP_EPEER},
    {"`kp_route`", "`data` is NULL, with bytes to send", KP_EARGUMENT,
     "message 0 has 8 bytes, but its data is NULL", .among = parcel_null, .others = KP_EPEER},
    {"`kp_route`", "`bytes` is more than memory can hold", KP_EARGUMENT,
     "message 0 has 18446744073709551615 bytes; with those before it that is more than memory can "
     "hold",
     .among = parcel_too_long, .others = KP_EPEER},
    {"`kp_route`", "`protocol` is none", KP_EARGUMENT,
     "the protocol is none that kp_protocol_name knows", .among = no_protocol, .others = KP_EPEER},
    {"`kp_route`", "`packet_bytes` is too much", KP_EARGUMENT,
     "packet_bytes is 18446744073709551615; it may be up to 1073741824", .among = packet_too_long,
     .others = KP_EPEER},
    {"`kp_route_next`, which returns 0", "`arrivals` or `arrival` is NULL", KP_EARGUMENT,
     "arrival is NULL; it must be a place to go on from", .alone = next_null},
    {NULL}};
