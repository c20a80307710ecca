/* These functions convert data to the representation external32 and back. */
#ifndef KPORT_LIB_MPI_EXTERNAL_H
#define KPORT_LIB_MPI_EXTERNAL_H

#include "lib/mpi/datatype/data.h"

/* Convert `count` elements of the type. `packed` has kp_mpi_type_external_bytes for each. Return 0,
 * or the class of an error that is reported: a number does not fit. */
int kp_mpi_external_pack(struct kp_mpi_rank *self, const struct kp_mpi_type *type, const void *data,
                         size_t count, void *packed);
int kp_mpi_external_unpack(struct kp_mpi_rank *self, const struct kp_mpi_type *type, void *data,
                           size_t count, const void *packed);

#endif
