/* The executor: rounds, messages, pieces; it knows no algorithm.
 *
 * A round whose messages fit every sender's row is eager: each processor packs its row, and after
 * the pass every receiver copies from the rows of its peers. Otherwise the messages stay where they
 * are, and after the pass every receiver copies from its peers' memory, once; in the last round its
 * sender may do so, or a part of it (kp_sender_part). Which of these follows from the schedule and
 * the length of a unit, so all members know it alike.
 *
 * Where rounds are kept by the mailboxes (ports/mail.h) there is no pass: what fits a box travels
 * in it, the rest is packed or described as above, and each receiver waits for its senders alone.
 */
#include "lib/execute.h"

#include "kport/model.h"
#include "lib/call.h"
#include "lib/cursor.h"
#include "lib/operation.h"
#include "lib/plan.h"
#include "lib/steps.h"
#include "lib/traced.h"
#include "ports/mail.h"
#include "ports/pass.h"

/* A message is shared between its ends if the sender's part is at least that: of two with a core
 * each half of 8 or 16 KiB gains nothing, half of 32 KiB 0.7, of 1 MiB 0.3 of the time. */
#define LEAST_SHARED 16384

/* What is not packed. */
static inline void copy_long(const struct kp_execution *e, char *to, const char *from, size_t bytes)
{
    if (e->past_cache)
        kp_copy_past_cache(to, from, bytes);
    else
        kp_copy_long(to, from, bytes);
}

/* From pieces to pieces. */
static void transfer(struct kp_cursor to, struct kp_cursor from, struct kp_section section)
{
    for (size_t at = 0; at < section.end;) {
        if ((to.left == 0 && !kp_cursor_next(&to)) || (from.left == 0 && !kp_cursor_next(&from)))
            return;
        size_t bytes = to.left < from.left ? to.left : from.left;
        struct kp_section here = kp_section_within(section, at, bytes);
        if (to.at != from.at && here.begin < here.end)
            copy_long(to.execution, to.at + here.begin, from.at + here.begin,
                      here.end - here.begin);
        at += bytes;
        to.at += bytes;
        to.left -= bytes;
        from.at += bytes;
        from.left -= bytes;
    }
}

/* --- Combining --- */

/* Results, operands and what comes, side by side. */
static void combine(struct kp_cursor to, struct kp_cursor operand, struct kp_cursor from,
                    kp_combining side)
{
    const struct kp_execution *e = to.execution;
    for (;;) {
        if ((to.left == 0 && !kp_cursor_next(&to)) ||
            (operand.left == 0 && !kp_cursor_next(&operand)) ||
            (from.left == 0 && !kp_cursor_next(&from)))
            return;
        size_t bytes = to.left < from.left ? to.left : from.left;
        bytes = bytes < operand.left ? bytes : operand.left;
        e->combine(to.at, side == KP_LEFT ? from.at : operand.at,
                   side == KP_LEFT ? operand.at : from.at, bytes / e->element, e->context);
        struct kp_cursor *all[] = {&to, &operand, &from};
        for (int i = 0; i < 3; i++) {
            all[i]->at += bytes;
            all[i]->left -= bytes;
        }
    }
}

static void combine_message(const struct kp_execution *e, const struct stored_message *m,
                            struct kp_cursor from)
{
    const struct kp_schedule *s = e->schedule;
    uint32_t operands;
    const kp_piece *operand = kp_operand_of(s, m, &operands);
    combine(kp_cursor_at(e, &e->own, s->pieces + m->first_piece, m->piece_count),
            kp_cursor_at(e, &e->own, operand, operands), from, (kp_combining)m->combining);
}

