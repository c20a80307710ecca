/* Waiting for requests, and testing them. */
#include "lib/mpi/request.h"

#include "lib/mpi/collective.h"

#include <stdlib.h>

/* Returns the active request of a handle, or NULL. */
static inline struct kp_mpi_request *active(struct kp_mpi_rank *self, MPI_Request handle)
{
    struct kp_mpi_request *request = kp_mpi_request_of(self, handle);
    return request && request->active ? request : NULL;
}

#define ALONE (-1) /* the index of a request that is in no list */

/* Reports a handle that is none. The request of a valid one is NULL or inactive. */
__attribute__((noinline)) static int refuse(struct kp_mpi_rank *self, MPI_Request handle, int index)
{
    static const char why[] = "is not valid: it has ended, or was never started";
    if (handle == MPI_REQUEST_NULL || kp_mpi_request_of(self, handle))
        return MPI_SUCCESS;
    if (index == ALONE)
        return kp_mpi_fail(self, NULL, MPI_ERR_REQUEST, "the request %s", why);
    return kp_mpi_fail(self, NULL, MPI_ERR_REQUEST, "request %d %s", index, why);
}

/* Finds the request of a handle. MPI_REQUEST_NULL and inactive requests give NULL. */
static inline int find(struct kp_mpi_rank *self, MPI_Request handle, int index,
                       struct kp_mpi_request **request)
{
    *request = active(self, handle);
    return *request ? MPI_SUCCESS : refuse(self, handle, index);
}

/* A test of these requests has found nothing. */
static void in_vain(struct kp_mpi_rank *self, int count, const MPI_Request *handles)
{
    kp_mpi_in_vain(self, &(struct kp_mpi_tested){.count = count, .handles = handles});
}

#define MOST_COMPARED 16 /* the first ones of a list are compared with each other */

static int check_list(struct kp_mpi_rank *self, int count, const MPI_Request *handles)
{
    if (count < 0)
        return kp_mpi_fail(self, NULL, MPI_ERR_COUNT, "the count is %d; it may be 0 or more",
                           count);
    if (count > 0 && !handles)
        return kp_mpi_fail(self, NULL, MPI_ERR_REQUEST, "the list of requests is NULL");
    for (int i = 0; i < count; i++) {
        struct kp_mpi_request *request;
        const int error = find(self, handles[i], i, &request);
        if (error)
            return error;
        for (int j = i < MOST_COMPARED ? 0 : i; request && j < i; j++) {
            if (handles[j] == handles[i])
                return kp_mpi_fail(self, request->comm, MPI_ERR_REQUEST,
                                   "requests %d and %d of the list are the same request", j, i);
        }
    }
    return MPI_SUCCESS;
}

/* Completes a request of a list: its error goes to its status. */
static inline int end_listed(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                             MPI_Request *handle, MPI_Status *status, int before)
{
    const int error = kp_mpi_request_end(self, request, handle, status);
    if (status)
        status->MPI_ERROR = error;
    return error ? MPI_ERR_IN_STATUS : before;
}

/* --- One request --- */

int MPI_Wait(MPI_Request *handle, MPI_Status *status)
{
    struct kp_mpi_request *request;
    KP_MPI_ENTER(Wait);
    const int error = find(self, *handle, ALONE, &request);
    if (error)
        return error;
    if (!request)
        return kp_mpi_empty_status(status), MPI_SUCCESS;
    return kp_mpi_request_end(self, request, handle, status);
}
KP_MPI_NAMES(Wait);

int MPI_Test(MPI_Request *handle, int *flag, MPI_Status *status)
{
    struct kp_mpi_request *request;
    KP_MPI_ENTER(Test);
    const int error = find(self, *handle, ALONE, &request);
    if (error)
        return error;
    *flag = 1;
    if (!request)
        return kp_mpi_empty_status(status), MPI_SUCCESS;
    if (kp_mpi_request_poll(self, request, true))
        return kp_mpi_request_end(self, request, handle, status);
    *flag = 0;
    in_vain(self, 1, handle);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Test);

