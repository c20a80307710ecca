/* In which round each place of the incoming buffer is written last. Where blocks have lengths of
 * their own, that write goes to the caller's memory; the ones before it bring blocks that only pass
 * through, which may be longer than what belongs there. */
#include "lib/arithmetic.h"
#include "lib/builder.h"
#include "lib/operation.h"
#include "ports/error.h"

#include <stdlib.h>

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

int kp_find_last_writes(struct kp_schedule *s)
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
    return KP_OK;
}
