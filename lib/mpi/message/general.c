/* General requests: the program says when one is complete, and its functions say what has come.
 *
 * Where MPI_Init_thread has granted MPI_THREAD_SERIALIZED, another thread of the rank may complete
 * a request for which a thread waits. So while the rank has such a thread, a wait looks again and
 * again and lets go of `completing` in between. Otherwise it waits as for any other request, and
 * what nobody can complete is a deadlock. */
#include "lib/mpi/errhandler.h"
#include "lib/mpi/request.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct kp_mpi_general {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *state;
    bool freed;
    _Atomic bool complete; /* release and acquire: what the completing thread has done is seen */
};

bool kp_mpi_general_is_complete(const struct kp_mpi_request *request)
{
    return atomic_load_explicit(&request->general->complete, memory_order_acquire);
}

int MPI_Grequest_start(MPI_Grequest_query_function *query, MPI_Grequest_free_function *free_fn,
                       MPI_Grequest_cancel_function *cancel, void *state, MPI_Request *handle)
{
    KP_MPI_ENTER(Grequest_start);
    struct kp_mpi_request *request = kp_mpi_request_make(self, self->comm_self, 1);
    if (!request)
        return MPI_ERR_NO_MEM;
    if (!(request->general = malloc(sizeof *request->general))) {
        kp_mpi_request_free(self, request);
        return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory for a request");
    }
    *request->general = (struct kp_mpi_general){query, free_fn, cancel, state, false, false};
    const int status = kp_face_general_start(
        self->comm_self->group, "a general request that MPI_Grequest_complete has not ended",
        &request->first.request);
    if (status) {
        kp_mpi_request_free(self, request);
        return kp_mpi_fail_by(self, NULL, status);
    }
    request->active = true;
    *handle = request->handle;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Grequest_start);

/* --- The program's functions --- */

static int report(struct kp_mpi_rank *self, const char *which, int code)
{
    char text[MPI_MAX_ERROR_STRING];
    if (code == MPI_SUCCESS)
        return MPI_SUCCESS;
    kp_mpi_code_text(self, code, text);
    return kp_mpi_fail(self, NULL, code,
                       "the %s function of the general request returns %d (%.200s)", which, code,
                       text);
}

int kp_mpi_general_query(struct kp_mpi_rank *self, const struct kp_mpi_request *request,
                         MPI_Status *status)
{
    const struct kp_mpi_place call = self->call;
    MPI_Status found;
    kp_mpi_empty_status(&found);
    const int code =
        request->general->query ? request->general->query(request->general->state, &found) : 0;
    self->call = call;
    if (status) {
        found.MPI_ERROR = status->MPI_ERROR; /* which is for lists only */
        *status = found;
    }
    return report(self, "query", code);
}

static int free_state(struct kp_mpi_rank *self, const struct kp_mpi_request *request)
{
    const struct kp_mpi_place call = self->call;
    const int code = request->general->free ? request->general->free(request->general->state) : 0;
    self->call = call;
    return report(self, "free", code);
}

int kp_mpi_general_end(struct kp_mpi_rank *self, struct kp_mpi_request *request, MPI_Status *status)
{
    const int found = kp_mpi_general_query(self, request, status);
    const int freed = free_state(self, request);
    return freed ? freed : found;
}

int kp_mpi_general_cancel(struct kp_mpi_rank *self, const struct kp_mpi_request *request)
{
    const struct kp_mpi_place call = self->call;
    const int complete = kp_mpi_general_is_complete(request);
    const int code =
        request->general->cancel ? request->general->cancel(request->general->state, complete) : 0;
    self->call = call;
    return report(self, "cancel", code);
}

/* Ends a request that was freed and is complete. */
static int drop(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    const int code = free_state(self, request);
    kp_mpi_request_await(self, request);
    kp_mpi_request_free(self, request);
    return code;
}

int kp_mpi_general_free(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    if (kp_mpi_general_is_complete(request))
        return drop(self, request);
    request->general->freed = true;
    kp_mpi_handle_keep(&self->tables[KP_MPI_REQUEST], request->handle);
    return MPI_SUCCESS;
}

void kp_mpi_general_tell_left(struct kp_mpi_rank *self)
{
    const struct kp_mpi_table *table = &self->tables[KP_MPI_REQUEST];
    for (uint32_t i = 0; i < table->used; i++) {
        const struct kp_mpi_request *request = table->slots[i].object;
        if (request && request->general && request->general->freed)
            kp_mpi_tell(self, "request", &request->made,
                        "the general request is freed, and MPI_Grequest_complete never ends it");
    }
}

/* --- Completing --- */

/* Returns whether the request is one that may be completed, and completes it. */
static bool complete(struct kp_mpi_request *request)
{
    if (!request || !request->general || kp_mpi_general_is_complete(request))
        return false;
    atomic_store_explicit(&request->general->complete, true, memory_order_release);
    kp_face_general_end(request->first.request);
    return true;
}

/* Completes a request while another thread of the rank waits for one. */
static bool complete_beside(MPI_Request handle)
{
    struct kp_mpi_rank *self = kp_mpi_thread_rank();
    bool done = false;
    if (!self || self->phase != KP_MPI_RUNNING)
        return false;
    pthread_mutex_lock(&self->completing);
    struct kp_mpi_request *request = self->waits_general ? kp_mpi_request_of(self, handle) : NULL;
    if (request && request->general && !request->general->freed)
        done = complete(request);
    if (done)
        pthread_cond_signal(&self->completed);
    pthread_mutex_unlock(&self->completing);
    return done;
}

int MPI_Grequest_complete(MPI_Request handle)
{
    if (complete_beside(handle))
        return MPI_SUCCESS;
    KP_MPI_ENTER(Grequest_complete);
    struct kp_mpi_request *request = kp_mpi_request_of(self, handle);
    if (complete(request))
        return request->general->freed ? drop(self, request) : MPI_SUCCESS;
    return kp_mpi_fail(self, NULL, MPI_ERR_REQUEST, "the request is %s",
                       !handle             ? "MPI_REQUEST_NULL"
                       : !request          ? "not valid: it has ended, or was never started"
                       : !request->general ? "not one of MPI_Grequest_start"
                                           : "complete already");
}
KP_MPI_NAMES(Grequest_complete);

/* --- Waiting --- */

bool kp_mpi_general_by_others(struct kp_mpi_rank *self)
{
    return self->thread_level >= MPI_THREAD_SERIALIZED &&
           (self->threads > 0 || self == kp_mpi_only_rank());
}

void kp_mpi_general_wait_begin(struct kp_mpi_rank *self)
{
    pthread_mutex_lock(&self->completing);
    self->waits_general = true;
}

#define LOOK_AGAIN_NS 1000000 /* the rank's other requests go on so often */

void kp_mpi_general_pause(struct kp_mpi_rank *self)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_AGAIN_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&self->completed, &self->completing, &until);
}

void kp_mpi_general_wait_end(struct kp_mpi_rank *self)
{
    self->waits_general = false;
    pthread_mutex_unlock(&self->completing);
}
