/* The hypercube: two processors have a link if their numbers differ in exactly one bit.
 *
 * Source: Saad and Schultz 1986, section 2 (E). In the paper, either all links of a processor read
 * or all of them write at any time. This file checks each link by itself: in a round a link may
 * carry messages in one direction only. */
#include "lib/topology/rules.h"

static const char *serves(const kp_topology *topology, int n)
{
    (void)topology;
    return (n & (n - 1)) == 0 ? NULL : "n a power of 2";
}

static int links(const kp_topology *topology, int n, int a, int b)
{
    int differing = a ^ b;
    (void)topology;
    (void)n;
    return differing != 0 && (differing & (differing - 1)) == 0;
}

const kp_topology kp_topology_hypercube = {
    .name = "hypercube",
    .summary = "2^d processors, linked where their numbers differ in one bit",
    .port_rule = "a processor has log2(n) ports, one for each link; links are half duplex",
    .serves = serves,
    .links = links,
    .check_round = kp_links_one_direction,
};