/* A run to a run, neither going over an end: what most moves and long messages are. */
static bool copy_plainly(const struct kp_execution *e, const struct kp_view *to_view,
                         const kp_piece *to, const struct kp_view *from_view, const kp_piece *from,
                         struct kp_section section)
{
    if (to->count != 1 || from->count != 1 || e->digits[to->space] || e->digits[from->space])
        return false;
    int64_t there = kp_start_of(e, to_view, to), here = kp_start_of(e, from_view, from),
            run = to->run;
    if (run > e->size[to->space] - there || run > e->size[from->space] - here)
        return false;
    char *target = to_view->base[to->space] + (size_t)there * e->unit;
    const char *source = from_view->base[from->space] + (size_t)here * e->unit;
    struct kp_section all = kp_section_within(section, 0, (size_t)run * e->unit);
    if (target != source && all.begin < all.end)
        copy_long(e, target + all.begin, source + all.begin, all.end - all.begin);
    return true;
}

/* --- Rows --- */

/* Between one piece and a row, in either direction. */
static inline char *row_copy(const struct kp_execution *e, const kp_piece *piece, char *row,
                             bool into_row)
{
    if (e->digits[piece->space]) {
        struct kp_cursor c = kp_cursor_at(e, &e->own, piece, 1);
        for (; kp_cursor_next(&c); row += c.left)
            kp_copy(into_row ? row : c.at, into_row ? c.at : row, c.left);
        return row;
    }
    char *base = e->own.base[piece->space];
    int64_t place = kp_start_of(e, &e->own, piece), size = e->size[piece->space];
    size_t unit = e->unit, bytes = (size_t)piece->run * unit;
    for (int64_t i = 0; i < piece->count; i++) {
        char *at = base + (size_t)place * unit;
        size_t before_end = piece->run > size - place ? (size_t)(size - place) * unit : bytes;
        kp_copy(into_row ? row : at, into_row ? at : row, before_end);
        if (before_end < bytes)
            kp_copy(into_row ? row + before_end : base, into_row ? base : row + before_end,
                    bytes - before_end);
        row += bytes;
        place = kp_step_on(e, piece, place);
    }
    return row;
}

static void pack(const struct kp_execution *e, const struct stored_round *r, char *row)
{
    const struct stored_pack *packs = e->schedule->packs;
    for (uint32_t i = r[0].pack; i < r[1].pack; i++)
        row_copy(e, &packs[i].piece, row + (size_t)packs[i].row * e->unit, true);
}

static void take_from_rows(const struct kp_execution *e, const struct stored_round *r,
                           const kp_group *seat, size_t row_bytes)
{
    const struct kp_schedule *s = e->schedule;
    size_t stride;
    const char *rows = kp_port_rows(seat, row_bytes, &stride);
    for (uint32_t i = r[0].receive; i < r[1].receive; i++) {
        const struct stored_message *m = &s->receives[i];
        const kp_piece *pieces = s->pieces + m->first_piece;
        char *row = (char *)rows + (size_t)kp_real_rank(e, kp_peer_of(e, m)) * stride +
                    (size_t)m->row * e->unit;
        if (m->combining)
            combine_message(e, m,
                            (struct kp_cursor){.at = row, .left = (size_t)m->units * e->unit});
        for (uint32_t j = 0; j < m->piece_count && !m->combining; j++)
            row = row_copy(e, &pieces[j], row, false);
    }
}

/* --- Described memory --- */

/* The memory of who is at the other end of a message. */
static struct kp_view view_of_peer(const struct kp_execution *e, const struct stored_message *m,
                                   const kp_group *seat)
{
    struct kp_view peer;
    kp_set_view(e, &peer, kp_peer_of(e, m));
    for (int space = 0; space < KP_SPACES; space++)
        peer.base[space] = (char *)kp_port_base_of(seat, kp_real_rank(e, peer.rank), (int)space);
    return peer;
}

