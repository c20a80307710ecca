#include "lib/execute/step.h"

#include "lib/execute/by_barrier.h"
#include "lib/execute/by_mail.h"
#include "lib/execute/by_wire.h"

#include <stdio.h>

/* Calls that block do not use this file. So the compiler makes no variants of its functions
 * (KP_VARIANT). */
void kp_step_begin(struct kp_step *step, kp_group *member, struct kp_prepared *call,
                   const char *out, char *in, char *scratch)
{
    step->x = (struct kp_execution){member, call, &step->writer, step->base};
    step->kept = call->code;
    if (!step->kept)
        step->writer = kp_writer_of(&step->x, step->chunk);
    step->traced = kp_member_is_traced(member);
    step->by_mail = call->lowering.way.by_mail;
    step->by_wire = call->lowering.way.by_wire;
    step->at = KP_AT_BEGIN;
    step->covers = step->waits = step->moves_due = false;
    step->starts = kp_member_has_progress(member);
    kp_lay(step->base, out, in, scratch);
}

static int rounds_of(const struct kp_step *step)
{
    return kp_rounds_of(&step->x, step->kept);
}

/* Returns whether the round's long copies are left to the progress thread, so that a member that
 * starts a call begins its own work at once. Without this the last member that starts makes all its
 * copies first, and those of its core begin their work when it is done. */
static bool leaves_copies(const struct kp_step *step)
{
    return step->starts && !step->waits && rounds_of(step) > 0 && step->r->zero_copy;
}

static bool is_last(const struct kp_step *step)
{
    return step->round == rounds_of(step) - 1;
}

static int ended(struct kp_step *step, int status)
{
    step->at = KP_AT_END;
    return status;
}

static int failed(struct kp_step *step, int status)
{
    enum kp_trace_kind kind = step->by_mail ? KP_TRACE_LETTERS : KP_TRACE_ROUND;
    return ended(step, step->traced ? kp_trace_failed(step->x.member, kind, step->round, status)
                                    : status);
}

static int go_to_round(struct kp_step *step, int round)
{
    step->at = round < rounds_of(step) ? KP_AT_ROUND : KP_AT_CLOSE;
    step->round = round;
    if (step->at == KP_AT_ROUND)
        step->r = kp_round_of(&step->x, round, &step->seen, step->kept);
    return KP_OK;
}

/* The lengths of blocks have been compared before. A member that finds a difference then breaks the
 * lane, so no episode follows. */
static int begin_by_wire(struct kp_step *step)
{
    const struct kp_prepared *call = step->x.call;
    int status = kp_wired_open(step->x.member, &call->published, false);
    step->early =
        rounds_of(step) == 0 || (step->kept ? call->code->early : call->lowering.way.early);
    if (!status && step->early)
        kp_first_moves(&step->x, step->kept);
    return status ? ended(step, status) : go_to_round(step, 0);
}

static int begin(struct kp_step *step)
{
    int status = KP_OK;
    if (step->by_wire)
        return begin_by_wire(step);
    if (step->by_mail)
        status = kp_mail_begins(&step->x, step->kept, step->traced);
    else
        kp_barrier_begins(&step->x, step->kept, step->traced);
    if (status)
        return ended(step, status);
    (void)go_to_round(step, 0);
    if (step->at == KP_AT_CLOSE && !step->by_mail) {
        /* There is no round, but the members compare their calls in an episode. */
        kp_member_arrive(step->x.member);
        step->at = KP_AT_EPISODE;
    }
    return KP_OK;
}

static int begin_round_by_wire(struct kp_step *step)
{
    kp_group *member = step->x.member;
    int status = kp_begin_by_wire(&step->x, step->r, step->round, step->kept);
    if (!status && step->round == 0 && !step->early)
        kp_first_moves(&step->x, step->kept);
    (void)member;
    step->at = KP_AT_WIRE;
    return status ? ended(step, status) : KP_OK;
}

static int take_by_wire(struct kp_step *step)
{
    const int status = kp_wired_test(step->x.member, step->round);
    if (status)
        return status == KP_WAITS ? KP_WAITS : ended(step, status);
    kp_end_by_wire(&step->x, step->r, step->round, step->kept);
    kp_moves(&step->x, step->r, step->round, step->kept);
    return go_to_round(step, step->round + 1);
}

