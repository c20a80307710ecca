/* This header has a processor's list of its requests. request.h explains requests. */
#ifndef KPORT_PORTS_REQUEST_REQUESTS_H
#define KPORT_PORTS_REQUEST_REQUESTS_H

#include "kport/machine.h"

#include <stdbool.h>

/* A request that a processor tests in a loop, in words. */
struct kp_test_loop {
    char text[220];
    int awaited; /* the processor that the request waits for, or -1 */
};

struct kp_beside;
struct kp_request;

/* A request has memory of 64, 128, 256 ... bytes. There are this many sizes. */
#define KP_REQUEST_SIZES 8

/* The requests that a processor has started, in the order of their starts. Only the processor's own
 * thread uses the list. */
struct kp_requests {
    struct kp_request *first, *last; /* under way, or ended and not yet waited for */
    int under_way;                   /* the number of those that have not ended */
    int resting;                     /* how many of these rest (kp_request_rest) */
    int passed_over; /* in how many calls the requests have not gone on (kp_requests_at_call) */
    struct kp_request *spare[KP_REQUEST_SIZES]; /* by size: memory of ended requests, in lists */
    const struct kp_beside *beside;             /* what the processor waits for while it listens */
    const struct kp_request *awaited; /* the request that the processor waits for; for reports */
    /* What the processor tests in a loop: the request, for its own thread, and for reports the loop
     * in words, under the machine's lock. NULL: nothing. */
    const struct kp_request *tested;
    struct kp_test_loop *loop;
};

#endif
