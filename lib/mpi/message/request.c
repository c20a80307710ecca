/* Requests: made, polled, waited for, ended. */
#include "lib/mpi/request.h"

#include "lib/mpi/check/own.h"
#include "lib/mpi/collective.h"
#include "lib/mpi/neighbours.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static struct kp_mpi_request *no_memory(struct kp_mpi_rank *self, struct kp_mpi_comm *comm)
{
    (void)kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a request");
    return NULL;
}

/* Allocates a request, which begins a cache line. */
static struct kp_mpi_request *new_lines(void)
{
    const size_t line = 64, bytes = (sizeof(struct kp_mpi_request) + line - 1) / line * line;
    struct kp_mpi_request *made = aligned_alloc(line, bytes);
    if (made)
        memset(made, 0, bytes);
    return made;
}

struct kp_mpi_request *kp_mpi_request_new(struct kp_mpi_rank *self, struct kp_mpi_comm *comm)
{
    struct kp_mpi_request *request = self->spare; /* one that has no handle */
    if (request)
        self->spare = request->next;
    else if (!(request = new_lines()))
        return no_memory(self, comm);
    request->comm = comm;
    request->made = self->call;
    request->handle =
        kp_mpi_handle_make_by(&self->tables[KP_MPI_REQUEST], KP_MPI_REQUEST, request, &self->call);
    if (!request->handle) {
        free(request);
        return no_memory(self, comm);
    }
    kp_mpi_comm_hold(comm);
    return request;
}

struct kp_mpi_request *kp_mpi_request_make(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                                           int parts)
{
    struct kp_mpi_request *request = kp_mpi_request_of_message(self, comm);
    if (!request)
        return NULL;
    request->owned = (struct kp_mpi_owned){0};
    request->first = (struct kp_mpi_part){0};
    if (parts > 1 && !(request->more = calloc((size_t)parts - 1, sizeof *request->more))) {
        kp_mpi_request_free(self, request);
        return no_memory(self, comm);
    }
    request->more_count = parts - 1;
    return request;
}

/* Frees what a request has that is no single, ordinary message. */
static void free_more(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    if (request->again) {
        kp_mpi_type_release(request->again->type);
        free((void *)(uintptr_t)request->again);
    }
    if (request->collective)
        kp_mpi_collective_free(self, request->collective);
    if (request->neighbours)
        kp_mpi_neighbours_free(request->neighbours);
    free(request->more);
    free(request->general);
    free(request->data);
    const size_t begin = offsetof(struct kp_mpi_request, more_count);
    memset((char *)request + begin, 0, sizeof *request - begin);
    request->persistent = request->started = request->arrived = false;
}

/* Frees a request that owns no buffers. */
static inline void free_it(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    if (request->handle)
        request->handle = kp_mpi_handle_rest(&self->tables[KP_MPI_REQUEST], request->handle);
    kp_mpi_comm_release(self, request->comm);
    if (!request->plain && (!request->is_message || request->again || request->data))
        free_more(self, request);
    request->active = request->given_up = request->buffered = false;
    request->is_message = request->plain = false;
    request->next = self->spare;
    self->spare = request;
}

void kp_mpi_request_free(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    if (kp_mpi_owns(&request->owned)) {
        kp_mpi_owned_leave(self, request);
        kp_mpi_owned_free(&request->owned);
    }
    free_it(self, request);
}

int kp_mpi_request_keep(struct kp_mpi_rank *self, struct kp_mpi_request *request, int root,
                        MPI_Request *handle)
{
    struct kp_mpi_comm *comm = request->comm;
    request->persistent = true;
    *handle = MPI_REQUEST_NULL;
    kp_mpi_again(self);
    kp_group **keeper = &comm->keepers[comm->kept++ % KP_MPI_KEEPERS];
    const int status = *keeper ? KP_OK : kp_group_dup(comm->group, keeper);
    if (!status) {
        kp_face_one_lane(*keeper);
        kp_face_name_ranks_from(*keeper, comm->offset);
    }
    request->own = *keeper;
    const uint64_t same = comm->inter ? 0 : (uint64_t)root;
    int error =
        status ? kp_mpi_fail_by(self, comm, status) : kp_mpi_share(self, comm, same, NULL, NULL, 0);
    if (!error && comm->inter) { /* kp_mpi_share is for one side only */
        kp_mpi_again(self);
        const int met = kp_barrier(request->own);
        error = met ? kp_mpi_fail_by(self, comm, met) : MPI_SUCCESS;
    }
    if (error)
        kp_mpi_request_free(self, request);
    else
        *handle = request->handle;
    return error;
}

