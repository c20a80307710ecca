#include "lib/steps.h"

#include "lib/call.h"
#include "lib/cursor.h"
#include "lib/operation.h"
#include "lib/plan.h"
#include "lib/traced.h"
#include "lib/vector.h"
#include "ports/mail.h"
#include "ports/pass.h"

#include <stdlib.h>

#define MOST_STEPS 96 /* 4.5 KiB a seat and call */

/* Copies between a row, or a box, and a space, or between two spaces: as many as follow each other
 * at the same distances, so that those of a whole round are often one or two of these. */
struct step {
    uint8_t space;
    uint8_t from_space; /* of a move */
    uint32_t count;
    size_t bytes;   /* of each */
    uint64_t row;   /* place in the row; in all rows, where a message is taken; in from_space */
    uint64_t place; /* in the space */
    int64_t row_step, place_step;
};

_Static_assert(sizeof(struct step) <= 48, "what MOST_STEPS is reckoned with");

/* A message that is not packed with others: whose, or whom to, and which steps fill or empty its
 * mailbox, or copy it from or to the other one's memory. */
struct letter {
    int rank, port;
    uint32_t first, end;
};

struct round_steps {
    uint32_t pack, take, move, end; /* where each begins */
    uint32_t post, await, last;     /* letters */
    bool described;                 /* by the barrier: messages stay where they are */
    size_t row_bytes;               /* of the longest row */
};

struct kp_steps {
    int rounds;
    bool describes; /* in some round */
    bool early;     /* the moves before round 0 are to be done before its messages are packed */
    bool only;      /* see only_round */
    bool near;      /* whose rows lie with the words of a pair */
    uint32_t first; /* end of those moves */
    struct step *all;
    const struct step *pack, *take; /* of the only round; NULL: none */
    struct letter *letters;         /* NULL where all rounds are packed, and kept by the barrier */
    struct round_steps round[];
};

/* --- Writing them down --- */

struct writer {
    const struct kp_execution *execution; /* with all spaces at `origin` */
    struct kp_vector steps, letters;
    size_t stride; /* of rows */
    size_t begin;  /* of the current list */
    bool fits;
};

static char origin;

static uint64_t place_of(const struct kp_cursor *c)
{
    return (uint64_t)((uintptr_t)c->at - (uintptr_t)&origin);
}

/* Whether a step goes on where the last one ended. */
static bool joins(struct step *last, const struct step *next)
{
    int64_t row_step = (int64_t)(next->row - last->row);
    int64_t place_step = (int64_t)(next->place - last->place);
    if (last->space != next->space || last->from_space != next->from_space ||
        last->bytes != next->bytes)
        return false;
    if (last->count == 1) {
        last->row_step = row_step;
        last->place_step = place_step;
    } else if (row_step != last->count * last->row_step ||
               place_step != last->count * last->place_step) {
        return false;
    }
    last->count++;
    return true;
}

/* Those from `begin` on belong together. */
static void add(struct writer *w, struct step step)
{
    struct step *steps = w->steps.items;
    if (w->steps.count > w->begin && joins(&steps[w->steps.count - 1], &step))
        return;
    struct step *next = w->steps.count < MOST_STEPS ? kp_vector_add(&w->steps, sizeof step) : NULL;
    step.count = 1;
    if (next)
        *next = step;
    else
        w->fits = false;
}

/* Begins a list of steps that is carried out by itself; where it begins. */
static uint32_t begin_list(struct writer *w)
{
    w->begin = w->steps.count;
    return (uint32_t)w->begin;
}

/* Between a list of pieces and neighbouring bytes. */
static void add_row(struct writer *w, const kp_piece *pieces, size_t count, uint64_t row)
{
    struct kp_cursor c = kp_cursor_at(w->execution, &w->execution->own, pieces, count);
    while (w->fits && kp_cursor_next(&c)) {
        add(w, (struct step){.space = (uint8_t)c.piece->space,
                             .bytes = c.left,
                             .row = row,
                             .place = place_of(&c)});
        row += c.left;
    }
}

/* From pieces to pieces. */
static void add_copies(struct writer *w, struct kp_cursor to, struct kp_cursor from)
{
    while (w->fits && (to.left > 0 || kp_cursor_next(&to)) &&
           (from.left > 0 || kp_cursor_next(&from))) {
        size_t bytes = to.left < from.left ? to.left : from.left;
        add(w, (struct step){.space = (uint8_t)to.piece->space,
                             .from_space = (uint8_t)from.piece->space,
                             .bytes = bytes,
                             .row = place_of(&from),
                             .place = place_of(&to)});
        to.at += bytes;
        to.left -= bytes;
        from.at += bytes;
        from.left -= bytes;
    }
}

