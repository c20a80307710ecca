#include "lib/steps.h"

#include "lib/cursor.h"
#include "lib/operation.h"
#include "lib/plan.h"
#include "lib/vector.h"
#include "ports/mail.h"
#include "ports/pass.h"

#include <stdlib.h>

#define MOST_STEPS 192 /* 4.5 KiB a seat and call */

/* One copy: between a row and a space, or between two spaces. */
struct step {
    uint8_t space;
    uint8_t from_space; /* of a move */
    int32_t rank;       /* of the row's owner, where a message is taken */
    uint32_t bytes;
    uint32_t row;   /* place in the row; of a move: in from_space */
    uint64_t place; /* in the space */
};

_Static_assert(sizeof(struct step) == 24, "what MOST_STEPS is reckoned with");

struct round_steps {
    uint32_t pack, take, move, end; /* where each begins */
    size_t row_bytes;               /* of the longest row */
};

struct kp_steps {
    int rounds;
    bool early;     /* the moves before round 0 are to be done before its messages are packed */
    uint32_t first; /* end of those moves */
    struct step *all;
    struct round_steps round[];
};

/* --- Writing them down --- */

struct writer {
    const struct kp_execution *execution; /* with all spaces at `origin` */
    struct kp_vector steps;
    bool fits;
};

static char origin;

static uint64_t place_of(const struct kp_cursor *c)
{
    return (uint64_t)((uintptr_t)c->at - (uintptr_t)&origin);
}

static void add(struct writer *w, struct step step)
{
    struct step *next = w->steps.count < MOST_STEPS ? kp_vector_add(&w->steps, sizeof step) : NULL;
    if (next)
        *next = step;
    else
        w->fits = false;
}

/* Between a list of pieces and neighbouring bytes of a row. */
static void add_row(struct writer *w, const kp_piece *pieces, size_t count, uint64_t row, int rank)
{
    struct kp_cursor c = kp_cursor_at(w->execution, &w->execution->own, pieces, count);
    while (w->fits && kp_cursor_next(&c)) {
        w->fits = row + c.left <= UINT32_MAX;
        add(w, (struct step){.space = (uint8_t)c.piece->space,
                             .rank = rank,
                             .bytes = (uint32_t)c.left,
                             .row = (uint32_t)row,
                             .place = place_of(&c)});
        row += c.left;
    }
}

static void add_moves(struct writer *w, const struct stored_round *r)
{
    const struct kp_execution *e = w->execution;
    const kp_move *moves = e->schedule->moves;
    for (uint32_t i = r[0].move; i < r[1].move && w->fits; i++) {
        struct kp_cursor to = kp_cursor_at(e, &e->own, &moves[i].to, 1);
        struct kp_cursor from = kp_cursor_at(e, &e->own, &moves[i].from, 1);
        w->fits = !moves[i].combining;
        while (w->fits && (to.left > 0 || kp_cursor_next(&to)) &&
               (from.left > 0 || kp_cursor_next(&from))) {
            size_t bytes = to.left < from.left ? to.left : from.left;
            uint64_t source = place_of(&from);
            w->fits = source <= UINT32_MAX && bytes <= UINT32_MAX;
            add(w, (struct step){.space = (uint8_t)to.piece->space,
                                 .from_space = (uint8_t)from.piece->space,
                                 .bytes = (uint32_t)bytes,
                                 .row = (uint32_t)source,
                                 .place = place_of(&to)});
            to.at += bytes;
            to.left -= bytes;
            from.at += bytes;
            from.left -= bytes;
        }
    }
}

static void add_round(struct writer *w, const struct stored_round *r, struct round_steps *round)
{
    const struct kp_execution *e = w->execution;
    const struct kp_schedule *s = e->schedule;
    round->pack = (uint32_t)w->steps.count;
    for (uint32_t i = r[0].pack; i < r[1].pack && w->fits; i++)
        add_row(w, &s->packs[i].piece, 1, (uint64_t)s->packs[i].row * e->unit, 0);
    round->take = (uint32_t)w->steps.count;
    for (uint32_t i = r[0].receive; i < r[1].receive && w->fits; i++) {
        const struct stored_message *m = &s->receives[i];
        w->fits = !m->combining;
        add_row(w, s->pieces + m->first_piece, m->piece_count, (uint64_t)m->row * e->unit,
                kp_real_rank(e, kp_peer_of(e, m)));
    }
    round->move = (uint32_t)w->steps.count;
    add_moves(w, r);
    round->end = (uint32_t)w->steps.count;
}

