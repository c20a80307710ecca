/* Functions of MPI with counts exist twice: with counts of type int, and with counts of type
 * MPI_Count. The names of the second ones end with _c. A file that includes this header is compiled
 * for both; KP_MPI_LARGE is defined for the second ones. */
#ifndef KPORT_MPI_SIZED_H
#define KPORT_MPI_SIZED_H

#include "lib/mpi/rank.h"

#ifdef KP_MPI_LARGE
typedef MPI_Count kp_mpi_count;    /* of elements; of datatypes also a length, a displacement */
typedef MPI_Aint kp_mpi_distance;  /* of blocks of a collective */
typedef MPI_Count kp_mpi_position; /* in bytes, where the other functions have an MPI_Aint */
#define KP_MPI_SIZED(name)       MPI_##name##_c
#define KP_MPI_SIZED_ENTER(name) KP_MPI_ENTER(name##_c)
#define KP_MPI_SIZED_NAMES(name) KP_MPI_NAMES(name##_c)
#else
typedef int kp_mpi_count;
typedef int kp_mpi_distance;
typedef MPI_Aint kp_mpi_position;
#define KP_MPI_SIZED(name)       MPI_##name
#define KP_MPI_SIZED_ENTER(name) KP_MPI_ENTER(name)
#define KP_MPI_SIZED_NAMES(name) KP_MPI_NAMES(name)
#endif

#endif
