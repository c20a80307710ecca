/* The three forms of a collective. */
#include "lib/mpi/collective.h"
#include "lib/mpi/neighbours.h"

#include <stdlib.h>

int kp_mpi_carry_out(kp_group *group, const struct kp_mpi_collective *c)
{
    const kp_arguments *a = &c->arguments;
    switch (c->operation) {
    case KP_INDEX:
        return kp_index_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_count,
                               a->in_layout, NULL);
    case KP_CONCAT:
        return kp_concat_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_count,
                                a->in_layout, NULL);
    case KP_BROADCAST:
        return kp_broadcast_layout(group, a->in, a->in_count, a->in_layout, a->root, NULL);
    case KP_SCATTER:
        return kp_scatter_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_count,
                                 a->in_layout, a->root, NULL);
    case KP_GATHER:
        return kp_gather_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_count,
                                a->in_layout, a->root, NULL);
    case KP_INDEXV:
        if (a->in_layouts)
            return kp_indexw(group, a->out, a->out_counts, a->out_displacements, a->out_layouts,
                             a->in, a->in_counts, a->in_displacements, a->in_layouts, NULL);
        return kp_indexv_layout(group, a->out, a->out_counts, a->out_displacements, a->out_layout,
                                a->in, a->in_counts, a->in_displacements, a->in_layout, NULL);
    case KP_CONCATV:
        return kp_concatv_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_counts,
                                 a->in_displacements, a->in_layout, NULL);
    case KP_SCATTERV:
        return kp_scatterv_layout(group, a->out, a->out_counts, a->out_displacements, a->out_layout,
                                  a->in, a->in_count, a->in_layout, a->root, NULL);
    case KP_GATHERV:
        return kp_gatherv_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_counts,
                                 a->in_displacements, a->in_layout, a->root, NULL);
    case KP_REDUCE:
        return kp_reduce(group, a->out, a->in, a->count, a->type, a->op, a->root, NULL);
    case KP_ALLREDUCE:
        return kp_allreduce(group, a->out, a->in, a->count, a->type, a->op, NULL);
    case KP_REDUCE_SCATTER:
        return kp_reduce_scatter(group, a->out, a->in, a->count, a->type, a->op, NULL);
    case KP_REDUCE_SCATTERV:
        return kp_reduce_scatterv(group, a->out, a->in, a->out_counts, a->type, a->op, NULL);
    case KP_SCAN:
        return kp_scan(group, a->out, a->in, a->count, a->type, a->op, NULL);
    case KP_SCAN_EXCLUSIVE:
        return kp_scan_exclusive(group, a->out, a->in, a->count, a->type, a->op, NULL);
    default:
        return kp_barrier(group);
    }
}

int kp_mpi_carry_out_later(kp_group *group, const struct kp_mpi_collective *c, kp_request **request)
{
    if (c->operation == KP_MPI_BARRIER)
        return kp_barrier_start(group, request);
    return kp_call_start(group, &c->arguments, request);
}

int kp_mpi_collective_now(struct kp_mpi_rank *self, MPI_Comm handle, kp_operation operation,
                          const struct kp_mpi_asked *asked)
{
    struct kp_mpi_collective collective;
    KP_MPI_COMM_OF(handle);
    if (comm->inter)
        return kp_mpi_between_now(self, comm, operation, asked);
    const int error = kp_mpi_prepare(self, comm, operation, asked, &collective);
    if (error)
        return error;
    kp_mpi_load(&collective);
    const int status = kp_mpi_carry_out(comm->group, &collective);
    if (!status)
        kp_mpi_store(&collective);
    kp_mpi_release(&collective);
    return status ? kp_mpi_fail_by(self, comm, status) : MPI_SUCCESS;
}

static int store(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    (void)self;
    kp_mpi_store(request->collective);
    return MPI_SUCCESS;
}

static size_t bytes_of(const struct kp_mpi_type *type, MPI_Count count, int blocks)
{
    return type && type->dense ? type->size * (size_t)count * (size_t)blocks : 0;
}

