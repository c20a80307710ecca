/* The switch: in every step it connects the processors by a permutation. So each processor sends at
 * most one message and receives at most one.
 *
 * Source: Saad and Schultz 1986, section 2 (F). In the paper the switch connects k inputs to k
 * outputs, one to one. */
#include "lib/topology/rules.h"

static int check_round(const kp_topology *t, const kp_schedule *schedule, int round)
{
    (void)t;
    int n = kp_schedule_problem(schedule)->n;
    for (int rank = 0; rank < n; rank++) {
        int sends = kp_schedule_sends(schedule, rank, round);
        int receives = kp_schedule_receives(schedule, rank, round);
        if (sends > 1)
            return kp_topology_refuse(
                round, rank, kp_schedule_send(schedule, rank, round, 1).peer,
                "sends to %d and to %d, but its link to the switch carries one message out",
                kp_schedule_send(schedule, rank, round, 0).peer,
                kp_schedule_send(schedule, rank, round, 1).peer);
        if (receives > 1)
            return kp_topology_refuse(
                round, rank, kp_schedule_receive(schedule, rank, round, 1).peer,
                "receives from %d and from %d, but its link from the switch carries one message in",
                kp_schedule_receive(schedule, rank, round, 0).peer,
                kp_schedule_receive(schedule, rank, round, 1).peer);
    }
    return KP_OK;
}

const kp_topology kp_topology_switch = {
    .name = "switch",
    .summary = "every processor to every other, through a switch that is set anew in every step",
    .port_rule = "a processor has one port, which sends and receives at once",
    .links = kp_links_all,
    .check_round = check_round,
};
