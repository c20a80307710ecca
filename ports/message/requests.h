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
    struct kp_sending sending;
    struct kp_messages *own;
    struct kp_link *link; /* the ring; NULL: the message goes without one */
    struct kp_send *next; /* the next send that waits for room in the ring */
    bool queued, posted;
    bool holds; /* the request holds the layout of its data */
    int status; /* of kp_link_post, once it is posted */
};

/* A receive, or a probe that waits. */
struct kp_receive {
    kp_request request;            /* first */
    struct kp_receiving receiving; /* of a probe only its source and tag */
    struct kp_messages *own;
    kp_message_status *status; /* the caller's places, or NULL */
    struct kp_envelope *envelope;
    bool holds; /* the request holds the layout of its data */
};

extern const struct kp_request_row kp_send_row, kp_receive_row, kp_probe_row;

static inline const struct kp_send *kp_send_of(const kp_request *request)
{
    return (const struct kp_send *)request;
}

/* Tries to end a send without waiting and without a request. Returns whether it has ended, with
 * `send->status`. Otherwise the caller starts the request. `kp_send_begin` does both. */
bool kp_send_try(struct kp_send *send);
void kp_send_begin(struct kp_send *send);

/* Tries to end a receive by a message that has come before. `looks` says how often the receive may
 * look for the next message of its source. Returns whether it has its message. */
bool kp_receive_find(struct kp_receive *receive, int looks);

/* Does the same. A receive that does not end so is posted, and the caller starts the request. */
bool kp_receive_try(struct kp_receive *receive, int looks);

/* Returns whether a receive that has got its message ends without an error. */
bool kp_receive_is_right(const struct kp_receive *receive);

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
