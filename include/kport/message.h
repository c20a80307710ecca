/* Messages with tags. A member sends a message to any other member of a group, or to itself, and
 * the receiver names the sender and the tag, or accepts any. (MPI calls this point-to-point
 * communication.) No other member takes part, and the calls are no collectives: any member makes
 * them at any time, between collective calls as well.
 *
 * Matching. A receive takes a message of its own group that has the source and the tag that it
 * names. It may name KP_ANY_SOURCE, KP_ANY_TAG or both. Messages of one sender to one receiver do
 * not overtake each other: if two of them match a receive, it takes the one that was sent first. If
 * two receives match a message, the one that was started first takes it. Groups are separate: a
 * message is never received in another group. kp_group_dup makes a second group of the same members
 * for messages that must not be mixed with others, for example those of a library.
 *
 * Waiting. A send ends when the program may overwrite the data. For a short message that is at
 * once, as kport buffers it. A long message (longer than the config's message_eager_bytes) stays in
 * the sender's memory until the receiver has copied it, so its send waits for a receive. So does a
 * message that would make more than `unreceived_bytes` under way from this sender to this receiver.
 * A program must not rely on buffers: with `unreceived_bytes` KP_UNBUFFERED every send waits for
 * its receive.
 *
 * What the sender wrote before the send is visible to the receiver after the receive.
 *
 * Every function is called by the thread that carries the member's processor. Ranks are those of
 * the group. A tag is 0 ... INT_MAX. Lengths are in bytes.
 *
 * Errors that all functions of this header can return:
 * - KP_EARGUMENT: an argument is invalid. The call has done nothing, and other members do not know
 *   of it.
 * - KP_EMEMORY: there is no memory for the message. It was not sent, or not received.
 * - KP_ELOST, KP_EFAILED: the member that the call waits for has ended its program or has failed.
 *   What it had sent before can be received. A receive with KP_ANY_SOURCE ends so when all other
 *   members have ended. After KP_ELOST the group stays usable.
 * - KP_EDEADLOCK, KP_ETIMEOUT, KP_EWRONGTHREAD, KP_EENDED, KP_EFAILED: as in all calls.
 *
 * A message that nobody has received is an error at the end of the run, KP_EUNTAKEN in the report
 * of kp_machine_run, which names sender, receiver, and the file and line of the send. A processor
 * that detaches gets it from kp_machine_detach if it has left a message unreceived. A group whose
 * handles are all freed lasts until its messages have been received, or to the end of the run.
 *
 * Between processes of an MPI (KP_CARRIER_MPI) the same holds, except for three things. A deadlock
 * ends by the time limit only. A message that nobody has received is named by the process of its
 * receiver; the others get KP_EUNTAKEN with the number of such messages. A long message goes on
 * only while its sender is in a call of kport. */
#ifndef KPORT_MESSAGE_H
#define KPORT_MESSAGE_H

#include "machine.h"
#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

#define KP_ANY_SOURCE (-1) /* in place of a source's rank: a message of any member */
#define KP_ANY_TAG    (-1) /* in place of a tag: a message with any tag */

/* What a receive or a probe has found. */
typedef struct kp_message_status {
    int source; /* the sender's rank */
    int tag;
    size_t bytes; /* the length of the message */
} kp_message_status;

/* Sends `bytes` bytes to the member with rank `to`, which may be the caller's own rank. `data` may
 * be NULL if `bytes` is 0. Returns when the data may be overwritten; this may be before the message
 * is received. Errors: see above. */
KP_API int kp_send(kp_group *group, const void *data, size_t bytes, int to, int tag) KP_MUST_CHECK;

/* Receives one message of at most `bytes` bytes from the member with rank `from`. `from` may be
 * KP_ANY_SOURCE, and `tag` may be KP_ANY_TAG. Stores source, tag and length in `status`, which may
 * be NULL. Bytes of `data` beyond the message's length stay unchanged. Errors: KP_ELENGTH if the
 * message is longer than `bytes`. The error names both ends with file and line, `status` is stored,
 * no byte of the message is written, and the message is gone; its send ends without an error, and
 * the group stays usable. Other errors: see above. */
KP_API int kp_receive(kp_group *group, void *data, size_t bytes, int from, int tag,
                      kp_message_status *status) KP_MUST_CHECK;

/* Sends one message and receives another at the same time, so that members in a circle do not wait
 * for each other. The two have their own peers and tags, and may not overlap in memory. The other
 * side may use any functions of this header. Returns when both have ended. If both fail, returns
 * the error of the receive. Errors: those of kp_send and kp_receive. */
KP_API int kp_exchange_messages(kp_group *group, const void *out, size_t out_bytes, int to,
                                int out_tag, void *in, size_t in_bytes, int from, int in_tag,
                                kp_message_status *status) KP_MUST_CHECK;

/* Waits until a message is there that kp_receive with `from` and `tag` would take, and stores its
 * source, tag and length in `status`. Does not receive the message. The next receive with this
 * source and tag takes it. Errors: see above. */
KP_API int kp_probe(kp_group *group, int from, int tag, kp_message_status *status) KP_MUST_CHECK;

/* Does what kp_probe does, but does not wait. Sets `found` to 1 and stores `status` if there is
 * such a message, and otherwise sets `found` to 0. A loop that calls only this function does not
 * keep other processors from running, like one of kp_test. Errors: see above. */
KP_API int kp_probe_now(kp_group *group, int from, int tag, int *found,
                        kp_message_status *status) KP_MUST_CHECK;

/* `kp_send_start` and `kp_receive_start` start what kp_send and kp_receive do, and return at once
 * with a request (request.h). The data belongs to kport until the request has ended. So does
 * `status`, which is stored at the end and may be NULL. Sends count as sent, and receives as
 * started, in the order of these calls, whichever request is waited for first. Errors of the start:
 * KP_EARGUMENT, KP_EMEMORY; then there is no request. All other errors come with the
 * end of the request. */
KP_API int kp_send_start(kp_group *group, const void *data, size_t bytes, int to, int tag,
                         kp_request **request) KP_MUST_CHECK;
KP_API int kp_receive_start(kp_group *group, void *data, size_t bytes, int from, int tag,
                            kp_message_status *status, kp_request **request) KP_MUST_CHECK;

#ifndef KP_NO_CALL_SITES
#define kp_send(...)              (kp_here(__FILE__, __LINE__), kp_send(__VA_ARGS__))
#define kp_receive(...)           (kp_here(__FILE__, __LINE__), kp_receive(__VA_ARGS__))
#define kp_exchange_messages(...) (kp_here(__FILE__, __LINE__), kp_exchange_messages(__VA_ARGS__))
#define kp_probe(...)             (kp_here(__FILE__, __LINE__), kp_probe(__VA_ARGS__))
#define kp_probe_now(...)         (kp_here(__FILE__, __LINE__), kp_probe_now(__VA_ARGS__))
#define kp_send_start(...)        (kp_here(__FILE__, __LINE__), kp_send_start(__VA_ARGS__))
#define kp_receive_start(...)     (kp_here(__FILE__, __LINE__), kp_receive_start(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
