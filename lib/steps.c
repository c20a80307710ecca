#include "lib/steps.h"

#include "lib/call.h"
#include "lib/copy.h"
#include "lib/plan.h"
#include "lib/steps_data.h"
#include "lib/traced.h"
#include "ports/mail.h"
#include "ports/pass.h"

static inline void copy_all(char *to, int64_t to_step, const char *from, int64_t from_step,
                            size_t bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        kp_copy(to, from, bytes);
        to += to_step;
        from += from_step;
    }
}

/* In place much of what a schedule moves is where it belongs already. */
static inline void copies(const struct step *s, const struct step *end, char *const *to_base,
                          const char *const *from_base)
{
    for (; s < end; s++) {
        char *to = to_base[s->space] + s->place;
        const char *from = from_base[s->from_space] + s->row;
        for (uint32_t i = 0; i < s->count; i++, to += s->place_step, from += s->row_step) {
            if (to != from)
                kp_copy_long(to, from, s->bytes);
        }
    }
}

static inline void moves(const struct step *s, const struct step *end, char *const *base)
{
    copies(s, end, base, (const char *const *)base);
}

/* Into a row or box, or out of it. */
static inline void fill(const struct step *s, const struct step *end, char *const *base, char *row)
{
    for (; s < end; s++)
        copy_all(row + s->row, s->row_step, base[s->space] + s->place, s->place_step, s->bytes,
                 s->count);
}

static inline void empty(const struct step *s, const struct step *end, char *const *base,
                         const char *row)
{
    for (; s < end; s++)
        copy_all(base[s->space] + s->place, s->place_step, row + s->row, s->row_step, s->bytes,
                 s->count);
}

/* A plan may have no steps at all, and so no list. */
static inline const struct step *first_of(const struct kp_steps *steps)
{
    static const struct step none;
    return steps->all ? steps->all : &none;
}

/* Those before round 0. */
static inline void own_moves(const struct kp_steps *steps, char *const *base)
{
    if (steps->first > 0)
        moves(steps->all, steps->all + steps->first, base);
}

/* Whether they can be done at the end, too. */
static inline bool moves_late(const struct kp_steps *steps)
{
    return steps->rounds == 1 && !steps->early;
}

/* Between own memory, which begins at `base`, and what another one has shown of its own. */
static inline void put_or_take(const struct kp_steps *steps, const struct round_steps *r,
                               uint32_t message, const kp_group *members, const char *const *base)
{
    const struct letter *letter = &steps->letters[message];
    const struct step *begin = steps->all + letter->first, *end = steps->all + letter->end;
    const char *const *other = members[letter->rank].shown.bases;
    if (message < r->await)
        copies(begin, end, (char *const *)other, base);
    else
        copies(begin, end, (char *const *)base, other);
}

static void put_and_take(const struct kp_steps *steps, const struct round_steps *r,
                         const kp_group *seat, char *const *base)
{
    for (uint32_t i = r->post; i < r->last; i++)
        put_or_take(steps, r, i, seat->shared->members, (const char *const *)base);
}

/* What is left of the only round, or the last one, for one of a company, in either direction. */
static void do_work(const kp_group *seat, bool backwards)
{
    const struct kp_steps *steps = seat->shown.work;
    const struct round_steps *r = &steps->round[steps->rounds - 1];
    const char *const *base = seat->shown.bases;
    const bool moves_too = moves_late(steps);
    if (moves_too && !backwards)
        own_moves(steps, (char *const *)base);
    for (uint32_t i = r->post; i < r->last; i++)
        put_or_take(steps, r, backwards ? r->last - 1 - (i - r->post) : i, seat->shared->members,
                    base);
    if (moves_too && backwards)
        own_moves(steps, (char *const *)base);
}

void kp_steps_work(const kp_group *seat)
{
    struct kp_company *company = seat->company;
    const bool backwards = company->turns % 2 != 0;
    bool any = false;
    const kp_group *one = backwards ? company->last : company->first;
    for (; one; one = backwards ? one->before_here : one->next_here) {
        if (!one->shown.work)
            continue;
        do_work(one, backwards);
        any = true;
    }
    company->turns += any;
}

/* These are compiled twice, with and without looking at the clock. */
#define KP_TWICE static inline __attribute__((always_inline))

KP_TWICE int rounds(const struct kp_steps *steps, kp_group *seat, char *const *base,
                    const bool traced)
{
    const struct step *all = first_of(steps);
    const bool together = steps->together && !traced && !seat->exchange;
    if (steps->early)
        moves(all, all + steps->first, base);
    if (steps->describes)
        kp_port_show_work(seat, together ? steps : NULL);
    for (int t = 0; t < steps->rounds; t++) {
        const struct round_steps *r = &steps->round[t];
        if (!r->described) {
            fill(all + r->pack, all + r->take, base, kp_pass_row(seat, r->row_bytes));
            if (traced)
                kp_trace_sends(seat);
        } else if (t == steps->rounds - 1) {
            kp_port_expose_all(seat);
        }
        kp_pass_arrive(seat);
        const bool works = seat->was_last_here;
        if (t == 0 && !steps->early && !(together && moves_late(steps))) {
            moves(all, all + steps->first, base); /* while the others are on their way */
            if (traced)
                kp_trace_waits(seat);
        }
        int status = kp_pass_await(seat, t);
        if (traced)
            kp_trace_passed(seat);
        if (status)
            return traced ? kp_trace_failed(seat, KP_TRACE_ROUND, t, status) : status;
        const bool last = t == steps->rounds - 1;
        if (!r->described)
            empty(all + r->take, all + r->move, base, kp_pass_rows(seat, r->row_bytes));
        else if (last && works)
            kp_steps_work(seat);
        if (r->described && !(last && together))
            put_and_take(steps, r, seat, base);
        moves(all + r->move, all + r->end, base);
        if (traced)
            kp_trace_round(seat, KP_TRACE_ROUND, t, 0);
    }
    return KP_OK;
}

