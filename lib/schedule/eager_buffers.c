/* The places of messages in their sender's eager buffer. The messages of a round lie one after the
 * other from the beginning of the buffer, and messages with the same contents lie there only once.
 * So in a concatenation the buffer holds one block, although the block goes out on every port.
 *
 * The messages lie in the order of their ports, or in reverse order if they lie in reverse order in
 * memory. An example is a root that sends its last blocks on its first port. The reverse order then
 * lets it fill the buffer with a single copy. */
#include "lib/problem/operation.h"
#include "lib/schedule/builder.h"
#include "lib/schedule/piece.h"
#include "ports/port.h"

#include <string.h>

/* A hash table of one round's messages by their contents, with open addressing. A slot has a
 * message's index + 1, or 0 if it is free. */
struct seen {
    uint32_t *slots;
    size_t mask;
};

static uint64_t hash_of(const struct kp_schedule *s, const struct stored_message *message)
{
    uint64_t hash = 14695981039346656037u;
    for (uint32_t i = 0; i < message->piece_count; i++) {
        const kp_piece *piece = &s->pieces[message->first_piece + i];
        const int64_t fields[] = {piece->space, piece->first, piece->count, piece->stride,
                                  piece->run};
        for (size_t j = 0; j < sizeof fields / sizeof fields[0]; j++)
            hash = (hash ^ (uint64_t)fields[j]) * 1099511628211u;
    }
    return hash ^ hash >> 32;
}

static bool same_contents(const struct kp_schedule *s, const struct stored_message *a,
                          const struct stored_message *b)
{
    if (a->piece_count != b->piece_count || a->units != b->units)
        return false;
    for (uint32_t i = 0; i < a->piece_count; i++) {
        const kp_piece *x = &s->pieces[a->first_piece + i], *y = &s->pieces[b->first_piece + i];
        if (x->space != y->space || x->first != y->first || x->count != y->count ||
            x->stride != y->stride || x->run != y->run)
            return false;
    }
    return true;
}

/* Returns an earlier message of the round with the same contents. If there is none, enters this
 * message in the table and returns NULL. */
static const struct stored_message *find_or_remember(const struct kp_schedule *s, struct seen *seen,
                                                     uint32_t index)
{
    const struct stored_message *message = &s->sends[index];
    size_t slot = (size_t)hash_of(s, message) & seen->mask;
    for (; seen->slots[slot]; slot = (slot + 1) & seen->mask) {
        const struct stored_message *earlier = &s->sends[seen->slots[slot] - 1];
        if (same_contents(s, earlier, message))
            return earlier;
    }
    seen->slots[slot] = index + 1;
    return NULL;
}

static bool add_packs(struct kp_schedule *s, struct kp_vector *packs, size_t first,
                      const struct stored_message *message)
{
    int64_t place = message->buffer_place;
    for (uint32_t i = 0; i < message->piece_count; i++) {
        const kp_piece *piece = &s->pieces[message->first_piece + i];
        struct stored_pack *last =
            packs->count > first ? (struct stored_pack *)packs->items + packs->count - 1 : NULL;
        if (!last || !kp_piece_merge(&last->piece, piece, kp_wrap_of(s, piece->space))) {
            struct stored_pack *pack = kp_vector_add(packs, sizeof *pack);
            if (!pack)
                return false;
            *pack = (struct stored_pack){.piece = *piece, .buffer_place = place};
        }
        place += kp_piece_units(piece);
    }
    return true;
}

/* Returns whether the round's first message begins in memory where the round's second message ends.
 * Returns false for operations without a root. In such an operation only rank 0 may be
 * stored, so all ranks use the same order of messages. But at each rank a different message wraps
 * around the end of the space, so no order suits all ranks. */
static bool lies_backwards(const struct kp_schedule *s, const struct stored_round *round)
{
    if (round[1].send - round[0].send < 2 || !kp_operation_has_root(s->problem.operation))
        return false;
    const struct stored_message *first = &s->sends[round[0].send], *second = first + 1;
    const kp_piece *from = &s->pieces[first->first_piece], *to = &s->pieces[second->first_piece];
    return first->piece_count == 1 && second->piece_count == 1 && from->space == to->space &&
           from->count == 1 && to->count == 1 && to->first + to->run == from->first;
}