void kp_mpi_requests_end(struct kp_mpi_rank *self)
{
    for (struct kp_mpi_request *next, *spare = self->spare; spare; spare = next) {
        next = spare->next;
        free(spare);
    }
    self->spare = NULL;
}

/* What there is to say of a part is told with the place of the request. */
__attribute__((noinline)) static void
settle_closer(struct kp_mpi_rank *self, struct kp_mpi_request *request, struct kp_mpi_part *part)
{
    self->awaited = &request->made;
    if (part->type)
        (void)kp_mpi_part_end(self, request->comm, part);
    else
        part->error =
            part->status ? kp_mpi_fail_by(self, request->comm, part->status) : MPI_SUCCESS;
    self->awaited = NULL;
}

static inline void settle(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                          struct kp_mpi_part *part, int status)
{
    part->request = NULL;
    part->status = status;
    if (part->type && kp_mpi_part_is_usual(part))
        (void)kp_mpi_part_end(self, request->comm, part);
    else
        settle_closer(self, request, part);
}

void kp_mpi_part_settle(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                        struct kp_mpi_part *part, int status)
{
    settle(self, request, part, status);
}

bool kp_mpi_request_poll(struct kp_mpi_rank *self, struct kp_mpi_request *request, bool goes_on)
{
    bool all = true;
    for (int i = 0; i < kp_mpi_parts(request); i++) {
        struct kp_mpi_part *part = kp_mpi_part(request, i);
        int ended = 0;
        if (!part->request)
            continue;
        const bool complete = request->general && kp_mpi_general_is_complete(request);
        if (goes_on || complete || kp_face_has_ended(part->request)) {
            kp_mpi_again(self);
            ended = complete;
            const int status = complete ? kp_wait(&part->request) : kp_test(&part->request, &ended);
            if (ended)
                kp_mpi_part_settle(self, request, part, status);
            goes_on = false;
        }
        all = all && ended;
    }
    return all;
}

/* Waits for a part that need not have ended yet. */
__attribute__((noinline)) static void
wait_for(struct kp_mpi_rank *self, struct kp_mpi_request *request, struct kp_mpi_part *part)
{
    kp_mpi_again(self);
    settle(self, request, part, kp_wait(&part->request));
}

static inline void await_part(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                              struct kp_mpi_part *part)
{
    if (!part->request)
        return;
    if (kp_face_take_ended(&part->request))
        settle(self, request, part, KP_OK);
    else
        wait_for(self, request, part);
}

static void await_general(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    kp_mpi_general_wait_begin(self);
    while (kp_mpi_general_by_others(self) && !kp_mpi_request_poll(self, request, true))
        kp_mpi_general_pause(self);
    kp_mpi_general_wait_end(self);
}

void kp_mpi_request_await(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    if (request->general && kp_mpi_general_by_others(self))
        await_general(self, request);
    await_part(self, request, &request->first);
    for (int i = 0; i < request->more_count; i++)
        await_part(self, request, &request->more[i]);
}

/* A part that was never under way (a message of MPI_PROC_NULL) still holds its type. Returns the
 * part's error. */
static inline int end_part(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                           struct kp_mpi_part *part)
{
    return part->type ? kp_mpi_part_end(self, request->comm, part) : part->error;
}

/* Ends all parts. Returns the first error of a part. */
static int end_parts(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    int first = end_part(self, request, &request->first);
    for (int i = 0; i < request->more_count; i++) {
        const int error = end_part(self, request, &request->more[i]);
        first = first ? first : error;
    }
    return first;
}

int kp_mpi_request_arrive(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    int error = end_parts(self, request);
    if (request->arrived)
        return error;
    kp_mpi_owned_end(self, request);
    if (request->ended && !error)
        error = request->ended(self, request);
    request->arrived = true;
    request->plain = false;
    return error;
}

/* Waits for a request that is not plain, and ends it as far as it is more than a message. */
__attribute__((noinline)) static int end_more(struct kp_mpi_rank *self,
                                              struct kp_mpi_request *request, MPI_Status *status)
{
    kp_mpi_request_await(self, request);
    int error = kp_mpi_request_arrive(self, request);
    kp_mpi_store_status(status, request->comm, &request->first);
    if (request->general && !error)
        error = kp_mpi_general_end(self, request, status);
    request->arrived = false;
    if (request->buffered)
        kp_mpi_buffer_give_back(self, request->first.count);
    return error;
}

