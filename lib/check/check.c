/* The checker. It finds out whether a schedule obeys the rules of the machine, and whether every
 * block arrives where the operation wants it.
 *
 * The checker is independent of the builder and the execution. It reads a schedule through the
 * public functions, and carries it out for all n processors with symbols instead of data
 * (replay.h). In each round it first checks the rules at every processor, then delivers the
 * messages, then makes the local moves. It may take the processors in any order, because the rules
 * forbid that a cell is both read and written in a round. */
#include "lib/check/finding.h"
#include "lib/check/order.h"
#include "lib/check/replay.h"
#include "lib/problem/operation.h"
#include "lib/schedule/elements.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

#include <stdio.h>
#include <string.h>

struct check {
    struct kp_replay replay;
    const kp_schedule *schedule;
    int n, k;

    /* `turn` grows by 1 for each processor in each round, `side` for the processor's sends and
     * again for its receives, and `moves` for each move and each combining receive. A mark on a
     * port, peer or cell is the value that one of these numbers had when the port, peer or cell was
     * used last. An older value means "not used", so no mark has to be cleared. */
    uint64_t turn, side, moves;
    uint64_t *ports, *peers;  /* marked with `side` */
    uint64_t *read, *written; /* the cells of one processor, marked with `turn` */
    uint64_t *moved;          /* the cells of one processor, marked with `moves` */
    /* One message for each place in the eager buffer, in ascending order of `row`. */
    int *distinct;
    struct kp_finding *finding; /* where the check is, and what it has found */
};

/* --- Errors --- */

/* The place of an error in the schedule. A field that does not apply is -1. */
static const char *const space_names[KP_SPACES] = {"out", "in", "scratch"};

struct where {
    int round, processor, port, peer;
};

static int refuse(const struct check *c, struct where where, enum kp_fault fault, const char *what)
{
    char round[KP_ROUND_NAME];
    kp_set_error(KP_ESCHEDULE, "%s: processor %d %s", kp_round_name(where.round, round),
                 where.processor, what);
    kp_error_record *error = kp_error_slot();
    c->finding->fault = fault;
    c->finding->round = error->round = where.round;
    c->finding->processor = error->processor = where.processor;
    c->finding->port = error->port = where.port;
    c->finding->peer = error->peer = where.peer;
    return KP_ESCHEDULE;
}

/* Reports an error of a message: "sends to 3 on port 1", followed by `what`. `what` begins with a
 * comma or a space. */
static int refuse_message(const struct check *c, struct where where, bool sending,
                          enum kp_fault fault, const char *what)
{
    char text[256];
    snprintf(text, sizeof text, "%s %d on port %d%s", sending ? "sends to" : "receives from",
             where.peer, where.port, what);
    c->finding->sending = sending;
    return refuse(c, where, fault, text);
}

/* Refuses a message with places outside its space, which may be a buffer that the processor does
 * not have. The pieces are those at the side that is refused. */
static int refuse_space(const struct check *c, struct where where, bool sending,
                        const kp_piece *pieces, int count)
{
    char text[128];
    for (int i = 0; i < count; i++) {
        if (kp_operation_holds(c->replay.problem, where.processor, pieces[i].space))
            continue;
        snprintf(text, sizeof text, " %s %s, a buffer that processor %d does not have",
                 sending ? "from" : "into", space_names[pieces[i].space], where.processor);
        return refuse_message(c, where, sending, KP_FAULT_SPACE, text);
    }
    return refuse_message(c, where, sending, KP_FAULT_SPACE,
                          sending ? " what lies outside its space" : " to outside its space");
}

static int no_memory(void)
{
    return kp_set_error(KP_EMEMORY, "there is no memory for checking the schedule");
}

/* Writes the name of a cell, for example "place 3 of in". */
static void name_place(const struct check *c, kp_cell cell, char *text, size_t size)
{
    int space = 0;
    while (cell >= c->replay.begin[space + 1])
        space++;
    int64_t cells = kp_replay_cells_of_block(&c->replay), at = cell - c->replay.begin[space];
    int used =
        snprintf(text, size, "place %lld of %s", (long long)(at / cells), space_names[space]);
    if (cells > 1)
        snprintf(text + used, size - (size_t)used, " (from %s %lld on)",
                 kp_operation_reduces(c->replay.problem->operation) ? "element" : "byte",
                 (long long)((const int64_t *)c->replay.cuts.items)[at % cells]);
}

