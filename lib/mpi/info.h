/* Info objects: keys with values, in the order in which the keys were set. */
#ifndef KPORT_LIB_MPI_INFO_H
#define KPORT_LIB_MPI_INFO_H

#include "lib/mpi/rank.h"

struct kp_mpi_info_entry {
    char *key, *value;
};

struct kp_mpi_info {
    MPI_Info handle;
    struct kp_mpi_place made;
    int count, room;
    struct kp_mpi_info_entry *list;
};

/* Makes MPI_INFO_ENV, and frees all info objects of the rank. */
bool kp_mpi_infos_begin(struct kp_mpi_rank *self);
void kp_mpi_infos_end(struct kp_mpi_rank *self);

/* Makes a copy of an info object (MPI_INFO_NULL: an empty one) with a handle of its own. */
int kp_mpi_info_copy(struct kp_mpi_rank *self, MPI_Info from, MPI_Info *made);

/* Frees an info object that the library has made. Does nothing for MPI_INFO_NULL. */
void kp_mpi_info_drop(struct kp_mpi_rank *self, MPI_Info handle);

#endif
