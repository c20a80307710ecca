#include "lib/execute/step.h"

#include "lib/execute/by_barrier.h"
#include "lib/execute/by_mail.h"

/* Nothing here is on the way of calls that block, so it is compiled once. */
static bool is_kept(const struct kp_step *step)
{
    return step->x.call->code != NULL;
}

static bool is_traced(const struct kp_step *step)
{
    return kp_pass_is_traced(step->x.seat);
}

static bool by_mail(const struct kp_step *step)
{
    return step->x.call->lowering.way.by_mail;
}

void kp_step_begin(struct kp_step *step, kp_group *seat, struct kp_prepared *call, const char *out,
                   char *in, char *scratch)
{
    step->x = (struct kp_execution){seat, call, &step->writer, step->base};
    step->writer = kp_writer_of(&step->x, step->chunk);
    step->at = KP_AT_BEGIN;
    step->round = 0;
    step->covers = false;
    kp_lay(step->base, out, in, scratch);
}

static const struct code_round *round_of(const struct kp_step *step, struct code_round *seen)
{
    return kp_round_of(&step->x, step->round, seen, is_kept(step));
}

static bool is_last(const struct kp_step *step)
{
    return step->round == kp_rounds_of(&step->x, is_kept(step)) - 1;
}

static int ended(struct kp_step *step, int status)
{
    step->at = KP_AT_END;
    return status;
}

static int failed(struct kp_step *step, int status)
{
    enum kp_trace_kind kind = by_mail(step) ? KP_TRACE_LETTERS : KP_TRACE_ROUND;
    return ended(step, is_traced(step) ? kp_trace_failed(step->x.seat, kind, step->round, status)
                                       : status);
}

static int next_round(struct kp_step *step)
{
    bool last = is_last(step);
    step->round += !last;
    step->at = last ? KP_AT_CLOSE : KP_AT_ROUND;
    return KP_OK;
}

static int begin(struct kp_step *step)
{
    bool kept = is_kept(step), traced = is_traced(step);
    if (by_mail(step)) {
        int status = kp_mail_begins(&step->x, kept, traced);
        if (status)
            return ended(step, status);
    } else {
        kp_barrier_begins(&step->x, kept, traced);
    }
    step->at = kp_rounds_of(&step->x, kept) > 0 ? KP_AT_ROUND : KP_AT_CLOSE;
    if (step->at == KP_AT_CLOSE && !by_mail(step)) {
        kp_pass_arrive(step->x.seat); /* the members agree, though nothing moves */
        step->at = KP_AT_PASS;
    }
    return KP_OK;
}

/* --- By the barrier --- */

static int before_pass(struct kp_step *step)
{
    struct code_round seen;
    const bool kept = is_kept(step), traced = is_traced(step);
    const struct code_round *r = round_of(step, &seen);
    step->works = kp_before_pass(&step->x, r, step->round, is_last(step), kept, traced);
    if (step->round == 0 && kp_moves_wait(&step->x, kept, traced))
        kp_first_moves(&step->x, kept);
    step->at = KP_AT_PASS;
    return KP_OK;
}

static int after_pass(struct kp_step *step)
{
    struct code_round seen;
    const bool kept = is_kept(step), traced = is_traced(step);
    if (!kp_pass_has_come(step->x.seat))
        return KP_WAITS;
    int status = kp_pass_await(step->x.seat, step->round);
    if (traced)
        kp_trace_passed(step->x.seat);
    if (status)
        return failed(step, status);
    if (kp_rounds_of(&step->x, kept) == 0) {
        step->at = KP_AT_CLOSE;
        return KP_OK;
    }
    kp_after_pass(&step->x, round_of(step, &seen), step->round, is_last(step), step->works, kept,
                  traced);
    return next_round(step);
}

/* --- By the mailboxes --- */

static int begin_round_by_mail(struct kp_step *step)
{
    kp_mail_next(step->x.seat);
    step->message = 0;
    step->at = KP_AT_SENDS;
    return KP_OK;
}

