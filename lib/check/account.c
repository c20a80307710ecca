#include "lib/check/account_data.h"

#include "kport/model.h"
#include "lib/problem/operation.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

/* --- What the rules are --- */

static const char *const rules[KP_FAULTS] = {
    [KP_FAULT_PORTS] = "In a round a processor sends at most one message on each of its k ports,\n"
                       "receives at most one on each, and sends each other processor at most one.",
    [KP_FAULT_UNPAIRED] = "A message has two sides, a send at one processor and a receive at the\n"
                          "other, in the same round and of the same length.",
    [KP_FAULT_EMPTY] = "A message carries at least one block.",
    [KP_FAULT_BUFFER] = "A processor packs the messages of a round one after the other; two may\n"
                        "share memory only if they are the same from beginning to end.",
    [KP_FAULT_SPACE] = "The spaces are out (the outgoing buffer, only read), in (the incoming\n"
                       "buffer) and scratch (memory beside them, as much as the algorithm asks\n"
                       "for). With a root, some processors have no out or no in. Both ends of a\n"
                       "copy have the same length.",
    [KP_FAULT_EARLY] = "A round sends what lay in a place before the round began. What a round\n"
                       "receives can be moved in this round, and sent in the next.",
    [KP_FAULT_CLASH] = "All messages of a round travel at the same time: a place that the round\n"
                       "sends is not written in it, and no place is written twice.",
    [KP_FAULT_TWICE] = "Each operand counts once. Two sums that both have it cannot be combined.",
    [KP_FAULT_MIXED] = "Element i of an operand is combined with element i of others only.",
    [KP_FAULT_RESULT] = "At the end each block lies where the operation wants it.",
    [KP_FAULT_MEMBER] = "At the end each result has every operand that belongs to it, once.",
    [KP_FAULT_SUM] = "At the end each result has its operands; those of an operator that does\n"
                     "not commute, in the order of the processors.",
    [KP_FAULT_ORDER] =
        "All processors that get an element combine it in the same order (same_order).",
};

/* The words for programs. They are those of the check of MSCCL's files where the fault is the same.
 */
static const char *const kinds[KP_FAULTS] = {
    [KP_FAULT_PORTS] = "port",     [KP_FAULT_UNPAIRED] = "message", [KP_FAULT_EMPTY] = "message",
    [KP_FAULT_BUFFER] = "message", [KP_FAULT_SPACE] = "bounds",     [KP_FAULT_EARLY] = "early",
    [KP_FAULT_CLASH] = "clash",    [KP_FAULT_TWICE] = "twice",      [KP_FAULT_MIXED] = "mixed",
    [KP_FAULT_RESULT] = "result",  [KP_FAULT_MEMBER] = "result",    [KP_FAULT_SUM] = "result",
    [KP_FAULT_ORDER] = "order",
};

/* --- A fault in a round --- */

/* Returns the message that the finding is about, as its sender has it, and sets `rank` to the
 * sender. Returns false if there is none. */
static bool message_of(const struct account *a, int *rank, kp_message *message)
{
    const struct kp_finding *f = &a->finding;
    const kp_schedule *s = a->schedule;
    bool sending = f->sending;
    int other = sending ? f->peer : f->processor;
    if (f->port < 0 && f->peer < 0)
        return false;
    *rank = sending ? f->processor : f->peer;
    int count = *rank >= 0 && *rank < a->problem->n ? kp_schedule_sends(s, *rank, f->round) : 0;
    int found = -1;
    for (int i = 0; i < count; i++) {
        *message = kp_schedule_send(s, *rank, f->round, i);
        if (message->peer == other && (!sending || message->port == f->port))
            found = i;
    }
    if (found >= 0)
        *message = kp_schedule_send(s, *rank, f->round, found);
    return found >= 0;
}

/* Returns the index in a receive at which the finding's cell is written, or finding.at. */
static size_t index_of_cell(struct account *a)
{
    const struct kp_finding *f = &a->finding;
    struct kp_replay *r = &a->ways.replay;
    int i = f->sending || f->cell == KP_NOWHERE
                ? -1
                : kp_replay_find_receive(a->schedule, f->processor, f->round, f->peer, 0);
    if (i < 0)
        return f->at;
    kp_message in = kp_schedule_receive(a->schedule, f->processor, f->round, i);
    if (!kp_replay_cells(r, f->processor, in.pieces, in.piece_count, &r->to))
        return 0;
    for (size_t at = 0; at < r->to.count; at++) {
        if (((const kp_cell *)r->to.items)[at] == f->cell)
            return at;
    }
    return f->at;
}

