/* This header computes where the bytes of a list of pieces (kp_piece) lie at one processor. In a
 * schedule, ranks are counted from the root, and places may depend on the rank. A cursor goes
 * through a list of pieces and finds one segment of neighbouring bytes after the other. */
#ifndef KPORT_LIB_EXECUTE_CURSOR_H
#define KPORT_LIB_EXECUTE_CURSOR_H

#include "lib/execute/lower.h"

/* A position in a list of pieces. */
struct kp_cursor {
    const struct kp_lowering *of;
    const struct kp_view *view;
    const kp_piece *piece, *end;
    int64_t runs;  /* the number of runs of the current piece that the cursor has not begun */
    int64_t place; /* the place where the next run begins */
    /* The number of units of the current run that are not yet visited, and the place of the first
     * of these units. */
    int64_t rest;
    int64_t rest_place;
    /* The current segment: the position of its next byte in its buffer, the number of its bytes
     * that are left, and which buffer it is (kp_space, or one of lower.h). */
    uint64_t at;
    size_t left;
    uint8_t space;
};

/* The bytes begin ... end - 1 of a list of pieces. */
struct kp_section {
    size_t begin, end;
};
#define KP_ALL_BYTES ((struct kp_section){0, SIZE_MAX})

/* Returns the part of the range `at` ... at + bytes - 1 that belongs to a section. The result is
 * counted from `at`. If begin >= end in the result, no byte of the range belongs to the section. */
static inline struct kp_section kp_section_within(struct kp_section section, size_t at,
                                                  size_t bytes)
{
    size_t begin = section.begin > at ? section.begin - at : 0;
    size_t end = section.end > at ? section.end - at : 0;
    return (struct kp_section){begin, end < bytes ? end : bytes};
}

static inline int kp_real_rank(const struct kp_lowering *l, int rank)
{
    int to_end = l->schedule->problem.n - l->root;
    return rank < to_end ? rank + l->root : rank - to_end;
}

static inline struct kp_view kp_view_of(const struct kp_lowering *l, int rank, uint8_t first_space)
{
    const struct kp_schedule *s = l->schedule;
    struct kp_view view = {.rank = rank, .first_space = first_space};
    for (int space = 0; space < KP_SPACES; space++)
        view.shift[space] =
            s->per_processor[space] && !l->digits[space]
                ? (s->symmetry == KP_CYCLIC ? kp_real_rank(l, rank) : l->root) * s->units_of_block
                : 0;
    return view;
}

/* Returns the place at which a piece begins. In a schedule with a symmetry of digits or bits,
 * kp_digit_place adds the rank to the result later. */
static inline int64_t kp_start_of(const struct kp_lowering *l, const struct kp_view *view,
                                  const kp_piece *piece)
{
    int64_t place = piece->first + view->shift[piece->space];
    return place >= l->size[piece->space] ? place - l->size[piece->space] : place;
}

static inline int64_t kp_step_on(const struct kp_lowering *l, const kp_piece *piece, int64_t place)
{
    place += piece->stride;
    return place >= l->size[piece->space] ? place - l->size[piece->space] : place;
}

/* --- Cursors --- */

static inline void kp_enter_piece(struct kp_cursor *c)
{
    c->runs = c->piece->count;
    c->place = kp_start_of(c->of, c->view, c->piece);
    c->space = (uint8_t)(c->view->first_space + c->piece->space);
}

static inline struct kp_cursor kp_cursor_at(const struct kp_lowering *l, const struct kp_view *view,
                                            const kp_piece *pieces, size_t count)
{
    struct kp_cursor c = {.of = l, .view = view, .piece = pieces, .end = pieces + count};
    if (count > 0)
        kp_enter_piece(&c);
    return c;
}

/* Returns a cursor over `bytes` neighbouring bytes of the eager buffer. */
static inline struct kp_cursor kp_cursor_in_buffer(uint64_t at, size_t bytes)
{
    return (struct kp_cursor){.at = at, .left = bytes, .space = KP_BUFFER};
}

/* Adds the rank, digit by digit, to a place that does not include it (`position`), and returns the
 * resulting place. If `*units` units that begin at `position` would reach into the next block,
 * reduces `*units` so that they end with this block, because the next block lies elsewhere. */
static inline int64_t kp_digit_place(const struct kp_cursor *c, int64_t position, int64_t *units)
{
    const struct kp_schedule *s = c->of->schedule;
    int64_t block = position / s->units_of_block, offset = position % s->units_of_block;
    if (*units > s->units_of_block - offset)
        *units = s->units_of_block - offset;
    int there = kp_real_rank(c->of, kp_schedule_peer(s, c->view->rank, (int)block));
    return there * s->units_of_block + offset;
}

/* Moves the cursor to the next segment of neighbouring bytes. Returns false if there is none. */
static inline bool kp_cursor_next(struct kp_cursor *c)
{
    const struct kp_lowering *l = c->of;
    while (c->rest == 0) {
        while (c->piece != c->end && c->runs == 0) {
            if (++c->piece != c->end)
                kp_enter_piece(c);
        }
        if (c->piece == c->end)
            return false;
        c->rest = c->piece->run;
        c->rest_place = c->place;
        c->place = kp_step_on(l, c->piece, c->place);
        c->runs--;
    }
    kp_space space = c->piece->space;
    int64_t units = c->rest, place = c->rest_place;
    if (units > l->size[space] - place)
        units = l->size[space] - place;
    int64_t real = l->digits[space] ? kp_digit_place(c, place, &units) : place;
    c->rest -= units;
    c->rest_place = place + units == l->size[space] ? 0 : place + units;
    c->at = (uint64_t)real * l->unit;
    c->left = (size_t)units * l->unit;
    return true;
}

static inline void kp_cursor_skip(struct kp_cursor *c, size_t bytes)
{
    c->at += bytes;
    c->left -= bytes;
}

static inline int kp_peer_of(const struct kp_lowering *l, const struct stored_message *m)
{
    const struct kp_schedule *s = l->schedule;
    if (s->symmetry == KP_CYCLIC) {
        int peer = l->own.rank + m->peer;
        return peer >= s->problem.n ? peer - s->problem.n : peer;
    }
    return s->symmetry == KP_NO_SYMMETRY ? m->peer : kp_schedule_peer(s, l->own.rank, m->peer);
}

#endif
