/* The public functions for messages with tags: arguments, and calls that end at once. Others become
 * requests (send.c, receive.c). */
#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/message/requests.h"
#include "ports/message/short.h"

#include <limits.h>
#include <stdarg.h>

/* --- Arguments --- */

/* Refuses an argument. The sentence names the processor and the place of its call. */
static int refuse(kp_group *member, int peer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int refuse(kp_group *member, int peer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    kp_set_error_of(KP_EARGUMENT, format, arguments);
    va_end(arguments);
    kp_error_slot()->peer = kp_member_processor(member, peer);
    kp_proc_keep_error(member->self);
    return kp_proc_say_call(member->self, NULL);
}

static int check_memory(kp_group *member, const void *data, size_t bytes, bool capacity)
{
    if (bytes > 0 && !data)
        return refuse(member, -1, "data is NULL with %zu bytes; only with 0 bytes it may be NULL",
                      bytes);
    if (bytes > PTRDIFF_MAX && !capacity)
        return refuse(member, -1, "bytes is %zu; it may be 0 ... %zu", bytes, (size_t)PTRDIFF_MAX);
    return KP_OK;
}

static int refuse_send(kp_group *member, const void *data, size_t bytes, int to, int tag)
{
    const int last = member->shared->size - 1;
    if (to < 0 || to > last)
        return refuse(member, to, "to is %d; it may be 0 ... %d", to, last);
    if (tag < 0)
        return refuse(member, to, "tag is %d; a message's tag may be 0 ... %d", tag, INT_MAX);
    return check_memory(member, data, bytes, false);
}

/* Most arguments are right. `refuse_send` and `refuse_receive` look closer at the others. */
static inline int check_send(kp_group *member, const void *data, size_t bytes, int to, int tag)
{
    return to >= 0 && to < member->shared->size && tag >= 0 && data && bytes <= PTRDIFF_MAX
               ? KP_OK
               : refuse_send(member, data, bytes, to, tag);
}

static int check_wanted(kp_group *member, int from, int tag)
{
    const int last = member->shared->size - 1;
    if (from < KP_ANY_SOURCE || from > last)
        return refuse(member, -1, "from is %d; it may be 0 ... %d, or %d (KP_ANY_SOURCE)", from,
                      last, KP_ANY_SOURCE);
    if (tag < KP_ANY_TAG)
        return refuse(member, from, "tag is %d; it may be 0 ... %d, or %d (KP_ANY_TAG)", tag,
                      INT_MAX, KP_ANY_TAG);
    return KP_OK;
}

static int refuse_receive(kp_group *member, const void *data, size_t bytes, int from, int tag)
{
    int status = check_wanted(member, from, tag);
    return status ? status : check_memory(member, data, bytes, true);
}

static inline int check_receive(kp_group *member, const void *data, size_t bytes, int from, int tag)
{
    return from >= 0 && from < member->shared->size && tag >= 0 && data
               ? KP_OK
               : refuse_receive(member, data, bytes, from, tag);
}

/* Finds the member's data for messages. Returns 0 or the error's status. */
static inline int find_own(kp_group *member, struct kp_messages **own)
{
    *own = kp_messages_of(member);
    return *own ? KP_OK : member->self->error.status;
}

/* --- Requests --- */

static void fill_probe(struct kp_receive *probe, struct kp_messages *own, int from, int tag,
                       kp_message_status *found)
{
    kp_receive_fill(probe, own,
                    &(struct kp_incoming_message){.from = from, .tag = tag, .status = found});
    probe->request.row = &kp_probe_row;
}

int kp_message_no_request(kp_group *member)
{
    return kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for a request");
}

/* In a trace, each message is a request. */
static int carry_out_send(struct kp_messages *own, struct kp_outgoing_message *what)
{
    struct kp_send send;
    const bool traced = kp_member_is_traced(own->member);
    if (!traced && kp_send_try(own, what))
        return what->status;
    kp_send_fill(&send, own, what);
    if (traced)
        kp_send_begin(&send);
    else
        kp_request_begin(&send.request);
    return kp_request_await(&send.request);
}

/* A processor with a core of its own looks for its message for a while, before it posts the
 * receive. It does not if it has requests, as these have to go on. */
static int looks_of(const kp_group *member)
{
    const struct kp_carrier_row *carrier = member->self->machine->carrier;
    if (kp_requests_go_on(member))
        return 0;
    return carrier->looks ? carrier->looks(member->self) : member->waiter.spins;
}

static int carry_out_receive(struct kp_receive *receive)
{
    kp_group *member = receive->own->member;
    const bool has_come = kp_receive_try(receive, looks_of(member));
    if (has_come && kp_member_is_traced(member)) {
        kp_receive_begin(receive, true);
        return kp_request_await(&receive->request);
    }
    return has_come ? kp_receive_end(receive) : kp_request_carry_out(&receive->request);
}

/* --- Public functions --- */

static int send_entered(kp_group *group, struct kp_outgoing_message *what)
{
    struct kp_messages *own;
    int status = check_send(group, what->data, what->bytes, what->to, what->tag);
    if (!status && !(status = find_own(group, &own)))
        status = carry_out_send(own, what);
    return status;
}

/* This is a separate function, as is receive_now, so that a call of the usual kind saves no
 * registers for it. */
static __attribute__((noinline)) int send_now(kp_group *group, const void *data, size_t bytes,
                                              int to, int tag)
{
    struct kp_outgoing_message what = {.data = data, .bytes = bytes, .to = to, .tag = tag};
    int status = kp_member_enter(group);
    return status ? status : kp_member_leave(group, send_entered(group, &what));
}

/* Sends a message of the usual kind through a ring, which is at hand (kp_link_for_short). Returns
 * the site of the call. */
static inline struct kp_site send_short(kp_proc *self, struct kp_link *link, const void *data,
                                        size_t bytes, int tag, uint32_t note)
{
    kp_proc_enter(self);
    const struct kp_site site = {atomic_load_explicit(&self->file, KP_ORDER_NOTE),
                                 atomic_load_explicit(&self->line, KP_ORDER_NOTE)};
    kp_link_count(link, bytes + KP_MESSAGE_OVERHEAD);
    kp_link_post_short(link, data, bytes, tag, note, site);
    kp_request_notify(link->receiver);
    kp_messages_leave_short(self);
    return site;
}

/* Returns the ring for a message of the usual kind, or NULL if it is another kind of message. */
static inline struct kp_link *link_at_hand(kp_group *group, const void *data, size_t bytes, int to,
                                           int tag)
{
    struct kp_messages *own = kp_messages_for_short(group);
    return own && tag >= 0 && data ? kp_link_for_short(own, to, bytes) : NULL;
}

int kp_send(kp_group *group, const void *data, size_t bytes, int to, int tag)
{
    struct kp_link *link = link_at_hand(group, data, bytes, to, tag);
    if (!link)
        return send_now(group, data, bytes, to, tag);
    (void)send_short(group->self, link, data, bytes, tag, 0);
    return KP_OK;
}

static inline int prepare_receive(kp_group *group, const struct kp_incoming_message *what,
                                  struct kp_messages **own)
{
    int status = check_receive(group, what->data, what->bytes, what->from, what->tag);
    return status ? status : find_own(group, own);
}

static int receive_entered(kp_group *group, const struct kp_incoming_message *what)
{
    struct kp_messages *own;
    struct kp_receive receive;
    int status = prepare_receive(group, what, &own);
    if (!status) {
        kp_receive_fill(&receive, own, what);
        status = carry_out_receive(&receive);
    }
    return status;
}

static __attribute__((noinline)) int receive_now(kp_group *group, void *data, size_t bytes,
                                                 int from, int tag, kp_message_status *found)
{
    const struct kp_incoming_message what = {
        .data = data, .bytes = bytes, .from = from, .tag = tag, .status = found};
    int status = kp_member_enter(group);
    return status ? status : kp_member_leave(group, receive_entered(group, &what));
}

static __attribute__((noinline)) bool comes_soon(const struct kp_messages *own,
                                                 const struct kp_ring_slot *slot)
{
    return kp_link_look_on(own, slot, looks_of(own->member)) != KP_RING_EMPTY;
}

/* Receives a message of the usual kind. If it `waits`, looks for it for a while. Returns whether
 * the message has come and is received. */
static inline bool receive_short(kp_proc *self, struct kp_messages *own,
                                 const struct kp_incoming_message *what, bool waits)
{
    if (what->tag < 0 || !what->data ||
        own->matching.posted_count + own->matching.unexpected_count > 0)
        return false;
    struct kp_link *link = kp_link_known(&own->sources, what->from);
    if (!link)
        return false;
    struct kp_ring_slot *slot = kp_link_tail(link);
    const bool kept = kp_ring_look(slot) != KP_RING_EMPTY;
    if (!kept && !(waits && comes_soon(own, slot)))
        return false;
    const enum kp_ring_kind kind = kp_ring_look(slot);
    const struct kp_ring_message it = kp_ring_message(slot, kind);
    if (kind == KP_RING_OBJECT || slot->tag != what->tag || it.bytes > what->bytes)
        return false;
    kp_proc_enter(self);
    kp_copy_short(what->data, it.data, it.bytes);
    if (what->status)
        *what->status = (kp_message_status){what->from, what->tag, it.bytes};
    if (what->found)
        *what->found = (struct kp_envelope){.source = what->from,
                                            .tag = what->tag,
                                            .note = slot->note,
                                            .kept = kept,
                                            .bytes = it.bytes,
                                            .site = {slot->file, slot->line}};
    kp_link_count_received(link, it.bytes + KP_MESSAGE_OVERHEAD);
    kp_link_empty(link, slot);
    kp_link_announce_room(link);
    kp_messages_leave_short(self);
    return true;
}

int kp_receive(kp_group *group, void *data, size_t bytes, int from, int tag,
               kp_message_status *found)
{
    const struct kp_incoming_message what = {
        .data = data, .bytes = bytes, .from = from, .tag = tag, .status = found};
    struct kp_messages *own = kp_messages_at_hand(group);
    if (own && receive_short(group->self, own, &what, true))
        return KP_OK;
    return receive_now(group, data, bytes, from, tag, found);
}

/* Receives while a message is on its way. If both fail, the receive's error is told. */
static int exchange(struct kp_messages *own, struct kp_outgoing_message *out,
                    struct kp_receive *receive)
{
    const bool has_come = kp_receive_try(receive, 0);
    const bool ends = has_come && !kp_member_is_traced(own->member);
    if (!ends)
        kp_receive_begin(receive, has_come);
    int sent = carry_out_send(own, out);
    int received = ends ? kp_receive_end(receive) : kp_request_await(&receive->request);
    return received ? received : sent;
}

static int exchange_entered(kp_group *group, struct kp_outgoing_message *out,
                            const struct kp_incoming_message *in)
{
    struct kp_messages *own;
    struct kp_receive receive;
    int status = check_send(group, out->data, out->bytes, out->to, out->tag);
    if (!status && !(status = prepare_receive(group, in, &own))) {
        kp_receive_fill(&receive, own, in);
        status = exchange(own, out, &receive);
    }
    return status;
}

int kp_exchange_messages(kp_group *group, const void *out, size_t out_bytes, int to, int out_tag,
                         void *in, size_t in_bytes, int from, int in_tag, kp_message_status *found)
{
    struct kp_outgoing_message sent = {.data = out, .bytes = out_bytes, .to = to, .tag = out_tag};
    const struct kp_incoming_message received = {
        .data = in, .bytes = in_bytes, .from = from, .tag = in_tag, .status = found};
    int status = kp_member_enter(group);
    return status ? status : kp_member_leave(group, exchange_entered(group, &sent, &received));
}

int kp_probe(kp_group *group, int from, int tag, kp_message_status *found)
{
    struct kp_messages *own;
    struct kp_receive probe;
    int status = kp_member_enter(group);
    if (status)
        return status;
    if (!(status = check_wanted(group, from, tag)) && !(status = find_own(group, &own))) {
        fill_probe(&probe, own, from, tag, found);
        status = kp_request_carry_out(&probe.request);
    }
    return kp_member_leave(group, status);
}

/* Looks for a message. If there is none, and none can come, returns the error's status. */
static int probe_now(struct kp_messages *own, struct kp_receive *probe, int *found)
{
    const struct kp_match *wanted = &probe->receiving.match;
    struct kp_message *message;
    const kp_error_record *why = kp_messages_end_of(own, wanted->source);
    int status = kp_message_find(own, wanted->source, wanted->tag, &message);
    *found = message != NULL;
    if (message)
        kp_message_store(probe->status, message->match.source, message->match.tag, message->bytes);
    else if (!status && why)
        status = kp_request_meets_failure(&probe->request, why);
    else if (!status)
        kp_request_yield(own->member->self);
    return status;
}

int kp_probe_now(kp_group *group, int from, int tag, int *found, kp_message_status *status_of)
{
    struct kp_messages *own;
    struct kp_receive probe;
    int status = kp_member_enter(group);
    if (status)
        return status;
    if (!found)
        status = refuse(group, -1, "found is NULL; it must be where the result goes");
    if (!status && !(status = check_wanted(group, from, tag)) &&
        !(status = find_own(group, &own))) {
        fill_probe(&probe, own, from, tag, status_of);
        status = probe_now(own, &probe, found);
    }
    return kp_member_leave(group, status);
}

static int refuse_no_place(kp_group *group)
{
    return refuse(group, -1, "request is NULL; it must be where the request goes");
}

static int send_start_entered(kp_group *group, const struct kp_outgoing_message *what,
                              kp_request **request)
{
    struct kp_messages *own;
    int status = check_send(group, what->data, what->bytes, what->to, what->tag);
    if (status || (status = find_own(group, &own)))
        return status;
    struct kp_send *send = (struct kp_send *)kp_request_make(group, &kp_send_row);
    if (!send)
        return kp_message_no_request(group);
    kp_send_fill(send, own, what);
    kp_message_hold(&send->request, &what->typed);
    if (!kp_is_typed(&what->typed))
        kp_request_watch(&send->request, what->data, what->bytes);
    kp_send_begin(send);
    if (send->request.ended && send->request.status == KP_EMEMORY) {
        kp_request_finish(&send->request, true);
        return KP_EMEMORY;
    }
    *request = &send->request;
    return KP_OK;
}

static __attribute__((noinline)) int send_later(kp_group *group, const void *data, size_t bytes,
                                                int to, int tag, kp_request **request)
{
    const struct kp_outgoing_message what = {.data = data, .bytes = bytes, .to = to, .tag = tag};
    int status = kp_member_enter(group);
    if (status)
        return status;
    status = request ? send_start_entered(group, &what, request) : refuse_no_place(group);
    return kp_member_leave(group, status);
}

int kp_send_start(kp_group *group, const void *data, size_t bytes, int to, int tag,
                  kp_request **request)
{
    struct kp_link *link = link_at_hand(group, data, bytes, to, tag);
    struct kp_send *made =
        link && request ? (struct kp_send *)kp_request_make(group, &kp_send_row) : NULL;
    if (!made)
        return send_later(group, data, bytes, to, tag, request);
    made->sending.bytes = bytes;
    made->sending.to = to;
    made->sending.tag = tag;
    kp_request_add_made_ended(&made->request, send_short(group->self, link, data, bytes, tag, 0));
    *request = &made->request;
    return KP_OK;
}

static int receive_start_entered(kp_group *group, const struct kp_incoming_message *what,
                                 kp_request **request)
{
    struct kp_messages *own;
    int status = prepare_receive(group, what, &own);
    return status ? status : kp_receive_make(own, what, false, request);
}

static int receive_later(kp_group *group, const struct kp_incoming_message *what,
                         kp_request **request)
{
    int status = kp_member_enter(group);
    if (status)
        return status;
    status = request ? receive_start_entered(group, what, request) : refuse_no_place(group);
    return kp_member_leave(group, status);
}

int kp_receive_start(kp_group *group, void *data, size_t bytes, int from, int tag,
                     kp_message_status *found, kp_request **request)
{
    const struct kp_incoming_message what = {
        .data = data, .bytes = bytes, .from = from, .tag = tag, .status = found};
    return receive_later(group, &what, request);
}

/* --- For messages with layouts (port.h) --- */

static struct kp_outgoing_message sending_of(const struct kp_typed_data *out, int to, int tag)
{
    return (struct kp_outgoing_message){
        .data = out->data, .bytes = out->bytes, .typed = out->typed, .to = to, .tag = tag};
}

static struct kp_incoming_message receiving_of(const struct kp_typed_data *in, int from, int tag,
                                               kp_message_status *found)
{
    return (struct kp_incoming_message){.data = in->data,
                                        .bytes = in->bytes,
                                        .typed = in->typed,
                                        .from = from,
                                        .tag = tag,
                                        .status = found};
}

int kp_typed_send(kp_group *member, const struct kp_typed_data *out, int to, int tag,
                  kp_request **request)
{
    struct kp_outgoing_message what = sending_of(out, to, tag);
    return request ? send_start_entered(member, &what, request) : send_entered(member, &what);
}

int kp_typed_receive(kp_group *member, const struct kp_typed_data *in, int from, int tag,
                     kp_message_status *status, kp_request **request)
{
    const struct kp_incoming_message what = receiving_of(in, from, tag, status);
    return request ? receive_start_entered(member, &what, request) : receive_entered(member, &what);
}

int kp_typed_exchange(kp_group *member, const struct kp_typed_data *out, int to, int out_tag,
                      const struct kp_typed_data *in, int from, int in_tag,
                      kp_message_status *status)
{
    struct kp_outgoing_message sent = sending_of(out, to, out_tag);
    const struct kp_incoming_message received = receiving_of(in, from, in_tag, status);
    return exchange_entered(member, &sent, &received);
}

/* --- For MPI's functions (face.h) --- */

/* Makes a request of a send that has not ended. Without memory for it the message is withdrawn. If
 * the receiver is just copying it, it is sent after all. */
static int go_on_later(struct kp_messages *own, const struct kp_outgoing_message *what,
                       kp_request **request)
{
    struct kp_send *made = (struct kp_send *)kp_request_make(own->member, &kp_send_row), rest;
    /* untaken: no test of MPI's functions runs out of memory here */
    if (!made && (!what->posted || kp_offer_withdraw(&what->offered->offer)))
        return kp_message_no_request(own->member);
    struct kp_send *send = made ? made : &rest;
    kp_send_fill(send, own, what);
    if (!made) /* untaken: nor while the receiver copies */
        return kp_request_carry_out(&send->request);
    kp_message_hold(&made->request, &what->typed);
    kp_request_begin(&made->request);
    *request = &made->request;
    return KP_OK;
}

/* A send that ends at once has no request. Without a place for one, the call waits. */
static inline int send_soon_entered(kp_group *group, struct kp_outgoing_message *what,
                                    kp_request **request)
{
    struct kp_messages *own;
    int status = check_send(group, what->data, what->bytes, what->to, what->tag);
    if (status || (status = find_own(group, &own)))
        return status;
    if (!request)
        return carry_out_send(own, what);
    if (kp_member_is_traced(group))
        return send_start_entered(group, what, request);
    return kp_send_try(own, what) ? what->status : go_on_later(own, what, request);
}

static __attribute__((noinline)) int
face_send_now(kp_group *group, struct kp_outgoing_message *message, kp_request **request)
{
    int status = kp_member_enter(group);
    return status ? status : kp_member_leave(group, send_soon_entered(group, message, request));
}

int kp_face_send(kp_group *group, struct kp_outgoing_message *message, kp_request **request)
{
    struct kp_link *link =
        message->synchronous || kp_is_typed(&message->typed)
            ? NULL
            : link_at_hand(group, message->data, message->bytes, message->to, message->tag);
    if (request)
        *request = NULL;
    if (!link)
        return face_send_now(group, message, request);
    (void)send_short(group->self, link, message->data, message->bytes, message->tag, message->note);
    return KP_OK;
}

static inline int receive_soon_entered(kp_group *group, const struct kp_incoming_message *what,
                                       kp_request **request)
{
    struct kp_messages *own;
    int status = prepare_receive(group, what, &own);
    return status ? status : kp_receive_make(own, what, true, request);
}

static __attribute__((noinline)) int
face_receive_now(kp_group *group, const struct kp_incoming_message *message, kp_request **request)
{
    int status = kp_member_enter(group);
    if (status)
        return status;
    return kp_member_leave(group, request ? receive_soon_entered(group, message, request)
                                          : receive_entered(group, message));
}

int kp_face_receive(kp_group *group, const struct kp_incoming_message *message,
                    kp_request **request)
{
    struct kp_messages *own = kp_is_typed(&message->typed) ? NULL : kp_messages_at_hand(group);
    if (request)
        *request = NULL;
    if (own && receive_short(group->self, own, message, !request))
        return KP_OK;
    return face_receive_now(group, message, request);
}
