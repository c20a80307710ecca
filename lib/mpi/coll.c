/* Collectives that wait. */
#include "lib/mpi/comm.h"
#include "lib/mpi/p2p.h"
#include "lib/mpi/type.h"

int MPI_Barrier(MPI_Comm handle)
{
    KP_MPI_ENTER(Barrier);
    KP_MPI_COMM_OF(handle);
    const int status = kp_barrier(comm->group);
    return status ? kp_mpi_fail_by(self, comm, status) : MPI_SUCCESS;
}
KP_MPI_NAMES(Barrier);

int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm handle)
{
    KP_MPI_ENTER(Bcast);
    KP_MPI_COMM_OF(handle);
    struct kp_mpi_type *type;
    int error = kp_mpi_check_data(self, comm, buffer, count, datatype, &type);
    if (error)
        return error;
    if (root < 0 || root >= comm->size)
        return kp_mpi_fail(self, comm, MPI_ERR_ROOT, "the root is rank %d; it may be 0 ... %d",
                           root, comm->size - 1);
    const int status =
        kp_broadcast_layout(comm->group, buffer, (size_t)count, type->layout, root, NULL);
    return status ? kp_mpi_fail_by(self, comm, status) : MPI_SUCCESS;
}
KP_MPI_NAMES(Bcast);
