/* Info objects. */
#ifndef KPORT_MPI_INFO_H
#define KPORT_MPI_INFO_H

#include "lib/mpi/comm.h"

bool kp_mpi_infos_begin(struct kp_mpi_rank *self);
void kp_mpi_infos_end(struct kp_mpi_rank *self);

/* Gives the communicator a copy of the object, in place of what it had. */
int kp_mpi_info_attach(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Info info);
void kp_mpi_info_drop(struct kp_mpi_rank *self, MPI_Info info);

#endif
