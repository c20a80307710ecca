/* Collective calls that are started and waited for later. Each is a request on a lane of its group
 * (ports/request/lane.h), which carries out the same code as a blocking call, in steps. */
#include "kport/start.h"

#include "lib/call/call.h"
#include "lib/execute/cache.h"
#include "lib/execute/step.h"
#include "ports/member.h"

#include <stdio.h>
#include <string.h>

struct collective {
    struct kp_lane_request lane; /* comes first */
    kp_arguments arguments;
    kp_hints hints;
    struct kp_prepared *call; /* NULL until the request's turn */
    kp_problem asked;
    struct kp_step step;
};

static struct collective *of(const kp_request *request)
{
    return (struct collective *)(uintptr_t)request;
}

static void describe(const kp_request *request, char *text, size_t size)
{
    const struct collective *c = of(request);
    char place[60] = "waiting for an earlier request of its lane";
    if (c->call)
        kp_step_place(&c->step, place, sizeof place);
    kp_call_describe(&c->asked, text, size);
    const size_t length = strlen(text);
    snprintf(text + length, size - length, ", %s", request->ended ? "ended" : place);
}

/* Prepares the call when it is its turn. The lane's member keeps prepared calls as any member
 * does, and carries out one call at a time, so the call stays prepared until its end. */
static int begin(struct collective *c)
{
    kp_group *member = c->lane.request.member;
    int status = kp_lane_admit(&c->lane);
    if (status)
        return status;
    struct kp_prepared *call = kp_prepared_find(member, &c->arguments, &c->asked);
    if (!call)
        return kp_lane_refuse(c->lane.lane, kp_call_describe, &c->asked);
    char *scratch = kp_prepared_scratch(member, 0);
    char *const buffers[KP_SPACES] = {
        [KP_OUT] = (char *)c->arguments.out, [KP_IN] = c->arguments.in, [KP_SCRATCH] = scratch};
    const struct kp_spaces_of_call *spaces = &call->spaces;
    c->call = call;
    kp_step_begin(&c->step, member, call, buffers[spaces->of[0]] + spaces->offset[0],
                  buffers[spaces->of[1]] + spaces->offset[1], scratch);
    return KP_OK;
}

static int go_by(kp_request *request, int (*act)(struct kp_step *step))
{
    struct collective *c = of(request);
    if (!kp_lane_has_turn(&c->lane))
        return KP_WAITS;
    int status = c->call ? KP_OK : begin(c);
    if (!status)
        status = act(&c->step);
    return status == KP_WAITS ? KP_WAITS : kp_lane_end(&c->lane, status);
}

static int go(kp_request *request)
{
    return go_by(request, kp_step_go);
}

static int finish(kp_request *request)
{
    return go_by(request, kp_step_finish);
}

static bool can_go(const kp_request *request)
{
    const struct collective *c = of(request);
    return kp_lane_has_turn(&c->lane) && (!c->call || kp_step_can_go(&c->step));
}

static struct kp_wait_word *word(const kp_request *request)
{
    const struct collective *c = of(request);
    return c->call ? kp_step_word(&c->step) : NULL;
}

static int awaits(const kp_request *request)
{
    const struct collective *c = of(request);
    if (!kp_lane_has_turn(&c->lane))
        return kp_lane_awaits(&c->lane);
    return c->call ? kp_step_awaits(&c->step) : -1;
}

static const struct kp_request_row row = {.go = go,
                                          .can_go = can_go,
                                          .describe = describe,
                                          .finish = finish,
                                          .word = word,
                                          .awaits = awaits,
                                          .bytes = sizeof(struct collective),
                                          .size = 0};

/* --- Starting --- */

static void describe_none(const void *subject, char *text, size_t size)
{
    (void)subject;
    snprintf(text, size, "a call of no operation");
}

/* Fills in a request for a checked call. */
static void fill(struct collective *c, const kp_arguments *a, const kp_problem *asked)
{
    c->arguments = *a;
    c->asked = *asked;
    c->call = NULL;
    if (!a->hints)
        return;
    c->hints = *a->hints;
    c->arguments.hints = &c->hints;
}

