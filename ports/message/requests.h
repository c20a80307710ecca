/* The requests of messages: a send, a receive, and a probe that waits. */
#ifndef KPORT_PORTS_MESSAGE_REQUESTS_H
#define KPORT_PORTS_MESSAGE_REQUESTS_H

#include "kport/message.h"
#include "ports/member.h"
#include "ports/message/links.h"
#include "ports/message/messages.h"

/* A send. */
struct kp_send {
    kp_request request; /* first */
    struct kp_outgoing_message sending;
    struct kp_messages *own;
    struct kp_send *next; /* the next send that waits for room in the ring */
    bool queued;
};

/* A receive, or a probe that waits. The fields that most receives use lie together, as many of them
 * may be posted. */
struct kp_receive {
    kp_request request; /* first */
    struct kp_messages *own;
    kp_message_status *status;     /* the caller's place, or NULL */
    struct kp_receiving receiving; /* of a probe only its source and tag */
    struct kp_envelope apart;      /* what is found, if the caller has no place for it */
};

extern const struct kp_request_row kp_send_row, kp_receive_row, kp_probe_row;

static inline const struct kp_send *kp_send_of(const kp_request *request)
{
    return (const struct kp_send *)request;
}

/* Tries to send a message without waiting and without a request. Returns whether it is sent, with
 * `what->status`. Otherwise the caller starts a request (kp_send_fill, kp_request_begin). */
bool kp_send_try(struct kp_messages *own, struct kp_outgoing_message *what);

static inline void kp_send_fill(struct kp_send *send, struct kp_messages *own,
                                const struct kp_outgoing_message *what)
{
    send->request.row = &kp_send_row;
    send->request.member = own->member;
    send->request.holds = false;
    send->sending = *what;
    send->own = own;
    send->queued = false;
}

/* The first send that waits for room in a ring has become another one. */
void kp_send_rouse_first(struct kp_link *link);

/* Tries to send, and starts the request, which may have ended. */
void kp_send_begin(struct kp_send *send);

static inline void kp_receive_fill(struct kp_receive *receive, struct kp_messages *own,
                                   const struct kp_incoming_message *what)
{
    receive->request.row = &kp_receive_row;
    receive->request.member = own->member;
    receive->request.holds = false;
    receive->receiving.match.source = what->from;
    receive->receiving.match.tag = what->tag;
    receive->receiving.data = what->data;
    receive->receiving.room = what->bytes;
    receive->receiving.typed = what->typed;
    receive->receiving.found = what->found ? what->found : &receive->apart;
    receive->own = own;
    receive->status = what->status;
}

/* A request that may outlive its call holds the layout of its data. */
static inline void kp_message_hold(kp_request *request, const struct kp_typed *typed)
{
    kp_typed_hold(typed);
    request->holds = kp_is_typed(typed);
}

/* Tries to end a receive by a message that has come before. `looks` says how often the receive may
 * look for the next message of its source. Returns whether it has its message. A receive that has
 * none is posted, and the caller starts the request. */
bool kp_receive_try(struct kp_receive *receive, int looks);

/* Returns whether a receive that has got its message ends without an error. */
bool kp_receive_is_right(const struct kp_receive *receive);

/* Starts a receive as a request. If `soon`, one that ends at once without an error has no request.
 * Returns 0 or the error's status. */
int kp_receive_make(struct kp_messages *own, const struct kp_incoming_message *what, bool soon,
                    kp_request **request);

/* Reports that there is no memory for a request. */
int kp_message_no_request(kp_group *member);

/* Begins the request of a receive. `has_come` is what kp_receive_try has returned. */
void kp_receive_begin(struct kp_receive *receive, bool has_come);

/* Takes a posted receive out, which ends without a message. */
void kp_receive_unpost(struct kp_receive *receive);

/* Ends a receive that has got its message: stores the status. Returns 0, KP_ELENGTH if the message
 * is too long, or KP_EMISMATCH if it has another sequence of elements. */
int kp_receive_end(struct kp_receive *receive);

/* Takes what has come, and looks for a message from `source` with `tag`. Returns 0, and the message
 * or NULL, or KP_EMEMORY, with an error set. */
int kp_message_find(struct kp_messages *own, int source, int tag, struct kp_message **message);

/* Stores what is known of a message in the caller's place, which may be NULL. */
void kp_message_store(kp_message_status *status, int source, int tag, size_t bytes);

#endif
