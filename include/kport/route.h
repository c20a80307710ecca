/* Routing: any number of messages of any lengths between any processors. Receivers need not know
 * beforehand who sends to them.
 *
 * As in collective.h, all members of the group call kp_route, also those with nothing to send, in
 * the same order, each with its own handle, from the thread that carries the processor.
 *
 * Method (Rao, Suel, Tsantilas and Goudreau 1995): each processor joins its messages for one
 * receiver to a stream and cuts the stream into packets. A round is one kp_index, which moves at
 * most one packet from each processor to each other. A protocol decides whether a packet goes
 * straight to its receiver or through another processor; detours help if some pairs have many
 * packets and others few. Before the rounds all members pass a barrier, and one kp_index tells each
 * what it will get. Before each round one kp_allreduce tells all how much is left. All these calls
 * count in C1 and C2 as if the program had made them, and error reports name them. The rounds
 * depend only on the lengths and order of the messages and on the seed, not on machine, carrier or
 * discipline.
 *
 * Memory: besides its messages (and 4 bytes for each, unless all fit into one round) and the
 * messages it gets, a processor holds at most 19n packets: n outgoing, n incoming, 17n of others.
 */
#ifndef KPORT_ROUTE_H
#define KPORT_ROUTE_H

#include "collective.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A message to send. Its bytes must stay unchanged until the call returns. */
typedef struct kp_parcel {
    int to; /* the receiver's rank in the group; may be the sender's own */
    const void *data;
    size_t bytes; /* may be 0 */
} kp_parcel;

/* Options of kp_route, the same on all members. NULL in a call, and 0 in every field, is the
 * default. */
typedef struct kp_route_hints {
    const char *protocol; /* a name from kp_protocol_name; NULL: "fullest" */
    int two_stage; /* 1: each packet first goes to a random processor (Valiant 1982). This helps
                      unbalanced patterns, as when each processor has much for one other */
    size_t packet_bytes; /* bytes of a packet, at most 2^30, rounded up to a multiple of 8; 0: 2 MiB
                            / n, but 1 KiB ... 32 KiB */
    uint64_t seed;       /* the seed of the protocols' random numbers */
    kp_hints index;      /* the algorithm of the kp_index calls; 0: the library chooses */
} kp_route_hints;

/* The messages that one processor got, ordered by source; messages of one source keep the order in
 * which it passed them. */
typedef struct kp_arrivals {
    size_t count;         /* the number of messages */
    uint64_t bytes;       /* the bytes of all messages */
    uint64_t rounds;      /* the kp_index calls that moved packets; the same on all members */
    uint64_t word_rounds; /* the kp_index calls that moved a word, if the protocol makes such */
    struct kp_arrivals_data *data; /* private to the library */
} kp_arrivals;

/* One of these messages, and the position for the next step. All zero: before the first message. */
typedef struct kp_arrival {
    int source;       /* the sender's rank in the group */
    const void *data; /* aligned to 8 bytes, or to the length if that is 1, 2 or 4 */
    size_t bytes;
    uint64_t left; /* private to the library, as `next` */
    const char *next;
} kp_arrival;

/* Sends `count` messages and gets all messages for this processor. Free `arrivals` with
 * kp_route_free, also after an error; later calls do not change it. Errors, on every member. After
 * those down to KP_EMEMORY no message of this call has arrived anywhere, results of earlier calls
 * stay, and the group stays usable.
 *   KP_EARGUMENT   an own argument is invalid: a rank outside the group, a length that exceeds
 *                  memory, NULL instead of bytes, an unknown protocol. The others return KP_EPEER
 *                  with a sentence that says whose argument and why
 *   KP_EALGORITHM, KP_EUNSERVED, KP_ESCHEDULE, KP_EUNCHECKED  as kp_index
 *   KP_EMISMATCH   members gave different `hints`s, or made different calls
 *   KP_EMEMORY     no memory for incoming messages, or for packets of others; the others return
 *                  KP_EPEER
 *   KP_ELOST, KP_EFAILED, KP_EDEADLOCK, KP_ETIMEOUT  the group is unusable for the rest of the run
 *   KP_EUNTAKEN    no receiver took a message of an earlier kp_exchange; this operation is complete
 */
KP_API int kp_route(kp_group *group, const kp_parcel *parcels, size_t count, kp_arrivals *arrivals,
                    const kp_route_hints *hints) KP_MUST_CHECK;

/* Advances `arrival` to the next message. Returns 1, or 0 after the last. Any thread may call it,
 * several at a time if each has its own `arrival`. */
KP_API int kp_route_next(const kp_arrivals *arrivals, kp_arrival *arrival);

/* Frees the messages and empties `arrivals`, which may be empty already. */
KP_API void kp_route_free(kp_arrivals *arrivals);

/* Return the name of the i-th protocol, and a line that says what it does; NULL past the end.
 * Protocol 0 is the default. Any thread may call them. */
KP_API const char *kp_protocol_name(int i);
KP_API const char *kp_protocol_summary(int i);

#ifndef KP_NO_CALL_SITES
#define kp_route(...) (kp_here(__FILE__, __LINE__), kp_route(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
