/* Sends and receives that wait. */
#include "lib/mpi/p2p.h"
#include "lib/mpi/comm.h"

#include <limits.h>

int kp_mpi_check_data(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const void *buffer,
                      int count, MPI_Datatype handle, struct kp_mpi_type **type)
{
    if (count < 0)
        return kp_mpi_fail(self, comm, MPI_ERR_COUNT, "count is %d; it may be 0 or more", count);
    const int class = kp_mpi_type_check(self, comm, handle, type);
    if (class)
        return class;
    if (!buffer && count > 0 && (*type)->size > 0 && (*type)->predefined)
        return kp_mpi_fail(self, comm, MPI_ERR_BUFFER, "the buffer is NULL with a count of %d",
                           count);
    return MPI_SUCCESS;
}

int kp_mpi_check_peer(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int rank, int tag,
                      bool receives)
{
    if ((rank < 0 || rank >= comm->peers) && rank != MPI_PROC_NULL &&
        !(receives && rank == MPI_ANY_SOURCE))
        return kp_mpi_fail(self, comm, MPI_ERR_RANK,
                           "the %s is rank %d; it may be 0 ... %d, or MPI_PROC_NULL%s",
                           receives ? "source" : "destination", rank, comm->peers - 1,
                           receives ? ", or MPI_ANY_SOURCE" : "");
    if (tag < 0 && !(receives && tag == MPI_ANY_TAG))
        return kp_mpi_fail(self, comm, MPI_ERR_TAG, "the tag is %d; it may be 0 ... %d%s", tag,
                           INT_MAX, receives ? ", or MPI_ANY_TAG" : "");
    return MPI_SUCCESS;
}

int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm handle)
{
    KP_MPI_ENTER(Send);
    KP_MPI_COMM_OF(handle);
    struct kp_mpi_type *type;
    int error = kp_mpi_check_data(self, comm, buf, count, datatype, &type);
    if (error || (error = kp_mpi_check_peer(self, comm, dest, tag, false)))
        return error;
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    const int status = kp_face_send(
        comm->group,
        &(struct kp_outgoing_message){buf, (size_t)count * type->size, comm->offset + dest, tag,
                                      false, kp_mpi_type_signature(type, (size_t)count)},
        NULL);
    return status ? kp_mpi_fail_by(self, comm, status) : MPI_SUCCESS;
}
KP_MPI_NAMES(Send);

int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm handle,
             MPI_Status *status)
{
    KP_MPI_ENTER(Recv);
    KP_MPI_COMM_OF(handle);
    struct kp_mpi_type *type;
    struct kp_envelope found = {0};
    int error = kp_mpi_check_data(self, comm, buf, count, datatype, &type);
    if (error || (error = kp_mpi_check_peer(self, comm, source, tag, true)))
        return error;
    if (source == MPI_PROC_NULL) {
        if (status)
            *status = (MPI_Status){MPI_PROC_NULL, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
        return MPI_SUCCESS;
    }
    const int ended = kp_face_receive(
        comm->group, buf, (size_t)count * type->size,
        source == MPI_ANY_SOURCE ? KP_ANY_SOURCE : comm->offset + source, tag, &found, NULL);
    if (status)
        *status = (MPI_Status){found.source - comm->offset, found.tag, MPI_SUCCESS, 0,
                               (MPI_Count)found.bytes};
    return ended ? kp_mpi_fail_by(self, comm, ended) : MPI_SUCCESS;
}
KP_MPI_NAMES(Recv);
