/* Reduction operators. */
#ifndef KPORT_LIB_MPI_OP_H
#define KPORT_LIB_MPI_OP_H

#include "lib/mpi/type.h"

/* What a handle of kind KP_MPI_OP stands for. */
struct kp_mpi_op {
    MPI_Op handle;
    const kp_operator *builtin; /* NULL: an operator of the program, or one for no reduction */
    unsigned classes;           /* bit i: the operator knows types of class i (datatype/data.h) */
    bool predefined;
    bool commutative;
    int references; /* the handle, and reductions that use it */
    MPI_User_function *function;
    MPI_User_function_c *large; /* in place of `function` */
    struct kp_mpi_place made;
    char name[MPI_MAX_OBJECT_NAME]; /* of operators of the program: equal for the same function */
};

/* Returns the operator of a handle, or NULL if it is none. */
static inline struct kp_mpi_op *kp_mpi_op_of(struct kp_mpi_rank *self, MPI_Op handle)
{
    return kp_mpi_find(&self->tables[KP_MPI_OP], KP_MPI_OP, handle);
}

bool kp_mpi_ops_begin(struct kp_mpi_rank *self);
void kp_mpi_ops_end(struct kp_mpi_rank *self);

void kp_mpi_op_release(struct kp_mpi_op *op);

/* A reduction as kport takes it: per_item * count elements of `type`, which `op` combines.
 *
 * If `in_place` is false, the items do not lie in the program's buffers as kport needs them: a
 * program's operator gets items of a datatype with gaps. Then the caller allocates buffers of
 * `bytes` bytes for each item, loads the operands into them, and stores the result from there. If
 * it is true, `bytes` bytes are the distance of items in the program's buffers. */
struct kp_mpi_reduction {
    kp_type type;
    const kp_operator *op;
    size_t per_item; /* kport's elements in one item of the datatype */
    bool in_place;
    size_t bytes;
    struct kp_mpi_use *use; /* NULL: the operator needs nothing more */
};

/* Finds how kport combines items of `type` by the operator. The type is checked. On success the
 * caller calls kp_mpi_reduction_release when the call or request has ended. Returns MPI_SUCCESS or
 * the class of an error that is reported. The structure may be moved. */
int kp_mpi_reduction_of(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Op op,
                        struct kp_mpi_type *type, struct kp_mpi_reduction *reduction);
void kp_mpi_reduction_release(struct kp_mpi_reduction *reduction);

/* Combines items as they lie in the program's buffers: `inout` becomes `in` op `inout`. */
void kp_mpi_reduction_apply(const struct kp_mpi_reduction *reduction, const void *in, void *inout,
                            size_t count);

/* Copies `count` items between the program's buffer `data` and a buffer for kport. */
void kp_mpi_reduction_load(const struct kp_mpi_reduction *reduction, void *buffer, const void *data,
                           size_t count);
void kp_mpi_reduction_store(const struct kp_mpi_reduction *reduction, void *data,
                            const void *buffer, size_t count);

/* --- Between the files of operator/ --- */

/* Checks a predefined operator and a type, and fills a reduction. */
int kp_mpi_reduce_predefined(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                             struct kp_mpi_op *op, struct kp_mpi_type *type,
                             struct kp_mpi_reduction *reduction);

/* MPI_MINLOC or MPI_MAXLOC on pairs of two floats or of two doubles. */
const kp_operator *kp_mpi_locating_operator(bool least, bool doubles);

#endif
