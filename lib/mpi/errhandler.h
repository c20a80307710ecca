/* Error handlers. */
#ifndef KPORT_MPI_ERRHANDLER_H
#define KPORT_MPI_ERRHANDLER_H

#include "lib/mpi/rank.h"

bool kp_mpi_errhandlers_begin(struct kp_mpi_rank *self);
void kp_mpi_errhandlers_end(struct kp_mpi_rank *self);

/* Count the users of a handler that the program has made. */
void kp_mpi_errhandler_hold(struct kp_mpi_rank *self, MPI_Errhandler handle);
void kp_mpi_errhandler_release(struct kp_mpi_rank *self, MPI_Errhandler handle);

/* Calls an error handler that does not end the job. Returns the code. */
int kp_mpi_errhandler_call(struct kp_mpi_rank *self, MPI_Errhandler handler,
                           struct kp_mpi_comm *comm, int code);

/* Writes the text of a code, of at most MPI_MAX_ERROR_STRING bytes. `self` may be NULL. */
void kp_mpi_code_text(struct kp_mpi_rank *self, int code, char *text);

#endif
