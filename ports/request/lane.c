#include "ports/request/lane.h"

#include "ports/error.h"
#include "ports/face.h"
#include "ports/fail/snapshot.h"
#include "ports/member.h"

#include <stdlib.h>

/* Makes the group of a lane, unless another member has made it. The caller holds the machine's
 * lock. */
static int make_group(struct kp_shared *shared, int lane)
{
    if (shared->lanes[lane])
        return KP_OK;
    int status = kp_shared_create(shared->machine, shared->processors, shared->size, shared,
                                  &shared->lanes[lane]);
    if (!status)
        kp_shared_register(shared->lanes[lane]);
    return status;
}

static int open_lane(kp_group *member, int lane)
{
    struct kp_shared *shared = member->shared;
    pthread_mutex_lock(&shared->machine->lock);
    int status = make_group(shared, lane);
    pthread_mutex_unlock(&shared->machine->lock);
    if (status)
        return kp_proc_keep_error(member->self);
    kp_group *own = &shared->lanes[lane]->members[member->rank];
    own->self = member->self;
    if (kp_is_wired(own) && kp_wired_open_lane(own, member, lane))
        return kp_proc_keep_error(member->self);
    member->lanes->of[lane].member = own;
    member->lanes->of[lane].all = member->lanes;
    member->lanes->of[lane].index = lane;
    member->lanes->of[lane].checks_buffers = member->shared->machine->config.check_buffers;
    return KP_OK;
}

struct kp_lane *kp_lane_open_next(kp_group *member)
{
    if (!member->lanes && !(member->lanes = calloc(1, sizeof *member->lanes))) {
        kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for a request");
        return NULL;
    }
    const int lane = member->one_lane ? 0 : (int)(member->lanes->started % KP_LANES);
    if (!member->lanes->of[lane].member && open_lane(member, lane))
        return NULL;
    member->lanes->started++;
    return &member->lanes->of[lane];
}

kp_group *kp_lane_beside(const kp_group *member, int lane)
{
    const struct kp_shared *of = member->shared->lane_of;
    const struct kp_lanes *lanes = of ? of->members[member->rank].lanes : NULL;
    return lanes ? lanes->of[lane].member : NULL;
}

void kp_face_one_lane(kp_group *group)
{
    group->one_lane = true;
}

void kp_lane_begin(struct kp_lane_request *request, struct kp_lane *lane)
{
    request->lane = lane;
    request->behind = NULL;
    request->begun = false;
    *(lane->last ? &lane->last->behind : &lane->first) = request;
    lane->last = request;
    kp_request_begin(&request->request);
}

struct kp_lane_request *kp_lane_make_new(struct kp_lane *lane, const struct kp_request_row *row)
{
    kp_request *made = kp_request_make(lane->member, row);
    struct kp_lane_request *request = (struct kp_lane_request *)(void *)made;
    if (!made)
        return NULL;
    made->self = lane->member->self;
    made->home = &lane->all->ready;
    made->rests = false;
    made->traced = 0;
    request->lane = lane;
    request->begun = true;
    return request;
}

int kp_lane_admit(struct kp_lane_request *request)
{
    kp_group *member = request->lane->member;
    request->begun = true;
    member->published.started = request->request.site;
    if (!member->dead)
        return KP_OK;
    *kp_error_slot() = member->shared->failure;
    return kp_proc_keep_error(member->self);
}

int kp_lane_refuse(struct kp_lane *lane,
                   void (*describe)(const void *subject, char *text, size_t size),
                   const void *subject)
{
    if (kp_is_wired(lane->member))
        return kp_wired_refuse(lane->member, describe, subject);
    lane->member->published.started = kp_site_of(lane->member->self);
    int status = kp_mail_refuse(lane->member, describe, subject);
    /* Reports of other members read what this member publishes under the lock. */
    pthread_mutex_lock(&lane->member->shared->machine->lock);
    lane->member->published.plain = (struct kp_call){0};
    pthread_mutex_unlock(&lane->member->shared->machine->lock);
    return status;
}

int kp_lane_awaits(const struct kp_lane_request *request)
{
    const kp_request *first = &request->lane->first->request;
    return first->row->awaits(first);
}

int kp_lane_missing(const kp_group *member)
{
    return kp_is_wired(member) ? kp_wired_awaits(member) : kp_deadlock_missing(member, 0, false);
}

bool kp_lanes_busy(const kp_group *member)
{
    const struct kp_shared *shared = member->shared;
    for (const kp_request *r = member->self->requests.first; r; r = r->next) {
        if (r->member->shared == shared || r->member->shared->lane_of == shared)
            return true;
    }
    return false;
}

void kp_lanes_free(struct kp_shared *shared)
{
    for (int i = 0; i < KP_LANES; i++) {
        if (shared->lanes[i])
            kp_shared_unregister(shared->lanes[i]);
    }
    for (int i = 0; shared->members && i < shared->size; i++) {
        struct kp_lanes *lanes = shared->members[i].lanes;
        if (lanes)
            kp_request_free_all(lanes->ready);
        free(lanes);
        shared->members[i].lanes = NULL;
    }
}
