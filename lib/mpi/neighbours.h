/* Neighbourhood collectives: a message to and from each neighbour in a topology. */
#ifndef KPORT_LIB_MPI_NEIGHBOURS_H
#define KPORT_LIB_MPI_NEIGHBOURS_H

#include "lib/mpi/collective/list.h"
#include "lib/mpi/request.h"

/* One side of a call. */
struct kp_mpi_neighbour_side {
    void *buffer;
    MPI_Count count; /* of each block, if there are no `counts` */
    MPI_Datatype type;
    struct kp_mpi_list counts;
    struct kp_mpi_list displacements; /* in extents, with `counts` */
    const MPI_Aint *places;           /* in bytes, in place of `displacements` */
    const MPI_Datatype *types;        /* of each block, with `places` */
    bool shared;                      /* all neighbours get the same block */
};

struct kp_mpi_neighbour_call {
    struct kp_mpi_neighbour_side out, in;
};

/* Carry out a call: waits; starts a request; makes a persistent request. Return MPI_SUCCESS or the
 * class of an error that is reported. */
int kp_mpi_neighbours_now(struct kp_mpi_rank *self, MPI_Comm handle,
                          const struct kp_mpi_neighbour_call *call);
int kp_mpi_neighbours_later(struct kp_mpi_rank *self, MPI_Comm handle,
                            const struct kp_mpi_neighbour_call *call, MPI_Request *request);
int kp_mpi_neighbours_keep(struct kp_mpi_rank *self, MPI_Comm handle,
                           const struct kp_mpi_neighbour_call *call, MPI_Request *request);

/* Starts a request, a persistent one again; does this and waits; frees the messages of a request.
 */
int kp_mpi_neighbours_again(struct kp_mpi_rank *self, struct kp_mpi_request *request);
int kp_mpi_neighbours_wait(struct kp_mpi_rank *self, struct kp_mpi_request *request);
void kp_mpi_neighbours_free(struct kp_mpi_neighbours *neighbours);

/* Make a list of at most so many messages. The caller fills the next one, whose type it holds, and
 * adds it. `_new` returns NULL if there is no memory. */
struct kp_mpi_neighbours *kp_mpi_neighbours_new(size_t most);
int kp_mpi_neighbours_count(const struct kp_mpi_neighbours *neighbours);
struct kp_mpi_message_args *kp_mpi_neighbours_next(struct kp_mpi_neighbours *neighbours);
void kp_mpi_neighbours_add(struct kp_mpi_neighbours *neighbours);

#endif