int MPI_Request_get_status(MPI_Request handle, int *flag, MPI_Status *status)
{
    struct kp_mpi_request *request;
    KP_MPI_ENTER(Request_get_status);
    int error = find(self, handle, ALONE, &request);
    if (error)
        return error;
    *flag = 1;
    if (!request) {
        kp_mpi_empty_status(status);
    } else if (!(*flag = kp_mpi_request_poll(self, request, true))) {
        in_vain(self, 1, &handle);
    } else if (request->general) {
        error = kp_mpi_general_query(self, request, status);
    } else {
        error = kp_mpi_request_arrive(self, request);
        kp_mpi_store_status(status, request->comm, &request->first);
    }
    return error;
}
KP_MPI_NAMES(Request_get_status);

/* --- All of a list --- */

int MPI_Waitall(int count, MPI_Request handles[], MPI_Status statuses[])
{
    KP_MPI_ENTER(Waitall);
    int error = check_list(self, count, handles);
    if (error)
        return error;
    for (int i = 0; i < count; i++) {
        struct kp_mpi_request *request = active(self, handles[i]);
        MPI_Status *status = statuses ? &statuses[i] : NULL;
        if (request) {
            error = end_listed(self, request, &handles[i], status, error);
        } else if (status) {
            kp_mpi_empty_status(status);
            status->MPI_ERROR = MPI_SUCCESS;
        }
    }
    return error;
}
KP_MPI_NAMES(Waitall);

/* Lets the requests go on once, and returns whether those of the list have ended: all of them, or
 * any. `which` is the first that has ended. `none` says that no request is active. */
static bool poll_list(struct kp_mpi_rank *self, int count, const MPI_Request *handles, bool all,
                      int *which, bool *none)
{
    bool goes_on = true, every = true;
    *none = true;
    *which = -1;
    for (int i = 0; i < count; i++) {
        struct kp_mpi_request *request = active(self, handles[i]);
        if (!request)
            continue;
        *none = false;
        if (kp_mpi_request_poll(self, request, goes_on)) {
            *which = *which < 0 ? i : *which;
            if (!all)
                return true;
        } else {
            goes_on = every = false;
        }
    }
    return all ? every : *which >= 0;
}

int MPI_Testall(int count, MPI_Request handles[], int *flag, MPI_Status statuses[])
{
    int which;
    bool none;
    KP_MPI_ENTER(Testall);
    int error = check_list(self, count, handles);
    if (error)
        return error;
    *flag = poll_list(self, count, handles, true, &which, &none);
    if (!*flag)
        in_vain(self, count, handles);
    for (int i = 0; i < count && *flag; i++) {
        struct kp_mpi_request *request = active(self, handles[i]);
        MPI_Status *status = statuses ? &statuses[i] : NULL;
        if (request) {
            error = end_listed(self, request, &handles[i], status, error);
        } else if (status) {
            kp_mpi_empty_status(status);
            status->MPI_ERROR = MPI_SUCCESS;
        }
    }
    return error;
}
KP_MPI_NAMES(Testall);

/* --- Any of a list --- */

/* Waits until a part of one of the requests has ended. Returns a status of kport only if that is
 * not the error of a part. */
static int wait_for_a_part(struct kp_mpi_rank *self, int count, const MPI_Request *handles)
{
    int parts = 0, which = -1;
    for (int i = 0; i < count; i++) {
        struct kp_mpi_request *request = active(self, handles[i]);
        parts += request ? kp_mpi_parts(request) : 0;
    }
    kp_request *few[64], **all = parts > 64 ? malloc((size_t)parts * sizeof(kp_request *)) : few;
    if (!all)
        return KP_EMEMORY;
    struct kp_mpi_part *of = NULL;
    parts = 0;
    for (int i = 0; i < count; i++) {
        struct kp_mpi_request *request = active(self, handles[i]);
        for (int j = 0; request && j < kp_mpi_parts(request); j++)
            all[parts++] = kp_mpi_part(request, j)->request;
    }
    kp_mpi_again(self);
    const int status = kp_wait_any(parts, all, &which);
    parts = 0;
    for (int i = 0; i < count && which >= 0; i++) {
        struct kp_mpi_request *request = active(self, handles[i]);
        if (!request)
            continue;
        if (which < parts + kp_mpi_parts(request) && which >= parts) {
            of = kp_mpi_part(request, which - parts);
            kp_mpi_part_settle(self, request, of, status);
        }
        parts += kp_mpi_parts(request);
    }
    if (all != few)
        free(all);
    return of ? KP_OK : status;
}

/* Waits until one of the requests has ended that another thread of the rank may complete, or one
 * of the others. */
