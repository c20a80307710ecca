/* Error handlers. */
#ifndef KPORT_MPI_ERRHANDLER_H
#define KPORT_MPI_ERRHANDLER_H

#include "lib/mpi/rank.h"

bool kp_mpi_errhandlers_begin(struct kp_mpi_rank *self);
void kp_mpi_errhandlers_end(struct kp_mpi_rank *self);

/* Calls an error handler that does not end the job. Returns the code. */
int kp_mpi_errhandler_call(struct kp_mpi_rank *self, MPI_Errhandler handler,
                           struct kp_mpi_comm *comm, int code);

#endif
