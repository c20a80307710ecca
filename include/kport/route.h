/* Routing sends any number of messages of any lengths between any processors. Receivers need not
 * know beforehand which processors send to them.
 *
 * As in collective.h, all members of the group call kp_route, in the same order. Members that have
 * nothing to send call it too. Each member uses its own handle, from the thread that carries its
 * processor.
 *
 * Method (Rao, Suel, Tsantilas and Goudreau 1995): each processor joins its messages for one
 * receiver into a stream, and cuts the stream into packets. A round is one kp_index, which moves at
 * most one packet from each processor to each other processor. A protocol decides whether a packet
 * goes straight to its receiver or through another processor. Such detours help if some pairs of
 * processors have many packets and others few. Before the rounds all members pass a barrier, and
 * one kp_index tells each member how much it will get. Before each round one kp_allreduce tells all
 * members how much is left. All these calls count in C1 and C2 as if the program had made them, and
 * error reports name them. The rounds depend only on the lengths and order of the messages and on
 * the seed. They do not depend on the machine, carrier or discipline.
 *
 * Memory: a processor holds the messages that it sends and gets. It also holds at most 19n packets:
 * n outgoing, n incoming, and 17n packets of other processors. It needs 4 bytes for each message
 * that it sends, unless all its messages fit into one round. */
#ifndef KPORT_ROUTE_H
#define KPORT_ROUTE_H

#include "collective.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A message to send. Its bytes must stay unchanged until the call returns. */
typedef struct kp_parcel {
    int to; /* the receiver's rank in the group, which may be the sender's own rank */
    const void *data;
    size_t bytes; /* the length, which may be 0 */
} kp_parcel;

/* Options of kp_route. All members must pass the same options. If a call passes NULL, or if a field
 * is 0, the default holds. */
typedef struct kp_route_hints {
    const char *protocol; /* a name that kp_protocol_name returns; NULL: "fullest" */
    /* 1: each packet first goes to a random processor (Valiant 1982). This helps if the pattern is
     * unbalanced, for example if each processor has many bytes for one other processor. */
    int two_stage;
    /* The bytes of a packet, at most 2^30, rounded up to a multiple of 8. 0: 2 MiB / n, but at
     * least 1 KiB and at most 32 KiB. */
    size_t packet_bytes;
    uint64_t seed;  /* the seed of the protocols' random numbers */
    kp_hints index; /* the algorithm of the kp_index calls; 0: the library chooses it */
} kp_route_hints;

typedef kp_route_hints kp_route_how; /* the former name */

/* The messages that one processor got. The messages are ordered by their sources. Messages of one
 * source are in the order in which the source listed them. */
typedef struct kp_arrivals {
    size_t count;    /* the number of messages */
    uint64_t bytes;  /* the bytes of all messages */
    uint64_t rounds; /* the number of kp_index calls that moved packets; the same on all members */
    /* The number of kp_index calls that moved numbers of the protocol instead of packets. 0: the
     * protocol makes no such calls. */
    uint64_t word_rounds;
    struct kp_arrivals_data *data; /* private to the library */
} kp_arrivals;

/* A message of kp_arrivals, and the position of the next one for kp_route_next. If all fields are
 * zero, the position is before the first message. */
typedef struct kp_arrival {
    int source;       /* the sender's rank in the group */
    const void *data; /* the contents, aligned to 8 bytes, or to the length if that is 1, 2 or 4 */
    size_t bytes;
    uint64_t left; /* private to the library; so is `next` */
    const char *next;
} kp_arrival;

/* Sends `count` messages, and gets all messages for this processor. Lengths are in bytes. Free
 * `arrivals` with kp_route_free, also after an error. Later calls do not change `arrivals`. If the
 * call fails, it fails at every member. After one of the errors in the first four entries of this
 * list, no message of this call has arrived at any member. Results of earlier calls stay, and the
 * group stays usable.
 * - KP_EARGUMENT: an argument of this member is invalid. This argument is a rank outside the group,
 *   a length that exceeds memory, NULL instead of bytes, or an unknown protocol. The other members
 *   get KP_EPEER, with a sentence that names this member and the reason.
 * - KP_EALGORITHM, KP_EUNSERVED, KP_ESCHEDULE, KP_EUNCHECKED: as for kp_index.
 * - KP_EMISMATCH: members passed different `hints`, or made different calls.
 * - KP_EMEMORY: there is no memory for incoming messages or for packets of other processors. The
 *   other members get KP_EPEER.
 * - KP_ELOST, KP_EFAILED, KP_EDEADLOCK, KP_ETIMEOUT: the group is unusable for the rest of the run.
 * - KP_EUNTAKEN: a receiver did not take a message of an earlier kp_exchange. The call that returns
 *   this error is itself complete. */
KP_API int kp_route(kp_group *group, const kp_parcel *parcels, size_t count, kp_arrivals *arrivals,
                    const kp_route_hints *hints) KP_MUST_CHECK;

/* Advances `arrival` to the next message. Returns 1, or 0 if there are no more messages. Any thread
 * may call this function. Several threads may call it at a time if each uses its own `arrival`. */
KP_API int kp_route_next(const kp_arrivals *arrivals, kp_arrival *arrival);

/* Frees the messages and empties `arrivals`. `arrivals` may be empty already. Any thread may call
 * this function, while no other uses `arrivals`. */
KP_API void kp_route_free(kp_arrivals *arrivals);

/* `kp_protocol_name` returns the name of protocol i. `kp_protocol_summary` returns a line that
 * describes the protocol. Both functions return NULL if there is no protocol i. Protocol 0 is the
 * default. Any thread may call them. */
KP_API const char *kp_protocol_name(int i);
KP_API const char *kp_protocol_summary(int i);

#ifndef KP_NO_CALL_SITES
#define kp_route(...) (kp_here(__FILE__, __LINE__), kp_route(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
