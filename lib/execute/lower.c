#include "lib/execute/lower.h"

#include "lib/call/prepared.h"
#include "lib/execute/blocks.h"
#include "lib/execute/way.h"
#include "lib/execute/write.h"
#include "lib/schedule/vector.h"
#include "ports/member.h"

#include <stdlib.h>

void kp_lowering_prepare(struct kp_lowering *l, const struct kp_thresholds *thresholds,
                         const struct kp_schedule *schedule, size_t unit, kp_group *member,
                         bool may_mail, bool in_place)
{
    l->schedule = schedule;
    l->unit = unit;
    l->way = kp_way_of(member, thresholds, schedule, unit, may_mail, in_place);
    if (l->way.of_blocks)
        l->unit = sizeof(struct kp_block);
    for (int space = 0; space < KP_SPACES; space++) {
        l->size[space] = schedule->per_processor[space] ? schedule->units[space] : INT64_MAX;
        l->digits[space] = kp_schedule_by_digits(schedule) && schedule->per_processor[space];
    }
    l->root = 0;
    l->copied = 0;
    l->laid = 0;
    l->own_root = schedule->problem.algorithm->own_root;
    l->own = kp_view_of(l, kp_port_rank(member), 0);
}

void kp_lowering_set_root(struct kp_lowering *l, int root, int rank)
{
    if (l->root == root || l->own_root)
        return;
    l->root = root;
    l->own = kp_view_of(l, rank >= root ? rank - root : rank - root + l->schedule->problem.n, 0);
}

/* --- Writing the instructions of one round --- */

static const struct stored_round *round_of(const struct kp_lowering *l, int round)
{
    return kp_schedule_round(l->schedule, l->own.rank, round);
}

static struct kp_cursor own_cursor(const struct kp_lowering *l, const kp_piece *pieces,
                                   size_t count)
{
    return kp_cursor_at(l, &l->own, pieces, count);
}

/* Returns the kind of instruction that combines, with what comes on this side. */
static uint8_t combiner_of(const struct kp_lowering *l, int side)
{
    if (l->way.of_blocks)
        return side == KP_LEFT ? KP_COMBINE_BLOCKS_LEFT : KP_COMBINE_BLOCKS_RIGHT;
    return side == KP_LEFT ? KP_COMBINE_LEFT : KP_COMBINE_RIGHT;
}

/* If blocks have lengths of their own, writes the instructions that follow the moves of a round. */
static void end_round(struct kp_writer *w, int round)
{
    const struct kp_lowering *l = w->of;
    if ((l->way.of_blocks || l->way.padded) && round == l->schedule->rounds - 1)
        kp_write_all_blocks(w, KP_SETTLE_BLOCKS);
    if (l->way.of_blocks && round >= 0)
        kp_write_end(w, KP_END_ROUND, 0, 0);
}

void kp_lower_moves(struct kp_writer *w, int round)
{
    const struct kp_lowering *l = w->of;
    const struct stored_round *r = round_of(l, round);
    w->round = round;
    for (uint32_t i = r[0].move; i < r[1].move; i++) {
        const kp_move *move = &l->schedule->moves[i];
        struct kp_cursor to = own_cursor(l, &move->to, 1), from = own_cursor(l, &move->from, 1);
        if (move->combining)
            kp_write_combined(w, to, to, from, combiner_of(l, move->combining));
        else
            kp_write_copies(w, to, from, KP_ALL_BYTES);
    }
    end_round(w, round);
}

void kp_lower_first(struct kp_writer *w)
{
    if (w->of->copied > 0)
        kp_write_whole(w, KP_OUT, KP_IN, w->of->copied);
    if (w->of->way.padded)
        kp_write_all_blocks(w, KP_PAD_BLOCKS);
    kp_lower_moves(w, -1);
}

void kp_lower_packs(struct kp_writer *w, int round)
{
    const struct kp_lowering *l = w->of;
    const struct stored_round *r = round_of(l, round);
    for (uint32_t i = r[0].pack; i < r[1].pack; i++) {
        const struct stored_pack *pack = &l->schedule->packs[i];
        kp_write_buffered(w, &pack->piece, 1, (uint64_t)pack->buffer_place * l->unit, true);
    }
}

/* Combines the data of a message with the operand of the message. `from` is a cursor over the data.
 */
static void combine_message(struct kp_writer *w, const struct stored_message *m,
                            struct kp_cursor from)
{
    const struct kp_lowering *l = w->of;
    const struct kp_schedule *s = l->schedule;
    uint32_t operands;
    const kp_piece *operand = kp_operand_of(s, m, &operands);
    kp_write_combined(w, own_cursor(l, s->pieces + m->first_piece, m->piece_count),
                      own_cursor(l, operand, operands), from, combiner_of(l, m->combining));
}

