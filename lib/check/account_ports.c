/* The account of a message that breaks the rules about ports and partners: which message it is, and
 * the other one of the same processor that has its port or its partner. */
#include "lib/check/account_data.h"
#include "ports/port.h"

static kp_message message_at(const struct account *a, int i)
{
    const struct kp_finding *f = &a->finding;
    return f->sending ? kp_schedule_send(a->schedule, f->processor, f->round, i)
                      : kp_schedule_receive(a->schedule, f->processor, f->round, i);
}

/* Returns the index of an earlier message with the port of message i, else with its partner; -1 if
 * there is none. */
static int rival_of(const struct account *a, int i)
{
    kp_message m = message_at(a, i);
    int rival = -1;
    for (int j = 0; j < i; j++) {
        kp_message earlier = message_at(a, j);
        if (earlier.port == m.port)
            return j;
        if (earlier.peer == m.peer)
            rival = j;
    }
    return rival;
}

/* If there are more messages than ports, the finding names none of them. Then one has a port that
 * is not there, or two have the same. */
static void find_message(struct account *a)
{
    struct kp_finding *f = &a->finding;
    int count = kp_account_messages(a, f->processor, f->round, f->sending);
    if (f->peer >= 0)
        return;
    for (f->message = 0; f->message < count; f->message++) {
        kp_message m = message_at(a, f->message);
        f->port = m.port;
        f->peer = m.peer;
        if (m.port >= a->problem->k || rival_of(a, f->message) >= 0)
            return;
    }
}

/* Which of two receives from the same sender belongs to which of its sends is not certain. So the
 * account and the sentence are about the sends. */
static void look_at_sender(struct account *a)
{
    struct kp_finding *f = &a->finding, sends = *f;
    int rival = f->sending ? -1 : rival_of(a, f->message), found = 0;
    if (rival < 0 || message_at(a, rival).peer != f->peer)
        return;
    sends.sending = true;
    sends.processor = f->peer;
    sends.peer = f->processor;
    for (int i = 0; i < kp_account_messages(a, f->peer, f->round, true); i++) {
        kp_message m = kp_schedule_send(a->schedule, f->peer, f->round, i);
        if (m.peer != f->processor)
            continue;
        sends.message = i;
        sends.port = m.port;
        found++;
    }
    if (found < 2)
        return;
    *f = sends;
    kp_set_error(KP_ESCHEDULE,
                 "round %d: processor %d sends two messages to %d, the second on port %d", f->round,
                 f->processor, f->peer, f->port);
    a->error = *kp_error_slot();
    a->error.round = f->round;
    a->error.processor = f->processor;
    a->error.port = f->port;
    a->error.peer = f->peer;
}

/* Returns the sender's index of message i, or -1 if nobody sends it. */
static int sent_as(const struct account *a, int i)
{
    const struct kp_finding *f = &a->finding;
    int sender = message_at(a, i).peer;
    if (f->sending)
        return i;
    return sender < 0 || sender >= a->problem->n
               ? -1
               : kp_replay_find_send(a->schedule, sender, f->round, f->processor, 0);
}

/* Returns where the first block of a message comes from. The places before it are empty. */
static struct kp_spot block_of(struct account *a, int i)
{
    const struct kp_finding *f = &a->finding;
    struct kp_replay *r = &a->ways.replay;
    kp_message m = message_at(a, i);
    int sender = f->sending ? f->processor : m.peer, sent = sent_as(a, i);
    if (sent < 0)
        return kp_nowhere;
    m = kp_schedule_send(a->schedule, sender, f->round, sent);
    if (!kp_replay_cells(r, sender, m.pieces, m.piece_count, &r->from) || r->from.count == 0)
        return kp_nowhere;
    uint64_t symbol = KP_NOTHING;
    for (size_t at = 0; at < r->from.count && symbol == KP_NOTHING; at++) {
        kp_cell cell = ((const kp_cell *)r->from.items)[at];
        symbol = cell == KP_NOWHERE ? KP_NOTHING : kp_replay_held(r, sender, cell);
    }
    return kp_ways_origin(r, symbol);
}

