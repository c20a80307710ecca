/* Which function of MPI was called at which place, for calls that end later. kport's sentences name
 * the operation and the place, and several functions start the same operation. */
#ifndef KPORT_MPI_CHECK_PLACES_H
#define KPORT_MPI_CHECK_PLACES_H

#include "lib/mpi/rank.h"

/* Remembers a function that was called at a place, or started there. */
void kp_mpi_remember(const struct kp_mpi_place *place, const char *function);

/* Returns the function that was called at a place and carries out this operation, which has the
 * name of the function that waits ("MPI_Bcast") or is "MPI_Barrier"; else NULL. Neither text need
 * end with a zero. In a strict job every non-blocking collective ends with a barrier. So a barrier
 * finds any function, if there is only one at the place. */
const char *kp_mpi_function_at(const char *file, size_t file_length, int line,
                               const char *operation, size_t operation_length);

#endif