static void add_moves(struct writer *w, const struct stored_round *r)
{
    const struct kp_execution *e = w->execution;
    const kp_move *moves = e->schedule->moves;
    for (uint32_t i = r[0].move; i < r[1].move && w->fits; i++) {
        w->fits = !moves[i].combining;
        add_copies(w, kp_cursor_at(e, &e->own, &moves[i].to, 1),
                   kp_cursor_at(e, &e->own, &moves[i].from, 1));
    }
}

static void keep_letter(struct writer *w, uint32_t first, int rank, int port)
{
    struct letter *letter = w->fits ? kp_vector_add(&w->letters, sizeof *letter) : NULL;
    w->fits = letter != NULL;
    if (letter)
        *letter = (struct letter){
            .rank = rank, .port = port, .first = first, .end = (uint32_t)w->steps.count};
}

static void add_letter(struct writer *w, const struct stored_message *m, int port)
{
    const struct kp_execution *e = w->execution;
    uint32_t first = begin_list(w);
    w->fits = w->fits && !m->combining && (size_t)m->units * e->unit <= KP_MAILBOX_PAYLOAD;
    add_row(w, e->schedule->pieces + m->first_piece, m->piece_count, 0);
    keep_letter(w, first, kp_real_rank(e, kp_peer_of(e, m)), port);
}

static void add_letters(struct writer *w, const struct stored_round *r, struct round_steps *round)
{
    const struct kp_schedule *s = w->execution->schedule;
    round->post = (uint32_t)w->letters.count;
    for (uint32_t i = r[0].send; i < r[1].send && w->fits; i++)
        add_letter(w, &s->sends[i], s->sends[i].port);
    round->await = (uint32_t)w->letters.count;
    for (uint32_t i = r[0].receive; i < r[1].receive && w->fits; i++)
        add_letter(w, &s->receives[i], s->sends[s->receives[i].match].port);
    round->last = (uint32_t)w->letters.count;
}

static void add_rows(struct writer *w, const struct stored_round *r, struct round_steps *round)
{
    const struct kp_execution *e = w->execution;
    const struct kp_schedule *s = e->schedule;
    for (uint32_t i = r[0].pack; i < r[1].pack && w->fits; i++)
        add_row(w, &s->packs[i].piece, 1, (uint64_t)s->packs[i].row * e->unit);
    round->take = begin_list(w);
    for (uint32_t i = r[0].receive; i < r[1].receive && w->fits; i++) {
        const struct stored_message *m = &s->receives[i];
        size_t rank = (size_t)kp_real_rank(e, kp_peer_of(e, m));
        w->fits = !m->combining;
        add_row(w, s->pieces + m->first_piece, m->piece_count,
                rank * w->stride + (uint64_t)m->row * e->unit);
    }
}

/* A message that its receiver fetches, or, if it is `put`, its sender brings. */
static void add_described(struct writer *w, const struct stored_message *sent,
                          const struct stored_message *received, int rank, bool put)
{
    const struct kp_execution *e = w->execution;
    const kp_piece *pieces = e->schedule->pieces;
    struct kp_view peer = e->own; /* for the bases, which are nowhere yet */
    const struct kp_view *to = put ? &peer : &e->own, *from = put ? &e->own : &peer;
    uint32_t first = begin_list(w);
    kp_set_view(e, &peer, rank);
    w->fits = w->fits && !received->combining;
    add_copies(w, kp_cursor_at(e, to, pieces + received->first_piece, received->piece_count),
               kp_cursor_at(e, from, pieces + sent->first_piece, sent->piece_count));
    keep_letter(w, first, kp_real_rank(e, rank), 0);
}

/* In the executor's order. */
static void add_all_described(struct writer *w, const struct stored_round *r,
                              struct round_steps *round, int t)
{
    const struct kp_execution *e = w->execution;
    const struct kp_schedule *s = e->schedule;
    int me = e->own.rank;
    round->take = begin_list(w);
    round->post = (uint32_t)w->letters.count;
    for (uint32_t i = r[0].send; i < r[1].send && w->fits; i++) {
        const struct stored_message *received = &s->receives[s->sends[i].match];
        int peer = kp_peer_of(e, &s->sends[i]);
        if (kp_sender_copies(e, received, me, peer, t))
            add_described(w, &s->sends[i], received, peer, true);
    }
    round->await = (uint32_t)w->letters.count;
    uint32_t first = kp_first_to_take(e, r), count = r[1].receive - r[0].receive;
    for (uint32_t i = 0; i < count && w->fits; i++) {
        const struct stored_message *received =
            &s->receives[first + i < r[1].receive ? first + i : first + i - count];
        int peer = kp_peer_of(e, received);
        if (!kp_sender_copies(e, received, peer, me, t))
            add_described(w, &s->sends[received->match], received, peer, false);
    }
    round->last = (uint32_t)w->letters.count;
}

