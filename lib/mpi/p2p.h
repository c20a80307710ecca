/* What the functions for messages have in common. */
#ifndef KPORT_MPI_P2P_H
#define KPORT_MPI_P2P_H

#include "lib/mpi/type.h"

/* These check arguments. They return MPI_SUCCESS or the class of an error that is reported. */
int kp_mpi_check_data(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const void *buffer,
                      int count, MPI_Datatype handle, struct kp_mpi_type **type);
int kp_mpi_check_peer(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int rank, int tag,
                      bool receives);

#endif