static inline int end_plain(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                            MPI_Status *status)
{
    await_part(self, request, &request->first);
    const int error = end_part(self, request, &request->first);
    kp_mpi_disown(self, request);
    kp_mpi_store_status(status, request->comm, &request->first);
    return error;
}

int kp_mpi_request_end(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                       MPI_Request *handle, MPI_Status *status)
{
    const int error =
        request->plain ? end_plain(self, request, status) : end_more(self, request, status);
    request->active = false;
    if (request->persistent)
        return error;
    if (handle)
        *handle = MPI_REQUEST_NULL;
    free_it(self, request);
    return error;
}

/* --- Requests that are left to themselves --- */

void kp_mpi_request_leave(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    kp_mpi_handle_forget(&self->tables[KP_MPI_REQUEST], request->handle);
    request->handle = NULL;
    kp_mpi_owned_leave(self, request);
    request->persistent = false;
    request->next = self->left;
    self->left = request;
}

void kp_mpi_reap(struct kp_mpi_rank *self, bool waits)
{
    struct kp_mpi_request **at = &self->left, *one;
    while ((one = *at)) {
        if (waits || kp_mpi_request_poll(self, one, false)) {
            *at = one->next;
            one->owned.read.bytes = 0; /* it may have ended long ago */
            (void)kp_mpi_request_end(self, one, NULL, NULL);
        } else {
            at = &one->next;
        }
    }
}

int MPI_Request_free(MPI_Request *handle)
{
    KP_MPI_ENTER(Request_free);
    struct kp_mpi_request *request = kp_mpi_request_of(self, *handle);
    if (!request)
        return kp_mpi_fail(self, NULL, MPI_ERR_REQUEST, "the request is %s",
                           *handle ? "not valid: it has ended, or was never started"
                                   : "MPI_REQUEST_NULL");
    *handle = MPI_REQUEST_NULL;
    if (request->general)
        return kp_mpi_general_free(self, request);
    if (request->active && request->is_message && request->first.receives && !request->given_up &&
        !request->arrived)
        kp_mpi_tell(self, "request", &self->call,
                    "a receive that has not ended is freed, so the program cannot know when its "
                    "buffer has the message");
    if (request->persistent && !request->started && self->world->job->strict)
        kp_mpi_tell(self, "request", &request->made,
                    "this persistent request was never started before it was freed");
    if (!request->active) {
        kp_mpi_request_free(self, request);
        return MPI_SUCCESS;
    }
    if (!request->is_message)
        return kp_mpi_fail(self, request->comm, MPI_ERR_REQUEST,
                           "a collective that has not ended may not be freed");
    kp_mpi_request_leave(self, request);
    kp_mpi_reap(self, false);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Request_free);

int MPI_Cancel(MPI_Request *handle)
{
    KP_MPI_ENTER(Cancel);
    struct kp_mpi_request *request = kp_mpi_request_of(self, *handle);
    bool cancelled = false;
    if (request && request->general)
        return kp_mpi_general_cancel(self, request);
    if (!request || !request->active || !request->is_message)
        return kp_mpi_fail(
            self, request ? request->comm : NULL, MPI_ERR_REQUEST, "the request is %s",
            request ? request->active ? "a collective, which cannot be cancelled" : "not active"
                    : "not valid: it has ended, or was never started");
    struct kp_mpi_part *part = &request->first;
    const int status = part->request ? kp_face_cancel(&part->request, &cancelled) : KP_OK;
    if (status)
        return kp_mpi_fail_by(self, request->comm, status);
    part->cancelled = cancelled;
    request->given_up = true;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Cancel);

int MPI_Test_cancelled(const MPI_Status *status, int *flag)
{
    (void)kp_mpi_enter("MPI_Test_cancelled", __builtin_return_address(0));
    *flag = status->kp_cancelled;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Test_cancelled);

int MPI_Status_set_cancelled(MPI_Status *status, int flag)
{
    (void)kp_mpi_enter("MPI_Status_set_cancelled", __builtin_return_address(0));
    status->kp_cancelled = flag != 0;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Status_set_cancelled);
