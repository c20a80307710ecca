/* Rounds over a wire: what goes to a member is packed into a message, what comes is taken out of
 * one. Nobody reads another's memory, and nobody waits for all. */
#ifndef KPORT_LIB_EXECUTE_BY_WIRE_H
#define KPORT_LIB_EXECUTE_BY_WIRE_H

#include "lib/execute/execution.h"

static inline int kp_round_by_wire(const struct kp_execution *x, int t)
{
    const struct kp_lowering *l = &x->call->lowering;
    const struct kp_schedule *s = l->schedule;
    const struct stored_round *r = kp_schedule_round(s, l->own.rank, t);
    int status = KP_OK;
    kp_wired_next(x->seat);
    for (uint32_t i = r[0].receive; i < r[1].receive && !status; i++) {
        const struct code_message m = kp_lower_received(l, &s->receives[i], false);
        status = kp_wired_expect(x->seat, m.rank, m.port, (size_t)s->receives[i].units * l->unit);
    }
    for (uint32_t i = r[0].send; i < r[1].send && !status; i++) {
        const struct code_message m = kp_lower_sent(l, &s->sends[i], false);
        x->base[KP_BUFFER] =
            kp_wired_out(x->seat, m.rank, m.port, (size_t)s->sends[i].units * l->unit);
        status = x->base[KP_BUFFER] ? KP_OK : KP_EMEMORY;
        if (!status) {
            kp_lower_box(x->writer, &s->sends[i]);
            kp_hand_on(x->writer);
        }
    }
    if (status)
        return kp_wired_refuse(x->seat, x->call->shown.describe, x->call->shown.subject);
    status = kp_wired_round(x->seat, t);
    for (uint32_t i = r[0].receive; i < r[1].receive && !status; i++) {
        x->base[KP_BUFFER] = (char *)kp_wired_came(x->seat, (int)(i - r[0].receive));
        kp_lower_take(x->writer, &s->receives[i], false);
    }
    return status;
}

static inline int kp_call_by_wire(const struct kp_execution *x)
{
    int status = KP_OK;
    kp_wired_open(x->seat, &x->call->shown);
    kp_first_moves(x, false);
    for (int t = 0; t < kp_rounds_of(x, false) && !status; t++) {
        status = kp_round_by_wire(x, t);
        if (!status)
            kp_moves(x, NULL, t, false);
    }
    if (status)
        return status;
    kp_pass_count(x->seat, x->call->c1, x->call->c2);
    return KP_OK;
}

#endif
