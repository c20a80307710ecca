/* Routing: any number of messages, of any lengths, from anybody to anybody, when nobody knows
 * beforehand who has something for whom.
 *
 * As in collective.h, kp_route is called by all members of the group, each through its own handle,
 * from the thread that carries the processor, in the same order on every member; also by those that
 * have nothing to send.
 *
 * How it works (Rao, Suel, Tsantilas and Goudreau 1995): the messages for one processor follow each
 * other in a stream, which is cut into packets; a round is one kp_index, which brings at most one
 * packet from each processor to each. A protocol decides which: straight to its destination, or to
 * another processor that passes it on, where some pairs have many packets and others few. Before
 * the rounds all meet in a barrier, one kp_index tells everybody what it will get, and before each
 * round one kp_allreduce tells everybody how much is left. All of these count in C1 and C2 as if
 * the program had called them, and reports name them. The rounds are a function of the lengths, of
 * the order of the messages and of the seed, the same on any machine, with any carrier and
 * discipline.
 *
 * Memory: besides its messages (and 4 bytes for each if they do not all go in one round) and what
 * it gets, a processor holds at most 19n packets: n that go out, n that come in, 17n of others. */
#ifndef KPORT_ROUTE_H
#define KPORT_ROUTE_H

#include "collective.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A message to be sent. The bytes stay unchanged until the call returns. */
typedef struct kp_parcel {
    int to; /* rank in the group; oneself is allowed */
    const void *data;
    size_t bytes; /* may be 0 */
} kp_parcel;

/* How to route. NULL in a call, and zero in every field, is the default. The same on all members.
 */
typedef struct kp_route_how {
    const char *protocol; /* kp_protocol_name; NULL: "fullest" */
    int two_stage; /* 1: every packet to a random processor first (Valiant 1982), for relations
                      that are far from random, as when everybody has much for one other */
    size_t packet_bytes; /* up to 2^30, rounded up to a multiple of 8; 0: 2 MiB / n, at least 1024
                            and at most 32 KiB */
    uint64_t seed;       /* of what protocols draw at random */
    kp_how index;        /* the algorithm of the total exchanges; zero: the library chooses */
} kp_route_how;

/* The messages that one processor got: by their sources, those of one source in the order in which
 * it handed them over. */
typedef struct kp_arrivals {
    size_t count;         /* messages */
    uint64_t bytes;       /* of all of them */
    uint64_t rounds;      /* total exchanges of packets that it took, the same at all members */
    uint64_t word_rounds; /* total exchanges of a word, where the protocol has such */
    struct kp_arrivals_data *data; /* the library's */
} kp_arrivals;

/* One of them, and a place to go on from. All zero: before the first. */
typedef struct kp_arrival {
    int source;       /* rank in the group */
    const void *data; /* at a multiple of 8, or of its length if that is 1, 2 or 4 */
    size_t bytes;
    uint64_t left; /* the library's, as `next` */
    const char *next;
} kp_arrival;

/* Sends `count` messages and gets all that are for this processor. `arrivals` is given back with
 * kp_route_free, also after an error, and does not change with later calls. Errors, on every
 * member:
 *   KP_EARGUMENT   own arguments cannot be: a message for a rank that is not in the group, a length
 *                  that is more than memory can hold, NULL where bytes should be, a protocol that
 *                  is none; the others return KP_EPEER, with a sentence that says whose and what
 *   KP_EALGORITHM, KP_EUNSERVED, KP_ESCHEDULE, KP_EUNCHECKED  as kp_index
 *   KP_EMISMATCH   the members gave different `how`s, or called different operations
 *   KP_EMEMORY     no memory for what there is to come, or for packets of others; the others return
 *                  KP_EPEER. In these cases nothing arrives at anybody; what earlier calls brought
 *                  stays, and the group works on
 *   KP_ELOST, KP_EFAILED, KP_EDEADLOCK, KP_ETIMEOUT  the group is dead for this run
 *   KP_EUNTAKEN    a message of an earlier kp_exchange was not taken; this operation was done */
KP_API int kp_route(kp_group *group, const kp_parcel *parcels, size_t count, kp_arrivals *arrivals,
                    const kp_route_how *how) KP_MUST_CHECK;

/* Goes on to the next message: 1, or 0 after the last. Any thread, several at a time with an
 * `arrival` each. */
KP_API int kp_route_next(const kp_arrivals *arrivals, kp_arrival *arrival);

/* Gives them back; `arrivals` is empty afterwards, and may be so before. */
KP_API void kp_route_free(kp_arrivals *arrivals);

/* Names of the protocols, and what they do in one line; NULL past the end. The first is the
 * default. Any thread. */
KP_API const char *kp_protocol_name(int i);
KP_API const char *kp_protocol_summary(int i);

#ifndef KP_NO_CALL_SITES
#define kp_route(...) (kp_here(__FILE__, __LINE__), kp_route(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
