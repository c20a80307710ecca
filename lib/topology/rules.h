/* This header declares the architectures (kp_topology), and the rules and the error function that
 * several of them share. */
#ifndef KPORT_LIB_TOPOLOGY_RULES_H
#define KPORT_LIB_TOPOLOGY_RULES_H

#include "kport/topology.h"

extern const kp_topology kp_topology_bus, kp_topology_shared_memory, kp_topology_ring,
    kp_topology_torus, kp_topology_hypercube, kp_topology_switch, kp_topology_optical,
    kp_topology_butterfly;

/* Sets the error KP_ESCHEDULE and returns it. The error's sentence is "round R: processor P ",
 * followed by the text. `peer` is -1 if the error concerns no other processor. */
int kp_topology_refuse(int round, int processor, int peer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Returns 1 for every two different processors, because each pair has a link. */
int kp_links_all(const kp_topology *topology, int n, int a, int b);

/* Returns KP_OK if every link carries messages in only one direction in this round. Otherwise sets
 * the error KP_ESCHEDULE and returns it. */
int kp_links_one_direction(const kp_topology *topology, const kp_schedule *schedule, int round);

/* Returns the number of links between processors a and b on a circle of n processors. Neighbours
 * have one link, or two if n = 2; other processors have none. */
int kp_links_on_circle(int n, int a, int b);

#endif
