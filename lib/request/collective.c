/* Collective calls that are started and waited for later. Each is a request on a lane of its group
 * (ports/request/lane.h), which carries out the same code as a blocking call, in steps. */
#include "lib/call/call.h"
#include "lib/call/laid.h"
#include "lib/call/plan.h"
#include "lib/execute/cache.h"
#include "lib/execute/step.h"
#include "lib/layout/kept.h"
#include "lib/problem/operation.h"
#include "lib/request/start.h"
#include "ports/member.h"

#include <stdio.h>
#include <string.h>

struct collective {
    struct kp_lane_request lane; /* comes first */
    kp_arguments arguments;
    kp_hints hints;
    kp_plan *plan; /* the plan whose call this is, or NULL */
    /* NULL until the request's turn, unless it had its turn at the start and the lane's member had
     * the call */
    struct kp_prepared *call;
    struct kp_step step;
};

static struct collective *of(const kp_request *request)
{
    return (struct collective *)(uintptr_t)request;
}

static void describe(const kp_request *request, char *text, size_t size)
{
    const kp_problem asked = kp_call_problem(request->member, &of(request)->arguments);
    kp_call_describe(&asked, text, size);
}

static void place(const kp_request *request, char *text, size_t size)
{
    const struct collective *c = of(request);
    if (c->lane.begun && c->call)
        kp_step_place(&c->step, text, size);
    else
        snprintf(text, size, "waiting for an earlier request of its lane");
}

static int refuse(struct kp_lane *lane, const kp_arguments *a)
{
    const kp_problem asked = kp_call_problem(lane->member, a);
    return kp_lane_refuse(lane, kp_call_describe, &asked);
}

static struct kp_prepared *find(struct collective *c, kp_group *member, char **scratch)
{
    if (c->plan)
        return kp_plan_prepared(c->plan, member, c->lane.lane->index, scratch);
    const kp_problem asked = kp_call_problem(member, &c->arguments);
    return kp_prepared_find(member, &c->arguments, &asked);
}

/* Prepares the call when it is its turn. The lane's member keeps prepared calls as any member
 * does, and carries out one call at a time, so the call stays prepared until its end. */
static int begin(struct collective *c)
{
    kp_group *member = c->lane.request.member;
    int status = kp_lane_admit(&c->lane);
    if (status)
        return status;
    char *scratch = NULL;
    struct kp_prepared *call = c->call = c->call ? c->call : find(c, member, &scratch);
    if (!call)
        return refuse(c->lane.lane, &c->arguments);
    if (!c->plan)
        scratch = kp_kept_scratch(c->lane.lane);
    char *const buffers[KP_SPACES] = {
        [KP_OUT] = (char *)c->arguments.out, [KP_IN] = c->arguments.in, [KP_SCRATCH] = scratch};
    const struct kp_spaces_of_call *spaces = &call->spaces;
    if (call->laid)
        kp_streams_publish(&call->laid->streams);
    kp_step_begin(&c->step, member, call, buffers[spaces->of[0]] + spaces->offset[0],
                  buffers[spaces->of[1]] + spaces->offset[1], scratch);
    return KP_OK;
}

static int go_by(kp_request *request, int (*act)(struct kp_step *step))
{
    struct collective *c = of(request);
    if (!kp_lane_has_turn(&c->lane))
        return KP_WAITS;
    int status = c->lane.begun ? KP_OK : begin(c);
    if (!status)
        status = act(&c->step);
    if (status == KP_WAITS)
        return KP_WAITS;
    if (c->plan)
        kp_plan_count(c->plan, -1);
    return kp_lane_end(&c->lane, status);
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
    return kp_lane_has_turn(&c->lane) && (!c->lane.begun || kp_step_can_go(&c->step));
}

static struct kp_wait_word *word(const kp_request *request)
{
    const struct collective *c = of(request);
    return c->lane.begun ? kp_step_word(&c->step) : NULL;
}

static int awaits(const kp_request *request)
{
    const struct collective *c = of(request);
    if (!kp_lane_has_turn(&c->lane))
        return kp_lane_awaits(&c->lane);
    return c->lane.begun ? kp_step_awaits(&c->step) : -1;
}

