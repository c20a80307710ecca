/* A member's data for rounds by mailboxes. mail_make.c makes it, and mail.c uses it. */
#ifndef KPORT_PORTS_MAIL_DATA_H
#define KPORT_PORTS_MAIL_DATA_H

#include "ports/fail/history.h"
#include "ports/shared.h"
#include "ports/sync/awaited.h"
#include "ports/sync/mailbox.h"

struct kp_mail {
    struct kp_wait_word bell; /* the word that the member sleeps on */

    /* Others look at this line for every message. Nothing else lies here, because a core keeps its
     * copy of the line until somebody writes there. */
    alignas(KP_CACHE_LINE) struct kp_mailbox *boxes; /* generations x ports boxes */
    char *buffers;
    char *long_buffers;    /* written before the first message that lies there is posted */
    _Atomic uint32_t gone; /* 1: the member has ended, and posts and takes no more */

    /* Others look here seldom, and the member writes here in every call. */
    alignas(KP_CACHE_LINE) struct kp_awaited awaited;
    _Atomic uint32_t reading; /* 1: the member may be reading another member's memory */
    /* The member waits until the box `wants` holds the number `wanted`. The member at rank
     * `wants_of` is to post or take there. These words are valid from the first look in vain until
     * the waiting member goes on, or has reported that it gives up. */
    _Atomic(const struct kp_mailbox *) wants;
    _Atomic uint32_t wanted;
    _Atomic int32_t wants_of; /* the rank that is to act, or KP_NOBODY */

    /* Only the member itself uses what follows. */
    uint32_t number; /* the number of the current round, never 0 in a round */
    int lent;        /* the generation whose messages lie in own memory, or -1 */
    uint64_t mark;   /* a hash of all calls so far, in order */
    int peer;        /* the rank that is waited for */
    struct kp_waiter waiter;
    struct kp_history history;
    kp_error_record why; /* the reason why the member is gone, written before `gone` */
    int used[];          /* for each generation, how many ports may have a message in it */
};

/* Returns whether others sleep until that processor posts or takes. */
bool kp_mail_is_awaited(const struct kp_shared *shared, int processor);

#endif
