/* Architectures: which processors have links, how much they may send at once, and what a round
 * costs.
 *
 * Saad and Schultz 1986, section 2: broadcast bus, shared memory, ring, two-dimensional torus,
 * hypercube, switch. Rao, Suel, Tsantilas and Goudreau 1995, section 2: optical machine,
 * circuit-switched butterfly. kport's own machine links all processors. A schedule that keeps to
 * the links and the port rule of an architecture would run there with the same start-ups and words;
 * kp_schedule_check_on says whether it does. */
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

/* One architecture. A program may copy one from kp_topology_find and change `rows` or `at_once`, or
 * fill in its own. */
typedef struct kp_topology kp_topology;
struct kp_topology {
    const char *name;
    const char *summary;   /* one line */
    const char *port_rule; /* a sentence that says what a processor may do in a round */

    int rows;    /* torus: one side; the other is n / rows. 0: as near to a square as n allows */
    int at_once; /* bus, shared memory: the most simultaneous transfers (k* in the paper), at least
                    1 */

    /* Returns NULL if the architecture exists for n processors, else the condition that n violates.
     * NULL instead of a function: it exists for every n. */
    const char *(*serves)(const kp_topology *topology, int n);

    /* Returns the number of links between two different processors: 0, 1, or 2 (in a ring of two).
     */
    int (*links)(const kp_topology *topology, int n, int a, int b);

    /* Returns 0 if a round whose messages keep to the links obeys the port rule, else a status with
     * its sentence. NULL: there is no rule. */
    int (*check_round)(const kp_topology *topology, const kp_schedule *schedule, int round);

    /* Returns the cost of a round, in units of the schedule. NULL: one start-up and the longest
     * message if the round has messages. */
    kp_transfer_cost (*round_cost)(const kp_topology *topology, const kp_schedule *schedule,
                                   int round);
};

/* Returns the i-th architecture; NULL past the end. Any thread may call it. */
KP_API const kp_topology *kp_topology_at(int i);

/* Returns the architecture of that name, or NULL. Any thread may call it. */
KP_API const kp_topology *kp_topology_find(const char *name);

/* Reads an architecture from text: "ring", "torus,rows=4", "bus,at_once=2". Error: KP_EARGUMENT;
 * its sentence lists the valid words (kp_last_error). Any thread may call it. */
KP_API int kp_topology_parse(const char *text, kp_topology *topology) KP_MUST_CHECK;

/* Returns 1 if a link joins the two of n processors, else 0. Any thread may call it. */
KP_API int kp_topology_linked(const kp_topology *topology, int n, int from, int to);

/* Does what kp_schedule_check does, and checks that the schedule keeps to the links and the port
 * rule. `topology` NULL: only kp_schedule_check. `error` may be NULL. Errors: those of
 * kp_schedule_check; KP_ESCHEDULE with a sentence that names round, processor, peer and link;
 * KP_EUNSERVED if the architecture does not exist for n processors. Pure; any thread may call it.
 */
KP_API int kp_schedule_check_on(const kp_schedule *schedule, const kp_topology *topology,
                                kp_error_record *error) KP_MUST_CHECK;

/* Returns the cost on the architecture of a schedule that has passed the check, with blocks of b
 * bytes. If the schedule splits blocks, b must be the length it was built for. Pure; any thread may
 * call it. */
KP_API kp_transfer_cost kp_topology_cost(const kp_topology *topology, const kp_schedule *schedule,
                                         size_t b);

#ifdef __cplusplus
}
#endif

#endif