/* Whether what the first moves write may be read by the packing that follows. Spaces may be one
 * memory: in place, or with one buffer for both directions. */
static bool must_come_early(const struct kp_steps *made, const kp_problem *p)
{
    if (p->in_place || kp_operation_row(p->operation)->one_buffer || made->rounds == 0)
        return true;
    for (uint32_t i = made->round[0].pack; i < made->round[0].take; i++) {
        for (uint32_t j = 0; j < made->first; j++) {
            if (made->all[j].space == made->all[i].space)
                return true;
        }
    }
    return false;
}

static bool can_be_written(kp_group *seat, const struct kp_prepared *call)
{
    const struct kp_execution *e = &call->execution;
    return !e->describes && e->unit > 0 && kp_size(seat) > 1 && !kp_mail_keeps(seat) &&
           e->schedule->rounds <= MOST_STEPS;
}

struct kp_steps *kp_steps_make(kp_group *seat, const struct kp_prepared *call)
{
    if (!can_be_written(seat, call))
        return NULL;
    struct kp_execution e = call->execution;
    for (int space = 0; space < KP_SPACES; space++)
        e.own.base[space] = &origin;
    const struct kp_schedule *s = e.schedule;
    size_t header = sizeof(struct kp_steps) + (size_t)s->rounds * sizeof(struct round_steps);
    struct kp_steps *made = calloc(1, header);
    struct writer w = {.execution = &e, .fits = made != NULL};
    if (w.fits)
        add_moves(&w, kp_schedule_round(s, e.own.rank, -1));
    uint32_t first = (uint32_t)w.steps.count;
    for (int t = 0; t < s->rounds && w.fits; t++) {
        made->round[t].row_bytes = (size_t)s->row_units[t] * e.unit;
        add_round(&w, kp_schedule_round(s, e.own.rank, t), &made->round[t]);
    }
    if (!w.fits) {
        kp_vector_free(&w.steps);
        free(made);
        return NULL;
    }
    made->rounds = s->rounds;
    made->first = first;
    made->all = kp_vector_take(&w.steps, sizeof *made->all);
    made->early = must_come_early(made, &call->problem);
    return made;
}

void kp_steps_free(struct kp_steps *steps)
{
    if (steps)
        free(steps->all);
    free(steps);
}

/* --- Carrying them out --- */

static inline void moves(const struct step *s, const struct step *end, char *const *base)
{
    for (; s < end; s++) {
        char *to = base[s->space] + s->place;
        const char *from = base[s->from_space] + s->row;
        if (to != from)
            kp_copy(to, from, s->bytes);
    }
}

static int rounds(const struct kp_steps *steps, kp_group *seat, char *const *base)
{
    const struct step *all = steps->all;
    if (steps->early)
        moves(all, all + steps->first, base);
    for (int t = 0; t < steps->rounds; t++) {
        const struct round_steps *r = &steps->round[t];
        char *row = kp_pass_row(seat, r->row_bytes);
        for (const struct step *s = all + r->pack; s < all + r->take; s++)
            kp_copy(row + s->row, base[s->space] + s->place, s->bytes);
        kp_pass_arrive(seat);
        if (t == 0 && !steps->early)
            moves(all, all + steps->first, base); /* while the others are on their way */
        int status = kp_pass_await(seat, t);
        if (status)
            return status;
        size_t stride;
        const char *rows = kp_pass_rows(seat, r->row_bytes, &stride);
        for (const struct step *s = all + r->take; s < all + r->move; s++)
            kp_copy(base[s->space] + s->place, rows + (size_t)s->rank * stride + s->row, s->bytes);
        moves(all + r->move, all + r->end, base);
    }
    return KP_OK;
}

int kp_steps_execute(kp_group *seat, const struct kp_prepared *call, const char *out, char *in,
                     char *scratch, void (*describe)(const void *subject, char *text, size_t size))
{
    char *const base[KP_SPACES] = {[KP_OUT] = (char *)out, [KP_IN] = in, [KP_SCRATCH] = scratch};
    kp_pass_open(seat, call->call_fingerprint, describe, &call->problem);
    int status = rounds(call->steps, seat, base);
    if (status)
        return status;
    kp_pass_count(seat, call->c1, call->c2);
    return kp_pass_close(seat);
}