static int refuse_place(const struct check *c, struct where where, bool sending, kp_cell cell,
                        enum kp_fault fault, const char *what)
{
    char place[96], text[192];
    name_place(c, cell, place, sizeof place);
    snprintf(text, sizeof text, " %s %s, %s", sending ? "from" : "into", place, what);
    c->finding->cell = cell;
    return refuse_message(c, where, sending, fault, text);
}

static struct where of(int round, int rank, const kp_message *m)
{
    return (struct where){round, rank, m->port, m->peer};
}

/* --- Ports and peers --- */

static int check_message_count(const struct check *c, int round, int rank, int count, bool sending)
{
    char text[96];
    if (count <= c->k)
        return KP_OK;
    c->finding->sending = sending;
    snprintf(text, sizeof text, "%s %d messages, but has only %d port%s",
             sending ? "sends" : "receives", count, c->k, c->k == 1 ? "" : "s");
    return refuse(c, (struct where){round, rank, -1, -1}, KP_FAULT_PORTS, text);
}

static int check_ends(struct check *c, int round, int rank, const kp_message *m, bool sending)
{
    struct where where = of(round, rank, m);
    if (m->port < 0 || m->port >= c->k)
        return refuse_message(c, where, sending, KP_FAULT_PORTS, ", which is no port of it");
    if (m->peer < 0 || m->peer >= c->n)
        return refuse_message(c, where, sending, KP_FAULT_PORTS, ", which is no processor");
    if (m->peer == rank)
        return refuse_message(c, where, sending, KP_FAULT_PORTS, ", which is itself");
    if (c->ports[m->port] == c->side)
        return refuse_message(c, where, sending, KP_FAULT_PORTS,
                              ", which is in use in this round already");
    if (c->peers[m->peer] == c->side)
        return refuse_message(c, where, sending, KP_FAULT_PORTS,
                              ", the second message between the two in this round");
    if (m->units <= 0)
        return refuse_message(c, where, sending, KP_FAULT_EMPTY, " a message without blocks");
    c->ports[m->port] = c->peers[m->peer] = c->side;
    return KP_OK;
}

/* --- Eager buffers: messages lie one after the other, but equal messages may share memory --- */

static bool same_contents(struct check *c, int rank, const kp_message *a, const kp_message *b,
                          bool *room)
{
    struct kp_replay *r = &c->replay;
    *room = kp_replay_cells(r, rank, a->pieces, a->piece_count, &r->from) &&
            kp_replay_cells(r, rank, b->pieces, b->piece_count, &r->to);
    return *room && a->units == b->units && r->from.count == r->to.count &&
           memcmp(r->from.items, r->to.items, r->from.count * sizeof(kp_cell)) == 0;
}

/* Returns the message of `distinct` that begins at `place` in the eager buffer, or NULL. */
static const int *find_at(const struct check *c, int rank, int round, int count, int64_t place)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (kp_schedule_send(c->schedule, rank, round, c->distinct[middle]).row < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && kp_schedule_send(c->schedule, rank, round, c->distinct[low]).row == place
               ? &c->distinct[low]
               : NULL;
}

/* Checks the places of a round's messages in the sender's eager buffer. The messages lie in the
 * order of their ports or in the reverse order. */
static int check_buffer(struct check *c, int rank, int round)
{
    const kp_schedule *s = c->schedule;
    int64_t end = 0;
    int distinct = 0, count = kp_schedule_sends(s, rank, round), last = count - 1;
    bool backwards = count > 1 && kp_schedule_send(s, rank, round, 0).row >
                                      kp_schedule_send(s, rank, round, last).row;
    for (int j = 0; j < count; j++) {
        int i = backwards ? last - j : j;
        kp_message m = kp_schedule_send(s, rank, round, i);
        if (m.row >= end) {
            c->distinct[distinct++] = i;
            end = m.row + m.units;
            continue;
        }
        const int *earlier = find_at(c, rank, round, distinct, m.row);
        bool room = true, same = false;
        if (earlier) {
            kp_message first = kp_schedule_send(s, rank, round, *earlier);
            same = same_contents(c, rank, &first, &m, &room);
        }
        if (!room)
            return no_memory();
        if (!same)
            return refuse_message(c, of(round, rank, &m), true, KP_FAULT_BUFFER,
                                  " a message that overlaps another in its row");
    }
    return KP_OK;
}