static void copy_message(const struct kp_execution *e, const struct kp_view *to_view,
                         const struct stored_message *received, const struct kp_view *from_view,
                         const struct stored_message *sent, struct kp_section section)
{
    const kp_piece *to = e->schedule->pieces + received->first_piece,
                   *from = e->schedule->pieces + sent->first_piece;
    if (received->piece_count != 1 || sent->piece_count != 1 ||
        !copy_plainly(e, to_view, to, from_view, from, section))
        transfer(kp_cursor_at(e, to_view, to, received->piece_count),
                 kp_cursor_at(e, from_view, from, sent->piece_count), section);
}

static void take_described(const struct kp_execution *e, const struct stored_message *m,
                           const kp_group *seat, struct kp_section section)
{
    const struct kp_schedule *s = e->schedule;
    const struct stored_message *sent = &s->sends[m->match];
    struct kp_view peer = view_of_peer(e, m, seat);
    if (m->combining)
        combine_message(e, m,
                        kp_cursor_at(e, &peer, s->pieces + sent->first_piece, sent->piece_count));
    else
        copy_message(e, &e->own, m, &peer, sent, section);
}

/* What a processor writes in a round, in messages and moves; those before round 0 count with it. */
static uint32_t writes_in(const struct kp_schedule *s, int rank, int round)
{
    const struct stored_round *r = kp_schedule_round(s, rank, round);
    return r[1].receive - r[0].receive + r[1].move - r[round == 0 ? -1 : 0].move;
}

size_t kp_sender_part(const struct kp_execution *e, const struct stored_message *received,
                      int sender, int receiver, int round)
{
    const struct kp_schedule *s = e->schedule;
    if (round != s->rounds - 1 || received->combining)
        return 0;
    size_t bytes = (size_t)received->units * e->unit;
    const struct stored_round *r = kp_schedule_round(s, sender, round);
    uint32_t sends = r[1].send - r[0].send, writes = writes_in(s, receiver, round);
    if (s->may_be_put && writes > sends)
        return bytes;
    /* Who moves what comes on in the same round has to have it. */
    if (writes > 1 || writes_in(s, sender, round) > 0)
        return 0;
    /* All who take part in this copy as much. */
    size_t part = bytes / ((size_t)sends + 1) / KP_CACHE_LINE * KP_CACHE_LINE;
    return part < LEAST_SHARED ? 0 : part;
}

static void put_described(const struct kp_execution *e, const struct stored_round *r,
                          const kp_group *seat, int round)
{
    const struct kp_schedule *s = e->schedule;
    for (uint32_t i = r[0].send; i < r[1].send; i++) {
        const struct stored_message *sent = &s->sends[i], *received = &s->receives[sent->match];
        size_t part = kp_sender_part(e, received, e->own.rank, kp_peer_of(e, sent), round);
        if (part == 0)
            continue;
        struct kp_view peer = view_of_peer(e, sent, seat);
        copy_message(e, &peer, received, &e->own, sent, (struct kp_section){0, part});
    }
}

uint32_t kp_first_to_take(const struct kp_execution *e, const struct stored_round *r)
{
    const struct stored_message *receives = e->schedule->receives;
    uint32_t first = r[0].receive;
    int last_rank = -1;
    for (uint32_t i = r[0].receive; i < r[1].receive; i++) {
        int rank = kp_real_rank(e, kp_peer_of(e, &receives[i]));
        if (receives[i].combining)
            return r[0].receive;
        if (rank > last_rank)
            first = i;
        last_rank = rank > last_rank ? rank : last_rank;
    }
    return first;
}

static void take_from_memory(const struct kp_execution *e, const struct stored_round *r,
                             const kp_group *seat, int round)
{
    uint32_t first = kp_first_to_take(e, r), count = r[1].receive - r[0].receive;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = first + i < r[1].receive ? first + i : first + i - count;
        const struct stored_message *m = &e->schedule->receives[at];
        size_t part = kp_sender_part(e, m, kp_peer_of(e, m), e->own.rank, round);
        if (part == 0 || part < (size_t)m->units * e->unit)
            take_described(e, m, seat, (struct kp_section){part, SIZE_MAX});
    }
}

