/* This header is for members that share no memory. Their barrier and their messages go over a wire
 * (carrier/wire.h).
 *
 * One use of the barrier, an episode, is a dissemination of about log2 n steps among n members. In
 * step i each member sends all that it knows to the member 2^i ranks after it, and receives from
 * the member 2^i ranks before it. An episode may find that calls differ, or that a member refuses
 * its call by kp_port_refuse. In both cases each member then tells all others its call. No data has
 * moved by then, so the group stays usable.
 *
 * A round of messages begins with kp_wired_next. Next the member calls kp_wired_expect for each
 * message that it will receive, and kp_wired_out for each message that it sends. kp_wired_round
 * then sends and receives them, and kp_wired_came returns the messages received. A message begins
 * with a hash of all calls that its sender has made. So the receiver knows whether the message
 * belongs to its own call. If it does not, the group becomes unusable. If a member refuses its call
 * and no episode follows in which the others can learn this, the member calls kp_wired_refuse
 * instead of kp_port_refuse. This also makes the group unusable, because other members may have
 * begun to exchange messages. */
#ifndef KPORT_PORTS_SYNC_WIRED_H
#define KPORT_PORTS_SYNC_WIRED_H

#include "ports/sync/episode.h"

#include <stdbool.h>
#include <stddef.h>

struct kp_sync_row;
struct kp_wired;
extern const struct kp_sync_row kp_wired_sync_row;

enum kp_episode_result kp_wired_await(kp_group *member);
void kp_wired_arrive(kp_group *member, uint64_t fingerprint, unsigned bits);

/* Returns whether the members of this group share no memory. */
static inline bool kp_is_wired(const kp_group *member)
{
    return member->wired != NULL;
}

/* `kp_wired_open` begins a call. If `may_be_refused`, it makes an episode first, in which another
 * member may refuse the call. `kp_wired_refuse` ends a call that this member refuses.
 * `kp_wired_refuse` returns the status of the error that the caller has set at the processor.
 * `kp_wired_close` ends any other call. `kp_wired_close` returns 0, or KP_EUNTAKEN for a message of
 * an earlier kp_exchange that no receiver took. */
int kp_wired_open(kp_group *member, const struct kp_call *call, bool may_be_refused);
int kp_wired_refuse(kp_group *member,
                    void (*describe)(const void *subject, char *text, size_t size),
                    const void *subject);
int kp_wired_close(kp_group *member);

/* An array with one row for each member. The rows begin `stride` bytes apart. If `stride` is 0, all
 * members share one row. */
struct kp_wired_rows {
    void *first;
    size_t stride;
};

/* Exchanges data among all members, after an episode in which all agreed. For each other rank i,
 * sends row i of `own` to the member with rank i, and stores in row i of `others` what that member
 * sends. Returns 0 or the error's status. After an error the group is unusable. */
int kp_wired_swap(kp_group *member, struct kp_wired_rows own, struct kp_wired_rows others,
                  size_t bytes);

/* Exchanges what members tell each other (kp_port_tell). Afterwards, for each other member, entry
 * `space` of its published addresses points to the data that this other member told. */
int kp_wired_tell(kp_group *member, const struct kp_telling *own, int space);

/* Agrees with the group's other members on the number by which the group's messages are known. The
 * members call this function in kp_group_create. Returns 0 or the error's status. */
int kp_wired_agree(kp_group *member);

/* Begins a round, and forgets the messages of the last round. */
void kp_wired_next(kp_group *member);

/* `kp_wired_expect` says that this member will receive a message from the member with rank `rank`,
 * sent on `port`. The message has `bytes` bytes if `whole` is true, and otherwise at most `bytes`.
 * The function returns 0 or KP_EMEMORY. `kp_wired_out` returns the place for a message to the
 * member with rank `rank`, or NULL, with an error set, if there is no memory. The caller writes the
 * message there before kp_wired_round.
 *
 * `place` is NULL, or the caller's memory of this message, which nothing else uses in this round.
 * It may be given if kp_wired_goes_directly(bytes). Then the message goes from or to that place,
 * and kp_wired_out returns it. */
int kp_wired_expect(kp_group *member, int rank, int port, size_t bytes, bool whole, void *place);
char *kp_wired_out(kp_group *member, int rank, int port, size_t bytes, const void *place);
bool kp_wired_goes_directly(size_t bytes);

/* `kp_wired_begin` begins to send this round's messages. Until `kp_wired_end` the member changes
 * nothing that it sends, and calls no other function of this header. `kp_wired_end` waits until the
 * expected messages have come and its own are sent. Both return 0 or the error's status. If
 * `kp_wired_begin` fails, the round is over. */
int kp_wired_begin(kp_group *member, int round);
int kp_wired_end(kp_group *member, int round);

static inline int kp_wired_round(kp_group *member, int round)
{
    const int status = kp_wired_begin(member, round);
    return status ? status : kp_wired_end(member, round);
}

/* Returns the contents of the i-th expected message, which stay until the next round. */
const char *kp_wired_came(const kp_group *member, int i);

#endif
