/* Reduction operators. */
#ifndef KPORT_MPI_OP_H
#define KPORT_MPI_OP_H

#include "lib/mpi/type.h"

struct kp_mpi_op;

bool kp_mpi_ops_begin(struct kp_mpi_rank *self);
void kp_mpi_ops_end(struct kp_mpi_rank *self);

/* A reduction as kport takes it. */
struct kp_mpi_reduction {
    kp_type type;
    const kp_operator *op;
    size_t per_item; /* kport's elements in one item of the datatype */
    struct kp_mpi_op *held;
};

/* Finds how kport combines items of `type` by the operator. Both handles are checked. On success
 * the caller calls kp_mpi_reduction_release when the call or request has ended. Returns MPI_SUCCESS
 * or the class of an error that is reported. */
int kp_mpi_reduction_of(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Op op,
                        struct kp_mpi_type *type, struct kp_mpi_reduction *reduction);
void kp_mpi_reduction_release(struct kp_mpi_reduction *reduction);

#endif