static void make_due_moves(struct kp_step *step)
{
    if (step->moves_due)
        kp_first_moves(&step->x, step->kept);
    step->moves_due = false;
}

static int begin_round(struct kp_step *step)
{
    if (step->by_wire)
        return begin_round_by_wire(step);
    if (step->by_mail) {
        kp_mail_next(step->x.member);
        step->message = 0;
        step->at = KP_AT_SENDS;
        return KP_OK;
    }
    /* A step has no place to wait for readers, so members meet once more. */
    if (step->r->zero_copy && is_last(step))
        kp_port_lend_all(step->x.member);
    step->works =
        kp_before_episode(&step->x, step->r, step->round, is_last(step), step->kept, step->traced);
    step->moves_due = step->round == 0 && kp_moves_wait(&step->x, step->kept, step->traced);
    if (!leaves_copies(step))
        make_due_moves(step);
    step->at = KP_AT_EPISODE;
    return KP_OK;
}

static int after_episode(struct kp_step *step)
{
    const bool leaves = leaves_copies(step);
    step->starts = false;
    if (!step->waits && (leaves || !kp_member_has_come(step->x.member)))
        return KP_WAITS;
    int status = kp_member_await(step->x.member, step->round);
    if (step->traced)
        kp_trace_passed(step->x.member);
    if (status)
        return failed(step, status);
    make_due_moves(step);
    if (rounds_of(step) > 0)
        kp_after_episode(&step->x, step->r, step->round, is_last(step), step->works, step->kept,
                         step->traced);
    return go_to_round(step, step->round + 1);
}

static bool has_room(const struct kp_step *step)
{
    kp_group *member = step->x.member;
    const uint32_t sends = kp_turns_of(&step->x, step->r, step->round, true, step->kept);
    return (!step->covers || kp_mail_is_covered(member)) &&
           (sends == 0 || kp_mail_has_room(member));
}

static int send_by_mail(struct kp_step *step)
{
    kp_group *member = step->x.member;
    const struct code_round *r = step->r;
    const uint32_t sends = kp_turns_of(&step->x, r, step->round, true, step->kept);
    bool packed = false;
    if (!step->waits && !has_room(step))
        return kp_mail_announce(member), KP_WAITS;
    int status = step->covers ? kp_mail_cover(member, step->round) : KP_OK;
    if (!status && sends > 0)
        status = kp_mail_make_room(member, step->round);
    if (status)
        return failed(step, status);
    if (step->traced && sends > 0)
        kp_trace_sends(member);
    for (uint32_t i = 0; i < sends; i++) {
        struct code_message room;
        const struct kp_turn turn =
            kp_turn_of(&step->x, r, step->round, i, true, step->kept, &room);
        kp_mail_send(&step->x, r, step->round, &turn, &packed, step->kept);
        kp_member_notify(member, turn.m->rank);
    }
    /* Wakes members that sleep until this member acts. Without this they would sleep until this
     * member's next step. */
    kp_mail_announce(member);
    step->covers = r->zero_copy;
    step->at = KP_AT_MESSAGE;
    return KP_OK;
}

static int take_by_mail(struct kp_step *step)
{
    kp_group *member = step->x.member;
    const struct code_round *r = step->r;
    const uint32_t receives = kp_turns_of(&step->x, r, step->round, false, step->kept);
    for (; step->message < receives; step->message++) {
        struct code_message room;
        const struct kp_turn turn =
            kp_turn_of(&step->x, r, step->round, step->message, false, step->kept, &room);
        if (!step->waits && !kp_mail_has_come(member, turn.m->rank, turn.m->port)) {
            kp_mail_announce(member);
            return KP_WAITS;
        }
        int status = kp_mail_receive(&step->x, r, step->round, &turn, step->kept);
        if (status)
            return failed(step, status);
        kp_member_notify(member, turn.m->rank);
    }
    kp_moves(&step->x, r, step->round, step->kept);
    if (step->traced)
        kp_trace_round(member, KP_TRACE_LETTERS, step->round, 0);
    return go_to_round(step, step->round + 1);
}