/* Finds the blocks that a fault in a round is about: the block that the message carries, and the
 * block that lies in the place concerned. */
static void find_blocks(struct account *a)
{
    const struct kp_finding *f = &a->finding;
    struct kp_replay *r = &a->ways.replay;
    struct kp_spot *origins = a->origins;
    kp_message m;
    int sender = f->processor;
    uint64_t symbol = KP_NOTHING;
    bool room = false;
    if (f->fault == KP_FAULT_EARLY && f->cell != KP_NOWHERE)
        return; /* it is about an empty place: the blocks that the message carries are innocent */
    if (message_of(a, &sender, &m)) {
        room = kp_replay_cells(r, sender, m.pieces, m.piece_count, &r->from);
    } else if (f->stage == KP_STAGE_MOVES) {
        kp_move move = kp_schedule_move(a->schedule, f->processor, f->round, f->index);
        room = kp_replay_cells(r, f->processor, &move.from, 1, &r->from);
    }
    if (room && r->from.count > 0) {
        size_t at = f->sending ? f->at : index_of_cell(a);
        kp_cell cell = ((const kp_cell *)r->from.items)[at < r->from.count ? at : 0];
        symbol = cell == KP_NOWHERE ? KP_NOTHING : kp_replay_held(r, sender, cell);
    }
    origins[0] = kp_ways_origin(r, symbol);
    if (f->fault == KP_FAULT_TWICE && symbol != KP_NOTHING)
        origins[0].rank = f->member;
    symbol = f->cell == KP_NOWHERE ? KP_NOTHING : kp_replay_held(r, f->processor, f->cell);
    origins[1] = kp_ways_origin(r, symbol);
    if (kp_same_spot(origins[0], origins[1]))
        origins[1] = kp_nowhere;
}

/* Returns whether a message or a move, whose pieces lie at `rank`, has the finding's cell. */
static bool has_cell(struct account *a, const kp_piece *pieces, int count)
{
    struct kp_replay *r = &a->ways.replay;
    bool room = kp_replay_cells(r, a->finding.processor, pieces, count, &r->to), has = false;
    for (size_t at = 0; room && at < r->to.count; at++)
        has |= ((const kp_cell *)r->to.items)[at] == a->finding.cell;
    return has;
}

/* Writes when the place that is read too early is filled. */
static void put_filling(struct account *a)
{
    const struct kp_finding *f = &a->finding;
    char name[KP_ROUND_NAME];
    for (int round = f->round; round < kp_schedule_rounds(a->schedule); round++) {
        for (int i = 0; i < kp_account_messages(a, f->processor, round, false); i++) {
            kp_message in = kp_schedule_receive(a->schedule, f->processor, round, i);
            if (!has_cell(a, in.pieces, in.piece_count))
                continue;
            fprintf(a->out, "It is filled by the message from processor %d in round %d.\n", in.peer,
                    round);
            return;
        }
        for (int i = 0; i < kp_schedule_moves(a->schedule, f->processor, round); i++) {
            kp_move move = kp_schedule_move(a->schedule, f->processor, round, i);
            if (!has_cell(a, &move.to, 1))
                continue;
            fprintf(a->out, "It is filled by a later move of this processor, %s.%s\n",
                    kp_round_name(round, name),
                    f->stage == KP_STAGE_MOVES ? " Moves are made in their order." : "");
            return;
        }
    }
    fprintf(a->out, "Nothing fills it later.\n");
}

/* If a block lies in a place of the incoming buffer where another block belongs at the end, writes
 * where it belongs. */
static void put_belongs(const struct account *a, struct kp_spot place, struct kp_spot origin)
{
    const struct kp_replay *r = &a->ways.replay;
    if (kp_operation_reduces(a->problem->operation) || place.cell >= r->begin[KP_SCRATCH])
        return;
    for (kp_cell cell = r->begin[KP_IN]; cell < r->begin[KP_SCRATCH]; cell++) {
        struct kp_spot wanted = kp_account_wanted(a, (struct kp_spot){place.rank, cell});
        if (wanted.rank != origin.rank || wanted.cell != origin.cell || cell == place.cell)
            continue;
        fprintf(a->out, "; at the end it belongs in ");
        kp_account_place(a, cell);
    }
}

