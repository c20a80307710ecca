/* Communicators: the predefined ones, and what every call asks of one. */
#include "lib/mpi/comm.h"

#include <stdlib.h>
#include <string.h>

static struct kp_mpi_comm *predefine(struct kp_mpi_rank *self, kp_group *group, const char *name)
{
    struct kp_mpi_comm *comm = calloc(1, sizeof *comm);
    if (!comm)
        return NULL;
    comm->group = group;
    comm->size = comm->peers = kp_size(group);
    comm->rank = kp_rank(group);
    comm->errhandler = MPI_ERRORS_ARE_FATAL;
    comm->references = 1;
    comm->predefined = true;
    strcpy(comm->name, name);
    comm->handle = kp_mpi_handle_make(&self->tables[KP_MPI_COMM], KP_MPI_COMM, comm);
    return comm;
}

int kp_mpi_comms_begin(struct kp_mpi_rank *self)
{
    kp_group *alone;
    int status = kp_group_create(self->proc, &self->number, 1, &alone);
    if (status)
        return status;
    self->comm_world = predefine(self, kp_world(self->proc), "MPI_COMM_WORLD");
    self->comm_self = predefine(self, alone, "MPI_COMM_SELF");
    if (!self->comm_world || !self->comm_self ||
        (status = kp_group_dup(self->comm_world->group, &self->comm_world->inner)) ||
        (status = kp_group_dup(alone, &self->comm_self->inner)))
        return status ? status : KP_EMEMORY;
    return KP_OK;
}

static void drop(struct kp_mpi_rank *self, struct kp_mpi_comm *comm)
{
    if (comm->inner)
        (void)kp_group_free(comm->inner);
    if (comm->group && comm != self->comm_world)
        (void)kp_group_free(comm->group);
    free(comm->attributes.list);
    free(comm);
}

void kp_mpi_comms_end(struct kp_mpi_rank *self)
{
    if (self->comm_self)
        drop(self, self->comm_self);
    if (self->comm_world)
        drop(self, self->comm_world);
    self->comm_self = self->comm_world = NULL;
}

void kp_mpi_comm_hold(struct kp_mpi_comm *comm)
{
    comm->references++;
}

void kp_mpi_comm_release(struct kp_mpi_rank *self, struct kp_mpi_comm *comm)
{
    if (--comm->references == 0)
        drop(self, comm);
}

struct kp_mpi_comm *kp_mpi_comm_of(struct kp_mpi_rank *self, MPI_Comm handle, int *error)
{
    struct kp_mpi_comm *comm = kp_mpi_find(&self->tables[KP_MPI_COMM], KP_MPI_COMM, handle);
    if (!comm)
        *error = kp_mpi_fail(self, NULL, MPI_ERR_COMM,
                             handle == MPI_COMM_NULL
                                 ? "the communicator is MPI_COMM_NULL"
                                 : "the communicator is not valid: it was freed, or never made");
    return comm;
}

/* --- Functions of MPI --- */

int MPI_Comm_rank(MPI_Comm handle, int *rank)
{
    KP_MPI_ENTER(Comm_rank);
    KP_MPI_COMM_OF(handle);
    *rank = comm->rank;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Comm_rank);

int MPI_Comm_size(MPI_Comm handle, int *size)
{
    KP_MPI_ENTER(Comm_size);
    KP_MPI_COMM_OF(handle);
    *size = comm->size;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Comm_size);