/* --- Rounds --- */

static void move(const struct kp_execution *e, const struct stored_round *r)
{
    const kp_move *moves = e->schedule->moves;
    for (uint32_t i = r[0].move; i < r[1].move; i++) {
        const kp_piece *to = &moves[i].to, *from = &moves[i].from;
        if (moves[i].combining)
            combine(kp_cursor_at(e, &e->own, to, 1), kp_cursor_at(e, &e->own, to, 1),
                    kp_cursor_at(e, &e->own, from, 1), moves[i].combining);
        else if (!copy_plainly(e, &e->own, to, &e->own, from, KP_ALL_BYTES))
            transfer(kp_cursor_at(e, &e->own, to, 1), kp_cursor_at(e, &e->own, from, 1),
                     KP_ALL_BYTES);
    }
}

bool kp_is_eager(const struct kp_execution *e, const kp_group *seat, int round)
{
    const struct kp_schedule *s = e->schedule;
    size_t longest = (size_t)s->row_units[round] * e->unit;
    size_t all = (size_t)s->all_units[round] * e->unit;
    return e->by_mail ? kp_mail_packs(seat, longest, all) : kp_port_packs(seat, longest, all);
}

static int one_round(const struct kp_execution *e, kp_group *seat, int round, bool early)
{
    bool traced = seat->trace;
    const struct kp_schedule *s = e->schedule;
    const struct stored_round *r = kp_schedule_round(s, e->own.rank, round);
    bool eager = !e->describes || kp_is_eager(e, seat, round);
    bool sends = r[0].send < r[1].send;
    size_t row_bytes = (size_t)s->row_units[round] * e->unit;
    if (eager && sends && e->unit > 0) {
        pack(e, r, kp_port_row(seat, row_bytes));
        if (traced)
            kp_trace_sends(seat);
    }
    bool last_described = !eager && round == s->rounds - 1;
    if (last_described)
        kp_port_expose_all(seat);
    kp_pass_arrive(seat);
    bool works = last_described && seat->was_last_here;
    if (round == 0 && !early && e->unit > 0) {
        move(e, r - 1); /* while the others are on their way */
        if (traced)
            kp_trace_waits(seat);
    }
    int status = kp_pass_await(seat, round);
    if (traced)
        kp_trace_passed(seat);
    if (status)
        return traced ? kp_trace_failed(seat, KP_TRACE_ROUND, round, status) : status;
    if (e->unit == 0) {
        /* nothing is copied */
    } else if (eager) {
        take_from_rows(e, r, seat, row_bytes);
    } else {
        put_described(e, r, seat, round);
        take_from_memory(e, r, seat, round);
    }
    if (works)
        kp_steps_work(seat);
    if (e->unit > 0)
        move(e, r);
    if (traced)
        kp_trace_round(seat, KP_TRACE_ROUND, round, 0);
    return KP_OK;
}

static int execute_by_barrier(struct kp_prepared *call, kp_group *seat)
{
    const struct kp_execution *e = &call->execution;
    const kp_problem *problem = &call->problem;
    kp_pass_open(seat, &call->shown);
    if (seat->trace)
        kp_traced_open(seat, call);
    bool early = e->moves_early || problem->in_place;
    if (e->unit > 0 && early)
        move(e, kp_schedule_round(e->schedule, e->own.rank, -1));
    /* Where nothing moves from one to another the members still have to agree: one whose call is
     * another, or refused, waits for them. */
    int status = e->schedule->rounds == 0 ? kp_port_meet(seat, 0) : KP_OK;
    for (int round = 0; round < e->schedule->rounds && !status; round++)
        status = one_round(e, seat, round, early);
    return status ? status : kp_pass_close(seat);
}

/* --- Rounds kept by the mailboxes --- */

