/* The optical machine: every processor can send a beam of light to every other processor.
 *
 * Source: Anderson and Miller 1988; Rao, Suel, Tsantilas and Goudreau 1995, section 2 (OCPC). In a
 * step a processor sends at most one message. If two processors send to the same receiver in a
 * step, neither message arrives. So the rule is that in each round every processor sends at most
 * one message and receives at most one. A total exchange takes n steps: in step j processor i sends
 * to processor (i + j) mod n. In step 0 a processor only copies its own block. */
#include "lib/topology/rules.h"

static int check_round(const kp_topology *t, const kp_schedule *schedule, int round)
{
    (void)t;
    int n = kp_schedule_problem(schedule)->n;
    for (int rank = 0; rank < n; rank++) {
        if (kp_schedule_sends(schedule, rank, round) > 1)
            return kp_topology_refuse(round, rank, kp_schedule_send(schedule, rank, round, 1).peer,
                                      "sends to %d and to %d, but it has one beam",
                                      kp_schedule_send(schedule, rank, round, 0).peer,
                                      kp_schedule_send(schedule, rank, round, 1).peer);
        if (kp_schedule_receives(schedule, rank, round) > 1)
            return kp_topology_refuse(round, rank,
                                      kp_schedule_receive(schedule, rank, round, 1).peer,
                                      "is sent to by %d and by %d, and neither message arrives",
                                      kp_schedule_receive(schedule, rank, round, 0).peer,
                                      kp_schedule_receive(schedule, rank, round, 1).peer);
    }
    return KP_OK;
}

const kp_topology kp_topology_optical = {
    .name = "optical",
    .summary = "every processor to every other; what two send to the same one is lost",
    .port_rule = "a processor has one port: it sends one message, and one is sent to it",
    .links = kp_links_all,
    .check_round = check_round,
};
