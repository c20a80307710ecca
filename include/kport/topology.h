/* An architecture says which processors have links, how much a processor may send at once, and what
 * a round costs. kport's own machine links all processors.
 *
 * kp_schedule_check_on says whether a schedule keeps to the links and the port rule of an
 * architecture. A schedule that keeps to them could run on that architecture, at the cost that
 * kp_topology_cost returns.
 *
 * All functions of this header are pure, so any thread may call them. Sources: Saad and Schultz
 * 1986, section 2 (broadcast bus, shared memory, ring, two-dimensional torus, hypercube, switch);
 * Rao, Suel, Tsantilas and Goudreau 1995, section 2 (optical machine, circuit-switched butterfly).
 */
#ifndef KPORT_TOPOLOGY_H
#define KPORT_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The cost of a schedule on an architecture: time = startups * beta + words * tau. A word is a
 * byte. */
typedef struct kp_transfer_cost {
    uint64_t startups;
    uint64_t words;
} kp_transfer_cost;

/* An architecture. A program may copy an architecture that kp_topology_find returns, and change
 * `rows` or `at_once` of the copy. It may also fill in an architecture of its own. */
typedef struct kp_topology kp_topology;
struct kp_topology {
    const char *name;
    const char *summary;   /* a description in one line */
    const char *port_rule; /* a sentence that states what a processor may do in a round */

    /* Torus: the length of one side. The other side is n / rows. 0: as square as n allows. */
    int rows;
    /* Bus, shared memory: the most simultaneous transfers (k* in the paper), at least 1. */
    int at_once;

    /* Returns NULL if the architecture exists for n processors. Otherwise returns the condition
     * that n violates. If `serves` is NULL, the architecture exists for every n. */
    const char *(*serves)(const kp_topology *topology, int n);

    /* Returns the number of links between two different processors: 0 or 1, but 2 in a ring of two
     * processors. */
    int (*links)(const kp_topology *topology, int n, int a, int b);

    /* Checks a round whose messages keep to the links. Returns 0 if the round obeys the port rule,
     * else the status of an error, whose sentence it sets. If `check_round` is NULL, there is no
     * port rule. */
    int (*check_round)(const kp_topology *topology, const kp_schedule *schedule, int round);

    /* Returns the cost of a round, with the words counted in units of the schedule. If `round_cost`
     * is NULL, a round with messages costs one start-up and the longest message. */
    kp_transfer_cost (*round_cost)(const kp_topology *topology, const kp_schedule *schedule,
                                   int round);
};

/* Returns architecture i of the library's list. Returns NULL past the end of the list. */
KP_API const kp_topology *kp_topology_at(int i);

/* Returns the architecture of that name, or NULL. */
KP_API const kp_topology *kp_topology_find(const char *name);

/* Reads an architecture from a text such as "ring", "torus,rows=4" or "bus,at_once=2". Error:
 * KP_EARGUMENT, with a sentence that lists the valid words (kp_last_error). */
KP_API int kp_topology_parse(const char *text, kp_topology *topology) KP_MUST_CHECK;

/* Returns 1 if a link joins `from` and `to` of n processors, else 0. */
KP_API int kp_topology_linked(const kp_topology *topology, int n, int from, int to);

/* Checks the schedule as kp_schedule_check does. Also checks that the schedule keeps to the links
 * and the port rule of `topology`, unless `topology` is NULL. `error` may be NULL. Errors: those of
 * kp_schedule_check; KP_ESCHEDULE with a sentence that names round, processor, peer and link;
 * KP_EUNSERVED if the architecture does not exist for n processors. */
KP_API int kp_schedule_check_on(const kp_schedule *schedule, const kp_topology *topology,
                                kp_error_record *error) KP_MUST_CHECK;

/* Returns the cost of a schedule on the architecture, with blocks of b bytes. The schedule must
 * have passed kp_schedule_check_on. If the schedule splits blocks, b must be the block length for
 * which the schedule was built. */
KP_API kp_transfer_cost kp_topology_cost(const kp_topology *topology, const kp_schedule *schedule,
                                         size_t b);

#ifdef __cplusplus
}
#endif

#endif
