/* Communicators: the predefined ones, and what every call asks of one. */
#include "lib/mpi/comm.h"

#include "lib/call/face.h"
#include "lib/mpi/errhandler.h"
#include "lib/mpi/info.h"
#include "lib/mpi/topology.h"

#include <stdlib.h>
#include <string.h>

/* --- Groups of kport --- */

/* The same list of processors gives the same group of kport. So each communicator has a copy, which
 * the members make in their common order; the group that is copied is kept to the end of the rank,
 * because the order counts from its beginning. */
struct kp_mpi_bases {
    struct kp_mpi_bases *next;
    kp_group *group;
    uint64_t hash;
    int count;
    int numbers[];
};

static uint64_t hash_of(const int *numbers, int count)
{
    uint64_t hash = (uint64_t)count;
    for (int i = 0; i < count; i++)
        hash = (hash ^ (uint64_t)numbers[i]) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 31);
    return hash;
}

static int base_of(struct kp_mpi_rank *self, const int *numbers, int count, kp_group **group)
{
    const uint64_t hash = hash_of(numbers, count);
    const size_t bytes = (size_t)count * sizeof *numbers;
    struct kp_mpi_bases *base = self->bases;
    while (base && (base->hash != hash || base->count != count ||
                    memcmp(base->numbers, numbers, bytes) != 0))
        base = base->next;
    if (base) {
        *group = base->group;
        return KP_OK;
    }
    base = malloc(sizeof *base + bytes);
    if (!base)
        return KP_EMEMORY;
    kp_mpi_again(self);
    const int status = kp_group_create(self->proc, numbers, count, group);
    if (status) {
        free(base);
        return status;
    }
    *base = (struct kp_mpi_bases){self->bases, *group, hash, count};
    memcpy(base->numbers, numbers, bytes);
    self->bases = base;
    return KP_OK;
}

/* Makes a communicator of this group, which becomes its own. */
static struct kp_mpi_comm *wrap(struct kp_mpi_rank *self, kp_group *group)
{
    struct kp_mpi_comm *comm = calloc(1, sizeof *comm);
    if (!comm)
        return NULL;
    comm->group = group;
    comm->size = comm->peers = kp_size(group);
    comm->rank = kp_rank(group);
    comm->errhandler = MPI_ERRORS_ARE_FATAL;
    comm->references = 1;
    comm->made = self->call;
    comm->handle = kp_mpi_handle_make(&self->tables[KP_MPI_COMM], KP_MPI_COMM, comm);
    if (comm->handle && !kp_group_dup(group, &comm->inner))
        return comm;
    if (comm->handle)
        kp_mpi_handle_forget(&self->tables[KP_MPI_COMM], comm->handle);
    free(comm);
    return NULL;
}

int kp_mpi_comm_begin(struct kp_mpi_rank *self, struct kp_mpi_comm *parent, kp_group *group,
                      struct kp_mpi_comm **made)
{
    kp_group *copy;
    kp_mpi_again(self);
    const int status = kp_group_dup(group, &copy);
    if (status)
        return kp_mpi_fail_by(self, parent, status);
    *made = wrap(self, copy);
    if (!*made) {
        (void)kp_group_free(copy);
        return kp_mpi_fail(self, parent, MPI_ERR_NO_MEM, "no memory for a communicator");
    }
    (*made)->errhandler = parent->errhandler;
    kp_mpi_errhandler_hold(self, parent->errhandler);
    return MPI_SUCCESS;
}

int kp_mpi_comm_make_of(struct kp_mpi_rank *self, struct kp_mpi_comm *parent, kp_group *group,
                        struct kp_mpi_comm **made)
{
    const int error = kp_mpi_comm_begin(self, parent, group, made);
    if (error)
        return error;
    /* A member that has sent and freed its handle before another one has made its own would take
     * the message along. */
    kp_mpi_again(self);
    const int met = kp_barrier((*made)->inner);
    return met ? kp_mpi_fail_by(self, *made, met) : MPI_SUCCESS;
}

int kp_mpi_comm_make(struct kp_mpi_rank *self, struct kp_mpi_comm *parent, const int *numbers,
                     int count, struct kp_mpi_comm **made)
{
    kp_group *group;
    const int status = base_of(self, numbers, count, &group);
    return status ? kp_mpi_fail_by(self, parent, status)
                  : kp_mpi_comm_make_of(self, parent, group, made);
}

int kp_mpi_comm_end_call(struct kp_mpi_rank *self, struct kp_mpi_comm *comm)
{
    const int status = comm->group ? kp_face_come_back(comm->group) : KP_OK;
    return status ? kp_mpi_fail_by(self, comm, status) : MPI_SUCCESS;
}

/* --- The predefined communicators --- */

