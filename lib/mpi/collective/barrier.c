/* Barriers. */
#include "lib/mpi/collective.h"

#include "lib/call/face.h"

/* A barrier has no arguments, so nothing of it is prepared. */
static int make_now(struct kp_mpi_rank *self, MPI_Comm handle)
{
    KP_MPI_COMM_OF(handle);
    if (comm->inter)
        return kp_mpi_between_now(self, comm, KP_MPI_BARRIER, NULL);
    comm->calls++;
    int status = kp_barrier(comm->group);
    status = status ? status : kp_face_come_back(comm->group);
    return status ? kp_mpi_fail_by(self, comm, status) : MPI_SUCCESS;
}

int MPI_Barrier(MPI_Comm comm)
{
    KP_MPI_ENTER(Barrier);
    return make_now(self, comm);
}
KP_MPI_NAMES(Barrier);

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    KP_MPI_ENTER(Ibarrier);
    return kp_mpi_collective_later(self, comm, KP_MPI_BARRIER, NULL, request);
}
KP_MPI_NAMES(Ibarrier);

int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    KP_MPI_ENTER(Barrier_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_MPI_BARRIER, NULL, request);
}
KP_MPI_NAMES(Barrier_init);
