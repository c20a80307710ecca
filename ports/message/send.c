#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/message/postbox.h"
#include "ports/message/requests.h"

#include <stdio.h>

static struct kp_send *send_of(kp_request *request)
{
    return (struct kp_send *)request;
}

/* Of the sends that wait for room in a ring the first one goes on for all. The others rest until
 * they are on their way, so that many of them take no more time than one. */
static void post_first(struct kp_messages *own, struct kp_link *link)
{
    struct kp_send *first = link->waiting;
    link->waiting = first->next;
    first->sending.posted = true;
    first->sending.status = kp_link_post(own, link, &first->sending);
    if (!first->request.rests)
        return;
    if (first->sending.status || first->sending.offered)
        kp_request_rouse(&first->request);
    else
        kp_request_end(&first->request);
}

void kp_send_rouse_first(struct kp_link *link)
{
    if (link->waiting)
        kp_request_rouse(&link->waiting->request);
}

/* Puts the sends that wait for room on their way, in their order, as far as there is room. */
static void post_waiting(struct kp_messages *own, struct kp_link *link)
{
    if (!link->waiting || !kp_link_has_room(link))
        return;
    while (link->waiting && kp_link_has_room(link))
        post_first(own, link);
    kp_send_rouse_first(link);
    if (!link->waiting && link->wants) {
        kp_ring_have_room(&link->wanted);
        link->wants = false;
    }
    kp_request_notify(link->receiver);
}

static void enqueue(struct kp_send *send)
{
    struct kp_link *link = send->sending.link;
    send->next = NULL;
    *(link->waiting ? &link->last->next : &link->waiting) = send;
    link->last = send;
    send->queued = true;
}

static int no_memory(const struct kp_messages *own, const struct kp_outgoing_message *what)
{
    return kp_port_error(own->member, KP_EMEMORY, -1, -1, what->to,
                         "no memory for a message of %zu bytes to rank %d", what->bytes, what->to);
}

bool kp_send_try(struct kp_messages *own, struct kp_outgoing_message *what)
{
    struct kp_link *link = kp_link_to(own, what->to);
    what->site = kp_site_of(own->member->self);
    what->link = link;
    what->offered = NULL;
    what->posted = false;
    what->status = KP_OK;
    if (kp_messages_end_of(own, what->to) || (link && (link->waiting || !kp_link_has_room(link))))
        return false;
    what->posted = true;
    what->status = kp_link_post(own, link, what);
    if (what->status)
        return what->status = no_memory(own, what), true;
    kp_request_notify(link ? link->receiver
                           : kp_member_carrier(own->group->members[what->to].member));
    return !what->offered;
}

void kp_send_begin(struct kp_send *send)
{
    if (kp_send_try(send->own, &send->sending) && !send->sending.status)
        kp_request_add_ended(&send->request);
    else
        kp_request_begin(&send->request);
}

/* Puts the send on its way if there is room. Otherwise its receiver is told that it waits. */
static bool try_to_post(struct kp_send *send)
{
    if (!send->queued)
        enqueue(send);
    struct kp_link *link = send->sending.link;
    post_waiting(send->own, link);
    if (!send->sending.posted) {
        kp_ring_want_room(&link->wanted);
        link->wants = true;
        post_waiting(send->own, link);
    }
    return send->sending.posted;
}

/* Nobody posts in this ring any more, so each send that waits there ends by itself. */
static void rouse_all(struct kp_link *link)
{
    for (; link && link->waiting; link->waiting = link->waiting->next)
        kp_request_rouse(&link->waiting->request);
}

static int send_go(kp_request *request)
{
    struct kp_send *send = send_of(request);
    struct kp_message *offered = send->sending.offered;
    /* The look comes before the poll, which finds what a member has told before its end. */
    const kp_error_record *why = kp_messages_end_of(send->own, send->sending.to);
    if (send->own->box && offered) {
        (void)kp_postbox_poll(send->own);
        kp_postbox_go_on(send->own, offered);
    }
    if (!send->sending.posted && why) {
        rouse_all(send->sending.link);
        return kp_request_meets_failure(request, why);
    }
    if (!send->sending.posted && !try_to_post(send)) {
        if (send->sending.link->waiting != send)
            kp_request_rest(request);
        return KP_WAITS;
    }
    if (send->sending.status)
        return no_memory(send->own, &send->sending);
    offered = send->sending.offered;
    if (!offered)
        return KP_OK;
    if (kp_offer_is_taken(&offered->offer)) {
        kp_link_recycle(send->own, offered);
        return KP_OK;
    }
    /* If the receiver is just copying, the send ends when it has copied. */
    return why && kp_offer_withdraw(&offered->offer) ? kp_request_meets_failure(request, why)
                                                     : KP_WAITS;
}

static bool send_can_go(const kp_request *request)
{
    const struct kp_send *send = kp_send_of(request);
    const struct kp_message *offered = send->sending.offered;
    if (send->sending.posted ? !offered || kp_offer_is_taken(&offered->offer)
                             : kp_link_has_room(send->sending.link))
        return true;
    return kp_messages_end_of(send->own, send->sending.to);
}

static void send_describe(const kp_request *request, char *text, size_t size)
{
    const struct kp_outgoing_message *sending = &kp_send_of(request)->sending;
    snprintf(text, size, "kp_send of %zu bytes to rank %d with tag %d", sending->bytes,
             sending->to - kp_send_of(request)->own->member->named_from, sending->tag);
}

static void send_trace(const kp_request *request, struct kp_trace_request *what)
{
    const struct kp_outgoing_message *sending = &kp_send_of(request)->sending;
    *what = (struct kp_trace_request){"send", sending->to, sending->tag, sending->bytes};
}

static int send_awaits(const kp_request *request)
{
    return kp_send_of(request)->sending.to;
}

static void send_release(kp_request *request)
{
    kp_typed_let_go(&send_of(request)->sending.typed);
}

const struct kp_request_row kp_send_row = {
    .release = send_release,
    .go = send_go,
    .can_go = send_can_go,
    .describe = send_describe,
    .awaits = send_awaits,
    .trace = send_trace,
    .size = KP_REQUEST_SIZE(struct kp_send),
};
