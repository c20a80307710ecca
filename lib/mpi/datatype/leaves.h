/* These functions go over the leaves of datatypes. */
#ifndef KPORT_LIB_MPI_TYPE_LEAVES_H
#define KPORT_LIB_MPI_TYPE_LEAVES_H

#include "lib/mpi/datatype/data.h"

/* Returns how many leaves are in `bytes` bytes of data of the type, or -1 if they end within one.
 */
MPI_Count kp_mpi_type_leaves(const struct kp_mpi_type *type, size_t bytes);

/* Returns the bytes of the first `leaves` leaves of data of the type. */
size_t kp_mpi_type_bytes_of(const struct kp_mpi_type *type, size_t leaves);

/* Calls `visit` for each leaf of `count` elements of the type, in the order of the data. `place` is
 * the offset from the address of the first element. Stops when `visit` returns something but 0, and
 * returns it. */
typedef int kp_mpi_visit(const struct kp_mpi_leaf *leaf, ptrdiff_t place, void *context);
int kp_mpi_type_visit(const struct kp_mpi_type *type, size_t count, kp_mpi_visit *visit,
                      void *context);

/* Returns the bytes of an element's data in the representation external32. */
size_t kp_mpi_type_external_bytes(const struct kp_mpi_type *type);

#endif