/* What fits the box travels in it, whatever becomes of the rest of the round. */
static inline bool fits_box(const struct kp_execution *e, const struct stored_message *m)
{
    return (size_t)m->units * e->unit <= KP_MAILBOX_PAYLOAD;
}

static int post(const struct kp_execution *e, const struct stored_round *r, kp_group *seat,
                int round, bool eager)
{
    const struct kp_schedule *s = e->schedule;
    int status = kp_mail_make_room(seat, round);
    if (status)
        return status;
    if (seat->trace)
        kp_trace_sends(seat);
    bool packed = false;
    for (uint32_t i = r[0].send; i < r[1].send; i++) {
        const struct stored_message *m = &s->sends[i];
        char *box = (char *)kp_mail_box(seat, m->port)->payload;
        if (fits_box(e, m)) {
            for (uint32_t j = 0; j < m->piece_count; j++)
                box = row_copy(e, &s->pieces[m->first_piece + j], box, true);
        } else if (!eager) {
            kp_mail_describe(seat);
        } else if (!packed) {
            pack(e, r, kp_mail_row(seat, (size_t)s->row_units[round] * e->unit));
            packed = true;
        }
        kp_mail_post(seat, m->port, kp_real_rank(e, kp_peer_of(e, m)));
    }
    return KP_OK;
}

/* From neighbouring bytes: a box or a row. */
static void take_packed(const struct kp_execution *e, const struct stored_message *m,
                        const char *from)
{
    const kp_piece *pieces = e->schedule->pieces + m->first_piece;
    char *at = (char *)from;
    if (m->combining)
        combine_message(e, m, (struct kp_cursor){.at = at, .left = (size_t)m->units * e->unit});
    for (uint32_t j = 0; j < m->piece_count && !m->combining; j++)
        at = row_copy(e, &pieces[j], at, false);
}

static int take(const struct kp_execution *e, const struct stored_message *m, kp_group *seat,
                int round, bool eager)
{
    int sender = kp_real_rank(e, kp_peer_of(e, m));
    struct kp_mailbox *box;
    int status = kp_mail_await(seat, sender, e->schedule->sends[m->match].port, round, &box);
    if (status)
        return status;
    if (fits_box(e, m)) {
        take_packed(e, m, (const char *)box->payload);
    } else if (eager) {
        size_t row_bytes = (size_t)e->schedule->row_units[round] * e->unit;
        take_packed(e, m, kp_mail_row_of(seat, sender, row_bytes) + (size_t)m->row * e->unit);
    } else {
        if ((status = kp_mail_begin_reading(seat, round)) != KP_OK)
            return status;
        take_described(e, m, seat, KP_ALL_BYTES);
        kp_mail_end_reading(seat);
    }
    kp_mail_take(box);
    return KP_OK;
}

static int one_round_by_mail(const struct kp_execution *e, kp_group *seat, int round)
{
    const struct kp_schedule *s = e->schedule;
    const struct stored_round *r = kp_schedule_round(s, e->own.rank, round);
    bool eager = !e->describes || kp_is_eager(e, seat, round);
    kp_mail_next(seat);
    /* Nothing is written before what was described in the round before has been read. */
    int status = round > 0 && e->describes && !kp_is_eager(e, seat, round - 1)
                     ? kp_mail_cover(seat, round)
                     : KP_OK;
    if (!status && r[0].send < r[1].send)
        status = post(e, r, seat, round, eager);
    for (uint32_t i = r[0].receive; i < r[1].receive && !status; i++)
        status = take(e, &s->receives[i], seat, round, eager);
    if (!status)
        move(e, r);
    if (seat->trace)
        kp_trace_round(seat, KP_TRACE_LETTERS, round, status ? KP_TRACE_FAILED : 0);
    return status;
}