/* Writes what lies in the places of the processor that reads a place too early. */
static void put_contents(const struct account *a)
{
    const struct kp_replay *r = &a->ways.replay;
    int rank = a->finding.processor, count = 0;
    fprintf(a->out, "At processor %d there are:\n", rank);
    for (kp_cell cell = r->begin[KP_IN]; cell < r->begin[KP_SPACES]; cell++) {
        struct kp_spot origin = kp_ways_origin(r, kp_replay_held(r, rank, cell));
        if (origin.rank < 0 || count++ >= KP_ACCOUNT_LINES)
            continue;
        fprintf(a->out, "  ");
        kp_account_place(a, cell);
        fprintf(a->out, ": ");
        kp_account_block(a, origin);
        put_belongs(a, (struct kp_spot){rank, cell}, origin);
        fprintf(a->out, "\n");
    }
    if (count > KP_ACCOUNT_LINES)
        fprintf(a->out, "  ... (%d more)\n", count - KP_ACCOUNT_LINES);
    if (count == 0)
        fprintf(a->out, "  %s\n",
                kp_operation_holds(a->problem, rank, KP_OUT) ? "only its outgoing data"
                                                             : "nothing");
}

/* If the message that reads a place too early goes to a place where a block belongs at the end,
 * writes which one, and who has it. */
static void put_missing(struct account *a)
{
    const struct kp_finding *f = &a->finding;
    struct kp_replay *r = &a->ways.replay;
    kp_message out, in;
    int sender, index, count = 0, holders[KP_ACCOUNT_LINES];
    if (kp_operation_reduces(a->problem->operation) || !message_of(a, &sender, &out))
        return;
    index = kp_replay_find_receive(a->schedule, out.peer, f->round, sender, 0);
    if (index < 0)
        return;
    in = kp_schedule_receive(a->schedule, out.peer, f->round, index);
    if (!kp_replay_cells(r, sender, out.pieces, out.piece_count, &r->from) ||
        !kp_replay_cells(r, out.peer, in.pieces, in.piece_count, &r->to))
        return;
    size_t at = 0;
    while (at < r->from.count && ((const kp_cell *)r->from.items)[at] != f->cell)
        at++;
    if (at >= r->from.count || at >= r->to.count)
        return;
    const kp_cell to = ((const kp_cell *)r->to.items)[at];
    if (to < r->begin[KP_IN] || to >= r->begin[KP_SCRATCH])
        return;
    const struct kp_spot wanted = kp_account_wanted(a, (struct kp_spot){out.peer, to});
    fprintf(a->out, "The message takes it to ");
    kp_account_place(a, to);
    fprintf(a->out, " at processor %d, where ", out.peer);
    kp_account_block(a, wanted);
    fprintf(a->out, " belongs at the end.");
    for (int rank = 0; rank < a->problem->n && count < KP_ACCOUNT_LINES; rank++) {
        bool holds = false;
        for (kp_cell cell = r->begin[KP_OUT]; cell < r->begin[KP_SPACES] && !holds; cell++)
            holds = kp_same_spot(kp_ways_origin(r, kp_replay_held(r, rank, cell)), wanted);
        if (holds)
            holders[count++] = rank;
    }
    fprintf(a->out, " Before this round processor%s", count > 1 ? "s" : "");
    for (int i = 0; i < count; i++)
        fprintf(a->out, "%s %d", i == 0 ? "" : i + 1 < count ? "," : " and", holders[i]);
    fprintf(a->out, " %s it.\n", count > 1 ? "have" : "has");
}

/* Writes which other messages of the round read or write the place concerned. */
static void put_users(struct account *a)
{
    const struct kp_finding *f = &a->finding;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < kp_account_messages(a, f->processor, f->round, side); i++) {
            kp_message m = side ? kp_schedule_send(a->schedule, f->processor, f->round, i)
                                : kp_schedule_receive(a->schedule, f->processor, f->round, i);
            if ((side == f->sending && m.peer == f->peer) || !has_cell(a, m.pieces, m.piece_count))
                continue;
            fprintf(a->out, "In round %d processor %d also %s ", f->round, f->processor,
                    side ? "sends" : "receives into");
            kp_account_place(a, f->cell);
            fprintf(a->out, " on port %d %s processor %d.\n", m.port, side ? "to" : "from", m.peer);
        }
    }
}

