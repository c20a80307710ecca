/* Tells the trace which messages a call sends. For this the trace keeps the call's schedule. */
#include "lib/call/traced.h"

#include "lib/problem/operator.h"

#include <stdlib.h>
#include <string.h>

struct traced {
    kp_problem problem; /* its root is not used */
    struct kp_shared_schedule *serving;
    size_t unit; /* the bytes of a unit */
};

static void *keep(void *from)
{
    static const kp_operator users = {.name = "user", .element_bytes = 1};
    const struct kp_prepared *call = from;
    struct traced *traced = malloc(sizeof *traced);
    if (!traced)
        return NULL;
    traced->problem = call->problem;
    /* A program's own operator may be gone when the trace is read. */
    if (call->problem.op && !kp_operator_is_builtin(call->problem.op))
        traced->problem.op = &users;
    traced->serving = call->serving;
    traced->unit = call->unit_bytes;
    kp_shared_schedule_hold(traced->serving);
    return traced;
}

static void let_go(void *data)
{
    struct traced *traced = data;
    kp_shared_schedule_release(traced->serving);
    free(traced);
}

static void describe(const void *data, int root, char *text, size_t size)
{
    kp_problem problem = ((const struct traced *)data)->problem;
    problem.root = root;
    kp_problem_format(&problem, text, size);
}

/* The schedule counts ranks from the root, as in lib/execute. */
static void messages(const void *data, int root, int rank, int round, bool out, kp_trace_each *each,
                     void *context)
{
    const struct traced *traced = data;
    const struct kp_schedule *s = traced->serving->schedule;
    int n = s->problem.n, shift = s->problem.algorithm->own_root ? 0 : root;
    int from_root = rank >= shift ? rank - shift : rank - shift + n;
    const struct stored_round *r = kp_schedule_round(s, from_root, round);
    const struct stored_message *list = out ? s->sends : s->receives;
    uint32_t first = out ? r[0].send : r[0].receive, end = out ? r[1].send : r[1].receive;
    for (uint32_t i = first; i < end; i++) {
        int peer = kp_schedule_peer(s, from_root, list[i].peer) + shift;
        int port = out ? list[i].port : s->sends[list[i].match].port;
        each(context, port, peer < n ? peer : peer - n, (uint64_t)list[i].units * traced->unit);
    }
}

void kp_traced_open(kp_group *member, struct kp_prepared *call)
{
    if (call->trace_subject == KP_TRACE_UNASKED) {
        struct kp_trace_subject like = {.schedule = call->serving,
                                        .keep = keep,
                                        .free = let_go,
                                        .describe = describe,
                                        .messages = messages};
        kp_problem problem = call->problem;
        problem.root = 0;
        kp_problem_format(&problem, like.key, sizeof like.key);
        call->trace_subject = kp_trace_subject(member, &like, call);
    }
    kp_trace_open(member, call->trace_subject, call->problem.root);
}