/* For what this member alone packs in a round. */
static int reserve(const struct kp_execution *e, kp_group *seat)
{
    const struct kp_schedule *s = e->schedule;
    for (int round = 0; round < s->rounds && e->unit > 0; round++) {
        const struct stored_round *r = kp_schedule_round(s, e->own.rank, round);
        if (r[0].send < r[1].send && kp_is_eager(e, seat, round) &&
            kp_mail_is_long(seat, (size_t)s->row_units[round] * e->unit))
            return kp_mail_reserve(seat);
    }
    return KP_OK;
}

static int execute_by_mail(struct kp_prepared *call, kp_group *seat)
{
    const struct kp_execution *e = &call->execution;
    if (e->long_rows && reserve(e, seat))
        return kp_mail_refuse(seat, call->shown.describe, call->shown.subject);
    int opened = kp_mail_open(seat, &call->shown, &kp_call_past);
    if (opened)
        return opened;
    if (seat->trace)
        kp_traced_open(seat, call);
    if (e->unit > 0)
        move(e, kp_schedule_round(e->schedule, e->own.rank, -1));
    for (int round = 0; round < e->schedule->rounds && e->unit > 0; round++) {
        int status = one_round_by_mail(e, seat, round);
        if (status)
            return status;
    }
    return kp_mail_close(seat);
}

void kp_execution_prepare(struct kp_execution *e, const struct kp_schedule *schedule, size_t unit,
                          kp_group *seat, bool may_mail)
{
    e->schedule = schedule;
    e->unit = unit;
    e->describes = e->long_rows = false;
    /* Members that have compared their lengths go on as they began, by the barrier. */
    e->by_mail =
        may_mail && kp_mail_keeps(seat) && !kp_operation_row(schedule->problem.operation)->lengths;
    for (int round = 0; round < schedule->rounds; round++) {
        size_t row_bytes = (size_t)schedule->row_units[round] * unit;
        e->describes = e->describes || !kp_is_eager(e, seat, round);
        e->long_rows = e->long_rows || (e->by_mail && kp_mail_is_long(seat, row_bytes));
    }
    for (int space = 0; space < KP_SPACES; space++) {
        e->size[space] = schedule->per_processor[space] ? schedule->units[space] : INT64_MAX;
        e->digits[space] = kp_schedule_by_digits(schedule) && schedule->per_processor[space];
    }
    e->moves_early = schedule->moves_early || schedule->rounds == 0 ||
                     kp_operation_row(schedule->problem.operation)->one_buffer;
    kp_problem moved = schedule->problem;
    moved.b = unit * (size_t)schedule->units_of_block;
    /* Every byte is read somewhere and written somewhere. */
    e->past_cache = e->describes && kp_copy_exceeds_cache(2 * kp_operation_bytes(&moved));
    e->root = 0;
    e->own_root = schedule->problem.algorithm->own_root;
    kp_set_view(e, &e->own, kp_port_rank(seat));
}

void kp_execution_set_root(struct kp_execution *e, int root, int rank)
{
    if (e->root == root || e->own_root)
        return;
    e->root = root;
    kp_set_view(e, &e->own, rank >= root ? rank - root : rank - root + e->schedule->problem.n);
}

int kp_execute(kp_group *seat, struct kp_prepared *call, const char *out, char *in, char *scratch)
{
    struct kp_execution *e = &call->execution;
    if (call->steps)
        return kp_steps_execute(seat, call, out, in, scratch);
    kp_execution_set_root(e, call->problem.root, kp_port_rank(seat));
    e->own.base[KP_OUT] = (char *)out;
    e->own.base[KP_IN] = in;
    e->own.base[KP_SCRATCH] = scratch;
    for (int space = 0; e->describes && space < KP_SPACES; space++)
        kp_port_show(seat, space, e->own.base[space]);
    if (e->describes)
        kp_port_show_work(seat, NULL);

    int status = (e->by_mail ? execute_by_mail : execute_by_barrier)(call, seat);
    if (status == KP_OK)
        kp_port_count(seat, call->c1, call->c2);
    return status;
}
