/* What the architectures share: refusing, and rules that more than one of them has. */
#ifndef KPORT_LIB_TOPOLOGY_RULES_H
#define KPORT_LIB_TOPOLOGY_RULES_H

#include "kport/topology.h"

extern const kp_topology kp_topology_bus, kp_topology_shared_memory, kp_topology_ring,
    kp_topology_torus, kp_topology_hypercube, kp_topology_switch, kp_topology_optical,
    kp_topology_butterfly;

/* KP_ESCHEDULE: "round R: processor P " and then the sentence; peer -1 if there is none. */
int kp_topology_refuse(int round, int processor, int peer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A link for every two processors. */
int kp_links_all(const kp_topology *topology, int n, int a, int b);

/* Every link carries one message in a round, in one of its directions. */
int kp_links_one_direction(const kp_topology *topology, const kp_schedule *schedule, int round);

/* Links between neighbours on a circle of n places. */
int kp_links_on_circle(int n, int a, int b);

#endif