int kp_mpi_comms_begin(struct kp_mpi_rank *self)
{
    kp_group *alone;
    int status = kp_group_create(self->proc, &self->number, 1, &alone);
    if (status)
        return status;
    self->comm_world = wrap(self, kp_world(self->proc));
    self->comm_self = self->comm_world ? wrap(self, alone) : NULL;
    if (!self->comm_self)
        return KP_EMEMORY;
    self->comm_world->predefined = self->comm_self->predefined = true;
    strcpy(self->comm_world->name, "MPI_COMM_WORLD");
    strcpy(self->comm_self->name, "MPI_COMM_SELF");
    return KP_OK;
}

void kp_mpi_comm_drop(struct kp_mpi_rank *self, struct kp_mpi_comm *comm)
{
    kp_mpi_topology_free(comm->topology);
    kp_mpi_info_drop(self, comm->info);
    free(comm->attributes.list);
    kp_mpi_errhandler_release(self, comm->errhandler);
    if (comm->local)
        (void)kp_group_free(comm->local);
    if (comm->inner)
        (void)kp_group_free(comm->inner);
    for (int i = 0; i < KP_MPI_KEEPERS; i++) {
        if (comm->keepers[i])
            (void)kp_group_free(comm->keepers[i]);
    }
    if (comm->group && !comm->predefined)
        kp_mpi_tell_unreceived_in(self, comm);
    if (comm->group && comm != self->comm_world)
        (void)kp_group_free(comm->group);
    free(comm);
}

void kp_mpi_comms_end(struct kp_mpi_rank *self)
{
    const struct kp_mpi_table *table = &self->tables[KP_MPI_COMM];
    struct kp_mpi_bases *base, *next;
    for (uint32_t i = 0; i < table->used; i++) {
        if (table->slots[i].object)
            kp_mpi_comm_drop(self, table->slots[i].object);
    }
    for (base = self->bases; base; base = next) {
        next = base->next;
        (void)kp_group_free(base->group);
        free(base);
    }
    self->bases = NULL;
    self->comm_self = self->comm_world = NULL;
}

int kp_mpi_comm_refuse(struct kp_mpi_rank *self, MPI_Comm handle)
{
    const char *what =
        handle == MPI_COMM_NULL ? "the communicator is MPI_COMM_NULL"
        : kp_mpi_handle_is_empty(&self->tables[KP_MPI_COMM], KP_MPI_COMM, handle)
            ? "the communicator may not be used before the request that makes it has ended"
            : "the communicator is not valid: it was freed, or never made";
    return kp_mpi_fail(self, NULL, MPI_ERR_COMM, "%s", what);
}

int kp_mpi_check_intra(struct kp_mpi_rank *self, struct kp_mpi_comm *comm)
{
    return comm->inter ? kp_mpi_fail(self, comm, MPI_ERR_COMM,
                                     "the communicator is an intercommunicator; the function takes "
                                     "an intracommunicator")
                       : MPI_SUCCESS;
}

/* --- What members tell each other --- */

/* What each member tells first: its call, and what must agree. */
struct told {
    struct kp_mpi_place call;
    uint64_t same;
};

static int compare(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const struct told *all)
{
    const struct told first = all[0];
    char here[200], there[200];
    for (int i = 1; i < comm->size; i++) {
        const struct told other = all[i];
        const bool differ = strcmp(other.call.function, first.call.function) != 0;
        if (!differ && other.same == first.same)
            continue;
        kp_mpi_say_place(&first.call, here, sizeof here);
        kp_mpi_say_place(&other.call, there, sizeof there);
        return kp_mpi_fail(self, comm, MPI_ERR_NOT_SAME,
                           "the ranks of the communicator have made calls that differ%s: rank 0 "
                           "%s%s, rank %d %s%s",
                           differ ? "" : " in an argument that must agree", first.call.function,
                           here, i, other.call.function, there);
    }
    return MPI_SUCCESS;
}

int kp_mpi_share(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, uint64_t same,
                 const void *mine, void *all, size_t bytes)
{
    kp_group *group = comm->local ? comm->local : comm->group;
    const struct told own = {self->call, same};
    struct told *calls = malloc((size_t)comm->size * sizeof *calls);
    if (!calls)
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory to compare calls");
    comm->calls++;
    kp_mpi_again(self);
    int status = kp_concat(group, &own, calls, sizeof own, NULL);
    const int error = status ? MPI_SUCCESS : compare(self, comm, calls);
    free(calls);
    if (status || error || bytes == 0)
        return status ? kp_mpi_fail_by(self, comm, status) : error;
    kp_mpi_again(self);
    status = kp_concat(group, mine, all, bytes, NULL);
    return status ? kp_mpi_fail_by(self, comm, status) : MPI_SUCCESS;
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
