/* Groups: lists of ranks of MPI_COMM_WORLD. */
#ifndef KPORT_MPI_GROUP_H
#define KPORT_MPI_GROUP_H

#include "lib/mpi/rank.h"

struct kp_mpi_group {
    MPI_Group handle;
    int size, rank; /* rank: the caller's, or MPI_UNDEFINED */
    struct kp_mpi_place made;
    int numbers[];
};

/* Returns the group of a handle. Otherwise reports an error, and returns NULL; `*error` is the
 * error's class. */
struct kp_mpi_group *kp_mpi_group_of(struct kp_mpi_rank *self, MPI_Group handle, int *error);

/* Makes a group with room for `size` numbers, which the caller fills in before kp_mpi_group_give
 * gives it a handle and its rank. Both return an error's class; NULL if there is no memory. */
struct kp_mpi_group *kp_mpi_group_make(int size);
int kp_mpi_group_give(struct kp_mpi_rank *self, struct kp_mpi_group *group, MPI_Group *handle);

bool kp_mpi_groups_begin(struct kp_mpi_rank *self);
void kp_mpi_groups_end(struct kp_mpi_rank *self);

/* Returns the index of a number in a list, or -1. */
int kp_mpi_index_of(const int *numbers, int count, int number);

/* The result of a comparison of two lists: MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL. */
int kp_mpi_compare_lists(const int *one, int one_count, const int *other, int other_count);

#endif
