/* What the accounts of faults in a round share. */
#include "lib/check/account_data.h"
#include "lib/problem/operation.h"
#include "lib/schedule/elements.h"
#include "lib/schedule/schedule_data.h"

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
    fprintf(a->out, "The first that goes astray is ");
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