static void wait_beside(struct kp_mpi_rank *self, int count, const MPI_Request *handles)
{
    int which;
    bool none;
    kp_mpi_general_wait_begin(self);
    while (kp_mpi_general_by_others(self) && !poll_list(self, count, handles, false, &which, &none))
        kp_mpi_general_pause(self);
    kp_mpi_general_wait_end(self);
}

/* Waits until at least one active request has ended, and stores the first. Stores -1 if none is
 * active. */
static int wait_for_one(struct kp_mpi_rank *self, int count, const MPI_Request *handles, int *which)
{
    for (;;) {
        bool none = true, general = false;
        for (int i = 0; i < count; i++) {
            struct kp_mpi_request *request = active(self, handles[i]);
            none = none && !request;
            general = general || (request && request->general);
            *which = i;
            if (request && kp_mpi_request_poll(self, request, false))
                return MPI_SUCCESS;
        }
        *which = -1;
        if (none)
            return MPI_SUCCESS;
        if (general && kp_mpi_general_by_others(self)) {
            wait_beside(self, count, handles);
            continue;
        }
        const int status = wait_for_a_part(self, count, handles);
        if (status)
            return kp_mpi_fail_by(self, NULL, status);
    }
}

static int end_one(struct kp_mpi_rank *self, MPI_Request *handles, int which, int *index,
                   MPI_Status *status)
{
    *index = which < 0 ? MPI_UNDEFINED : which;
    if (which < 0)
        return kp_mpi_empty_status(status), MPI_SUCCESS;
    kp_mpi_decided(self, which);
    return kp_mpi_request_end(self, active(self, handles[which]), &handles[which], status);
}

int MPI_Waitany(int count, MPI_Request handles[], int *index, MPI_Status *status)
{
    int which;
    KP_MPI_ENTER(Waitany);
    int error = check_list(self, count, handles);
    if (error || (error = wait_for_one(self, count, handles, &which)))
        return error;
    return end_one(self, handles, which, index, status);
}
KP_MPI_NAMES(Waitany);

int MPI_Testany(int count, MPI_Request handles[], int *index, int *flag, MPI_Status *status)
{
    int which;
    bool none;
    KP_MPI_ENTER(Testany);
    const int error = check_list(self, count, handles);
    if (error)
        return error;
    *flag = poll_list(self, count, handles, false, &which, &none) || none;
    if (!*flag)
        in_vain(self, count, handles);
    *index = MPI_UNDEFINED;
    return *flag ? end_one(self, handles, which, index, status) : MPI_SUCCESS;
}
KP_MPI_NAMES(Testany);

/* Ends all requests of the list that have ended. */
static int end_some(struct kp_mpi_rank *self, int count, MPI_Request *handles, int *outcount,
                    int *indices, MPI_Status *statuses)
{
    int error = MPI_SUCCESS, ended = 0;
    for (int i = 0; i < count; i++) {
        struct kp_mpi_request *request = active(self, handles[i]);
        if (!request || !kp_mpi_request_poll(self, request, false))
            continue;
        error = end_listed(self, request, &handles[i], statuses ? &statuses[ended] : NULL, error);
        kp_mpi_decided(self, i);
        indices[ended++] = i;
    }
    *outcount = ended;
    return error;
}

int MPI_Waitsome(int count, MPI_Request handles[], int *outcount, int indices[],
                 MPI_Status statuses[])
{
    int which;
    KP_MPI_ENTER(Waitsome);
    int error = check_list(self, count, handles);
    if (error || (error = wait_for_one(self, count, handles, &which)))
        return error;
    *outcount = MPI_UNDEFINED;
    return which < 0 ? MPI_SUCCESS : end_some(self, count, handles, outcount, indices, statuses);
}
KP_MPI_NAMES(Waitsome);

int MPI_Testsome(int count, MPI_Request handles[], int *outcount, int indices[],
                 MPI_Status statuses[])
{
    int which;
    bool none;
    KP_MPI_ENTER(Testsome);
    const int error = check_list(self, count, handles);
    if (error)
        return error;
    (void)poll_list(self, count, handles, true, &which, &none);
    *outcount = MPI_UNDEFINED;
    if (none)
        return MPI_SUCCESS;
    const int ended = end_some(self, count, handles, outcount, indices, statuses);
    if (*outcount == 0)
        in_vain(self, count, handles);
    return ended;
}
KP_MPI_NAMES(Testsome);