static void trace(const kp_request *request, struct kp_trace_request *what)
{
    const kp_problem asked = kp_call_problem(request->member, &of(request)->arguments);
    what->name = kp_operation_row(asked.operation)->name;
    what->bytes = asked.b;
}

static const struct kp_request_row row = {.go = go,
                                          .trace = trace,
                                          .can_go = can_go,
                                          .describe = describe,
                                          .place = place,
                                          .finish = finish,
                                          .word = word,
                                          .awaits = awaits,
                                          .size = KP_REQUEST_SIZE(struct collective)};

/* --- Starting --- */

/* Fills in a request for a checked call. */
static void fill(struct collective *c, const kp_arguments *a, kp_plan *plan)
{
    c->arguments = *a;
    c->plan = plan;
    if (plan)
        kp_plan_count(plan, 1);
    if (!a->hints)
        return;
    c->hints = *a->hints;
    c->arguments.hints = &c->hints;
}

/* Names the bytes that this member sends, if they lie in one piece. */
static void watch(struct collective *c, kp_group *member)
{
    const kp_arguments *a = &c->arguments;
    const kp_problem p = kp_call_problem(member, a);
    const kp_space space = kp_operation_row(p.operation)->one_buffer ? KP_IN : KP_OUT;
    const int rank = kp_port_rank(member);
    const bool sends = space == KP_OUT ? kp_operation_holds(&p, rank, KP_OUT) : rank == p.root;
    const void *data = space == KP_OUT ? a->out : a->in;
    const bool each = kp_operation_blocks(p.operation, space) == KP_BLOCK_EACH;
    if (sends && data != KP_IN_PLACE && !kp_has_layouts(a))
        kp_request_watch(&c->lane.request, data, each ? (size_t)p.n * p.b : p.b);
}

static int check(kp_group *member, const kp_arguments *a)
{
    const kp_problem asked = kp_call_problem(member, a);
    return kp_call_check(member, a, &asked);
}

/* Returns whether a call with these arguments may be one for meeting.c. */
static bool is_plain(const kp_arguments *a)
{
    return !a->hints && a->out != KP_IN_PLACE && a->in != KP_IN_PLACE;
}

int kp_collective_start(struct kp_lane *lane, const kp_arguments *a, kp_plan *plan,
                        kp_request **request)
{
    kp_group *member = lane->member;
    kp_arguments completed;
    if (!plan && kp_has_layouts(a)) {
        if (kp_laid_complete(member, a, &completed))
            return refuse(lane, a);
        a = &completed;
    }
    struct kp_prepared *kept = NULL;
    if (!plan) { /* a plan's arguments have been checked */
        const struct kp_key key = kp_key_of(a);
        kept = kp_cache_find(member, &key);
        const bool fits = kept && !kept->laid && kp_call_buffers_fit(kept, a->out, a->in);
        if (!fits && check(member, a))
            return refuse(lane, a);
        if (fits && is_plain(a) &&
            (*request = kp_meeting_start(lane, a->out, a->in, NULL, kept, kp_kept_scratch(lane))))
            return KP_OK;
    } else if (kp_lane_is_free(lane)) {
        char *scratch;
        struct kp_prepared *call = kp_plan_prepared(plan, member, lane->index, &scratch);
        if (call && !call->laid && is_plain(a) &&
            (*request = kp_meeting_start(lane, a->out, a->in, plan, call, scratch)))
            return KP_OK;
    }
    struct collective *c = (struct collective *)(void *)kp_request_make(member, &row);
    if (!c) {
        kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for a request");
        return refuse(lane, a);
    }
    fill(c, a, plan);
    if (kp_port_checks_buffers(member))
        watch(c, member);
    /* A request that has to wait for its turn looks again, as its member may have dropped the call
     * until then. */
    c->call = kp_lane_is_free(lane) ? kept : NULL;
    *request = &c->lane.request;
    kp_lane_begin(&c->lane, lane);
    return KP_OK;
}