/* Copies or combines a message that begins at position `at` of the buffer. */
static void take_from_buffer(struct kp_writer *w, const struct stored_message *m, uint64_t at)
{
    const struct kp_lowering *l = w->of;
    if (m->combining)
        combine_message(w, m, kp_cursor_in_buffer(at, (size_t)m->units * l->unit));
    else
        kp_write_buffered(w, l->schedule->pieces + m->first_piece, m->piece_count, at, false);
}

void kp_lower_takes(struct kp_writer *w, int round, size_t stride)
{
    const struct kp_lowering *l = w->of;
    const struct stored_round *r = round_of(l, round);
    for (uint32_t i = r[0].receive; i < r[1].receive; i++) {
        const struct stored_message *m = &l->schedule->receives[i];
        size_t rank = (size_t)kp_real_rank(l, kp_peer_of(l, m));
        take_from_buffer(w, m, rank * stride + (uint64_t)m->buffer_place * l->unit);
    }
}

/* Writes the copies of a section of a message. The sender makes them if `put`, else the receiver.
 */
static void lower_memory(struct kp_writer *w, const struct stored_message *sent,
                         const struct stored_message *received, bool put, struct kp_section section)
{
    const struct kp_lowering *l = w->of;
    const struct kp_schedule *s = l->schedule;
    int rank = kp_peer_of(l, put ? sent : received);
    const struct kp_view peer = kp_view_of(l, rank, KP_PEER);
    const struct kp_view *to = put ? &peer : &l->own, *from = put ? &l->own : &peer;
    struct kp_cursor source =
        kp_cursor_at(l, from, s->pieces + sent->first_piece, sent->piece_count);
    w->begins(w, &(struct code_message){.rank = kp_real_rank(l, rank),
                                        .port = sent->port,
                                        .via = KP_VIA_MEMORY,
                                        .put = put});
    if (l->laid)
        kp_write_meeting(w, kp_real_rank(l, rank));
    if (received->combining)
        combine_message(w, received, source);
    else
        kp_write_copies(
            w, kp_cursor_at(l, to, s->pieces + received->first_piece, received->piece_count),
            source, section);
    if (l->way.of_blocks)
        kp_write_end(w, KP_END_TAKEN, sent->port, kp_real_rank(l, rank));
    w->ends(w);
}

void kp_lower_blocks(struct kp_writer *w, const struct stored_message *m, uint8_t kind)
{
    const struct kp_lowering *l = w->of;
    const struct kp_cursor places =
        own_cursor(l, l->schedule->pieces + m->first_piece, m->piece_count);
    if (kind != KP_UNPACK_BLOCKS || !m->combining) {
        kp_write_blocks(w, places, places, kind);
        return;
    }
    uint32_t operands;
    const kp_piece *operand = kp_operand_of(l->schedule, m, &operands);
    kp_write_combined(w, places, own_cursor(l, operand, operands), places,
                      m->combining == KP_LEFT ? KP_UNPACK_BLOCKS_LEFT : KP_UNPACK_BLOCKS_RIGHT);
}

static void tell_sent(struct kp_writer *w, const struct stored_message *sent)
{
    const struct kp_lowering *l = w->of;
    const int rank = kp_real_rank(l, kp_peer_of(l, sent));
    w->begins(w, &(struct code_message){.rank = rank, .port = sent->port, .via = KP_VIA_MEMORY});
    kp_lower_blocks(w, sent, KP_COUNT_BLOCKS);
    kp_write_end(w, KP_END_SENT, sent->port, rank);
    w->ends(w);
}

static void lower_put(struct kp_writer *w, const struct stored_message *sent, int round)
{
    const struct kp_lowering *l = w->of;
    const struct stored_message *received = &l->schedule->receives[sent->match];
    size_t part = kp_way_sender_part(l, received, l->own.rank, kp_peer_of(l, sent), round);
    if (l->way.traced)
        tell_sent(w, sent);
    if (part > 0)
        lower_memory(w, sent, received, true, (struct kp_section){0, part});
}

static void lower_fetch(struct kp_writer *w, const struct stored_message *received, int round)
{
    const struct kp_lowering *l = w->of;
    const struct stored_message *sent = &l->schedule->sends[received->match];
    size_t part = kp_way_sender_part(l, received, kp_peer_of(l, received), l->own.rank, round);
    if (part == 0 || part < (size_t)received->units * l->unit)
        lower_memory(w, sent, received, false, (struct kp_section){part, SIZE_MAX});
}

