/* The arrays of counts and displacements of a call that a rank remembers (again.c). */
#ifndef KPORT_MPI_ARRAYS_H
#define KPORT_MPI_ARRAYS_H

#include "lib/mpi/collective.h"

/* The arrays that a rank reads in a call. */
struct kp_mpi_arrays {
    struct kp_mpi_list lists[4];
    int n; /* the values of each */
};

/* `out` and `in` say which buffers this rank has. It does not read the arrays of another one. */
static inline struct kp_mpi_arrays kp_mpi_arrays_of(const struct kp_mpi_asked *asked, int n,
                                                    bool out, bool in)
{
    struct kp_mpi_arrays arrays = {.n = n};
    if (out) {
        arrays.lists[0] = asked->out_counts;
        arrays.lists[1] = asked->out_displacements;
    }
    if (in) {
        arrays.lists[2] = asked->in_counts;
        arrays.lists[3] = asked->in_displacements;
    }
    return arrays;
}

/* Returns a hash of the contents. */
uint64_t kp_mpi_arrays_hash(const struct kp_mpi_arrays *arrays);

/* Returns a copy with contents of its own in one piece of memory, which the caller frees. Returns
 * NULL if there is no memory. */
struct kp_mpi_arrays *kp_mpi_arrays_copy(const struct kp_mpi_arrays *arrays);

bool kp_mpi_arrays_are_equal(const struct kp_mpi_arrays *a, const struct kp_mpi_arrays *b);

#endif
