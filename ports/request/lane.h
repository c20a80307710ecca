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
    kp_group *member;    /* the member of the lane's group */
    int index;           /* 0 ... KP_LANES - 1 */
    bool checks_buffers; /* the config's check_buffers */
    /* the requests of the lane, in the order of their starts; the first one is carried out */
    struct kp_lane_request *first, *last;
    struct kp_lanes *all; /* the lanes of which this is one */
};

/* The lanes of one member. */
struct kp_lanes {
    uint32_t started; /* the number of requests that the member has started */
    /* Memory of requests that have ended and that begin at once (kp_lane_begin_now), in a list.
     * They are filled in as far as all of them are alike. All lanes use the same list, so requests
     * that are waited for one after the other use the same cache lines. */
    kp_request *ready;
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
 * error, sets the error and returns NULL. The caller has entered the member. `kp_lane_open_next`
 * makes the lane. */
struct kp_lane *kp_lane_open_next(kp_group *member);

static inline struct kp_lane *kp_lane_next(kp_group *member)
{
    struct kp_lanes *lanes = member->lanes;
    struct kp_lane *lane =
        lanes ? &lanes->of[member->one_lane ? 0 : lanes->started % KP_LANES] : NULL;
    if (!lane || !lane->member)
        return kp_lane_open_next(member);
    lanes->started++;
    return lane;
}

/* Of a member of a lane's group: returns the member of lane `lane`, 0 ... KP_LANES - 1, of the same
 * processor. Returns NULL if there is none, and for a member of another group. */
kp_group *kp_lane_beside(const kp_group *member, int lane);

/* Puts a request that kp_request_make has made for lane->member into the lane, and begins it. */
void kp_lane_begin(struct kp_lane_request *request, struct kp_lane *lane);

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
static inline int kp_lane_end(struct kp_lane_request *request, int status)
{
    struct kp_lane *lane = request->lane;
    lane->first = request->behind;
    if (!lane->first)
        lane->last = NULL;
    return status;
}

/* Makes a request of a kind that begins at once, or returns NULL. All fields have their values that
 * kp_lane_begin_now and kp_lane_begun do not set. It comes from kp_lanes.ready if that is not
 * empty. Requests of one kind only are made by this. */
struct kp_lane_request *kp_lane_make_new(struct kp_lane *lane, const struct kp_request_row *row);

static inline struct kp_lane_request *kp_lane_make(struct kp_lane *lane,
                                                   const struct kp_request_row *row)
{
    kp_request *made = lane->all->ready;
    struct kp_lane_request *request = (struct kp_lane_request *)(void *)made;
    if (!made)
        return kp_lane_make_new(lane, row);
    lane->all->ready = made->next;
    made->member = lane->member;
    request->lane = lane;
    return request;
}

/* Puts such a request into the lane, which is free and plain (kp_lane_is_plain). It has its turn.
 * The caller calls `begin_now`, then begins the request, then calls `begun`. The other members wait
 * for what the caller does in between, so only what they may read comes before it. */
static inline void kp_lane_begin_now(struct kp_lane_request *request)
{
    kp_request *r = &request->request;
    kp_proc *self = r->self;
    r->site.file = atomic_load_explicit(&self->file, KP_ORDER_NOTE);
    r->site.line = atomic_load_explicit(&self->line, KP_ORDER_NOTE);
    request->lane->member->published.started = r->site;
}

static inline void kp_lane_begun(struct kp_lane_request *request)
{
    struct kp_lane *lane = request->lane;
    kp_request *r = &request->request;
    kp_proc *self = r->self;
    lane->first = lane->last = request;
    request->behind = NULL;
    r->ended = false;
    r->plain = true;
    r->tests = 0;
    r->why = NULL;
    kp_request_link(r);
    self->requests.under_way++;
    self->unusual = true;
}

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