void kp_lower_zero_copy(struct kp_writer *w, int round)
{
    const struct kp_lowering *l = w->of;
    const struct kp_schedule *s = l->schedule;
    const struct stored_round *r = round_of(l, round);
    w->round = round;
    for (uint32_t i = r[0].send; i < r[1].send; i++)
        lower_put(w, &s->sends[i], round);
    for (uint32_t i = r[0].receive; i < r[1].receive; i++)
        lower_fetch(w, &s->receives[i], round);
}

/* --- Messages by mailbox --- */

static enum kp_via via_of(const struct kp_lowering *l, const struct stored_message *m,
                          bool zero_copy)
{
    const bool in_box = KP_HAS(IN_BOX) && (size_t)m->units * l->unit <= KP_MAILBOX_PAYLOAD;
    if (l->way.by_wire || in_box)
        return KP_VIA_BOX;
    return zero_copy ? KP_VIA_MEMORY : KP_VIA_EAGER;
}

/* Finds out whether a message's units are neighbours, so that one copy packs or takes them. */
static void find_neighbours(const struct kp_lowering *l, const struct stored_message *m,
                            struct code_message *message)
{
    message->bytes = (size_t)m->units * l->unit;
    if (l->way.of_blocks || m->combining || m->piece_count != 1)
        return;
    struct kp_cursor at = kp_cursor_at(l, &l->own, l->schedule->pieces + m->first_piece, 1);
    message->neighbours =
        kp_cursor_next(&at) && at.left == message->bytes && !(l->laid >> at.space & 1);
    message->direct = message->neighbours && kp_wired_may_be_lone(message->bytes);
    message->space = at.space;
    message->place = at.at;
}

static struct code_message message_of(const struct kp_lowering *l, const struct stored_message *m,
                                      int port, bool zero_copy)
{
    struct code_message message = {.rank = kp_real_rank(l, kp_peer_of(l, m)),
                                   .port = port,
                                   .via = (uint8_t)via_of(l, m, zero_copy)};
    if (l->way.by_wire)
        find_neighbours(l, m, &message);
    return message;
}

struct code_message kp_lower_sent(const struct kp_lowering *l, const struct stored_message *sent,
                                  bool zero_copy)
{
    return message_of(l, sent, sent->port, zero_copy);
}

struct code_message kp_lower_received(const struct kp_lowering *l,
                                      const struct stored_message *received, bool zero_copy)
{
    return message_of(l, received, l->schedule->sends[received->match].port, zero_copy);
}

void kp_lower_box(struct kp_writer *w, const struct stored_message *sent)
{
    kp_write_buffered(w, w->of->schedule->pieces + sent->first_piece, sent->piece_count, 0, true);
}

void kp_lower_take(struct kp_writer *w, const struct stored_message *received, bool zero_copy)
{
    const struct kp_lowering *l = w->of;
    const struct code_message m = kp_lower_received(l, received, zero_copy);
    if (m.via == KP_VIA_MEMORY) {
        lower_memory(w, &l->schedule->sends[received->match], received, false, KP_ALL_BYTES);
        return;
    }
    w->begins(w, &m);
    if (!m.neighbours)
        take_from_buffer(w, received,
                         m.via == KP_VIA_EAGER ? (uint64_t)received->buffer_place * l->unit : 0);
    w->ends(w);
}

/* --- Code that is kept --- */

struct keeper {
    struct kp_vector messages;
    bool fits;
};

static void keep_begins(struct kp_writer *w, const struct code_message *m)
{
    struct keeper *keeper = w->context;
    struct code_message *kept = kp_vector_add(&keeper->messages, sizeof *kept);
    keeper->fits = keeper->fits && kept;
    if (kept)
        *kept = *m;
    if (kept)
        kept->first = w->count;
    w->begin = w->count;
}

static void keep_ends(struct kp_writer *w)
{
    const struct keeper *keeper = w->context;
    struct code_message *messages = keeper->messages.items;
    if (keeper->messages.count > 0)
        messages[keeper->messages.count - 1].end = w->count;
    w->begin = w->count;
}

static uint32_t messages_so_far(const struct kp_writer *w)
{
    const struct keeper *keeper = w->context;
    return (uint32_t)keeper->messages.count;
}

static uint32_t next_list(struct kp_writer *w)
{
    return w->begin = w->count;
}

