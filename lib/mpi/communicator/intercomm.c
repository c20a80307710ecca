/* Intercommunicators. */
#include "lib/mpi/collective.h"

int kp_mpi_collective_between(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                              kp_operation operation, const struct kp_mpi_asked *asked)
{
    (void)operation;
    (void)asked;
    return kp_mpi_fail(self, comm, MPI_ERR_COMM,
                       "kport does not serve this collective on an intercommunicator");
}