static int start_entered(kp_group *group, const kp_arguments *a, kp_request **request)
{
    if (!request)
        return kp_port_error(group, KP_EARGUMENT, -1, -1, -1,
                             "request is NULL; it may be where the request goes");
    *request = NULL;
    if (!a)
        return kp_port_error(group, KP_EARGUMENT, -1, -1, -1,
                             "arguments is NULL; it may be those of a call");
    struct kp_lane *lane = kp_lane_next(group);
    if (!lane)
        return kp_port_status(group);
    if ((unsigned)a->operation >= KP_OPERATIONS) {
        kp_port_error(group, KP_EARGUMENT, -1, -1, -1, "operation is %d; it may be 0 ... %d",
                      (int)a->operation, (int)KP_OPERATIONS - 1);
        return kp_lane_refuse(lane, describe_none, NULL);
    }
    kp_problem asked = kp_call_problem(lane->member, a);
    if (kp_call_check(lane->member, a, &asked))
        return kp_lane_refuse(lane, kp_call_describe, &asked);
    struct collective *c = (struct collective *)(void *)kp_request_make(lane->member, &row);
    if (!c) {
        kp_port_error(lane->member, KP_EMEMORY, -1, -1, -1, "no memory for a request");
        return kp_lane_refuse(lane, kp_call_describe, &asked);
    }
    fill(c, a, &asked);
    *request = &c->lane.request;
    kp_lane_begin(&c->lane, lane);
    return KP_OK;
}

int kp_call_start(kp_group *group, const kp_arguments *a, kp_request **request)
{
    int status = kp_member_enter(group);
    return status ? status : kp_member_leave(group, start_entered(group, a, request));
}

int kp_index_start(kp_group *group, const void *out, void *in, size_t b, const kp_hints *hints,
                   kp_request **request)
{
    const kp_arguments a = {.operation = KP_INDEX, .out = out, .in = in, .b = b, .hints = hints};
    return kp_call_start(group, &a, request);
}

int kp_concat_start(kp_group *group, const void *out, void *in, size_t b, const kp_hints *hints,
                    kp_request **request)
{
    const kp_arguments a = {.operation = KP_CONCAT, .out = out, .in = in, .b = b, .hints = hints};
    return kp_call_start(group, &a, request);
}

int kp_broadcast_start(kp_group *group, void *data, size_t b, int root, const kp_hints *hints,
                       kp_request **request)
{
    const kp_arguments a = {
        .operation = KP_BROADCAST, .in = data, .b = b, .root = root, .hints = hints};
    return kp_call_start(group, &a, request);
}

int kp_scatter_start(kp_group *group, const void *out, void *in, size_t b, int root,
                     const kp_hints *hints, kp_request **request)
{
    const kp_arguments a = {
        .operation = KP_SCATTER, .out = out, .in = in, .b = b, .root = root, .hints = hints};
    return kp_call_start(group, &a, request);
}

int kp_gather_start(kp_group *group, const void *out, void *in, size_t b, int root,
                    const kp_hints *hints, kp_request **request)
{
    const kp_arguments a = {
        .operation = KP_GATHER, .out = out, .in = in, .b = b, .root = root, .hints = hints};
    return kp_call_start(group, &a, request);
}

int kp_one_to_one_start(kp_group *group, const void *out, void *in, size_t b, int root, int to,
                        const kp_hints *hints, kp_request **request)
{
    const kp_arguments a = {.operation = KP_ONE_TO_ONE,
                            .out = out,
                            .in = in,
                            .b = b,
                            .root = root,
                            .to = to,
                            .hints = hints};
    return kp_call_start(group, &a, request);
}

/* --- Reductions --- */

static int combine(kp_group *group, kp_operation operation, const void *out, void *in, size_t count,
                   kp_type type, const kp_operator *op, int root, const kp_hints *hints,
                   kp_request **request)
{
    const kp_arguments a = {.operation = operation,
                            .out = out,
                            .in = in,
                            .count = count,
                            .type = type,
                            .op = op,
                            .root = root,
                            .hints = hints};
    return kp_call_start(group, &a, request);
}

int kp_reduce_start(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                    const kp_operator *op, int root, const kp_hints *hints, kp_request **request)
{
    return combine(group, KP_REDUCE, out, in, count, type, op, root, hints, request);
}

int kp_allreduce_start(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                       const kp_operator *op, const kp_hints *hints, kp_request **request)
{
    return combine(group, KP_ALLREDUCE, out, in, count, type, op, 0, hints, request);
}

int kp_reduce_scatter_start(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                            const kp_operator *op, const kp_hints *hints, kp_request **request)
{
    return combine(group, KP_REDUCE_SCATTER, out, in, count, type, op, 0, hints, request);
}

int kp_scan_start(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                  const kp_operator *op, const kp_hints *hints, kp_request **request)
{
    return combine(group, KP_SCAN, out, in, count, type, op, 0, hints, request);
}

int kp_scan_exclusive_start(kp_group *group, const void *out, void *in, size_t count, kp_type type,
                            const kp_operator *op, const kp_hints *hints, kp_request **request)
{
    return combine(group, KP_SCAN_EXCLUSIVE, out, in, count, type, op, 0, hints, request);
}