static void keep_message_round(struct kp_writer *w, struct code_round *round, int t)
{
    const struct kp_lowering *l = w->of;
    const struct kp_schedule *s = l->schedule;
    const struct stored_round *r = round_of(l, t);
    if (!round->zero_copy && !l->way.by_wire)
        kp_lower_packs(w, t);
    round->take = next_list(w);
    round->send = messages_so_far(w);
    for (uint32_t i = r[0].send; i < r[1].send; i++) {
        const struct code_message m = kp_lower_sent(l, &s->sends[i], round->zero_copy);
        w->begins(w, &m);
        if (m.via == KP_VIA_BOX && !m.neighbours)
            kp_lower_box(w, &s->sends[i]);
        w->ends(w);
    }
    round->receive = messages_so_far(w);
    for (uint32_t i = r[0].receive; i < r[1].receive; i++)
        kp_lower_take(w, &s->receives[i], round->zero_copy);
}

static void keep_barrier_round(struct kp_writer *w, struct code_round *round, int t,
                               const kp_group *member)
{
    if (!round->zero_copy)
        kp_lower_packs(w, t);
    round->take = next_list(w);
    round->send = round->receive = messages_so_far(w);
    if (round->zero_copy)
        kp_lower_zero_copy(w, t);
    else
        kp_lower_takes(w, t, kp_member_buffer_stride(member, round->buffer_bytes));
}

static void keep_round(struct kp_writer *w, struct code_round *round, int t, const kp_group *member)
{
    const struct kp_lowering *l = w->of;
    round->buffer_bytes = (size_t)l->schedule->buffer_units[t] * l->unit;
    round->zero_copy = l->way.zero_copy && !kp_way_is_eager(l, member, t);
    round->pack = next_list(w);
    if (l->way.by_mail || l->way.by_wire)
        keep_message_round(w, round, t);
    else
        keep_barrier_round(w, round, t, member);
    round->last = messages_so_far(w);
    round->move = next_list(w);
    kp_lower_moves(w, t);
    round->end = next_list(w);
}

/* Returns whether a list is empty or has a single instruction with a single copy or combination. */
static bool is_single(const struct kp_instruction *from, const struct kp_instruction *end)
{
    return from == end || (end - from == 1 && from->count == 1);
}

/* Describes a copy from or to position `at` of an eager buffer. `buffers` has an address for each
 * generation, either of the member's own buffer or of all members' buffers. */
static struct placed_copy placed(uint8_t space, uint64_t place, uint64_t at, size_t bytes,
                                 char *const *buffers)
{
    struct placed_copy copy = {.place = place, .bytes = (uint32_t)bytes, .space = space};
    for (int generation = 0; generation < KP_GENERATIONS; generation++)
        copy.buffer[generation] = buffers[generation] + at;
    return copy;
}

/* Sets `one_message` if there is one round, and the member packs and receives at most one message.
 */
static void find_one_message(struct kp_code *code, const kp_group *member, bool laid)
{
    const struct code_round *r = code->round;
    char *own[KP_GENERATIONS], *all[KP_GENERATIONS];
    if (!KP_HAS(ONE_MESSAGE) || code->rounds != 1 || code->by_mail || code->by_wire ||
        code->zero_copy || laid || r->move < r->end)
        return;
    const struct kp_instruction *pack = code->all + r->pack, *take = code->all + r->take;
    const struct kp_instruction *end = code->all + r->move;
    if (!is_single(pack, take) || !is_single(take, end))
        return;
    code->one_message = true;
    for (unsigned generation = 0; generation < KP_GENERATIONS; generation++) {
        own[generation] = kp_member_buffer_of(member, r->buffer_bytes, generation);
        all[generation] = kp_member_buffers_of(member, r->buffer_bytes, generation);
    }
    code->of_two = KP_HAS(OF_TWO) && kp_sync_is_of_two(member);
    code->packs = pack < take;
    code->takes = take < end;
    code->combines = code->takes && take->kind >= KP_COMBINE_LEFT;
    code->takes = code->takes && !code->combines;
    if (code->packs)
        code->pack = placed(pack->from_space, pack->from, pack->to, pack->bytes, own);
    if (code->takes)
        code->take = placed(take->to_space, take->to, take->from, take->bytes, all);
}

static bool combines_last(const struct kp_code *code)
{
    const struct code_round *last = &code->round[code->rounds - 1];
    for (uint32_t i = last->take; i < last->move; i++) {
        if (code->all[i].kind >= KP_COMBINE_LEFT)
            return true;
    }
    return false;
}

/* Returns whether no other member reads or writes this member's memory in the last round, which is
 * zero copy. */
