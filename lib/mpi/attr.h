/* Attributes of communicators and types. */
#ifndef KPORT_MPI_ATTR_H
#define KPORT_MPI_ATTR_H

#include "lib/mpi/rank.h"

struct kp_mpi_attribute {
    int keyval;
    void *value;
};

/* In the order in which they were set. */
struct kp_mpi_attributes {
    struct kp_mpi_attribute *list;
    int count, room;
};

/* What has attributes: a communicator, or a type if `of_type`. Errors go to the error handler of
 * `comm`, which may be NULL. */
struct kp_mpi_owner {
    void *handle;
    bool of_type;
    struct kp_mpi_comm *comm;
    struct kp_mpi_attributes *attributes;
};

/* Gives a copy of a communicator or type the attributes that the program's functions copy. Returns
 * MPI_SUCCESS, or the class of an error that is reported; then no attribute has been copied. */
int kp_mpi_attributes_copy(struct kp_mpi_rank *self, const struct kp_mpi_owner *from,
                           struct kp_mpi_attributes *to);

/* Deletes all attributes, the one that was set last first. The caller does this while the handle is
 * valid, and frees it only if MPI_SUCCESS is returned. */
int kp_mpi_attributes_delete(struct kp_mpi_rank *self, const struct kp_mpi_owner *owner);

/* Tells which keys the program has not freed. */
void kp_mpi_keyvals_tell_left(struct kp_mpi_rank *self);

/* Frees the memory of the rank's keys of attributes. */
void kp_mpi_keyvals_end(struct kp_mpi_rank *self);

#endif