KP_TWICE int round_by_mail(const struct kp_steps *steps, kp_group *seat, char *const *base, int t,
                           const bool traced)
{
    const struct step *all = first_of(steps);
    const struct round_steps *r = &steps->round[t];
    const struct letter *letter = steps->letters + r->post;
    int status = r->post < r->await ? kp_mail_make_room(seat, t) : KP_OK;
    if (traced)
        kp_trace_sends(seat);
    for (; !status && letter < steps->letters + r->await; letter++) {
        char *payload = (char *)kp_mail_box(seat, letter->port)->payload;
        fill(all + letter->first, all + letter->end, base, payload);
        kp_mail_post(seat, letter->port, letter->rank);
    }
    for (; !status && letter < steps->letters + r->last; letter++) {
        struct kp_mailbox *box;
        status = kp_mail_await(seat, letter->rank, letter->port, t, &box);
        if (status)
            break;
        empty(all + letter->first, all + letter->end, base, (const char *)box->payload);
        kp_mail_take(box);
    }
    if (!status)
        moves(all + r->move, all + r->end, base);
    if (traced && status)
        return kp_trace_failed(seat, KP_TRACE_LETTERS, t, status);
    if (traced)
        kp_trace_round(seat, KP_TRACE_LETTERS, t, 0);
    return status;
}

KP_TWICE int rounds_by_mail(const struct kp_steps *steps, kp_group *seat, char *const *base,
                            const bool traced)
{
    int status = KP_OK;
    moves(first_of(steps), first_of(steps) + steps->first, base);
    for (int t = 0; t < steps->rounds && !status; t++) {
        kp_mail_next(seat);
        status = round_by_mail(steps, seat, base, t, traced);
    }
    return status;
}

__attribute__((noinline)) static int all_traced(struct kp_prepared *call, kp_group *seat,
                                                char *const *base, bool by_mail)
{
    kp_traced_open(seat, call);
    return by_mail ? rounds_by_mail(call->steps, seat, base, true)
                   : rounds(call->steps, seat, base, true);
}

static inline int all(struct kp_prepared *call, kp_group *seat, char *const *base, bool by_mail)
{
    if (seat->trace)
        return all_traced(call, seat, base, by_mail);
    return by_mail ? rounds_by_mail(call->steps, seat, base, false)
                   : rounds(call->steps, seat, base, false);
}

/* What the general way would do, without its loops: what a call of threads with a core each costs
 * is the instructions between seeing the others and being seen by them; where many share one, the
 * lines that each of them finds gone. Compiled twice, as `of_two` is known. */
KP_TWICE int only_round(kp_group *seat, struct kp_prepared *call, char *const *base,
                        const bool of_two)
{
    const struct kp_steps *steps = call->steps;
    const uint64_t fingerprint = KP_COMPARES_CALLS ? call->shown.fingerprint : 0;
    const unsigned generation = kp_generation_of(seat->passes + 1);
    if (steps->early)
        own_moves(steps, base);
    if (steps->packs) {
        const struct placed_step *pack = &steps->pack;
        kp_copy(pack->row[generation], base[pack->space] + pack->place, pack->bytes);
    }
    if (of_two)
        kp_pair_arrive(seat, fingerprint);
    else
        kp_pass_arrive(seat);
    if (!steps->early)
        own_moves(steps, base);
    int status = of_two ? kp_pass_await_other(seat, fingerprint, 0) : kp_pass_await(seat, 0);
    if (status)
        return status;
    if (steps->takes) {
        const struct placed_step *take = &steps->take;
        kp_copy(base[take->space] + take->place, take->row[generation], take->bytes);
    }
    kp_pass_count(seat, steps->c1, steps->c2);
    return kp_pass_close(seat);
}

int kp_steps_execute(kp_group *seat, struct kp_prepared *call, const char *out, char *in,
                     char *scratch)
{
    char *const base[KP_SPACES] = {[KP_OUT] = (char *)out, [KP_IN] = in, [KP_SCRATCH] = scratch};
    bool by_mail = call->execution.by_mail;
    int status = KP_OK;
    if (call->steps->only && !seat->trace && !seat->exchange) {
        kp_pass_open(seat, &call->shown);
        return kp_pass_leave(seat, call->steps->of_two ? only_round(seat, call, base, true)
                                                       : only_round(seat, call, base, false));
    }
    for (int space = 0; call->steps->describes && space < KP_SPACES; space++)
        kp_port_show(seat, space, base[space]);
    if (by_mail)
        status = kp_mail_open(seat, &call->shown, &kp_call_past);
    else
        kp_pass_open(seat, &call->shown);
    if (!status)
        status = all(call, seat, base, by_mail);
    if (!status) {
        kp_pass_count(seat, call->c1, call->c2);
        status = by_mail ? kp_mail_close(seat) : kp_pass_close(seat);
    }
    return kp_pass_leave(seat, status);
}