/* --- The cells of one processor in one round --- */

static int mark_reads(struct check *c, int rank, int round, const kp_message *m)
{
    struct kp_replay *r = &c->replay;
    if (!kp_replay_cells(r, rank, m->pieces, m->piece_count, &r->from))
        return no_memory();
    const kp_cell *cells = r->from.items;
    for (size_t i = 0; i < r->from.count; i++) {
        if (cells[i] == KP_NOWHERE)
            return refuse_space(c, of(round, rank, m), true, m->pieces, m->piece_count);
        if (kp_replay_held(r, rank, cells[i]) == KP_NOTHING)
            return refuse_place(c, of(round, rank, m), true, cells[i], KP_FAULT_EARLY,
                                "before anything has arrived there");
        c->read[cells[i]] = c->turn;
    }
    return KP_OK;
}

/* Checks the operands of a combining receive. Operands are the values with which the incoming
 * message is combined. There must be as many operands as results. An operand must not be a cell
 * that an earlier receive of the round has written, unless this receive adds to the same cell. It
 * must not be the result cell of another operand of the message either. */
static int check_operands(struct check *c, int rank, int round, const kp_message *m)
{
    const struct kp_replay *r = &c->replay;
    const kp_cell *to = r->to.items, *operand = r->operand.items;
    if (m->combining == KP_COPY)
        return KP_OK;
    if (r->operand.count != r->to.count)
        return refuse_message(c, of(round, rank, m), false, KP_FAULT_SPACE,
                              " operands of another length");
    c->moves++;
    for (size_t i = 0; i < r->to.count; i++) {
        if (to[i] != KP_NOWHERE && c->moved[to[i]] == c->moves)
            return refuse_place(c, of(round, rank, m), false, to[i], KP_FAULT_CLASH,
                                "which is written twice by the message");
        if (to[i] != KP_NOWHERE)
            c->moved[to[i]] = c->moves;
    }
    for (size_t i = 0; i < r->operand.count; i++) {
        if (operand[i] == KP_NOWHERE)
            return refuse_message(c, of(round, rank, m), false, KP_FAULT_SPACE,
                                  " operands outside their space");
        if (to[i] == operand[i])
            continue;
        if (c->written[operand[i]] == c->turn || c->moved[operand[i]] == c->moves)
            return refuse_place(c, of(round, rank, m), false, operand[i], KP_FAULT_CLASH,
                                "an operand that is written in the same round");
    }
    return KP_OK;
}

static int mark_writes(struct check *c, int rank, int round, const kp_message *m)
{
    struct kp_replay *r = &c->replay;
    if (!kp_replay_cells(r, rank, m->pieces, m->piece_count, &r->to) ||
        !kp_replay_cells(r, rank, m->operand, m->operand_count, &r->operand))
        return no_memory();
    const kp_cell *cells = r->to.items, *operand = r->operand.items;
    int status = check_operands(c, rank, round, m);
    for (size_t i = 0; i < r->to.count && !status; i++) {
        const char *wrong = NULL;
        if (cells[i] == KP_NOWHERE)
            return refuse_space(c, of(round, rank, m), false, m->pieces, m->piece_count);
        bool adds = m->combining && i < r->operand.count && operand[i] == cells[i];
        if (cells[i] < r->begin[KP_IN])
            wrong = "which may not be written";
        else if (c->read[cells[i]] == c->turn)
            wrong = "which is sent, so read, in the same round";
        else if (c->written[cells[i]] == c->turn && !adds)
            wrong = "which is written twice in the round";
        if (wrong)
            return refuse_place(c, of(round, rank, m), false, cells[i],
                                cells[i] < r->begin[KP_IN] ? KP_FAULT_SPACE : KP_FAULT_CLASH,
                                wrong);
        c->written[cells[i]] = c->turn;
    }
    return status;
}

