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
    [KP_FAULT_BUFFER] = "A processor packs the messages of a round one after the other; two may\n"
                        "share memory only if they are the same from beginning to end.",
    [KP_FAULT_SPACE] = "The spaces are out (the outgoing buffer, only read), in (the incoming\n"
                       "buffer) and scratch (memory beside them, as much as the algorithm asks\n"
                       "for). Both ends of a copy have the same length.",
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
    [KP_FAULT_ORDER] = "The algorithm says that all processors combine in the same order.",
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
    return 0;
}

/* Finds the blocks that a fault in a round is about: the block that the message carries, and the
 * block that lies in the place concerned. */
static void find_blocks(struct account *a, struct kp_spot origins[KP_WAYS])
{
    const struct kp_finding *f = &a->finding;
    struct kp_replay *r = &a->ways.replay;
    kp_message m;
    int sender = f->processor;
    uint64_t symbol = KP_NOTHING;
    bool room = false;
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
    if (origins[1].rank == origins[0].rank && origins[1].cell == origins[0].cell)
        origins[1] = kp_nowhere;
}

/* Writes when the place that is read too early is filled. */
static void put_filling(struct account *a)
{
    const struct kp_finding *f = &a->finding;
    struct kp_replay *r = &a->ways.replay;
    for (int round = f->round; round < kp_schedule_rounds(a->schedule); round++) {
        for (int i = 0; i < kp_schedule_receives(a->schedule, f->processor, round); i++) {
            kp_message in = kp_schedule_receive(a->schedule, f->processor, round, i);
            bool room = kp_replay_cells(r, f->processor, in.pieces, in.piece_count, &r->to);
            for (size_t at = 0; room && at < r->to.count; at++) {
                if (((const kp_cell *)r->to.items)[at] != f->cell)
                    continue;
                fprintf(a->out, "It is filled by the message from processor %d in round %d.\n",
                        in.peer, round);
                return;
            }
        }
    }
    fprintf(a->out, "No message fills it later.\n");
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
        fprintf(a->out, "  only its outgoing data\n");
}

/* Writes to whom a processor sends in the round, or from whom it receives. */
static void put_partners(const struct account *a, int rank, bool sending)
{
    int round = a->finding.round;
    if (rank < 0 || rank >= a->problem->n)
        return;
    int count = sending ? kp_schedule_sends(a->schedule, rank, round)
                        : kp_schedule_receives(a->schedule, rank, round);
    fprintf(a->out, "In round %d processor %d %s", round, rank,
            sending ? "sends to" : "receives from");
    for (int i = 0; i < count && i < KP_ACCOUNT_LINES; i++) {
        kp_message m = sending ? kp_schedule_send(a->schedule, rank, round, i)
                               : kp_schedule_receive(a->schedule, rank, round, i);
        fprintf(a->out, "%s %d (%lld unit%s, port %d)", i > 0 ? "," : "", m.peer,
                (long long)m.units, m.units == 1 ? "" : "s", m.port);
    }
    fprintf(a->out, count == 0 ? " nobody.\n" : count > KP_ACCOUNT_LINES ? ", and more.\n" : ".\n");
}

static void put_here(const struct account *a)
{
    const struct kp_finding *f = &a->finding;
    kp_account_round(a, f->round);
    if (f->peer < 0)
        fprintf(a->out, "processor %d moves it", f->processor);
    else if (f->sending)
        fprintf(a->out, "processor %d sends it on port %d to processor %d", f->processor, f->port,
                f->peer);
    else
        fprintf(a->out, "processor %d receives it on port %d from processor %d", f->processor,
                f->port, f->peer);
    fprintf(a->out, ": wrong  <-- here\n");
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

static int write_round(struct account *a)
{
    const struct kp_finding *f = &a->finding;
    struct kp_spot origins[KP_WAYS] = {kp_nowhere, kp_nowhere};
    int status = kp_ways_find(&a->ways, a->schedule, f, origins);
    if (!status)
        find_blocks(a, origins);
    kp_ways_end(&a->ways);
    if (status || (status = kp_ways_find(&a->ways, a->schedule, f, origins)))
        return status;
    mark_message(a);
    if (f->fault == KP_FAULT_EARLY && f->cell != KP_NOWHERE) {
        fprintf(a->out, "Nothing has come to ");
        kp_account_place(a, f->cell);
        fprintf(a->out, " of processor %d before. ", f->processor);
        put_filling(a);
        put_contents(a);
    }
    if (f->fault == KP_FAULT_UNPAIRED) {
        put_partners(a, f->sending ? f->processor : f->peer, true);
        put_partners(a, f->sending ? f->peer : f->processor, false);
    }
    if (origins[0].rank >= 0) {
        fprintf(a->out, "The first that goes astray is ");
        kp_account_block(a, origins[0]);
        fprintf(a->out, f->round < 0 ? ", before the first round" : ", in round %d", f->round);
        fprintf(a->out, " at processor %d.\n", f->processor);
    }
    for (int i = 0; i < KP_WAYS; i++) {
        if (origins[i].rank < 0)
            continue;
        kp_account_way(a, &a->ways.way[i], NULL, -1);
        if (i == 0)
            put_here(a);
        else
            fprintf(a->out, "  It lies in the place that is concerned.\n");
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

int kp_account_write(const kp_schedule *schedule, FILE *out, struct kp_mark *mark)
{
    struct account a = {
        .schedule = schedule, .problem = kp_schedule_problem(schedule), .out = out, .mark = mark};
    int status = kp_schedule_find_fault(schedule, &a.finding);
    if (status != KP_ESCHEDULE)
        return status;
    kp_error_record error = *kp_error_slot();
    enum kp_fault fault = a.finding.fault;
    status = fault < KP_FAULT_RESULT    ? write_round(&a)
             : fault == KP_FAULT_RESULT ? kp_account_result(&a)
                                        : kp_account_sum(&a);
    fprintf(out, "\nThe rule: %s\n", rules[fault]);
    kp_ways_end(&a.ways);
    if (status)
        return kp_set_error(KP_EMEMORY, "there is no memory for the account of the schedule");
    *kp_error_slot() = error;
    return KP_ESCHEDULE;
}
