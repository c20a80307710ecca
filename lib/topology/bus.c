/* The broadcast bus: a message on the bus can be received by any number of processors.
 *
 * Source: Saad and Schultz 1986, section 2 (A). The same message to several processors counts as
 * one transfer. The bus carries `at_once` transfers at the same time. The paper calls this number
 * k*, and all its formulas are for k* = 1. A processor's link to the bus carries at most one
 * message out and one message in.
 *
 * Messages of a sender with the same `row` (kp_message) are one transfer. The checker of schedules
 * has verified that such messages are equal. */
#include "lib/topology/rules.h"

/* Returns the number of different messages that a processor sends in a round. If there are two or
 * more, sets `second` to the receiver of the second one. */
static int count_transfers(const kp_schedule *schedule, int rank, int round, int *second)
{
    int64_t first_row = -1;
    int count = 0;
    for (int i = 0; i < kp_schedule_sends(schedule, rank, round); i++) {
        kp_message m = kp_schedule_send(schedule, rank, round, i);
        if (count > 0 && m.row == first_row)
            continue;
        if (count == 0)
            first_row = m.row;
        if (++count == 2)
            *second = m.peer;
    }
    return count;
}

static int check_round(const kp_topology *t, const kp_schedule *schedule, int round)
{
    int n = kp_schedule_problem(schedule)->n, transfers = 0, second = -1;
    for (int rank = 0; rank < n; rank++) {
        int own = count_transfers(schedule, rank, round, &second);
        if (own > 1)
            return kp_topology_refuse(round, rank, second,
                                      "sends %d different messages, the second to %d, but its link "
                                      "to the bus carries one",
                                      own, second);
        if (kp_schedule_receives(schedule, rank, round) > 1) {
            int peer = kp_schedule_receive(schedule, rank, round, 1).peer;
            return kp_topology_refuse(round, rank, peer,
                                      "receives from %d and from %d, but its link to the bus "
                                      "carries one message",
                                      kp_schedule_receive(schedule, rank, round, 0).peer, peer);
        }
        transfers += own;
        if (transfers > t->at_once)
            return kp_topology_refuse(round, rank, kp_schedule_send(schedule, rank, round, 0).peer,
                                      "sends to %d, which is transfer %d of the round, but the bus "
                                      "carries at most %d at once",
                                      kp_schedule_send(schedule, rank, round, 0).peer, transfers,
                                      t->at_once);
    }
    return KP_OK;
}

const kp_topology kp_topology_bus = {
    .name = "bus",
    .summary = "one bus, on which all hear what one says",
    .port_rule =
        "a processor has one port; at_once (1) processors send, each one message, to any number",
    .at_once = 1,
    .links = kp_links_all,
    .check_round = check_round,
};