/* Refuses a move over a cell. `from` is the cell that moves there; KP_NOWHERE: none. */
static int refuse_move_to(const struct check *c, int rank, int round, kp_cell from, kp_cell to,
                          enum kp_fault fault, const char *what)
{
    char source[96] = "", place[96], text[256];
    name_place(c, to, place, sizeof place);
    if (from != KP_NOWHERE)
        name_place(c, from, source, sizeof source);
    snprintf(text, sizeof text, "moves %s%sto %s, %s", source, *source ? " " : "", place, what);
    c->finding->cell = to;
    return refuse(c, (struct where){round, rank, -1, -1}, fault, text);
}

static int refuse_move(const struct check *c, int rank, int round, kp_cell cell,
                       enum kp_fault fault, const char *what)
{
    char place[96], text[192];
    name_place(c, cell, place, sizeof place);
    snprintf(text, sizeof text, "moves %s, %s", place, what);
    c->finding->cell = cell;
    return refuse(c, (struct where){round, rank, -1, -1}, fault, text);
}

/* Checks the cells that a move writes. make_moves checks the cells that it reads. */
static int check_move(struct check *c, int rank, int round, const kp_move *move)
{
    struct kp_replay *r = &c->replay;
    if (!kp_replay_cells(r, rank, &move->from, 1, &r->from) ||
        !kp_replay_cells(r, rank, &move->to, 1, &r->to))
        return no_memory();
    const kp_cell *from = r->from.items, *to = r->to.items;
    c->moves++;
    for (size_t i = 0; i < r->from.count; i++) {
        if (from[i] == KP_NOWHERE)
            return refuse(c, (struct where){round, rank, -1, -1}, KP_FAULT_SPACE,
                          "moves what lies outside its space");
        c->moved[from[i]] = c->moves;
    }
    for (size_t i = 0; i < r->to.count; i++) {
        if (to[i] == KP_NOWHERE)
            return refuse(c, (struct where){round, rank, -1, -1}, KP_FAULT_SPACE,
                          "moves to outside a space");
        if (move->to.space != KP_OUT && i < r->from.count && to[i] == from[i] && !move->combining)
            continue; /* a move of a cell to itself does nothing */
        const kp_cell moved = i < r->from.count ? from[i] : KP_NOWHERE;
        if (to[i] < r->begin[KP_IN])
            return refuse_move_to(c, rank, round, moved, to[i], KP_FAULT_SPACE,
                                  "which may not be written");
        if (c->read[to[i]] == c->turn)
            return refuse_move_to(c, rank, round, moved, to[i], KP_FAULT_CLASH,
                                  "which is sent in the same round");
        if (c->moved[to[i]] == c->moves)
            return refuse_move_to(c, rank, round, moved, to[i], KP_FAULT_CLASH,
                                  "which the move itself reads or has written");
        c->moved[to[i]] = c->moves;
    }
    if (r->from.count != r->to.count)
        return refuse(c, (struct where){round, rank, -1, -1}, KP_FAULT_SPACE,
                      "moves to a place of another length");
    return KP_OK;
}

/* Checks the sends of a processor in a round, or its receives. */
static int check_side(struct check *c, int rank, int round, bool sending)
{
    const kp_schedule *s = c->schedule;
    int count = sending ? kp_schedule_sends(s, rank, round) : kp_schedule_receives(s, rank, round);
    int status = check_message_count(c, round, rank, count, sending);
    c->side++;
    for (int i = 0; i < count && !status; i++) {
        kp_message m =
            sending ? kp_schedule_send(s, rank, round, i) : kp_schedule_receive(s, rank, round, i);
        c->finding->message = i;
        status = check_ends(c, round, rank, &m, sending);
        if (status)
            return status;
        status = sending ? mark_reads(c, rank, round, &m) : mark_writes(c, rank, round, &m);
    }
    return status;
}

static int check_processor(struct check *c, int rank, int round)
{
    int status = KP_OK;
    c->turn++;
    if (round >= 0) {
        status = check_side(c, rank, round, true);
        status = status ? status : check_side(c, rank, round, false);
        status = status ? status : check_buffer(c, rank, round);
    }
    for (int i = 0; i < kp_schedule_moves(c->schedule, rank, round) && !status; i++) {
        kp_move move = kp_schedule_move(c->schedule, rank, round, i);
        status = check_move(c, rank, round, &move);
    }
    return status;
}