static void mark_message(struct account *a)
{
    const struct kp_finding *f = &a->finding;
    kp_message m;
    int sender;
    bool found = message_of(a, &sender, &m);
    bool pair = f->peer >= 0 && f->peer < a->problem->n;
    *a->mark = (struct kp_mark){.round = f->round,
                                .rounds = f->round,
                                .from = f->processor,
                                .to = f->processor,
                                .port = found ? m.port : -1,
                                .missing = pair && !found};
    if (pair && f->sending)
        a->mark->to = f->peer;
    else if (pair)
        a->mark->from = f->peer;
}

static void put_facts(struct account *a)
{
    const struct kp_finding *f = &a->finding;
    if (f->fault == KP_FAULT_EARLY && f->cell != KP_NOWHERE) {
        fprintf(a->out, "Nothing has come to ");
        kp_account_place(a, f->cell);
        fprintf(a->out, " of processor %d before. ", f->processor);
        put_filling(a);
        put_missing(a);
        put_contents(a);
    }
    if (f->fault == KP_FAULT_EMPTY)
        kp_account_partners(a, f->processor, f->sending);
    if (f->fault == KP_FAULT_UNPAIRED) {
        kp_account_partners(a, f->sending ? f->processor : f->peer, true);
        kp_account_partners(a, f->sending ? f->peer : f->processor, false);
    }
    if (f->fault == KP_FAULT_SPACE && f->peer >= 0) {
        if (!kp_operation_holds(a->problem, f->processor, f->sending ? KP_OUT : KP_IN))
            fprintf(a->out, "Processor %d has no %s buffer; the root is processor %d.\n",
                    f->processor, f->sending ? "outgoing" : "incoming", a->problem->root);
        kp_account_partners(a, f->processor, f->sending);
    }
    if (f->fault == KP_FAULT_CLASH && f->cell != KP_NOWHERE)
        put_users(a);
}

static int write_round(struct account *a)
{
    int status = kp_account_follow(a, find_blocks);
    if (status)
        return status;
    mark_message(a);
    put_facts(a);
    kp_account_stray(a);
    if (a->origins[0].rank >= 0) {
        kp_account_way(a, &a->ways.way[0], NULL, -1);
        kp_account_step(a, &a->finding, ": wrong  <-- here");
    }
    if (a->origins[1].rank >= 0) {
        kp_account_way(a, &a->ways.way[1], NULL, -1);
        kp_account_round(a, a->finding.round);
        fprintf(a->out, "it lies in ");
        kp_account_place(a, a->finding.cell);
        fprintf(a->out, " at processor %d, the place of the error\n", a->finding.processor);
    }
    return KP_OK;
}

/* --- The account --- */

int kp_account_build(const kp_problem *problem, kp_schedule **schedule)
{
    kp_problem exact = *problem;
    *schedule = NULL;
    int status = kp_tune(&exact, NULL);
    return status ? status : kp_schedule_build_unpaired(&exact, schedule);
}

/* Returns the schedule, of which the problem asks for same_order. It has the same arrays. */
static struct kp_schedule asking(const kp_schedule *schedule)
{
    struct kp_schedule asked = *schedule;
    asked.problem.same_order = 1;
    return asked;
}

int kp_account_check_order(const kp_schedule *schedule)
{
    const struct kp_schedule asked = asking(schedule);
    return kp_schedule_check(&asked, NULL);
}

int kp_account_write(const kp_schedule *schedule, bool same_order, FILE *out, struct kp_mark *mark)
{
    const struct kp_schedule asked = same_order ? asking(schedule) : *schedule;
    struct account a = {.schedule = &asked, .problem = &asked.problem, .out = out, .mark = mark};
    int status = kp_schedule_find_fault(&asked, &a.finding);
    if (status != KP_ESCHEDULE)
        return status;
    a.error = *kp_error_slot();
    enum kp_fault fault = a.finding.fault;
    if (fault == KP_FAULT_UNPAIRED)
        kp_account_first_pair(&a);
    status = fault == KP_FAULT_PORTS    ? kp_account_ports(&a)
             : fault < KP_FAULT_RESULT  ? write_round(&a)
             : fault == KP_FAULT_RESULT ? kp_account_result(&a)
                                        : kp_account_sum(&a);
    fprintf(out, "\nThe rule: %s\n", rules[fault]);
    mark->kind = kinds[fault];
    mark->place_rank = a.finding.processor;
    mark->place = a.finding.cell;
    kp_ways_end(&a.ways);
    if (status)
        return kp_set_error(KP_EMEMORY, "there is no memory for the account of the schedule");
    *kp_error_slot() = a.error;
    return KP_ESCHEDULE;
}