static void add_round(struct writer *w, const struct stored_round *r, struct round_steps *round,
                      bool by_mail, int t)
{
    round->pack = begin_list(w);
    if (round->described)
        add_all_described(w, r, round, t);
    else
        (by_mail ? add_letters : add_rows)(w, r, round);
    round->move = begin_list(w);
    add_moves(w, r);
    round->end = (uint32_t)w->steps.count;
}

/* Whether what the first moves write may be read by the packing that follows. Spaces may be one
 * memory: in place, or with one buffer for both directions. */
static bool must_come_early(bool by_mail, const kp_schedule *s, const kp_problem *p)
{
    return by_mail || p->in_place || kp_operation_row(p->operation)->one_buffer || s->moves_early;
}

static bool can_be_written(kp_group *seat, const struct kp_prepared *call)
{
    const struct kp_execution *e = &call->execution;
    int rounds = e->schedule->rounds;
    bool short_enough = !e->describes || (!e->by_mail && !e->past_cache);
    return short_enough && e->unit > 0 && kp_port_size(seat) > 1 && rounds > 0 &&
           rounds <= MOST_STEPS;
}

/* The one step of a list that has at most one, for at most one copy. */
static bool single(const struct step *from, const struct step *end, const struct step **found)
{
    *found = from < end ? from : NULL;
    return end - from <= 1 && (from == end || from->count == 1);
}

/* Whether there is one round, in which this member packs and takes one message at most: that is all
 * it has to do, in every call. */
static void find_only(struct kp_steps *made, const kp_group *seat, bool by_mail)
{
    const struct round_steps *r = made->round;
    made->only = made->rounds == 1 && !by_mail && !made->describes && r->move == r->end &&
                 single(made->all + r->pack, made->all + r->take, &made->pack) &&
                 single(made->all + r->take, made->all + r->move, &made->take);
    made->near = seat->shared->paired && r->row_bytes < seat->shared->near_end &&
                 (!made->pack || made->pack->row == 0) && (!made->take || made->take->row == 0);
}

/* Who has nothing to do has an empty list, in which places can be counted; not NULL. */
static void *take_list(struct kp_vector *list, size_t size)
{
    void *items = kp_vector_take(list, size);
    return items ? items : malloc(size);
}

struct kp_steps *kp_steps_make(kp_group *seat, const struct kp_prepared *call)
{
    if (!can_be_written(seat, call))
        return NULL;
    struct kp_execution e = call->execution;
    for (int space = 0; space < KP_SPACES; space++)
        e.own.base[space] = &origin;
    const struct kp_schedule *s = e.schedule;
    bool by_mail = call->execution.by_mail;
    size_t header = sizeof(struct kp_steps) + (size_t)s->rounds * sizeof(struct round_steps);
    struct kp_steps *made = calloc(1, header);
    struct writer w = {.execution = &e, .fits = made != NULL};
    (void)begin_list(&w);
    if (w.fits)
        add_moves(&w, kp_schedule_round(s, e.own.rank, -1));
    uint32_t first = (uint32_t)w.steps.count;
    for (int t = 0; t < s->rounds && w.fits; t++) {
        made->round[t].row_bytes = (size_t)s->row_units[t] * e.unit;
        w.stride = kp_pass_row_stride(seat, made->round[t].row_bytes);
        made->round[t].described = e.describes && !kp_is_eager(&e, seat, t);
        made->describes = made->describes || made->round[t].described;
        add_round(&w, kp_schedule_round(s, e.own.rank, t), &made->round[t], by_mail, t);
    }
    if (!w.fits) {
        kp_vector_free(&w.steps);
        kp_vector_free(&w.letters);
        free(made);
        return NULL;
    }
    made->rounds = s->rounds;
    made->first = first;
    made->all = take_list(&w.steps, sizeof *made->all);
    bool letters = by_mail || made->describes;
    made->letters = letters ? take_list(&w.letters, sizeof *made->letters) : NULL;
    if (!made->all || (letters && !made->letters)) {
        kp_steps_free(made);
        return NULL;
    }
    made->early = must_come_early(by_mail, s, &call->problem);
    find_only(made, seat, by_mail);
    return made;
}

void kp_steps_free(struct kp_steps *steps)
{
    if (steps) {
        free(steps->all);
        free(steps->letters);
    }
    free(steps);
}

