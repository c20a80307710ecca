/* Topologies of communicators. */
#ifndef KPORT_MPI_TOPOLOGY_H
#define KPORT_MPI_TOPOLOGY_H

#include "lib/mpi/comm.h"

/* A Cartesian grid has `dims` and `periods`; a graph has `index` and `edges`, as MPI_Graph_create
 * takes them. `sources` and `targets` are the neighbours of this rank, of all three kinds, in MPI's
 * order; MPI_PROC_NULL stands for none. */
struct kp_mpi_topology {
    int kind; /* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
    int dimensions;
    int *dims, *periods;
    int nodes, edge_count;
    int *index, *edges;
    int source_count, target_count;
    int *sources, *targets;
    bool weighted;
    int *source_weights, *target_weights;
};

void kp_mpi_topology_free(struct kp_mpi_topology *topology);
struct kp_mpi_topology *kp_mpi_topology_copy(const struct kp_mpi_topology *topology);

struct kp_mpi_topology *kp_mpi_cart_make(int ndims, const int *dims, const int *periods, int rank);

/* Returns a copy, or NULL if there is no memory. */
int *kp_mpi_copy_ints(const int *from, int count);

/* Reports that the communicator has no topology of a kind, and returns the error's class. */
int kp_mpi_no_topology(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const char *kind);

#endif
