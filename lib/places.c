/* What the executor has to know of a schedule where blocks have lengths of their own.
 *
 * In which round each place of the incoming buffer is written last: that write goes to the caller's
 * memory; the ones before it bring blocks that only pass through, which may be longer than what
 * belongs there. And how many places of scratch a part has: the whole scratch is that of the part
 * that has most, and a table of it for each of n processors would grow with the square of n. */
#include "lib/arithmetic.h"
#include "lib/builder.h"
#include "lib/operation.h"
#include "ports/port.h"

#include <stdlib.h>

/* --- Last writes --- */

static void mark(const struct kp_schedule *s, int32_t *last, const kp_piece *piece, int round)
{
    if (piece->space != KP_IN)
        return;
    for (int64_t i = 0; i < piece->count; i++) {
        for (int64_t j = 0; j < piece->run; j++)
            last[kp_mod(piece->first + i * piece->stride + j, s->units[KP_IN])] = round;
    }
}

static void mark_part(const struct kp_schedule *s, int part, int32_t *last)
{
    for (int round = -1; round < s->rounds; round++) {
        const struct stored_round *r = kp_schedule_round(s, part, round);
        for (uint32_t i = r[0].receive; i < r[1].receive; i++) {
            const struct stored_message *m = &s->receives[i];
            for (uint32_t j = 0; j < m->piece_count; j++)
                mark(s, last, &s->pieces[m->first_piece + j], round);
        }
        for (uint32_t i = r[0].move; i < r[1].move; i++)
            mark(s, last, &s->moves[i].to, round);
    }
}

/* --- Scratch --- */

static size_t end_in_scratch(const struct kp_schedule *s, const kp_piece *piece)
{
    if (piece->space != KP_SCRATCH || piece->count == 0 || piece->run == 0)
        return 0;
    int64_t across = (piece->count - 1) * piece->stride;
    int64_t end = piece->first + (across > 0 ? across : 0) + piece->run;
    return (size_t)(end < s->units[KP_SCRATCH] ? end : s->units[KP_SCRATCH]);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t end_of_messages(const struct kp_schedule *s, const struct stored_message *messages,
                              uint32_t first, uint32_t end)
{
    size_t places = 0;
    for (uint32_t i = first; i < end; i++) {
        for (uint32_t j = 0; j < messages[i].piece_count; j++)
            places = larger(places, end_in_scratch(s, &s->pieces[messages[i].first_piece + j]));
    }
    return places;
}

static size_t scratch_of_part(const struct kp_schedule *s, int part)
{
    const struct stored_round *first = kp_schedule_round(s, part, -1);
    const struct stored_round *end = kp_schedule_round(s, part, s->rounds);
    size_t places = larger(end_of_messages(s, s->sends, first->send, end->send),
                           end_of_messages(s, s->receives, first->receive, end->receive));
    for (uint32_t i = first->move; i < end->move; i++)
        places = larger(places, larger(end_in_scratch(s, &s->moves[i].to),
                                       end_in_scratch(s, &s->moves[i].from)));
    return places;
}

static int find_scratch_places(struct kp_schedule *s)
{
    s->scratch_places = malloc((size_t)s->parts * sizeof *s->scratch_places);
    if (!s->scratch_places)
        return kp_set_error(KP_EMEMORY, "there is no memory for the schedule");
    s->bytes += (size_t)s->parts * sizeof *s->scratch_places;
    /* Places that follow the rank may be any of them. */
    bool all = s->parts == 1 || s->per_processor[KP_SCRATCH];
    for (int part = 0; part < s->parts; part++)
        s->scratch_places[part] = all ? (size_t)s->units[KP_SCRATCH] : scratch_of_part(s, part);
    return KP_OK;
}

int kp_find_places(struct kp_schedule *s)
{
    const struct kp_operation_row *row = kp_operation_row(s->problem.operation);
    /* Where the root alone has an incoming buffer, part 0 is all there is to know. */
    size_t parts = row->in_holder == KP_HELD_BY_ROOT ? 1 : (size_t)s->parts;
    if (!row->lengths || s->problem.algorithm->pads)
        return KP_OK;
    size_t places = parts * (size_t)s->units[KP_IN];
    s->last_write = malloc(places * sizeof *s->last_write);
    if (!s->last_write)
        return kp_set_error(KP_EMEMORY, "there is no memory for the schedule");
    s->bytes += places * sizeof *s->last_write;
    for (size_t i = 0; i < places; i++)
        s->last_write[i] = INT32_MAX;
    for (size_t part = 0; part < parts; part++)
        mark_part(s, (int)part, s->last_write + part * (size_t)s->units[KP_IN]);
    return find_scratch_places(s);
}
