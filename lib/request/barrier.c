/* A barrier that is started and waited for later. */
#include "kport/start.h"

#include "ports/member.h"

#include <stdio.h>

struct barrier {
    struct kp_lane_request lane; /* comes first */
};

static struct barrier *of(const kp_request *request)
{
    return (struct barrier *)(uintptr_t)request;
}

static void describe_call(const void *subject, char *text, size_t size)
{
    (void)subject;
    snprintf(text, size, "kp_barrier_start");
}

static const struct kp_call call = {UINT64_C(0x5ba221e2), describe_call, NULL};

static void describe(const kp_request *request, char *text, size_t size)
{
    (void)request;
    describe_call(NULL, text, size);
}

static int end(struct barrier *b)
{
    const int status = kp_member_await(b->lane.request.member, 0);
    return kp_lane_end(&b->lane, status);
}

static int begin(struct barrier *b)
{
    kp_group *member = b->lane.request.member;
    int status = kp_lane_admit(&b->lane);
    if (status)
        return kp_lane_end(&b->lane, status);
    kp_member_open(member, &call);
    kp_member_arrive(member);
    return KP_WAITS;
}

static int go(kp_request *request)
{
    struct barrier *b = of(request);
    if (!kp_lane_has_turn(&b->lane))
        return KP_WAITS;
    const int status = b->lane.begun ? KP_WAITS : begin(b);
    if (status != KP_WAITS || !kp_member_has_come(request->member))
        return status;
    return end(b);
}

static int finish(kp_request *request)
{
    struct barrier *b = of(request);
    const int status = b->lane.begun ? KP_WAITS : begin(b);
    return status == KP_WAITS ? end(b) : status;
}

static bool can_go(const kp_request *request)
{
    const struct barrier *b = of(request);
    return kp_lane_has_turn(&b->lane) && (!b->lane.begun || kp_member_has_come(request->member));
}

static struct kp_wait_word *word(const kp_request *request)
{
    return of(request)->lane.begun ? kp_sync_word(request->member) : NULL;
}

static int awaits(const kp_request *request)
{
    const struct barrier *b = of(request);
    return kp_lane_has_turn(&b->lane) ? kp_lane_missing(request->member) : kp_lane_awaits(&b->lane);
}

static void trace(const kp_request *request, struct kp_trace_request *what)
{
    (void)request;
    what->name = "barrier";
}

static const struct kp_request_row row = {.go = go,
                                          .trace = trace,
                                          .can_go = can_go,
                                          .describe = describe,
                                          .finish = finish,
                                          .word = word,
                                          .awaits = awaits,
                                          .size = KP_REQUEST_SIZE(struct barrier)};

static int start_entered(kp_group *group, kp_request **request)
{
    if (!request) {
        kp_port_error(group, KP_EARGUMENT, -1, -1, -1,
                      "request is NULL; it must be where the request goes");
        return kp_port_say_caller(group);
    }
    *request = NULL;
    struct kp_lane *lane = kp_lane_next(group);
    if (!lane)
        return kp_port_status(group);
    struct barrier *b = (struct barrier *)(void *)kp_request_make(lane->member, &row);
    if (!b) {
        kp_port_error(lane->member, KP_EMEMORY, -1, -1, -1, "no memory for a request");
        return kp_lane_refuse(lane, describe_call, NULL);
    }
    *request = &b->lane.request;
    kp_lane_begin(&b->lane, lane);
    return KP_OK;
}

int kp_barrier_start(kp_group *group, kp_request **request)
{
    int status = kp_member_enter(group);
    return status ? status : kp_member_leave(group, start_entered(group, request));
}