static void find_blocks(struct account *a)
{
    int rival = rival_of(a, a->finding.message);
    a->origins[0] = block_of(a, a->finding.message);
    if (rival >= 0)
        a->origins[1] = block_of(a, rival);
}

/* Writes what the two messages have in common, or what is wrong with one. */
static void put_cause(const struct account *a, int rival)
{
    const struct kp_finding *f = &a->finding;
    const char *preposition = f->sending ? "to" : "from";
    kp_message m = message_at(a, f->message);
    if (m.port >= a->problem->k)
        fprintf(a->out, "Processor %d has the ports 0 ... %d.\n", f->processor, a->problem->k - 1);
    else if (m.peer == f->processor)
        fprintf(a->out, "Within a processor data are moved, not sent.\n");
    else if (rival >= 0 && message_at(a, rival).port == m.port)
        fprintf(a->out, "Two of these are on port %d: %s processor %d and %s processor %d.\n",
                m.port, preposition, message_at(a, rival).peer, preposition, m.peer);
    else if (rival >= 0)
        fprintf(a->out, "Two of these are %s processor %d: on port %d and on port %d.\n",
                preposition, m.peer, message_at(a, rival).port, m.port);
}

/* Writes the way of the block of a message, then the message. If `again` is true, the way has been
 * written. */
static void put_way(const struct account *a, int way, int i, bool again, const char *remark)
{
    struct kp_finding step = a->finding;
    kp_message m = message_at(a, i);
    if (sent_as(a, i) < 0)
        return;
    if (a->origins[way].rank < 0)
        fprintf(a->out, "\nThere is a message without a block, as its places are empty:\n");
    else if (!again)
        kp_account_way(a, &a->ways.way[way], NULL, -1);
    step.port = m.port;
    step.peer = m.peer;
    kp_account_step(a, &step, remark);
}

static void mark_messages(const struct account *a, int rival)
{
    const struct kp_finding *f = &a->finding;
    int ends[2][3]; /* of the message and of the other one: the sender, the receiver, the port */
    for (int i = 0; i < 2; i++) {
        int index = i == 0 || rival < 0 ? f->message : rival;
        kp_message m = message_at(a, index);
        ends[i][0] = f->sending ? f->processor : m.peer;
        ends[i][1] = f->sending ? m.peer : f->processor;
        ends[i][2] = m.port;
        index = sent_as(a, index);
        if (!f->sending)
            ends[i][2] =
                index < 0 ? -1 : kp_schedule_send(a->schedule, m.peer, f->round, index).port;
    }
    *a->mark = (struct kp_mark){.round = f->round,
                                .from = ends[0][0],
                                .to = ends[0][1],
                                .port = ends[0][2],
                                .missing = ends[0][2] < 0,
                                .rounds = f->round,
                                .has_other = rival >= 0,
                                .other_from = ends[1][0],
                                .other_to = ends[1][1],
                                .other_port = ends[1][2]};
}

int kp_account_ports(struct account *a)
{
    find_message(a);
    look_at_sender(a);
    int rival = rival_of(a, a->finding.message), status = kp_account_follow(a, find_blocks);
    if (status)
        return status;
    mark_messages(a, rival);
    kp_account_partners(a, a->finding.processor, a->finding.sending);
    put_cause(a, rival);
    kp_account_stray(a);
    bool same = kp_same_spot(a->origins[0], a->origins[1]);
    const char *remark =
        rival >= 0 ? ": one of these two is too many  <-- here" : ": wrong  <-- here";
    put_way(a, 0, a->finding.message, false, remark);
    if (rival >= 0)
        put_way(a, 1, rival, same, remark);
    return KP_OK;
}
