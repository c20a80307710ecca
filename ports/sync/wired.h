/* Members that share no memory: their passes and their messages go over a wire (carrier/wire.h).
 *
 * A pass is a dissemination: in its i-th step each member hears from the one 2^i before it what all
 * know whom that one has heard of. If the calls differ or one is refused, all tell all what they
 * called; nothing was moved and the group works on, as with shared words.
 *
 * A round of messages is {kp_wired_next; kp_wired_expect and kp_wired_out for each; kp_wired_round;
 * kp_wired_came}. A message begins with a mark of all calls so far, so what belongs to another call
 * is known by it; after that, and after a refusal, the group is dead, as with mailboxes. */
#ifndef KPORT_PORTS_SYNC_WIRED_H
#define KPORT_PORTS_SYNC_WIRED_H

#include "ports/sync/phase.h"

#include <stdbool.h>
#include <stddef.h>

struct kp_sync_row;
struct kp_wired;
extern const struct kp_sync_row kp_wired_sync_row;

enum kp_pass_result kp_wired_await(kp_group *member);
void kp_wired_arrive(kp_group *member, uint64_t fingerprint, unsigned bits);

/* Whether the group's members share no memory. */
static inline bool kp_is_wired(const kp_group *member)
{
    return member->wired != NULL;
}

/* Begins a call, with a pass if members that have come to it may have refused it since; ends one
 * that this member refuses, with the error that is set at its processor, whose status it returns;
 * ends another one: 0, or what is to be said of an earlier exchange. */
int kp_wired_open(kp_group *member, const struct kp_call *call, bool may_be_refused);
int kp_wired_refuse(kp_group *member,
                    void (*describe)(const void *subject, char *text, size_t size),
                    const void *subject);
int kp_wired_close(kp_group *member);

/* One row for each member; with a stride of 0 there is one for all. */
struct kp_wired_rows {
    void *first;
    size_t stride;
};

/* After a pass that all have come through: gives each other member its row of `own`, and puts what
 * it gives into its row of `others`. 0, or the status of an error that is set: the group is dead.
 */
int kp_wired_swap(kp_group *member, struct kp_wired_rows own, struct kp_wired_rows others,
                  size_t bytes);

/* The same of what members tell (kp_port_tell); it is shown in that space. */
int kp_wired_tell(kp_group *member, const struct kp_telling *own, int space);

/* Begins a round. */
void kp_wired_next(kp_group *member);

/* A message of `bytes` that comes from a rank, sent on that port, or, if it is not `whole`, of at
 * most so many; where one that goes to a rank is to be written before kp_wired_round. 0 or a
 * status; NULL, and an error: no memory. */
int kp_wired_expect(kp_group *member, int rank, int port, size_t bytes, bool whole);
char *kp_wired_out(kp_group *member, int rank, int port, size_t bytes);

/* Sends, and waits for what is expected. 0, or the status of an error that is set. */
int kp_wired_round(kp_group *member, int round);

/* What the i-th expected message has brought, until the next round. */
const char *kp_wired_came(const kp_group *member, int i);

#endif
