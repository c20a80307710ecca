/* Which function of MPI was called at which place, for calls that end later. kport's sentences name
 * the operation and the place, and several functions start the same operation. */
#ifndef KPORT_MPI_CHECK_PLACES_H
#define KPORT_MPI_CHECK_PLACES_H

#include "lib/mpi/rank.h"

/* Remembers a function that was called at a place, or started there. */
void kp_mpi_remember(const struct kp_mpi_place *place, const char *function);

/* Returns the function that was called at a place and carries out this operation, which has the
 * name of the function that waits ("MPI_Bcast"); else NULL. Neither text need end with a zero.
 * Collectives also have parts of other kinds: in a strict job a meeting at the end, which is a
 * barrier or an allgather; messages of neighbours and of two sides ("send", "receive"). So these
 * four find any function, if there is only one at the place. */
const char *kp_mpi_function_at(const char *file, size_t file_length, int line,
                               const char *operation, size_t operation_length);

/* Whether a function such as MPI_Ibcast or MPI_Bcast_init carries out the operation itself. */
bool kp_mpi_carries_out(const char *function, const char *operation, size_t operation_length);

#endif