/* --- Delivery --- */

/* Reports that the symbols of a receive or a move cannot be combined as the schedule says. For a
 * move, where.port is -1. */
static int refuse_combining(const struct check *c, struct where where,
                            const struct kp_combined *done)
{
    char text[160] = "", place[96];
    if (done->clash == KP_CLASH_MEMORY)
        return no_memory();
    if (done->obstacle == KP_NOTHING_THERE) {
        c->finding->cell = ((const kp_cell *)c->replay.operand.items)[done->at];
        name_place(c, c->finding->cell, place, sizeof place);
        snprintf(text, sizeof text, "combines with %s before anything has arrived there", place);
    } else if (done->clash == KP_CLASH_MEMBER)
        snprintf(text, sizeof text, "counts the operand of processor %d twice", done->member);
    else if (done->clash == KP_CLASH_CELLS)
        snprintf(text, sizeof text, "combines operands of different places");
    else
        snprintf(text, sizeof text, "takes what has not arrived");
    enum kp_fault fault = done->clash == KP_CLASH_MEMBER  ? KP_FAULT_TWICE
                          : done->clash == KP_CLASH_CELLS ? KP_FAULT_MIXED
                                                          : KP_FAULT_EARLY;
    c->finding->member = done->clash == KP_CLASH_MEMBER ? done->member : -1;
    c->finding->at = done->at;
    if (where.port < 0)
        return refuse(c, where, fault, text);
    char sentence[192];
    snprintf(sentence, sizeof sentence, " a message, and %s", text);
    return refuse_message(c, where, false, fault, sentence);
}

static int deliver(struct check *c, int rank, int round, int i)
{
    struct kp_replay *r = &c->replay;
    kp_message in = kp_schedule_receive(c->schedule, rank, round, i);
    int j = kp_replay_find_send(c->schedule, in.peer, round, rank, i);
    if (j < 0)
        return refuse_message(c, of(round, rank, &in), false, KP_FAULT_UNPAIRED,
                              " a message that nobody sends");
    kp_message out = kp_schedule_send(c->schedule, in.peer, round, j);
    if (out.row != in.row && !c->schedule->unpaired)
        return refuse_message(c, of(round, rank, &in), false, KP_FAULT_BUFFER,
                              " a message that lies elsewhere in its sender's row");
    if (!kp_replay_cells(r, in.peer, out.pieces, out.piece_count, &r->from) ||
        !kp_replay_cells(r, rank, in.pieces, in.piece_count, &r->to) ||
        !kp_replay_cells(r, rank, in.operand, in.operand_count, &r->operand))
        return no_memory();
    if (out.units != in.units || r->from.count != r->to.count) {
        char text[96];
        snprintf(text, sizeof text, " %lld %s, but %lld are sent", (long long)in.units,
                 kp_units_word(&c->schedule->problem, c->schedule->units_of_block, in.units),
                 (long long)out.units);
        return refuse_message(c, of(round, rank, &in), false, KP_FAULT_UNPAIRED, text);
    }
    struct kp_combined done = kp_replay_combine(r, in.peer, rank, in.combining);
    return done.obstacle ? refuse_combining(c, of(round, rank, &in), &done) : KP_OK;
}

static int deliver_all(struct check *c, int rank, int round)
{
    int status = KP_OK;
    for (int i = 0; i < kp_schedule_receives(c->schedule, rank, round) && !status; i++) {
        c->finding->index = i;
        status = deliver(c, rank, round, i);
    }
    if (!status)
        c->finding->index = kp_schedule_receives(c->schedule, rank, round);
    for (int i = 0; i < kp_schedule_sends(c->schedule, rank, round) && !status; i++) {
        kp_message out = kp_schedule_send(c->schedule, rank, round, i);
        if (kp_replay_find_receive(c->schedule, out.peer, round, rank, i) < 0)
            status = refuse_message(c, of(round, rank, &out), true, KP_FAULT_UNPAIRED,
                                    " a message that is not expected there");
    }
    return status;
}

