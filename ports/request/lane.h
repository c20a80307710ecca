/* The lanes of a group carry the requests of its collective calls. A lane is a group of the same
 * members, with a barrier, mailboxes and buffers of its own. So a call on a lane disturbs neither
 * the group's blocking calls nor the calls on other lanes.
 *
 * The members start their requests in the same order, so each member gives its request number i
 * lane i modulo KP_LANES (kp_face_one_lane: lane 0). A lane carries one request of a member at a
 * time, and the others of the lane wait for their turns. No request waits for ever because of this:
 * whoever has started it has started all requests before it, too. */
#ifndef KPORT_PORTS_REQUEST_LANE_H
#define KPORT_PORTS_REQUEST_LANE_H

#include "ports/request/request.h"

#define KP_LANES 4

/* One member's end of a lane. */
struct kp_lane {
    kp_group *member; /* the member of the lane's group */
    int index;        /* 0 ... KP_LANES - 1 */
    /* the requests of the lane, in the order of their starts; the first one is carried out */
    struct kp_lane_request *first, *last;
};

/* The lanes of one member. */
struct kp_lanes {
    uint32_t started; /* the number of requests that the member has started */
    struct kp_lane of[KP_LANES];
};

/* A request that a lane carries out. Its kp_request.member is the lane's member. */
struct kp_lane_request {
    struct kp_request request;
    struct kp_lane *lane;
    struct kp_lane_request *behind; /* the next one of the lane */
    bool begun;                     /* it is being carried out, or has been */
};

/* Returns the lane for the next request of the member, which counts as started from now on. On an
 * error, sets the error and returns NULL. The caller has entered the member. */
struct kp_lane *kp_lane_next(kp_group *member);

/* Puts a request that kp_request_make has made for lane->member into the lane, and begins it.
 * `enlist` does the first of these two things. */
void kp_lane_begin(struct kp_lane_request *request, struct kp_lane *lane);
void kp_lane_enlist(struct kp_lane_request *request, struct kp_lane *lane);

/* Returns whether the lane carries no request of this member. */
static inline bool kp_lane_is_free(const struct kp_lane *lane)
{
    return !lane->first;
}

/* Returns whether it is the turn of this request. */
static inline bool kp_lane_has_turn(const struct kp_lane_request *request)
{
    return request->lane->first == request;
}

/* Returns the rank of a member for which the request waits whose turn it is, or -1. */
int kp_lane_awaits(const struct kp_lane_request *request);

/* Called at the turn of the request, before anything else. Returns 0, or the status of the failure
 * that has made the lane unusable. */
int kp_lane_admit(struct kp_lane_request *request);

/* Called at the end of the request. The next one has its turn. Returns `status`. */
int kp_lane_end(struct kp_lane_request *request, int status);

/* Refuses a request on this lane, with the error that is set at the processor. All requests of the
 * lane end with an error, at all members, and the lane is unusable. Returns the error's status. */
int kp_lane_refuse(struct kp_lane *lane,
                   void (*describe)(const void *subject, char *text, size_t size),
                   const void *subject);

/* Returns the rank of a member that has not arrived at the episode in which this member waits, or
 * -1. */
int kp_lane_missing(const kp_group *member);

/* --- For group.c --- */

/* Returns whether the member has requests that have not been waited for. */
bool kp_lanes_busy(const kp_group *member);

/* Frees the lanes of all members of the group. The caller holds the machine's lock, or nobody uses
 * the machine. */
void kp_lanes_free(struct kp_shared *shared);

#endif
