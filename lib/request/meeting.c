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

/* What describes the call. */
struct words {
    kp_operation operation;
    kp_type type;
    const kp_operator *op;
    size_t b;
};

struct meeting {
    struct kp_lane_request lane; /* comes first */
    kp_plan *plan;               /* NULL: none */
    struct kp_prepared *call;
    char *base[KP_CODE_SPACES];
    struct words words; /* valid after the request's end, when the call need not be kept */
};

static struct meeting *of(const kp_request *request)
{
    return (struct meeting *)(uintptr_t)request;
}

static struct words words_of(const struct kp_prepared *call)
{
    const kp_problem *p = &call->problem;
    return (struct words){p->operation, p->type, p->op, p->b};
}

static void describe(const kp_request *request, char *text, size_t size)
{
    const struct meeting *m = of(request);
    const struct words w = request->ended ? m->words : words_of(m->call);
    const kp_arguments a = {.operation = w.operation, .type = w.type, .op = w.op};
    kp_problem asked = kp_call_problem(request->member, &a);
    asked.b = w.b;
    kp_call_describe(&asked, text, size);
}

static inline struct kp_execution execution_of(struct meeting *m)
{
    return (struct kp_execution){m->lane.request.member, m->call, NULL, m->base};
}

static void begin(struct meeting *m)
{
    kp_group *member = m->lane.request.member;
    const struct kp_execution x = execution_of(m);
    const struct kp_prepared *call = m->call;
    const struct kp_code *code = call->code;
    const struct code_round *r = code->round;
    if (code->one_message) {
        kp_one_message_begin(&x, kp_member_sync_kind(member, false), kp_one_message_fingerprint(&x),
                             kp_member_next_generation(member));
        return;
    }
    kp_member_open(member, &call->published);
    if (code->early)
        kp_first_moves(&x, true);
    kp_packs(&x, r, 0, kp_member_buffer(member, r->buffer_bytes), true);
    kp_member_arrive(member);
    if (!code->early)
        kp_first_moves(&x, true);
}

static int finish(kp_request *request)
{
    struct meeting *m = of(request);
    const struct kp_execution x = execution_of(m);
    const struct kp_code *code = m->call->code;
    int status = kp_member_await(request->member, 0);
    if (!status && code->one_message) {
        kp_one_message_end(&x, kp_member_generation(request->member));
    } else if (!status) {
        kp_take_all(&x, code->round, 0, true);
        kp_moves(&x, code->round, 0, true);
        kp_member_count(request->member, code->c1, code->c2);
    }
    if (m->plan)
        kp_plan_count(m->plan, -1);
    return kp_lane_end(&m->lane, status);
}

static int go(kp_request *request)
{
    struct meeting *m = of(request);
    if (!kp_member_has_come(request->member))
        return KP_WAITS;
    m->words = words_of(m->call);
    return finish(request);
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
static inline bool serves(const struct kp_lane *lane, const struct kp_prepared *call)
{
    return KP_HAS(SHORT_REQUESTS) && call->code && call->code->meets && kp_lane_is_plain(lane);
}

kp_request *kp_meeting_start(struct kp_lane *lane, const void *out, void *in, kp_plan *plan,
                             struct kp_prepared *call, char *scratch)
{
    if (!serves(lane, call))
        return NULL;
    struct meeting *m = (struct meeting *)(void *)kp_lane_make(lane, &row);
    if (!m)
        return NULL;
    m->call = call;
    m->plan = plan;
    if (plan)
        kp_plan_count(plan, 1);
    kp_lay(m->base, out, in, scratch);
    kp_lane_begin_now(&m->lane);
    begin(m);
    kp_lane_begun(&m->lane);
    return &m->lane.request;
}