static bool lay_round(struct kp_schedule *s, const struct stored_round *round,
                      struct kp_vector *packs, int t)
{
    int64_t end = 0;
    size_t first = packs->count;
    const uint32_t count = round[1].send - round[0].send;
    struct seen seen = {.mask = 1};
    while (seen.mask < (size_t)count * 2)
        seen.mask *= 2;
    seen.slots = calloc(seen.mask--, sizeof *seen.slots);
    const bool backwards = lies_backwards(s, round);
    bool room = seen.slots != NULL;
    for (uint32_t j = 0; j < count && room; j++) {
        uint32_t i = backwards ? round[1].send - 1 - j : round[0].send + j;
        const struct stored_message *earlier = count > 1 ? find_or_remember(s, &seen, i) : NULL;
        s->sends[i].buffer_place = earlier ? earlier->buffer_place : end;
        room = earlier || add_packs(s, packs, first, &s->sends[i]);
        end += earlier ? 0 : s->sends[i].units;
    }
    free(seen.slots);
    s->buffer_units[t] = end > s->buffer_units[t] ? end : s->buffer_units[t];
    s->all_units[t] += s->stored == 1 ? end * s->problem.n : end;
    return room;
}

/* Returns whether round 0 may send data that the moves before it write. This function compares only
 * spaces. For all existing schedules, comparing places would give the same answer. */
static bool moves_early(const struct kp_schedule *s, const struct stored_round *rounds)
{
    unsigned written = 0, sent = 0;
    for (uint32_t i = rounds[0].move; i < rounds[1].move; i++)
        written |= 1u << s->moves[i].to.space;
    for (uint32_t i = rounds[1].send; i < rounds[2].send && written; i++) {
        for (uint32_t j = 0; j < s->sends[i].piece_count; j++)
            sent |= 1u << s->pieces[s->sends[i].first_piece + j].space;
    }
    return (written & sent) != 0;
}

/* Returns whether senders may write their messages of the last round straight into the receiver's
 * memory. This is safe if the receiver's moves after the round read only its own outgoing block,
 * because no message is written to this block, even in place. */
static bool may_be_put(const struct kp_schedule *s, const struct stored_round *last)
{
    bool own_only = s->symmetry == KP_NO_SYMMETRY &&
                    kp_operation_blocks(s->problem.operation, KP_OUT) == KP_BLOCK_ONE;
    for (uint32_t i = last[0].move; i < last[1].move && own_only; i++)
        own_only = s->moves[i].from.space == KP_OUT && !s->moves[i].combining;
    /* A combining receive may read data that another receive of the same round has written. */
    for (uint32_t i = last[0].receive; i < last[1].receive && own_only; i++)
        own_only = !s->receives[i].combining;
    return own_only;
}

int kp_lay_buffers(struct kp_schedule *s)
{
    struct kp_vector packs = {.items = NULL};
    bool room = true;
    size_t stride = (size_t)s->rounds + 2;
    s->may_be_put = s->rounds > 0;
    for (int processor = 0; processor < s->stored && room; processor++) {
        struct stored_round *rounds = &s->round_index[(size_t)processor * stride];
        rounds[0].pack = (uint32_t)packs.count;
        s->may_be_put = s->may_be_put && may_be_put(s, &rounds[s->rounds]);
        s->moves_early = s->moves_early || (s->rounds > 0 && moves_early(s, rounds));
        for (int t = 0; t < s->rounds && room; t++) {
            rounds[t + 1].pack = (uint32_t)packs.count;
            room = lay_round(s, &rounds[t + 1], &packs, t);
        }
        rounds[stride - 1].pack = (uint32_t)packs.count;
    }
    s->bytes += packs.count * sizeof *s->packs;
    s->packs = kp_vector_take(&packs, sizeof *s->packs);
    return room ? KP_OK : kp_set_error(KP_EMEMORY, "there is no memory for the schedule");
}
