/* Keys of attributes, and the callbacks of their copies and deletions. */
#ifndef KPORT_MPI_ATTRIBUTE_H
#define KPORT_MPI_ATTRIBUTE_H

#include "lib/mpi/attr.h"
#include "lib/mpi/comm.h"

struct kp_mpi_type;

/* What a key belongs to. */
enum kp_mpi_owner {
    KP_MPI_OWNER_COMM,
    KP_MPI_OWNER_TYPE
};

/* Calls the copy callbacks of all attributes, and sets what they copy. Returns MPI_SUCCESS or an
 * error's class; that of a callback is reported. */
int kp_mpi_attributes_copy_comm(struct kp_mpi_rank *self, struct kp_mpi_comm *from,
                                struct kp_mpi_comm *to);
int kp_mpi_attributes_copy_type(struct kp_mpi_rank *self, struct kp_mpi_type *from,
                                struct kp_mpi_type *to);

/* Calls the delete callbacks of all attributes, the latest first, and removes them. */
int kp_mpi_attributes_delete_comm(struct kp_mpi_rank *self, struct kp_mpi_comm *comm);
int kp_mpi_attributes_delete_type(struct kp_mpi_rank *self, struct kp_mpi_type *type);

void kp_mpi_keyvals_end(struct kp_mpi_rank *self);

/* The functions of communicators and of types differ in the handle alone. `value_of` is NULL for a
 * type. All return MPI_SUCCESS or the class of an error that is reported. */
int kp_mpi_keyval_create(struct kp_mpi_rank *self, enum kp_mpi_owner owner, void *copy,
                         void *delete, void *extra, int *keyval);
int kp_mpi_keyval_free(struct kp_mpi_rank *self, enum kp_mpi_owner owner, int *keyval);
int kp_mpi_attribute_set(struct kp_mpi_rank *self, enum kp_mpi_owner owner, void *handle,
                         struct kp_mpi_attributes *of, int keyval, void *value);
int kp_mpi_attribute_get(struct kp_mpi_rank *self, enum kp_mpi_owner owner,
                         const struct kp_mpi_attributes *of, int keyval, void *value, int *flag);
int kp_mpi_attribute_delete(struct kp_mpi_rank *self, enum kp_mpi_owner owner, void *handle,
                            struct kp_mpi_attributes *of, int keyval);

#endif
