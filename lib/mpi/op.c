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

int kp_mpi_reduction_of(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Op op,
                        struct kp_mpi_type *type, struct kp_mpi_reduction *reduction)
{
    (void)self;
    (void)comm;
    *reduction = (struct kp_mpi_reduction){
        .type = type->element, .op = op == MPI_MAX ? KP_MAXIMUM : KP_SUM, .per_item = 1};
    return MPI_SUCCESS;
}

void kp_mpi_reduction_release(struct kp_mpi_reduction *reduction)
{
    (void)reduction;
}
