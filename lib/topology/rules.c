#include "lib/topology/rules.h"

#include "ports/port.h"

#include <stdarg.h>
#include <stdio.h>

int kp_topology_refuse(int round, int processor, int peer, const char *format, ...)
{
    char text[KP_SENTENCE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    kp_set_error(KP_ESCHEDULE, "round %d: processor %d %s", round, processor, text);
    kp_error_slot()->round = round;
    kp_error_slot()->processor = processor;
    kp_error_slot()->peer = peer;
    return KP_ESCHEDULE;
}

int kp_links_all(const kp_topology *topology, int n, int a, int b)
{
    (void)topology;
    (void)n;
    return a != b;
}

int kp_links_on_circle(int n, int a, int b)
{
    int steps = a < b ? b - a : a - b;
    return (steps == 1) + (steps == n - 1 && steps > 0);
}

/* Returns the number of messages that `rank` receives from `peer` in a round. */
static int received_from(const kp_schedule *schedule, int rank, int round, int peer)
{
    int count = 0;
    for (int i = 0; i < kp_schedule_receives(schedule, rank, round); i++)
        count += kp_schedule_receive(schedule, rank, round, i).peer == peer;
    return count;
}

int kp_links_one_direction(const kp_topology *t, const kp_schedule *schedule, int round)
{
    int n = kp_schedule_problem(schedule)->n;
    for (int rank = 0; rank < n; rank++) {
        for (int i = 0; i < kp_schedule_sends(schedule, rank, round); i++) {
            int peer = kp_schedule_send(schedule, rank, round, i).peer;
            if (t->links(t, n, rank, peer) == 1 && received_from(schedule, rank, round, peer) > 0)
                return kp_topology_refuse(round, rank, peer,
                                          "sends to %d and receives from %d, but the link %d-%d "
                                          "carries one direction at a time",
                                          peer, peer, rank, peer);
        }
    }
    return KP_OK;
}
