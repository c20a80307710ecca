/* The public functions that test requests and wait for them. */
#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/face.h"
#include "ports/fail/snapshot.h"
#include "ports/fail/watch.h"
#include "ports/member.h"

#include <sched.h>

#define REFUSE(...)                                                                                \
    (kp_set_error(__VA_ARGS__), kp_proc_keep_error(self), kp_proc_say_call(self, NULL))

/* Begins a call with a list of requests. `places` says that the caller has passed a place for every
 * result. Stores the caller's processor in `caller`. */
static int enter(int count, kp_request *const *requests, bool places, kp_proc **caller)
{
    kp_proc *self = *caller = kp_carried();
    if (!self)
        return kp_set_error(KP_EWRONGTHREAD, "the thread carries no processor; a request belongs "
                                             "to the processor that has started it");
    int status = kp_member_enter(self->world);
    if (status)
        return status;
    if (count < 0)
        status = REFUSE(KP_EARGUMENT, "count is %d; it may be 0 or more", count);
    else if ((count > 0 && !requests) || !places)
        status = REFUSE(KP_EARGUMENT, "%s is NULL; it must be where %s",
                        places ? "the list of requests" : "the place of a result",
                        places ? "the requests are" : "the result goes");
    return status ? kp_member_leave(self->world, status) : KP_OK;
}

/* Returns whether the request is one of the caller's. Reads nothing at the address before that is
 * known. Requests are mostly waited for in the order of their starts, so the search is short. */
static bool is_own(const kp_proc *self, const kp_request *request)
{
    const kp_request *at = self->requests.first;
    while (at && at != request)
        at = at->next;
    return at;
}

/* `at` is the index of the first request in the caller's list. */
static int check(kp_proc *self, int at, int count, kp_request *const *requests)
{
    for (int i = 0; i < count; i++) {
        if (requests[i] && !is_own(self, requests[i]))
            return REFUSE(KP_EENDED,
                          "request %d is none that processor %d has started and not waited for",
                          at + i, self->number);
    }
    return KP_OK;
}

/* Sets the error of a program that has written to what a request sends. */
static int overwritten(const kp_request *request)
{
    char text[240];
    kp_request_name(request, text, sizeof text);
    kp_set_error(KP_EUNWAITED,
                 "processor %d has written to what its request sends, before it has waited for it: "
                 "%s",
                 request->self->number, text);
    return kp_proc_keep_error(request->self);
}

/* Takes an ended request out of the list. Returns `first` if it is an error, and otherwise the
 * status with which the request ended. So the first error of a list is the one that stays. */
static int take(kp_request **request, int first)
{
    int status = (*request)->status;
    if (!status && !kp_request_is_intact(*request))
        status = overwritten(*request);
    kp_request_finish(*request, first == KP_OK);
    *request = NULL;
    return first ? first : status;
}

static void describe_wait(const kp_request *request, char *text, size_t size)
{
    char call[240];
    kp_request_name(request, call, sizeof call);
    snprintf(text, size, "a wait for %s", call);
}

/* Makes the group of a request fail, because the request has not gone on within the time limit. */
static void give_up(kp_request *request)
{
    kp_group *member = request->member;
    kp_machine *machine = member->shared->machine;
    const int awaited = kp_member_processor(member, request->row->awaits(request));
    struct kp_snapshot snapshot;
    const bool is_wired = machine->config.wire;
    char call[260], where[KP_SITE_WORDS + 60] = "";
    struct kp_words outside = {.text = where, .size = sizeof where};
    describe_wait(request, call, sizeof call);
    if (is_wired)
        kp_watch_ask(member, awaited);
    kp_snapshot_begin_late(&snapshot, member, awaited);
    if (awaited >= 0)
        kp_deadlock_say_outside(machine, awaited, &outside);
    if (awaited >= 0)
        kp_set_error(KP_ETIMEOUT, "processor %d waited %u ms in %s, for processor %d%s",
                     member->self->number, machine->config.time_limit_ms, call, awaited, where);
    else
        kp_set_error(KP_ETIMEOUT, "processor %d waited %u ms in %s", member->self->number,
                     machine->config.time_limit_ms, call);
    kp_error_slot()->processor = awaited;
    if (is_wired)
        kp_watch_say_awaited(machine, kp_error_slot());
    kp_error_slot()->processor = awaited >= 0 ? awaited : member->self->number;
    kp_error_at(kp_error_slot(), request->site);
    kp_first_failure(machine, kp_error_slot());
    kp_snapshot_take(&snapshot, KP_DIAGNOSIS_LATE, kp_error_slot(), awaited, -1);
    kp_sync_fail(member->shared, kp_error_slot());
    kp_snapshot_end(&snapshot);
    if (is_wired)
        kp_watch_over(machine);
}

/* A list of requests of which one must end. */
struct several {
    int count;
    kp_request *const *requests;
};

static bool has_ended(const kp_request *request)
{
    return request && request->ended;
}

static bool one_has_ended(const void *context)
{
    const struct several *several = context;
    for (int i = 0; i < several->count; i++) {
        if (has_ended(several->requests[i]))
            return true;
    }
    return false;
}

/* Waits until one of the requests has ended. At least one of them is not NULL. */
static void wait_for_one(kp_proc *self, int count, kp_request *const *requests)
{
    const struct several several = {count, requests};
    while (!one_has_ended(&several)) {
        int first = 0;
        while (!requests[first])
            first++;
        kp_request *awaited = requests[first];
        self->requests.awaited = awaited;
        awaited->member->round = -1;
        awaited->member->since = 0;
        if (!kp_request_finish_alone(awaited) &&
            !kp_request_wait_beside(awaited->member, one_has_ended, &several, NULL,
                                    self->machine->config.time_limit_ms))
            give_up(awaited);
        self->requests.awaited = NULL;
    }
}

