/* Requests that the program itself ends: kport does nothing for them. */
#include "ports/error.h"
#include "ports/face.h"
#include "ports/member.h"
#include "ports/request/request.h"
#include "ports/trace/trace.h"

#include <stdatomic.h>
#include <stdio.h>

struct general {
    kp_request base;
    const char *words;
    _Atomic bool done; /* set by any thread of the rank */
};

static bool is_done(const kp_request *request)
{
    return atomic_load_explicit(&((const struct general *)request)->done, KP_ORDER_SEE_DONE);
}

static int go(kp_request *request)
{
    return is_done(request) ? KP_OK : KP_WAITS;
}

static void describe(const kp_request *request, char *text, size_t size)
{
    snprintf(text, size, "%s", ((const struct general *)request)->words);
}

static int awaits(const kp_request *request)
{
    return request->member->rank;
}

static void trace(const kp_request *request, struct kp_trace_request *what)
{
    (void)request;
    what->name = "general request";
}

static const struct kp_request_row row = {
    .go = go,
    .can_go = is_done,
    .describe = describe,
    .awaits = awaits,
    .trace = trace,
    .size = KP_REQUEST_SIZE(struct general),
};

int kp_face_general_start(kp_group *group, const char *words, kp_request **request)
{
    const int status = kp_member_enter(group);
    struct general *made = status ? NULL : (struct general *)kp_request_make(group, &row);
    if (status)
        return status;
    if (!made) {
        kp_set_error(KP_EMEMORY, "no memory for a request");
        return kp_member_leave(group, kp_proc_keep_error(group->self));
    }
    made->words = words;
    atomic_init(&made->done, false);
    kp_request_begin(&made->base);
    *request = &made->base;
    return kp_member_leave(group, KP_OK);
}

void kp_face_general_end(kp_request *request)
{
    atomic_store_explicit(&((struct general *)request)->done, true, KP_ORDER_DONE);
    kp_request_notify(request->self);
}
