/* Calls whose blocks have lengths of their own, started and waited for later. Such a request first
 * compares the lengths in one episode of its lane, and then moves the blocks by the barrier. */
#include "lib/execute/step.h"
#include "lib/lengths/call.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/request/start.h"
#include "ports/member.h"

#include <stdio.h>
#include <string.h>

enum stage {
    WAITS_FOR_TURN,
    COMPARES, /* the member has told its lengths */
    MOVES
};

struct lengths {
    struct kp_lane_request lane; /* comes first */
    kp_arguments arguments;
    kp_hints hints;
    enum stage stage;
    struct kp_lengths_begun begun;
    struct kp_step step;
};

static struct lengths *of(const kp_request *request)
{
    return (struct lengths *)(uintptr_t)request;
}

static void describe(const kp_request *request, char *text, size_t size)
{
    kp_call_describe(&of(request)->begun.asked, text, size);
}

static void place(const kp_request *request, char *text, size_t size)
{
    static const char *const places[] = {"waiting for an earlier request of its lane",
                                         "comparing lengths"};
    const struct lengths *l = of(request);
    if (l->stage == MOVES)
        kp_step_place(&l->step, text, size);
    else
        snprintf(text, size, "%s", places[l->stage]);
}

static int refuse(struct lengths *l)
{
    return kp_lane_refuse(l->lane.lane, kp_call_describe, &l->begun.asked);
}

static int begin(struct lengths *l)
{
    kp_group *member = l->lane.request.member;
    int status = kp_lane_admit(&l->lane);
    if (status)
        return status;
    if (kp_lengths_begin(member, &l->arguments, kp_lengths_of(member), &l->begun))
        return refuse(l);
    kp_port_tell_begin(member, &l->begun.own->sums.telling);
    l->stage = COMPARES;
    return KP_OK;
}

static int compare(struct lengths *l)
{
    kp_group *member = l->lane.request.member;
    char *const *spaces = l->begun.spaces;
    int status = kp_member_await(member, -1);
    if (status)
        return status;
    if (kp_lengths_settle(member, &l->begun))
        return refuse(l);
    kp_step_begin(&l->step, member, l->begun.prepared, spaces[KP_OUT], spaces[KP_IN],
                  spaces[KP_SCRATCH]);
    l->stage = MOVES;
    return KP_OK;
}

static int end(struct lengths *l, int status)
{
    if (l->stage != WAITS_FOR_TURN)
        status = kp_lengths_finish(l->lane.request.member, &l->begun, status);
    return kp_lane_end(&l->lane, status);
}

static int go_by(kp_request *request, bool waits, int (*act)(struct kp_step *step))
{
    struct lengths *l = of(request);
    int status = KP_OK;
    if (!kp_lane_has_turn(&l->lane))
        return KP_WAITS;
    if (l->stage == WAITS_FOR_TURN)
        status = begin(l);
    if (!status && l->stage == COMPARES) {
        if (!waits && !kp_member_has_come(request->member))
            return KP_WAITS;
        status = compare(l);
    }
    if (!status)
        status = act(&l->step);
    return status == KP_WAITS ? KP_WAITS : end(l, status);
}

static int go(kp_request *request)
{
    return go_by(request, false, kp_step_go);
}

static int finish(kp_request *request)
{
    return go_by(request, true, kp_step_finish);
}

static bool can_go(const kp_request *request)
{
    const struct lengths *l = of(request);
    if (!kp_lane_has_turn(&l->lane) || l->stage == WAITS_FOR_TURN)
        return kp_lane_has_turn(&l->lane);
    return l->stage == COMPARES ? kp_member_has_come(request->member) : kp_step_can_go(&l->step);
}

static struct kp_wait_word *word(const kp_request *request)
{
    const struct lengths *l = of(request);
    if (l->stage == COMPARES)
        return kp_sync_word(request->member);
    return l->stage == MOVES ? kp_step_word(&l->step) : NULL;
}

static int awaits(const kp_request *request)
{
    const struct lengths *l = of(request);
    if (!kp_lane_has_turn(&l->lane))
        return kp_lane_awaits(&l->lane);
    return l->stage == MOVES ? kp_step_awaits(&l->step) : kp_lane_missing(request->member);
}

static void trace(const kp_request *request, struct kp_trace_request *what)
{
    what->name = kp_operation_row(of(request)->arguments.operation)->name;
}

static const struct kp_request_row row = {.go = go,
                                          .trace = trace,
                                          .can_go = can_go,
                                          .describe = describe,
                                          .place = place,
                                          .finish = finish,
                                          .word = word,
                                          .awaits = awaits,
                                          .size = KP_REQUEST_SIZE(struct lengths)};

int kp_lengths_start(struct kp_lane *lane, const kp_arguments *a, kp_request **request)
{
    kp_problem asked = kp_call_problem(lane->member, a);
    asked.b = KP_LENGTHS_UNKNOWN;
    struct lengths *l = (struct lengths *)(void *)kp_request_make(lane->member, &row);
    if (!l) {
        kp_port_error(lane->member, KP_EMEMORY, -1, -1, -1, "no memory for a request");
        return kp_lane_refuse(lane, kp_call_describe, &asked);
    }
    l->arguments = *a;
    if (a->hints) {
        l->hints = *a->hints;
        l->arguments.hints = &l->hints;
    }
    l->stage = WAITS_FOR_TURN;
    l->begun.asked = asked;
    *request = &l->lane.request;
    kp_lane_begin(&l->lane, lane);
    return KP_OK;
}