static int send_by_mail(struct kp_step *step)
{
    struct code_round seen;
    kp_group *seat = step->x.seat;
    const bool kept = is_kept(step);
    const struct code_round *r = round_of(step, &seen);
    const uint32_t sends = kp_mail_sends(&step->x, r, step->round, kept);
    bool packed = false;
    if ((step->covers && !kp_mail_is_covered(seat)) || (sends > 0 && !kp_mail_has_room(seat)))
        return KP_WAITS;
    int status = step->covers ? kp_mail_cover(seat, step->round) : KP_OK;
    if (!status && sends > 0)
        status = kp_mail_make_room(seat, step->round);
    if (status)
        return failed(step, status);
    if (is_traced(step) && sends > 0)
        kp_trace_sends(seat);
    for (uint32_t i = 0; i < sends; i++) {
        const struct kp_mail_turn turn = kp_mail_sent(&step->x, r, step->round, i, kept);
        kp_mail_send(&step->x, r, step->round, &turn, &packed, kept);
    }
    /* Who sleeps until this member acts does not wait for its next call. */
    kp_mail_announce(seat);
    step->covers = r->zero_copy;
    step->at = KP_AT_MESSAGE;
    return KP_OK;
}

static int take_by_mail(struct kp_step *step)
{
    struct code_round seen;
    kp_group *seat = step->x.seat;
    const bool kept = is_kept(step);
    const struct code_round *r = round_of(step, &seen);
    const uint32_t receives = kp_mail_receives(&step->x, r, step->round, kept);
    for (; step->message < receives; step->message++) {
        const struct kp_mail_turn turn =
            kp_mail_received(&step->x, r, step->round, step->message, kept);
        if (!kp_mail_has_come(seat, turn.m.rank, turn.m.port)) {
            kp_mail_announce(seat);
            return KP_WAITS;
        }
        int status = kp_mail_receive(&step->x, r, step->round, &turn, kept);
        if (status)
            return failed(step, status);
    }
    kp_moves(&step->x, r, step->round, kept);
    if (is_traced(step))
        kp_trace_round(seat, KP_TRACE_LETTERS, step->round, 0);
    return next_round(step);
}

/* --- The end of a call --- */

static int close_by_mail(struct kp_step *step)
{
    kp_group *seat = step->x.seat;
    if (!kp_mail_is_covered(seat))
        return KP_WAITS;
    kp_pass_count(seat, step->x.call->c1, step->x.call->c2);
    return ended(step, kp_mail_close(seat));
}

/* Where others may be in somebody's memory all come to one pass more. */
static int close_by_barrier(struct kp_step *step)
{
    kp_group *seat = step->x.seat;
    if (kp_pass_has_exposed(seat)) {
        kp_pass_arrive(seat);
        step->at = KP_AT_CLOSING;
        return KP_OK;
    }
    kp_pass_count(seat, step->x.call->c1, step->x.call->c2);
    return ended(step, kp_port_close(seat));
}

static int closing(struct kp_step *step)
{
    kp_group *seat = step->x.seat;
    if (!kp_pass_has_come(seat))
        return KP_WAITS;
    int status = kp_pass_await(seat, -1);
    if (is_traced(step))
        kp_trace_round(seat, KP_TRACE_CLOSE, -1, status ? KP_TRACE_FAILED : 0);
    step->at = KP_AT_CLOSE;
    return status ? ended(step, status) : KP_OK;
}

int kp_step_go(struct kp_step *step)
{
    const bool mail = by_mail(step);
    int status = KP_OK;
    while (!status && step->at != KP_AT_END) {
        switch (step->at) {
        case KP_AT_BEGIN:
            status = begin(step);
            break;
        case KP_AT_ROUND:
            status = mail ? begin_round_by_mail(step) : before_pass(step);
            break;
        case KP_AT_SENDS:
            status = send_by_mail(step);
            break;
        case KP_AT_MESSAGE:
            status = take_by_mail(step);
            break;
        case KP_AT_PASS:
            status = after_pass(step);
            break;
        case KP_AT_CLOSE:
            status = mail ? close_by_mail(step) : close_by_barrier(step);
            break;
        default:
            status = closing(step);
        }
    }
    return status;
}