/* Waits for the requests that are left after one of the list has ended with the error `first`. This
 * error stays the processor's, whatever the others end with. */
static int wait_for_rest(kp_proc *self, int at, int count, kp_request **requests, int first)
{
    const kp_error_record kept = self->error;
    for (int i = 0; i < count; i++) {
        if (!requests[i])
            continue;
        int status = check(self, at + i, 1, &requests[i]);
        if (status)
            return status;
        wait_for_one(self, 1, &requests[i]);
        (void)take(&requests[i], first);
    }
    return kp_proc_set_error(self, &kept);
}

/* Takes out a request that has ended in the usual way: it is the first one in the caller's list, so
 * it is the caller's. Returns whether it was such a request. */
static inline bool take_usual(struct kp_requests *all, kp_request **request)
{
    kp_request *one = *request;
    if (one != all->first || !one->ended || one->status || one->sent || one == all->tested)
        return false;
    kp_request_unlink(one);
    kp_request_give_back(one);
    *request = NULL;
    return true;
}

int kp_wait_all(int count, kp_request **requests)
{
    kp_proc *self;
    int status = enter(count, requests, true, &self);
    if (status)
        return status;
    for (int i = 0; i < count && !status; i++) {
        if (!requests[i] || take_usual(&self->requests, &requests[i]))
            continue;
        status = check(self, i, 1, &requests[i]);
        if (status)
            return kp_member_leave(self->world, status);
        if (!requests[i]->ended)
            wait_for_one(self, 1, &requests[i]);
        status = take(&requests[i], KP_OK);
        if (status)
            status = wait_for_rest(self, i + 1, count - i - 1, requests + i + 1, status);
    }
    return kp_member_leave(self->world, status);
}

/* Returns whether the processor may wait for the request as in a blocking call: it is the only one
 * under way, and the first one in the list. */
static inline bool is_alone(kp_proc *self, kp_request *const *request)
{
    const struct kp_requests *all = &self->requests;
    if (!request || self->failed || !kp_member_may_call(self, self->world))
        return false;
    kp_progress_take(self);
    return all->under_way == 1 && *request == all->first && !all->first->ended;
}

int kp_wait(kp_request **request)
{
    kp_proc *self = kp_carried();
    if (!self || !is_alone(self, request))
        return kp_wait_all(1, request);
    kp_request *one = *request;
    kp_proc_enter(self);
    if (!one->plain) {
        wait_for_one(self, 1, request);
        return kp_member_leave(self->world, take(request, KP_OK));
    }
    self->requests.awaited = one;
    const int status = kp_request_call(one, one->row->finish);
    self->requests.awaited = NULL;
    if (status) {
        kp_request_end_as(one, status);
        return kp_member_leave(self->world, take(request, KP_OK));
    }
    self->requests.under_way = 0;
    self->unusual = self->failed;
    kp_request_unlink(one);
    kp_request_give_back(one);
    *request = NULL;
    return kp_member_leave(self->world, KP_OK);
}

/* Begins kp_wait_any or kp_wait_some. Waits until one request has ended. Stores in `any` whether
 * the list has a request. */
static int wait_first(int count, kp_request **requests, bool places, bool *any, kp_proc **caller)
{
    int status = enter(count, requests, places, caller), i = 0;
    if (status)
        return status;
    status = check(*caller, 0, count, requests);
    if (status)
        return kp_member_leave((*caller)->world, status);
    while (i < count && !requests[i])
        i++;
    *any = i < count;
    if (*any)
        wait_for_one(*caller, count, requests);
    return KP_OK;
}

int kp_wait_any(int count, kp_request **requests, int *which)
{
    kp_proc *self;
    bool any;
    int i = 0, status = wait_first(count, requests, which, &any, &self);
    if (status)
        return status;
    *which = -1;
    if (!any)
        return kp_member_leave(self->world, KP_OK);
    while (!has_ended(requests[i]))
        i++;
    *which = i;
    return kp_member_leave(self->world, take(&requests[i], KP_OK));
}

int kp_wait_some(int count, kp_request **requests, int *ended, int *which)
{
    kp_proc *self;
    bool any;
    int first = KP_OK,
        status = wait_first(count, requests, ended && (which || count == 0), &any, &self);
    if (status)
        return status;
    *ended = 0;
    for (int i = 0; i < count; i++) {
        if (!has_ended(requests[i]))
            continue;
        which[(*ended)++] = i;
        first = take(&requests[i], first);
    }
    return kp_member_leave(self->world, first);
}

/* Lets other processors run before a request is tested again. */
void kp_request_yield(kp_proc *self)
{
    if (self->machine->carrier->yield)
        self->machine->carrier->yield(self);
    else if (self->world->waiter.spins == 0)
        sched_yield();
}

int kp_test(kp_request **request, int *ended)
{
    kp_proc *self;
    int status = enter(1, request, ended, &self);
    if (status)
        return status;
    status = check(self, 0, 1, request);
    if (status)
        return kp_member_leave(self->world, status);
    *ended = !*request || (*request)->ended;
    if (*request && *ended)
        status = take(request, KP_OK);
    else if (!*ended)
        kp_request_note_test(*request), kp_request_yield(self);
    return kp_member_leave(self->world, status);
}

int kp_request_await(kp_request *request)
{
    if (!request->ended)
        wait_for_one(request->self, 1, &request);
    return kp_request_take_out(request);
}

int kp_request_carry_out(kp_request *request)
{
    kp_request_begin(request);
    return kp_request_await(request);
}
