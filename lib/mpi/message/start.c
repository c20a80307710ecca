/* Messages are started: the parts of requests, sends and receives that do not wait, and persistent
 * ones. */
#include "lib/mpi/message/start.h"
#include "lib/mpi/collective.h"
#include "lib/mpi/neighbours.h"

#include <stdlib.h>
#include <string.h>

int kp_mpi_part_start(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, kp_group *group,
                      const struct kp_mpi_message_args *args, struct kp_mpi_part *part, bool waits)
{
    return kp_mpi_part_begin(self, comm, group, *args, part, waits);
}

int kp_mpi_message_start(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                         const struct kp_mpi_message_args *args, MPI_Request *handle)
{
    return kp_mpi_message_begin(self, comm, *args, handle);
}

/* --- Persistent ones --- */

int kp_mpi_message_keep(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                        const struct kp_mpi_message_args *args, MPI_Request *handle)
{
    struct kp_mpi_request *request = kp_mpi_request_make(self, comm, 1);
    struct kp_mpi_message_args *copy = request ? malloc(sizeof *copy) : NULL;
    if (!request)
        return MPI_ERR_NO_MEM;
    if (!copy) {
        kp_mpi_request_free(self, request);
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a request");
    }
    *copy = *args;
    kp_mpi_type_hold(args->type);
    request->again = copy;
    request->persistent = request->is_message = true;
    *handle = request->handle;
    return MPI_SUCCESS;
}

static int start_again(struct kp_mpi_rank *self, MPI_Request handle)
{
    struct kp_mpi_request *request = kp_mpi_request_of(self, handle);
    if (!request || !request->persistent)
        return kp_mpi_fail(self, NULL, MPI_ERR_REQUEST, "the request is %s",
                           request                      ? "not persistent (MPI_..._init)"
                           : handle == MPI_REQUEST_NULL ? "MPI_REQUEST_NULL"
                                                        : "not valid: it was freed, or never made");
    if (request->active)
        return kp_mpi_fail(self, request->comm, MPI_ERR_REQUEST,
                           "the request is active: it was started and has not been waited for");
    kp_mpi_again(self);
    request->started = true;
    if (request->neighbours)
        return kp_mpi_neighbours_again(self, request);
    return request->again ? kp_mpi_message_of(self, request, *request->again)
                          : kp_mpi_collective_again(self, request);
}

int MPI_Start(MPI_Request *request)
{
    KP_MPI_ENTER(Start);
    return start_again(self, *request);
}
KP_MPI_NAMES(Start);

int MPI_Startall(int count, MPI_Request requests[])
{
    int error = MPI_SUCCESS;
    KP_MPI_ENTER(Startall);
    if (count < 0)
        return kp_mpi_fail(self, NULL, MPI_ERR_COUNT, "the count is %d; it may be 0 or more",
                           count);
    for (int i = 0; i < count && !error; i++)
        error = start_again(self, requests[i]);
    return error;
}
KP_MPI_NAMES(Startall);
