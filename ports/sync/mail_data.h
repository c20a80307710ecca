/* What a member keeps its rounds with where the mailboxes do (mail.c; mail_make.c makes it). */
#ifndef KPORT_PORTS_MAIL_DATA_H
#define KPORT_PORTS_MAIL_DATA_H

#include "ports/fail/history.h"
#include "ports/shared.h"
#include "ports/sync/awaited.h"
#include "ports/sync/mailbox.h"

struct kp_mail {
    struct kp_wait_word bell; /* what its member sleeps on */

    /* What others look at for every message; nothing else is here, as their copies of the line last
     * until it is written. */
    alignas(KP_CACHE_LINE) struct kp_mailbox *boxes; /* generations x ports */
    char *buffers;
    char *long_buffers;    /* written before the first message that lies there is posted */
    _Atomic uint32_t gone; /* 1: it has ended, and posts and takes no more */

    /* What others look at seldom, and its member writes in every call. */
    alignas(KP_CACHE_LINE) struct kp_awaited awaited;
    _Atomic uint32_t reading; /* 1: it may be in another member's memory */
    /* What it waits for, from the first look in vain until it goes on, or has told that it gives
     * up: that this box holds that number, which is for the member at that rank to do. */
    _Atomic(const struct kp_mailbox *) wants;
    _Atomic uint32_t wanted;
    _Atomic int32_t wants_of; /* or KP_NOBODY */

    /* What is its member's alone. */
    uint32_t number; /* of the current round; never 0 in a round */
    int described;   /* generation with messages in own memory, or -1 */
    uint64_t mark;   /* of all calls so far, in order */
    int peer;        /* who is waited for */
    struct kp_waiter waiter;
    struct kp_history history;
    kp_error_record why; /* it has gone; written before `gone` */
    int used[];          /* by generation: ports from 0 that may have a message in it */
};

/* Whether others sleep until that processor posts or takes. */
bool kp_mail_is_awaited(const struct kp_shared *shared, int processor);

#endif
