/* Collectives: what the three forms of each (one that waits, one that does not, a persistent one)
 * have in common. */
#ifndef KPORT_MPI_COLLECTIVE_H
#define KPORT_MPI_COLLECTIVE_H

#include "lib/mpi/collective/list.h"
#include "lib/mpi/request.h"

/* The arguments of a call. Those that the operation does not have are 0. */
struct kp_mpi_asked {
    const void *out;
    MPI_Count out_count;
    MPI_Datatype out_type;
    void *in;
    MPI_Count in_count;
    MPI_Datatype in_type;
    struct kp_mpi_list out_counts, out_displacements, in_counts, in_displacements;
    const MPI_Datatype *out_types, *in_types; /* of MPI_Alltoallw */
    int root;
    MPI_Op op;
};

#define KP_MPI_BARRIER KP_OPERATIONS /* in place of an operation */

/* A call, as kport takes it. */
struct kp_mpi_collective {
    kp_operation operation;
    kp_arguments arguments;
    struct kp_mpi_type *out_type, *in_type; /* held */
    struct kp_mpi_type **types;             /* of MPI_Alltoallw: held */
    int type_count;
    bool reduces;
    struct kp_mpi_reduction reduction;
    /* Of a reduction that is not in place: the memory of the items, and how they come and go. */
    void *items;
    const void *load_from;
    void *load_to, *store_to;
    size_t load_count, store_count;
    size_t store_first; /* on an intercommunicator: the first item to store */
    void *arrays;       /* the memory of lengths, displacements and layouts */
    kp_plan *plan;      /* of a persistent one that has been started; NULL: none */
};

/* Carry out a call: waits; starts a request; makes a persistent request. */
int kp_mpi_collective_now(struct kp_mpi_rank *self, MPI_Comm handle, kp_operation operation,
                          const struct kp_mpi_asked *asked);
int kp_mpi_collective_later(struct kp_mpi_rank *self, MPI_Comm handle, kp_operation operation,
                            const struct kp_mpi_asked *asked, MPI_Request *request);
int kp_mpi_collective_keep(struct kp_mpi_rank *self, MPI_Comm handle, kp_operation operation,
                           const struct kp_mpi_asked *asked, MPI_Request *request);

/* --- Collectives that wait, with the same arguments as before (again.c) --- */

/* Makes the call if the rank remembers it, and stores its status of kport in `status`. Returns
 * false if it does not, or if this call needs a closer look. Then nothing has happened. `comm`
 * becomes the communicator. */
bool kp_mpi_collective_known(struct kp_mpi_rank *self, MPI_Comm handle, kp_operation operation,
                             const struct kp_mpi_asked *asked, struct kp_mpi_comm **comm,
                             int *status);

/* Remembers a call that has succeeded, with what it reads and writes. */
void kp_mpi_collective_remember(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                                const struct kp_mpi_asked *asked,
                                const struct kp_mpi_collective *collective,
                                const struct kp_mpi_owned *owned);

/* Forgets all calls, at the rank's end. */
void kp_mpi_collective_forget(struct kp_mpi_rank *self);

/* Starts a persistent collective again. */
int kp_mpi_collective_again(struct kp_mpi_rank *self, struct kp_mpi_request *request);

/* Frees a collective of a request. */
void kp_mpi_collective_free(struct kp_mpi_rank *self, struct kp_mpi_collective *collective);

/* Checks the arguments, and makes kport's from them. Returns MPI_SUCCESS, or the class of an error
 * that is reported; then nothing is to be released. `kp_mpi_release` gives back what it holds. */
int kp_mpi_prepare(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, kp_operation operation,
                   const struct kp_mpi_asked *asked, struct kp_mpi_collective *collective);
void kp_mpi_release(struct kp_mpi_collective *collective);

/* Copy the items of a reduction before the call, and its results after it. */
void kp_mpi_load(const struct kp_mpi_collective *collective);
void kp_mpi_store(const struct kp_mpi_collective *collective);

/* Returns the status of kport's call, or starts it. */
int kp_mpi_carry_out(kp_group *group, const struct kp_mpi_collective *collective);
int kp_mpi_carry_out_later(kp_group *group, const struct kp_mpi_collective *collective,
                           kp_request **request);

/* The same between the two sides of an intercommunicator (between.c): makes a request of messages,
 * which kp_mpi_neighbours_again starts; or does all of it and waits. */
int kp_mpi_between_make(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, kp_operation operation,
                        const struct kp_mpi_asked *asked, struct kp_mpi_request **made);
int kp_mpi_between_now(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, kp_operation operation,
                       const struct kp_mpi_asked *asked);

#endif