static int make_moves(struct check *c, int rank, int round)
{
    struct kp_replay *r = &c->replay;
    for (int i = 0; i < kp_schedule_moves(c->schedule, rank, round); i++) {
        kp_move move = kp_schedule_move(c->schedule, rank, round, i);
        c->finding->index = i;
        if (!kp_replay_cells(r, rank, &move.from, 1, &r->from) ||
            !kp_replay_cells(r, rank, &move.to, 1, &r->to) ||
            !kp_replay_cells(r, rank, &move.to, 1, &r->operand))
            return no_memory();
        struct kp_combined done = kp_replay_combine(r, rank, rank, move.combining);
        if (done.obstacle == KP_NOTHING_SENT)
            return refuse_move(c, rank, round, ((const kp_cell *)r->from.items)[done.at],
                               KP_FAULT_EARLY, "before anything has arrived there");
        if (done.obstacle)
            return refuse_combining(c, (struct where){round, rank, -1, -1}, &done);
    }
    return KP_OK;
}

static int check_round(struct check *c, int round)
{
    int status = KP_OK;
    c->finding->stage = KP_STAGE_RULES;
    for (int rank = 0; rank < c->n && !status; rank++)
        status = check_processor(c, rank, round);
    c->finding->stage = status ? KP_STAGE_RULES : KP_STAGE_RECEIVES;
    for (int rank = 0; rank < c->n && !status && round >= 0; rank++)
        status = deliver_all(c, rank, round);
    c->finding->stage = status ? c->finding->stage : KP_STAGE_MOVES;
    for (int rank = 0; rank < c->n && !status; rank++)
        status = make_moves(c, rank, round);
    return status;
}

/* --- The whole check --- */

static bool make_marks(struct check *c)
{
    size_t places = (size_t)c->replay.begin[KP_SPACES];
    c->ports = calloc((size_t)c->k, sizeof *c->ports);
    c->peers = calloc((size_t)c->n, sizeof *c->peers);
    c->read = calloc(places, sizeof *c->read);
    c->written = calloc(places, sizeof *c->written);
    c->moved = calloc(places, sizeof *c->moved);
    c->distinct = calloc((size_t)c->k, sizeof *c->distinct);
    return c->ports && c->peers && c->read && c->written && c->moved && c->distinct;
}

static void free_marks(struct check *c)
{
    free(c->ports);
    free(c->peers);
    free(c->read);
    free(c->written);
    free(c->moved);
    free(c->distinct);
}

static int check(const kp_schedule *schedule, bool bounded, struct kp_finding *finding)
{
    const kp_problem *problem = kp_schedule_problem(schedule);
    struct check c = {.schedule = schedule, .n = problem->n, .k = problem->k, .finding = finding};
    *finding = (struct kp_finding){.message = -1,
                                   .round = -1,
                                   .processor = -1,
                                   .port = -1,
                                   .peer = -1,
                                   .member = -1,
                                   .cell = KP_NOWHERE};
    int status = kp_replay_begin(&c.replay, schedule, bounded);
    if (status == KP_OK && !make_marks(&c))
        status = no_memory();
    for (int round = -1; round < kp_schedule_rounds(schedule) && !status; round++)
        status = check_round(&c, round);
    if (status == KP_OK)
        status = kp_check_result(&c.replay, finding);
    if (status == KP_OK)
        finding->fault = KP_FAULT_ORDER;
    if (status == KP_OK)
        status = kp_order_check(&c.replay);
    free_marks(&c);
    kp_replay_end(&c.replay);
    return status;
}

int kp_schedule_check_bounded(const struct kp_schedule *schedule)
{
    struct kp_finding finding;
    return check(schedule, true, &finding);
}

int kp_schedule_find_fault(const struct kp_schedule *schedule, struct kp_finding *finding)
{
    return check(schedule, false, finding);
}

int kp_schedule_check(const kp_schedule *schedule, kp_error_record *error)
{
    struct kp_finding finding;
    int status = kp_schedule_given(schedule) ? check(schedule, false, &finding) : KP_EARGUMENT;
    if (error && status)
        *error = *kp_last_error();
    else if (error)
        *error = (kp_error_record){
            .status = KP_OK, .processor = -1, .round = -1, .port = -1, .peer = -1, .line = -1};
    return status;
}