/* Says what the request reads and writes, if its blocks have one length. */
static void own(const struct kp_mpi_comm *comm, const struct kp_mpi_asked *asked,
                struct kp_mpi_request *request)
{
    const struct kp_mpi_collective *c = request->collective;
    const kp_operation operation = c->operation;
    const bool all_out = operation == KP_INDEX || operation == KP_SCATTER;
    const bool all_in = operation == KP_INDEX || operation == KP_CONCAT || operation == KP_GATHER;
    const struct kp_mpi_type *either = c->in_type ? c->in_type : c->out_type;
    if (operation == KP_MPI_BARRIER || asked->out_counts.values || asked->in_counts.values ||
        asked->in_types)
        return;
    struct kp_mpi_span out = {asked->out, 0}, in = {asked->in, 0};
    if (c->reduces) {
        out.bytes =
            bytes_of(either, asked->in_count, operation == KP_REDUCE_SCATTER ? comm->size : 1);
        in.bytes = bytes_of(either, asked->in_count, 1);
    } else {
        out.bytes = bytes_of(c->out_type, asked->out_count, all_out ? comm->size : 1);
        in.bytes = bytes_of(c->in_type, asked->in_count, all_in ? comm->size : 1);
    }
    if (!c->arguments.out || !asked->out || asked->out == MPI_IN_PLACE)
        out.bytes = 0;
    if (!c->arguments.in || !asked->in || asked->in == MPI_IN_PLACE)
        in.bytes = 0;
    const bool sends = operation == KP_BROADCAST && asked->root == comm->rank;
    request->owned.read = sends ? in : out;
    request->owned.written = sends ? (struct kp_mpi_span){0} : in;
}

/* Makes the request of a collective, which has the collective's arguments. */
static int make(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, kp_operation operation,
                const struct kp_mpi_asked *asked, struct kp_mpi_request **made)
{
    if (comm->inter)
        return kp_mpi_between_make(self, comm, operation, asked, made);
    struct kp_mpi_collective *collective = malloc(sizeof *collective);
    if (!collective)
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a request");
    const int error = kp_mpi_prepare(self, comm, operation, asked, collective);
    if (error) {
        free(collective);
        return error;
    }
    struct kp_mpi_request *request = *made = kp_mpi_request_make(self, comm, 1);
    if (!request) {
        kp_mpi_collective_free(self, collective);
        return MPI_ERR_NO_MEM;
    }
    request->collective = collective;
    own(comm, asked, request);
    request->ended = store;
    return MPI_SUCCESS;
}

int kp_mpi_collective_again(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    struct kp_mpi_part *part = &request->first;
    if (request->neighbours)
        return kp_mpi_neighbours_again(self, request);
    *part = (struct kp_mpi_part){0};
    kp_mpi_owned_begin(self, request);
    kp_mpi_load(request->collective);
    const int status =
        kp_mpi_carry_out_later(request->comm->group, request->collective, &part->request);
    if (status)
        return kp_mpi_fail_by(self, request->comm, status);
    request->active = true;
    return MPI_SUCCESS;
}

int kp_mpi_collective_later(struct kp_mpi_rank *self, MPI_Comm handle, kp_operation operation,
                            const struct kp_mpi_asked *asked, MPI_Request *made)
{
    struct kp_mpi_request *request = NULL;
    KP_MPI_COMM_OF(handle);
    int error = make(self, comm, operation, asked, &request);
    if (error)
        return error;
    error = kp_mpi_collective_again(self, request);
    if (error)
        kp_mpi_request_free(self, request);
    *made = error ? MPI_REQUEST_NULL : request->handle;
    return error;
}

int kp_mpi_collective_keep(struct kp_mpi_rank *self, MPI_Comm handle, kp_operation operation,
                           const struct kp_mpi_asked *asked, MPI_Request *made)
{
    struct kp_mpi_request *request = NULL;
    KP_MPI_COMM_OF(handle);
    const int error = make(self, comm, operation, asked, &request);
    if (error)
        return error;
    request->persistent = true;
    *made = request->handle;
    return MPI_SUCCESS;
}

void kp_mpi_collective_free(struct kp_mpi_rank *self, struct kp_mpi_collective *collective)
{
    (void)self;
    kp_mpi_release(collective);
    free(collective);
}
