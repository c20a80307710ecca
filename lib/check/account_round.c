/* What the accounts of faults in a round share. */
#include "lib/check/account_data.h"
#include "lib/problem/operation.h"
#include "lib/schedule/elements.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

int kp_account_messages(const struct account *a, int rank, int round, bool sending)
{
    if (round < 0 || rank < 0 || rank >= a->problem->n)
        return 0;
    return sending ? kp_schedule_sends(a->schedule, rank, round)
                   : kp_schedule_receives(a->schedule, rank, round);
}

int kp_account_follow(struct account *a, void (*find)(struct account *a))
{
    a->origins[0] = a->origins[1] = kp_nowhere;
    int status = kp_ways_find(&a->ways, a->schedule, &a->finding, a->origins);
    if (!status)
        find(a);
    kp_ways_end(&a->ways);
    return status ? status : kp_ways_find(&a->ways, a->schedule, &a->finding, a->origins);
}

/* A message with a side missing (index -1), or with two lengths. */
struct pair {
    int sender, receiver, send, receive;
};

static void keep_first(struct pair *first, struct pair pair)
{
    if (first->sender < 0 || pair.sender < first->sender ||
        (pair.sender == first->sender && pair.receiver < first->receiver))
        *first = pair;
}

/* Compares `first` with the messages that `rank` sends, and with those that it should get. */
static void look_at(const struct account *a, int rank, struct pair *first)
{
    const kp_schedule *s = a->schedule;
    const int round = a->finding.round;
    for (int i = 0; i < kp_schedule_sends(s, rank, round); i++) {
        kp_message out = kp_schedule_send(s, rank, round, i);
        int j = kp_replay_find_receive(s, out.peer, round, rank, i);
        if (j < 0 || kp_schedule_receive(s, out.peer, round, j).units != out.units)
            keep_first(first, (struct pair){rank, out.peer, i, j});
    }
    for (int i = 0; i < kp_schedule_receives(s, rank, round); i++) {
        int peer = kp_schedule_receive(s, rank, round, i).peer;
        if (kp_replay_find_send(s, peer, round, rank, i) < 0)
            keep_first(first, (struct pair){peer, rank, -1, i});
    }
}

void kp_account_first_pair(struct account *a)
{
    struct kp_finding *f = &a->finding;
    struct kp_message_end out = {.port = -1}, in = {.port = -1};
    struct pair first = {.sender = -1};
    for (int rank = 0; rank < a->problem->n; rank++)
        look_at(a, rank, &first);
    if (first.sender < 0)
        return; /* the lengths agree in units, but not in cells */
    if (first.send >= 0) {
        kp_message m = kp_schedule_send(a->schedule, first.sender, f->round, first.send);
        out = (struct kp_message_end){m.port, m.units};
    }
    if (first.receive >= 0) {
        kp_message m = kp_schedule_receive(a->schedule, first.receiver, f->round, first.receive);
        in = (struct kp_message_end){m.port, m.units};
    }
    f->sending = first.send >= 0;
    f->processor = f->sending ? first.sender : first.receiver;
    f->peer = f->sending ? first.receiver : first.sender;
    f->port = f->sending ? out.port : in.port;
    f->stage = KP_STAGE_RULES; /* blocks are followed up to the round: none is read after a write */
    kp_match_refuse(a->schedule, f->round, first.sender, first.receiver, f->sending ? &out : NULL,
                    first.receive >= 0 ? &in : NULL);
    a->error = *kp_error_slot();
}

void kp_account_partners(const struct account *a, int rank, bool sending)
{
    int round = a->finding.round;
    if (rank < 0 || rank >= a->problem->n)
        return;
    int count = kp_account_messages(a, rank, round, sending);
    fprintf(a->out, "In round %d processor %d %s", round, rank,
            sending ? "sends to" : "receives from");
    for (int i = 0; i < count && i < KP_ACCOUNT_LINES; i++) {
        kp_message m = sending ? kp_schedule_send(a->schedule, rank, round, i)
                               : kp_schedule_receive(a->schedule, rank, round, i);
        fprintf(a->out, "%s %d (%lld %s, port %d)", i > 0 ? "," : "", m.peer, (long long)m.units,
                kp_units_word(a->problem, a->schedule->units_of_block, m.units), m.port);
    }
    fprintf(a->out, count == 0 ? " nobody.\n" : count > KP_ACCOUNT_LINES ? ", and more.\n" : ".\n");
}

void kp_account_stray(const struct account *a)
{
    char name[KP_ROUND_NAME];
    if (a->origins[0].rank < 0)
        return;
    fprintf(a->out, "The error is at ");
    kp_account_block(a, a->origins[0]);
    fprintf(a->out, ", %s%s at processor %d.\n", a->finding.round < 0 ? "" : "in ",
            kp_round_name(a->finding.round, name), a->finding.processor);
}

void kp_account_step(const struct account *a, const struct kp_finding *step, const char *remark)
{
    kp_account_round(a, step->round);
    if (step->peer < 0)
        fprintf(a->out, "processor %d moves it", step->processor);
    else
        fprintf(a->out, "processor %d %s it on port %d %s processor %d", step->processor,
                step->sending ? "sends" : "receives", step->port, step->sending ? "to" : "from",
                step->peer);
    fprintf(a->out, "%s\n", remark);
}
