/* Members that share no memory. Their episodes and messages go over a wire (carrier/wire.h).
 *
 * An episode is a dissemination. In step i each member sends what it knows to the member 2^i ranks
 * after it, and hears from the member 2^i ranks before it. If the calls differ or a member refuses
 * its call, each member tells all others what it called. No data has moved, and the group works on,
 * as with shared words.
 *
 * A round of messages is {kp_wired_next; kp_wired_expect and kp_wired_out for each; kp_wired_round;
 * kp_wired_came}. A message begins with a hash of all calls so far, which shows whether it belongs
 * to the receiver's call. If it does not, and after a refusal, the group is dead, as with
 * mailboxes. */
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

/* Returns whether the group's members share no memory. */
static inline bool kp_is_wired(const kp_group *member)
{
    return member->wired != NULL;
}

/* `open` begins a call, with an episode if members that have come to the call may refuse it.
 * `refuse` ends a call that this member refuses, with the error that is set at its processor, and
 * returns its status. `close` ends any other call: 0, or the status of what an earlier exchange
 * left. */
int kp_wired_open(kp_group *member, const struct kp_call *call, bool may_be_refused);
int kp_wired_refuse(kp_group *member,
                    void (*describe)(const void *subject, char *text, size_t size),
                    const void *subject);
int kp_wired_close(kp_group *member);

/* An array with one row for each member. With a stride of 0 all members share one row. */
struct kp_wired_rows {
    void *first;
    size_t stride;
};

/* To be called after an episode that all members have come through. Sends each other member its row
 * of `own`, and puts what that member sends into its row of `others`. Returns 0, or the status of
 * an error that is set. After an error the group is dead. */
int kp_wired_swap(kp_group *member, struct kp_wired_rows own, struct kp_wired_rows others,
                  size_t bytes);

/* The same for what members tell (kp_port_tell). The others' rows are then published in `space`. */
int kp_wired_tell(kp_group *member, const struct kp_telling *own, int space);

/* Begins a round. */
void kp_wired_next(kp_group *member);

/* `expect` announces a message of `bytes` (at most `bytes`, if it is not `whole`) from a rank, sent
 * on that port. Returns 0 or a status. `out` returns where to write a message to a rank before
 * kp_wired_round, or NULL with an error if there is no memory. */
int kp_wired_expect(kp_group *member, int rank, int port, size_t bytes, bool whole);
char *kp_wired_out(kp_group *member, int rank, int port, size_t bytes);

/* Sends the messages and waits for the expected ones. Returns 0, or the status of a set error. */
int kp_wired_round(kp_group *member, int round);

/* Returns the bytes of the i-th expected message, which stay until the next round. */
const char *kp_wired_came(const kp_group *member, int i);

#endif
