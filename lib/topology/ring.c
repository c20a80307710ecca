/* The ring: every processor has a link to two neighbours.
 *
 * Source: Saad and Schultz 1986, section 2 (C). In a step a processor writes to both neighbours, or
 * reads from one neighbour and writes to the other. By symmetry it may also read from both
 * neighbours. So each link carries messages in one direction in a round. */
#include "lib/topology/rules.h"

static int links(const kp_topology *topology, int n, int a, int b)
{
    (void)topology;
    return kp_links_on_circle(n, a, b);
}

const kp_topology kp_topology_ring = {
    .name = "ring",
    .summary = "every processor linked to the one before and the one after",
    .port_rule = "a processor has two ports, one for each link; links are half duplex",
    .links = links,
    .check_round = kp_links_one_direction,
};
