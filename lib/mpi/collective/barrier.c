/* Barriers. */
#include "lib/mpi/collective.h"

int MPI_Barrier(MPI_Comm comm)
{
    KP_MPI_ENTER(Barrier);
    return kp_mpi_collective_now(self, comm, KP_MPI_BARRIER, NULL);
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
