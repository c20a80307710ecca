/* A member's data for rounds by mailboxes (mail.h). mail_make.c makes this data, and mail.c uses
 * it. */
#ifndef KPORT_PORTS_MAIL_DATA_H
#define KPORT_PORTS_MAIL_DATA_H

#include "ports/fail/history.h"
#include "ports/shared.h"
#include "ports/sync/awaited.h"
#include "ports/sync/mailbox.h"

struct kp_mail {
    /* Other members read this cache line for every message. Nothing else lies here, because each
     * reader's core keeps a copy of the line until some thread writes to the line. */
    alignas(KP_CACHE_LINE) struct kp_mailbox *boxes; /* a box for each generation and port */
    char *buffers;         /* the eager buffers, one for each generation */
    char *long_buffers;    /* NULL, or the long eager buffers; set before a message lies there */
    _Atomic uint32_t gone; /* 1: the member posts and takes no more */

    /* Other members read this line seldom, and the member writes to it in every call. */
    alignas(KP_CACHE_LINE) struct kp_awaited awaited;
    _Atomic uint32_t reading; /* 1: the member may be reading another member's memory */
    /* The member waits until the box `wants` holds the message of round `wanted`, or, if `wanted`
     * is 0, until the box is empty. The member with rank `wants_of` is to post that message, or to
     * take the one in the box. These three fields are valid while the member waits, and until it
     * has reported that it gives up. */
    _Atomic(const struct kp_mailbox *) wants;
    _Atomic uint32_t wanted;
    _Atomic int32_t wants_of; /* the rank of the member that is to act, or KP_NOBODY */

    /* Only the member itself uses the fields below, except for `history` and `why`. */
    uint32_t number; /* the number of the current round; 0 before the first round */
    int lent;        /* the generation whose messages lie in the member's own memory, or -1 */
    uint64_t mark;   /* a hash of all calls so far, in their order */
    int peer;        /* the rank of the member that this member waits for */
    struct kp_waiter waiter;
    struct kp_history history;
    kp_error_record why; /* why the member posts no more; written before `gone` */
    int used[];          /* by generation, 1 + the highest port whose box may hold a message */
};

/* Returns whether other members sleep until the processor's member posts or takes a message. */
bool kp_mail_is_awaited(const struct kp_shared *shared, int processor);

#endif
