/* Architectures: who may send to whom, how much at once, and what it costs there.
 *
 * Saad and Schultz 1986, section 2: broadcast bus, shared memory, ring, two-dimensional torus,
 * hypercube, switch. Rao, Suel, Tsantilas and Goudreau 1995, section 2: optical machine,
 * circuit-switched butterfly. The machine of this library has links between all processors; a
 * schedule that keeps to the links and the port rule of an architecture would run there in as many
 * start-ups and words, and kp_schedule_check_on tells whether it does. */
#ifndef KPORT_TOPOLOGY_H
#define KPORT_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a schedule takes on an architecture: time = startups * beta + words * tau. A word is a byte
 * of the schedule's. */
typedef struct kp_transfer_cost {
    uint64_t startups;
    uint64_t words;
} kp_transfer_cost;

/* One architecture. The ones that kp_topology_find knows may be copied and given other sides, or
 * another number of transfers at once; or a program fills in one of its own. */
typedef struct kp_topology kp_topology;
struct kp_topology {
    const char *name;
    const char *summary;   /* one line */
    const char *port_rule; /* what a processor may do in a round, in words */

    int rows; /* torus: one side; the other is n divided by it. 0: as near to square as n allows */
    int at_once; /* bus, shared memory: transfers at once (k* in the paper), at least 1 */

    /* NULL if there is such a machine of n processors, else what n must be. NULL: always. */
    const char *(*serves)(const kp_topology *topology, int n);

    /* How many links there are between two different processors: 0, 1, or 2 where a ring closes
     * after two. */
    int (*links)(const kp_topology *topology, int n, int a, int b);

    /* Whether a round keeps the port rule; its messages keep to the links. A status, with the
     * sentence set. NULL: no rule. */
    int (*check_round)(const kp_topology *topology, const kp_schedule *schedule, int round);

    /* What a round takes, in units of the schedule. NULL: a start-up and the longest message, if
     * there is any. */
    kp_transfer_cost (*round_cost)(const kp_topology *topology, const kp_schedule *schedule,
                                   int round);
};

/* All architectures; NULL past the end. Any thread. */
KP_API const kp_topology *kp_topology_at(int i);

/* The one of that name, or NULL. Any thread. */
KP_API const kp_topology *kp_topology_find(const char *name);

/* Reads "ring", or "torus,rows=4", or "bus,at_once=2". Errors: KP_EARGUMENT, which names what there
 * is (kp_last_error). Any thread. */
KP_API int kp_topology_parse(const char *text, kp_topology *topology) KP_MUST_CHECK;

/* Whether a message may go straight from one processor to another of n. Any thread. */
KP_API int kp_topology_linked(const kp_topology *topology, int n, int from, int to);

/* kp_schedule_check, and whether the schedule keeps to the links and the port rule. Refuses with
 * KP_ESCHEDULE and a sentence that names round, processor, peer and link; KP_EUNSERVED if there is
 * no such machine of n processors. `topology` NULL: kp_schedule_check. `error` may be NULL. Any
 * thread; pure. */
KP_API int kp_schedule_check_on(const kp_schedule *schedule, const kp_topology *topology,
                                kp_error_record *error) KP_MUST_CHECK;

/* What a schedule that has been checked costs there, with blocks of b bytes (that it was built for,
 * if it splits blocks). Any thread; pure. */
KP_API kp_transfer_cost kp_topology_cost(const kp_topology *topology, const kp_schedule *schedule,
                                         size_t b);

#ifdef __cplusplus
}
#endif

#endif
