/* Computes how many places of scratch each processor uses, where blocks have lengths of their own.
 * The schedule's scratch is as large as the most that a processor needs. If each of n processors
 * had a table of that size, all tables together might grow with n^2. */
#include "lib/problem/operation.h"
#include "lib/schedule/builder.h"
#include "ports/port.h"

#include <stdlib.h>

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

static size_t scratch_of_processor(const struct kp_schedule *s, int processor)
{
    const struct stored_round *first = kp_schedule_round(s, processor, -1);
    const struct stored_round *end = kp_schedule_round(s, processor, s->rounds);
    size_t places = larger(end_of_messages(s, s->sends, first->send, end->send),
                           end_of_messages(s, s->receives, first->receive, end->receive));
    for (uint32_t i = first->move; i < end->move; i++)
        places = larger(places, larger(end_in_scratch(s, &s->moves[i].to),
                                       end_in_scratch(s, &s->moves[i].from)));
    return places;
}

int kp_find_places(struct kp_schedule *s)
{
    if (!kp_operation_row(s->problem.operation)->lengths || s->problem.algorithm->pads)
        return KP_OK;
    s->scratch_places = malloc((size_t)s->stored * sizeof *s->scratch_places);
    if (!s->scratch_places)
        return kp_set_error(KP_EMEMORY, "there is no memory for the schedule");
    s->bytes += (size_t)s->stored * sizeof *s->scratch_places;
    /* If the places depend on the rank, a processor may use any place. */
    bool all = s->stored == 1 || s->per_processor[KP_SCRATCH];
    for (int processor = 0; processor < s->stored; processor++)
        s->scratch_places[processor] =
            all ? (size_t)s->units[KP_SCRATCH] : scratch_of_processor(s, processor);
    return KP_OK;
}