/* --- The end of a call --- */

/* Closes the call. By the barrier, if some member may still read another member's memory, all
 * members come to one more episode. */
static int close_call(struct kp_step *step)
{
    kp_group *member = step->x.member;
    if (step->by_wire) {
        kp_member_count(member, step->x.call->c1, step->x.call->c2);
        return ended(step, KP_OK);
    }
    if (step->by_mail && !step->waits && !kp_mail_is_covered(member))
        return kp_mail_announce(member), KP_WAITS;
    if (!step->by_mail && kp_member_has_readers(member)) {
        kp_member_arrive(member);
        step->at = KP_AT_CLOSING;
        return KP_OK;
    }
    kp_member_count(member, step->x.call->c1, step->x.call->c2);
    return ended(step, step->by_mail ? kp_mail_close(member) : kp_member_close(member));
}

static int closing(struct kp_step *step)
{
    kp_group *member = step->x.member;
    if (!step->waits && !kp_member_has_come(member))
        return KP_WAITS;
    int status = kp_member_await(member, -1);
    if (step->traced)
        kp_trace_round(member, KP_TRACE_CLOSE, -1, status ? KP_TRACE_FAILED : 0);
    step->at = KP_AT_CLOSE;
    return status ? ended(step, status) : KP_OK;
}

int kp_step_go(struct kp_step *step)
{
    static int (*const acts[])(struct kp_step *) = {
        [KP_AT_BEGIN] = begin,        [KP_AT_ROUND] = begin_round,
        [KP_AT_SENDS] = send_by_mail, [KP_AT_MESSAGE] = take_by_mail,
        [KP_AT_WIRE] = take_by_wire,  [KP_AT_EPISODE] = after_episode,
        [KP_AT_CLOSE] = close_call,   [KP_AT_CLOSING] = closing};
    int status = KP_OK;
    while (!status && step->at != KP_AT_END)
        status = acts[step->at](step);
    return status;
}

int kp_step_finish(struct kp_step *step)
{
    step->waits = true;
    return kp_step_go(step);
}

/* --- For a member that waits for the call --- */

static struct code_message next_message(const struct kp_step *step)
{
    struct code_message room;
    return *kp_turn_of(&step->x, step->r, step->round, step->message, false, step->kept, &room).m;
}

bool kp_step_can_go(const struct kp_step *step)
{
    kp_group *member = step->x.member;
    switch (step->at) {
    case KP_AT_EPISODE:
    case KP_AT_CLOSING:
        return kp_member_has_come(member);
    case KP_AT_SENDS:
        return has_room(step);
    case KP_AT_MESSAGE: {
        const struct code_message next = next_message(step);
        return kp_mail_has_come(member, next.rank, next.port);
    }
    case KP_AT_CLOSE:
        return !step->by_mail || kp_mail_is_covered(member);
    default:
        return true;
    }
}

struct kp_wait_word *kp_step_word(const struct kp_step *step)
{
    const bool meets = step->at == KP_AT_EPISODE || step->at == KP_AT_CLOSING;
    return meets ? kp_sync_word(step->x.member) : NULL;
}

int kp_step_awaits(const struct kp_step *step)
{
    if (step->at == KP_AT_EPISODE || step->at == KP_AT_CLOSING)
        return kp_lane_missing(step->x.member);
    if (step->at == KP_AT_WIRE)
        return kp_wired_awaits(step->x.member);
    if (step->at == KP_AT_MESSAGE)
        return next_message(step).rank;
    return step->by_mail ? kp_mail_reader(step->x.member) : -1;
}

void kp_step_place(const struct kp_step *step, char *text, size_t size)
{
    const bool in_round = step->at >= KP_AT_ROUND && step->at <= KP_AT_EPISODE;
    const int rounds = rounds_of(step);
    if (in_round && rounds == 1)
        text[0] = '\0'; /* the only round is not worth a word */
    else if (in_round)
        snprintf(text, size, "in round %d of %d", step->round, rounds);
    else
        snprintf(text, size, "%s", step->at == KP_AT_BEGIN ? "at its beginning" : "at its end");
}
