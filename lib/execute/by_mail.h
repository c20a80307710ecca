/* These functions carry out one member's part of a call by mailboxes. A member waits for single
 * messages, not for all members. */
#ifndef KPORT_LIB_EXECUTE_BY_MAIL_H
#define KPORT_LIB_EXECUTE_BY_MAIL_H

#include "lib/call/call.h"
#include "lib/call/laid.h"
#include "lib/execute/execution.h"

/* Allocates the long eager buffer if this member needs it in some round. The long buffer is for a
 * round in which one member packs for many receivers. */
static inline int kp_mail_reserve_buffers(const struct kp_execution *x)
{
    const struct kp_lowering *l = &x->call->lowering;
    const struct kp_schedule *s = l->schedule;
    for (int round = 0; l->way.long_buffers && round < s->rounds && l->unit > 0; round++) {
        const struct stored_round *r = kp_schedule_round(s, l->own.rank, round);
        if (r[0].send < r[1].send && kp_way_is_eager(l, x->member, round) &&
            kp_mail_is_long(x->member, (size_t)s->buffer_units[round] * l->unit))
            return kp_mail_reserve(x->member);
    }
    return KP_OK;
}

KP_VARIANT int kp_mail_begins(const struct kp_execution *x, const bool kept, const bool traced)
{
    const struct kp_call *published = &x->call->published;
    if (x->call->lowering.way.zero_copy)
        kp_publish(x, NULL);
    if (kp_mail_reserve_buffers(x))
        return kp_mail_refuse(x->member, published->describe, published->subject);
    int status = kp_mail_open(x->member, published, x->call->laid ? &kp_laid_past : &kp_call_past);
    if (status)
        return status;
    if (traced)
        kp_traced_open(x->member, x->call);
    kp_first_moves(x, kept);
    return KP_OK;
}

/* Sends one message. The first message that uses the eager buffer in a round makes this member fill
 * the buffer, and `*packed` becomes true. */
KP_VARIANT void kp_mail_send(const struct kp_execution *x, const struct code_round *r, int t,
                             const struct kp_turn *turn, bool *packed, const bool kept)
{
    const struct code_message *m = turn->m;
    if (m->via == KP_VIA_BOX) {
        x->base[KP_BUFFER] = (char *)kp_mail_box(x->member, m->port)->payload;
        if (kept) {
            kp_list(x, m->first, m->end);
        } else {
            kp_lower_box(x->writer, turn->stored);
            kp_hand_on(x->writer);
        }
    } else if (m->via == KP_VIA_MEMORY) {
        kp_mail_lend(x->member);
    } else if (!*packed) {
        *packed = true;
        kp_packs(x, r, t, kp_mail_buffer(x->member, r->buffer_bytes), kept);
    }
    kp_mail_post(x->member, m->port, m->rank);
}

KP_VARIANT int kp_mail_receive(const struct kp_execution *x, const struct code_round *r, int t,
                               const struct kp_turn *turn, const bool kept)
{
    const struct code_message *m = turn->m;
    const bool memory = m->via == KP_VIA_MEMORY;
    struct kp_mailbox *box;
    int status = kp_mail_await(x->member, m->rank, m->port, t, &box);
    if (!status && memory)
        status = kp_mail_begin_reading(x->member, t);
    if (status)
        return status;
    if (memory)
        kp_reach(x->base, x->member, m->rank);
    else
        x->base[KP_BUFFER] = m->via == KP_VIA_BOX
                                 ? (char *)box->payload
                                 : (char *)kp_mail_buffer_of(x->member, m->rank, r->buffer_bytes);
    if (kept)
        kp_list(x, m->first, m->end);
    else
        kp_lower_take(x->writer, turn->stored, r->zero_copy);
    if (memory)
        kp_mail_end_reading(x->member);
    kp_mail_take(box);
    return KP_OK;
}

KP_VARIANT int kp_round_by_mail(const struct kp_execution *x, const struct code_round *r, int t,
                                const bool kept, const bool traced)
{
    const uint32_t sends = kp_turns_of(x, r, t, true, kept);
    const uint32_t receives = kp_turns_of(x, r, t, false, kept);
    bool packed = false;
    int status = sends > 0 ? kp_mail_make_room(x->member, t) : KP_OK;
    if (traced && sends > 0)
        kp_trace_sends(x->member);
    for (uint32_t i = 0; i < sends && !status; i++) {
        struct code_message room;
        const struct kp_turn turn = kp_turn_of(x, r, t, i, true, kept, &room);
        kp_mail_send(x, r, t, &turn, &packed, kept);
    }
    for (uint32_t i = 0; i < receives && !status; i++) {
        struct code_message room;
        const struct kp_turn turn = kp_turn_of(x, r, t, i, false, kept, &room);
        status = kp_mail_receive(x, r, t, &turn, kept);
    }
    if (!status)
        kp_moves(x, r, t, kept);
    return status;
}

KP_VARIANT int kp_rounds_by_mail(const struct kp_execution *x, const bool kept, const bool traced)
{
    kp_group *member = x->member;
    const int rounds = kp_rounds_of(x, kept);
    /* true: other members may still read the memory that this member lent in the previous round */
    bool read_by_others = false;
    for (int t = 0; t < rounds; t++) {
        struct code_round seen;
        const struct code_round *r = kp_round_of(x, t, &seen, kept);
        kp_mail_next(member);
        /* This member writes nothing until the others have read the memory that this member lent in
         * the previous round. */
        int status = read_by_others ? kp_mail_cover(member, t) : KP_OK;
        if (!status)
            status = kp_round_by_mail(x, r, t, kept, traced);
        if (status)
            return traced ? kp_trace_failed(member, KP_TRACE_LETTERS, t, status) : status;
        if (traced)
            kp_trace_round(member, KP_TRACE_LETTERS, t, 0);
        read_by_others = r->zero_copy;
    }
    return KP_OK;
}

KP_VARIANT int kp_call_by_mail(const struct kp_execution *x, const bool kept, const bool traced)
{
    int status = kp_mail_begins(x, kept, traced);
    status = status ? status : kp_rounds_by_mail(x, kept, traced);
    if (status)
        return status;
    kp_member_count(x->member, x->call->c1, x->call->c2);
    return kp_mail_close(x->member);
}

#endif