/* --- Carrying them out --- */

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
                kp_copy(to, from, s->bytes);
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

/* What the others have shown of their memory, and own memory from and to it. */
static void put_and_take(const struct kp_steps *steps, const struct round_steps *r,
                         const kp_group *seat, char *const *base)
{
    const struct step *all = steps->all;
    const struct letter *letter = steps->letters + r->post;
    const struct kp_group *members = seat->shared->members;
    for (; letter < steps->letters + r->await; letter++)
        copies(all + letter->first, all + letter->end,
               (char *const *)members[letter->rank].shown.bases, (const char *const *)base);
    for (; letter < steps->letters + r->last; letter++)
        copies(all + letter->first, all + letter->end, base, members[letter->rank].shown.bases);
}

/* These are compiled twice, with and without looking at the clock. */
#define KP_TWICE static inline __attribute__((always_inline))

KP_TWICE int rounds(const struct kp_steps *steps, kp_group *seat, char *const *base,
                    const bool traced)
{
    const struct step *all = first_of(steps);
    if (steps->early)
        moves(all, all + steps->first, base);
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
        if (t == 0 && !steps->early) {
            moves(all, all + steps->first, base); /* while the others are on their way */
            if (traced)
                kp_trace_waits(seat);
        }
        int status = kp_pass_await(seat, t);
        if (traced)
            kp_trace_passed(seat);
        if (status)
            return traced ? kp_trace_failed(seat, KP_TRACE_ROUND, t, status) : status;
        if (r->described)
            put_and_take(steps, r, seat, base);
        else
            empty(all + r->take, all + r->move, base, kp_pass_rows(seat, r->row_bytes));
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

static inline char *near_row(const kp_group *seat, int rank, uint64_t pass)
{
    return (char *)kp_pair_note(seat->shared, rank)->row[kp_generation_of(pass)];
}

/* What the general way would do, without its loops: what a call of threads with a core each costs
 * is the instructions between seeing the others and being seen by them. Compiled twice, as `near`
 * is known. */
KP_TWICE int only_round(kp_group *seat, struct kp_prepared *call, char *const *base,
                        const bool near)
{
    const struct kp_steps *steps = call->steps;
    const struct step *pack = steps->pack, *take = steps->take, *all = first_of(steps);
    const size_t bytes = steps->round->row_bytes;
    const uint64_t fingerprint = KP_COMPARES_CALLS ? call->call_fingerprint : 0;
    if (steps->early)
        moves(all, all + steps->first, base);
    if (pack)
        kp_copy(near ? near_row(seat, seat->rank, seat->passes + 1)
                     : kp_pass_row(seat, bytes) + pack->row,
                base[pack->space] + pack->place, pack->bytes);
    if (near)
        kp_pair_arrive(seat, fingerprint);
    else
        kp_pass_arrive(seat);
    if (!steps->early)
        moves(all, all + steps->first, base);
    int status = near ? kp_pass_await_other(seat, fingerprint, 0) : kp_pass_await(seat, 0);
    if (status)
        return status;
    if (take)
        kp_copy(base[take->space] + take->place,
                near ? near_row(seat, 1 - seat->rank, seat->passes)
                     : kp_pass_rows(seat, bytes) + take->row,
                take->bytes);
    kp_pass_count(seat, call->c1, call->c2);
    return kp_pass_close(seat);
}

int kp_steps_execute(kp_group *seat, struct kp_prepared *call, const char *out, char *in,
                     char *scratch, void (*describe)(const void *subject, char *text, size_t size))
{
    char *const base[KP_SPACES] = {[KP_OUT] = (char *)out, [KP_IN] = in, [KP_SCRATCH] = scratch};
    bool by_mail = call->execution.by_mail;
    int status = KP_OK;
    if (call->steps->only && !seat->trace && !seat->exchange) {
        kp_pass_open(seat, call->call_fingerprint, describe, &call->problem);
        return kp_pass_leave(seat, call->steps->near ? only_round(seat, call, base, true)
                                                     : only_round(seat, call, base, false));
    }
    for (int space = 0; call->steps->describes && space < KP_SPACES; space++)
        kp_port_show(seat, space, base[space]);
    if (by_mail)
        status =
            kp_mail_open(seat, call->call_fingerprint, describe, &call->problem, &kp_call_past);
    else
        kp_pass_open(seat, call->call_fingerprint, describe, &call->problem);
    if (!status)
        status = all(call, seat, base, by_mail);
    if (!status) {
        kp_pass_count(seat, call->c1, call->c2);
        status = by_mail ? kp_mail_close(seat) : kp_pass_close(seat);
    }
    return kp_pass_leave(seat, status);
}
