/* Writing a plan down as steps. */
#include "lib/call.h"
#include "lib/cursor.h"
#include "lib/operation.h"
#include "lib/plan.h"
#include "lib/steps.h"
#include "lib/steps_data.h"
#include "lib/vector.h"
#include "ports/mail.h"
#include "ports/pass.h"

#include <stdlib.h>

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

/* What follows in the row and in the space is one copy: what a root scatters is one, not n.
 * (Between two spaces, which may be one memory, it is not.) */
static void add_to_row(struct writer *w, struct step step)
{
    struct step *steps = w->steps.items;
    struct step *last = w->steps.count > w->begin ? &steps[w->steps.count - 1] : NULL;
    if (last && last->count == 1 && last->space == step.space &&
        last->row + last->bytes == step.row && last->place + last->bytes == step.place)
        last->bytes += step.bytes;
    else
        add(w, step);
}

/* Between a list of pieces and neighbouring bytes. */
static void add_row(struct writer *w, const kp_piece *pieces, size_t count, uint64_t row)
{
    struct kp_cursor c = kp_cursor_at(w->execution, &w->execution->own, pieces, count);
    while (w->fits && kp_cursor_next(&c)) {
        add_to_row(w, (struct step){.space = (uint8_t)c.piece->space,
                                    .bytes = c.left,
                                    .row = row,
                                    .place = place_of(&c)});
        row += c.left;
    }
}

/* From pieces to pieces. */
static void add_copies(struct writer *w, struct kp_cursor to, struct kp_cursor from,
                       struct kp_section section)
{
    for (size_t at = 0; w->fits && at < section.end && (to.left > 0 || kp_cursor_next(&to)) &&
                        (from.left > 0 || kp_cursor_next(&from));) {
        size_t bytes = to.left < from.left ? to.left : from.left;
        struct kp_section here = kp_section_within(section, at, bytes);
        if (here.begin < here.end)
            add(w, (struct step){.space = (uint8_t)to.piece->space,
                                 .from_space = (uint8_t)from.piece->space,
                                 .bytes = here.end - here.begin,
                                 .row = place_of(&from) + here.begin,
                                 .place = place_of(&to) + here.begin});
        at += bytes;
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
                   kp_cursor_at(e, &e->own, &moves[i].from, 1), KP_ALL_BYTES);
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

/* The part of a message that its receiver fetches, or, if it is `put`, its sender brings. */
static void add_described(struct writer *w, const struct stored_message *sent,
                          const struct stored_message *received, int rank, bool put,
                          struct kp_section section)
{
    const struct kp_execution *e = w->execution;
    const kp_piece *pieces = e->schedule->pieces;
    struct kp_view peer = e->own; /* for the bases, which are nowhere yet */
    const struct kp_view *to = put ? &peer : &e->own, *from = put ? &e->own : &peer;
    uint32_t first = begin_list(w);
    kp_set_view(e, &peer, rank);
    w->fits = w->fits && !received->combining;
    add_copies(w, kp_cursor_at(e, to, pieces + received->first_piece, received->piece_count),
               kp_cursor_at(e, from, pieces + sent->first_piece, sent->piece_count), section);
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
        size_t part = kp_sender_part(e, received, me, peer, t);
        if (part > 0)
            add_described(w, &s->sends[i], received, peer, true, (struct kp_section){0, part});
    }
    round->await = (uint32_t)w->letters.count;
    uint32_t first = kp_first_to_take(e, r), count = r[1].receive - r[0].receive;
    for (uint32_t i = 0; i < count && w->fits; i++) {
        const struct stored_message *received =
            &s->receives[first + i < r[1].receive ? first + i : first + i - count];
        int peer = kp_peer_of(e, received);
        size_t part = kp_sender_part(e, received, peer, me, t);
        if (part == 0 || part < (size_t)received->units * e->unit)
            add_described(w, &s->sends[received->match], received, peer, false,
                          (struct kp_section){part, SIZE_MAX});
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

/* Whether a list has one step at most, for one copy. */
static bool single(const struct step *from, const struct step *end)
{
    return from == end || (end - from == 1 && from->count == 1);
}

/* `rows`: where the row begins, or those of all, by generation. */
static struct placed_step placed(const struct step *step, char *const *rows)
{
    struct placed_step at = {.place = step->place, .bytes = step->bytes, .space = step->space};
    for (int generation = 0; generation < KP_GENERATIONS; generation++)
        at.row[generation] = rows[generation] + step->row;
    return at;
}

/* Whether there is one round, in which this member packs and takes one message at most: that is all
 * it has to do, in every call. */
static void find_only(struct kp_steps *made, const kp_group *seat, bool by_mail)
{
    const struct round_steps *r = made->round;
    const struct step *pack = made->all + r->pack, *take = made->all + r->take;
    const struct step *end = made->all + r->move;
    char *row[KP_GENERATIONS], *rows[KP_GENERATIONS];
    made->only = made->rounds == 1 && !by_mail && !made->describes && r->move == r->end &&
                 single(pack, take) && single(take, end);
    if (!made->only)
        return;
    for (unsigned generation = 0; generation < KP_GENERATIONS; generation++) {
        row[generation] = kp_pass_row_of(seat, r->row_bytes, generation);
        rows[generation] = kp_pass_rows_of(seat, r->row_bytes, generation);
    }
    made->of_two = seat->shared->paired;
    made->packs = pack < take;
    made->takes = take < end;
    if (made->packs)
        made->pack = placed(pack, row);
    if (made->takes)
        made->take = placed(take, rows);
}

/* Whether the last round ends with its messages, which nobody has packed. */
static bool can_be_done_together(const struct kp_steps *made, const kp_group *seat)
{
    const struct round_steps *last = &made->round[made->rounds - 1];
    return seat->kept == KP_KEPT_BY_COMPANIES && last->described && last->move == last->end;
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
    struct kp_steps *made = kp_lines_zeroed(1, header);
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
    made->rounds = (uint8_t)s->rounds;
    made->c1 = (uint32_t)call->c1; /* as many as rounds, at most */
    made->c2 = call->c2;
    made->first = first;
    made->all = take_list(&w.steps, sizeof *made->all);
    bool letters = by_mail || made->describes;
    made->letters = letters ? take_list(&w.letters, sizeof *made->letters) : NULL;
    if (!made->all || (letters && !made->letters)) {
        kp_steps_free(made);
        return NULL;
    }
    made->early = must_come_early(by_mail, s, &call->problem);
    made->together = can_be_done_together(made, seat);
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
