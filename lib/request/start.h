/* How requests of collective calls are started. */
#ifndef KPORT_LIB_REQUEST_START_H
#define KPORT_LIB_REQUEST_START_H

#include "kport/persistent.h"
#include "lib/execute/cache.h"
#include "ports/member.h"

/* Starts the call of a member that has been entered. `plan` is the plan whose call it is, or NULL.
 * Returns 0 or the status of an error that is set. */
int kp_start_entered(kp_group *group, const kp_arguments *a, kp_plan *plan, kp_request **request);

/* Starts a call on this lane: one whose blocks have one length, or one whose blocks have lengths of
 * their own. Returns 0 or the status of an error that is set. */
int kp_collective_start(struct kp_lane *lane, const kp_arguments *a, kp_plan *plan,
                        kp_request **request);
int kp_lengths_start(struct kp_lane *lane, const kp_arguments *a, kp_request **request);

/* Starts a call without hints that the lane's member or the plan (NULL: none) keeps, as a short
 * request. The buffers have been checked, and neither is KP_IN_PLACE. Returns NULL, and starts
 * nothing, if the call must go by kp_collective_start. */
kp_request *kp_meeting_start(struct kp_lane *lane, const void *out, void *in, kp_plan *plan,
                             struct kp_prepared *call, char *scratch);

/* Returns the scratch of the calls that the lane's member keeps. */
static inline char *kp_kept_scratch(const struct kp_lane *lane)
{
    return ((const struct kp_cache *)kp_member_attachment(lane->member))->scratch;
}

#endif
