/* Short requests. The call has one round, its messages go by eager buffers and the barrier, and the
 * member has its code and may begin at once. Such a request does at its start what a blocking call
 * does before it waits, and the rest when all members have arrived. The other members need not know
 * whether a member carries out its call so or in steps (collective.c). */
#include "lib/call/call.h"
#include "lib/call/plan.h"
#include "lib/execute/by_barrier.h"
#include "lib/execute/cache.h"
#include "lib/request/start.h"

#include <stdio.h>
#include <string.h>

struct meeting {
    struct kp_lane_request lane; /* comes first */
    kp_arguments arguments;
    kp_plan *plan; /* NULL: none */
    struct kp_execution x;
    char *base[KP_CODE_SPACES];
};

static struct meeting *of(const kp_request *request)
{
    return (struct meeting *)(uintptr_t)request;
}

static void describe(const kp_request *request, char *text, size_t size)
{
    const kp_problem asked = kp_call_problem(request->member, &of(request)->arguments);
    kp_call_describe(&asked, text, size);
    const size_t length = strlen(text);
    snprintf(text + length, size - length, ", %s", request->ended ? "ended" : "in round 0 of 1");
}

static void begin(struct meeting *m)
{
    kp_group *member = m->x.member;
    const struct kp_prepared *call = m->x.call;
    const struct kp_code *code = call->code;
    const struct code_round *r = code->round;
    kp_member_open(member, &call->published);
    if (code->early)
        kp_first_moves(&m->x, true);
    kp_packs(&m->x, r, 0, kp_member_buffer(member, r->buffer_bytes), true);
    kp_member_arrive(member);
    if (!code->early)
        kp_first_moves(&m->x, true);
}

static int finish(kp_request *request)
{
    struct meeting *m = of(request);
    const struct kp_code *code = m->x.call->code;
    int status = kp_member_await(request->member, 0);
    if (!status) {
        kp_take_all(&m->x, code->round, 0, true);
        kp_moves(&m->x, code->round, 0, true);
        kp_member_count(request->member, code->c1, code->c2);
    }
    if (m->plan)
        kp_plan_count(m->plan, -1);
    return kp_lane_end(&m->lane, status);
}

static int go(kp_request *request)
{
    return kp_member_has_come(request->member) ? finish(request) : KP_WAITS;
}

static bool can_go(const kp_request *request)
{
    return kp_member_has_come(request->member);
}

static struct kp_wait_word *word(const kp_request *request)
{
    return kp_sync_word(request->member);
}

static int awaits(const kp_request *request)
{
    return kp_lane_missing(request->member);
}

static const struct kp_request_row row = {.go = go,
                                          .can_go = can_go,
                                          .describe = describe,
                                          .finish = finish,
                                          .word = word,
                                          .awaits = awaits,
                                          .size = KP_REQUEST_SIZE(struct meeting)};

/* Returns whether the call is one for this file. */
static bool serves(const struct kp_lane *lane, const kp_arguments *a,
                   const struct kp_prepared *call)
{
    return KP_HAS(SHORT_REQUESTS) && call->code && call->code->meets && kp_lane_is_plain(lane) &&
           !a->hints && a->out != KP_IN_PLACE && a->in != KP_IN_PLACE;
}

bool kp_meeting_start(struct kp_lane *lane, const kp_arguments *a, kp_plan *plan,
                      struct kp_prepared *call, char *scratch, kp_request **request)
{
    if (!serves(lane, a, call))
        return false;
    struct meeting *m = (struct meeting *)(void *)kp_request_make(lane->member, &row);
    if (!m)
        return false;
    m->arguments = *a;
    m->plan = plan;
    if (plan)
        kp_plan_count(plan, 1);
    m->x = (struct kp_execution){lane->member, call, NULL, m->base};
    kp_lay(m->base, a->out, a->in, scratch);
    kp_lane_enlist(&m->lane, lane);
    (void)kp_lane_admit(&m->lane); /* serves has asked whether the lane is usable */
    begin(m);
    *request = &m->lane.request;
    return true;
}
