/* Reduction operators. */
#include "lib/mpi/op.h"

bool kp_mpi_ops_begin(struct kp_mpi_rank *self)
{
    (void)self;
    return true;
}

void kp_mpi_ops_end(struct kp_mpi_rank *self)
{
    (void)self;
}