static bool is_free_at_end(const struct kp_lowering *l, const struct kp_code *code)
{
    const struct kp_schedule *s = l->schedule;
    const int last = code->rounds - 1;
    if (code->rounds == 0 || code->by_mail || code->by_wire || code->together || l->way.of_blocks ||
        !code->round[last].zero_copy)
        return false;
    const struct stored_round *r = round_of(l, last);
    bool unused = true;
    for (uint32_t i = r[0].send; i < r[1].send; i++) {
        const struct stored_message *sent = &s->sends[i], *received = &s->receives[sent->match];
        unused = unused && kp_way_sender_part(l, received, l->own.rank, kp_peer_of(l, sent),
                                              last) >= (size_t)received->units * l->unit;
    }
    for (uint32_t i = r[0].receive; i < r[1].receive; i++) {
        const struct stored_message *received = &s->receives[i];
        unused = unused &&
                 kp_way_sender_part(l, received, kp_peer_of(l, received), l->own.rank, last) == 0;
    }
    return unused;
}

/* Shrinks an array to `count` items. The result is not NULL even for 0 items, because other
 * functions add offsets to it. */
static void *cut(void *items, size_t count, size_t size)
{
    void *less = realloc(items, (count > 0 ? count : 1) * size);
    return less ? less : items;
}

static void settle(struct kp_code *code, const struct kp_writer *w, struct keeper *keeper,
                   kp_group *member, const struct kp_prepared *call)
{
    /* c1 fits, because it is at most the number of rounds. */
    code->holders = 1;
    code->c1 = (uint32_t)call->c1;
    code->c2 = call->c2;
    code->zero_copy = w->of->way.zero_copy;
    code->by_mail = w->of->way.by_mail;
    code->by_wire = w->of->way.by_wire;
    code->early = w->of->way.early;
    code->all = cut(w->items, w->count, sizeof *w->items);
    code->messages = kp_vector_take(&keeper->messages, sizeof *code->messages);
    code->together = !w->of->laid && kp_way_together(member, code) && !combines_last(code);
    const bool eager_round =
        code->rounds == 1 && !code->by_mail && !code->by_wire && !code->zero_copy;
    const struct code_round *r = code->round;
    code->meets = eager_round && !w->of->laid;
    code->sends = eager_round && r->pack < r->take && r->take == r->move && r->move == r->end;
    code->waits = !code->early && !(code->together && code->rounds == 1) && code->first > 0;
    code->free_at_end = is_free_at_end(w->of, code);
    find_one_message(code, member, w->of->laid & KP_LAID_OWN);
}

struct kp_code *kp_lower(kp_group *member, const struct kp_prepared *call)
{
    const struct kp_lowering *l = &call->lowering;
    const int rounds = l->way.roundless ? 0 : l->schedule->rounds;
    if (!KP_HAS(KEPT_CODE) || rounds > KP_MOST_KEPT || (l->way.by_wire && l->way.of_blocks))
        return NULL;
    struct kp_code *code = kp_lines_zeroed(1, sizeof *code + (size_t)rounds * sizeof *code->round);
    struct keeper keeper = {.fits = true};
    struct kp_writer w = {.of = l,
                          .items = malloc(KP_MOST_KEPT * sizeof *w.items),
                          .room = KP_MOST_KEPT,
                          .fits = true,
                          .begins = keep_begins,
                          .ends = keep_ends,
                          .context = &keeper};
    bool fits = code && w.items;
    if (fits) {
        kp_lower_first(&w);
        code->first = next_list(&w);
        code->rounds = (uint8_t)rounds;
    }
    for (int t = 0; t < rounds && fits; t++) {
        keep_round(&w, &code->round[t], t, member);
        fits = w.fits && keeper.fits;
    }
    if (!fits) {
        kp_vector_free(&keeper.messages);
        free(w.items);
        free(code);
        return NULL;
    }
    settle(code, &w, &keeper, member, call);
    return code;
}

/* Code in which messages go by eager buffers has no address of its lane, but for the copies of a
 * single message. */
struct kp_code *kp_code_share(const struct kp_prepared *other, const struct kp_prepared *call)
{
    const struct kp_way *one = &other->lowering.way, *two = &call->lowering.way;
    struct kp_code *code = other->code;
    if (!code || !code->meets || code->one_message || other->serving != call->serving ||
        other->unit_bytes != call->unit_bytes || one->by_mail != two->by_mail ||
        one->zero_copy != two->zero_copy || one->early != two->early || call->lowering.laid)
        return NULL;
    code->holders++;
    return code;
}

void kp_code_free(struct kp_code *code)
{
    if (!code || --code->holders > 0)
        return;
    for (int t = 0; t < code->rounds; t++)
        kp_wired_free_kept(code->round[t].laid);
    free(code->all);
    free(code->messages);
    free(code);
}
