/* Collectives among neighbours in a topology: a message to each target, and one from each source.
 */
#include "lib/mpi/request.h"
#include "lib/mpi/topology.h"

#include <stdlib.h>
#include <string.h>

#define TAG 1000 /* of the library's own messages between neighbours */

/* The arguments of a call. Displacements are in extents, or in bytes with types for each block. */
struct asked {
    const void *out;
    int out_count;
    const int *out_counts, *out_displacements;
    MPI_Datatype out_type;
    void *in;
    int in_count;
    const int *in_counts, *in_displacements;
    MPI_Datatype in_type;
    const MPI_Aint *out_bytes, *in_bytes;
    const MPI_Datatype *out_types, *in_types;
    bool same; /* every target gets the same block */
};

/* The messages of a request, for each time that it is started. */
struct messages {
    int count;
    struct kp_mpi_message_args list[];
};

static int check_topology(struct kp_mpi_rank *self, struct kp_mpi_comm *comm)
{
    return comm->topology ? MPI_SUCCESS : kp_mpi_no_topology(self, comm, "topology");
}

/* In a grid, what goes up in a dimension comes from below. Two neighbours may be the same rank. */
static int tag_of(const struct kp_mpi_topology *topology, int i, bool receives)
{
    if (topology->kind != MPI_CART)
        return TAG;
    return TAG + (receives ? i : i ^ 1);
}

static int check(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const struct asked *asked,
                 int i, bool receives, struct kp_mpi_message_args *args)
{
    const struct kp_mpi_topology *topology = comm->topology;
    const MPI_Datatype *types = receives ? asked->in_types : asked->out_types;
    const MPI_Datatype handle = types ? types[i] : receives ? asked->in_type : asked->out_type;
    const int *counts = receives ? asked->in_counts : asked->out_counts;
    const int count = counts ? counts[i] : receives ? asked->in_count : asked->out_count;
    const int *apart = receives ? asked->in_displacements : asked->out_displacements;
    const MPI_Aint *bytes = receives ? asked->in_bytes : asked->out_bytes;
    const void *buffer = receives ? asked->in : asked->out;
    const int error = kp_mpi_check_data(self, comm, buffer, count, handle, &args->type);
    if (error)
        return error;
    ptrdiff_t begin = (ptrdiff_t)i * count * args->type->extent;
    if (apart)
        begin = apart[i] * args->type->extent;
    if (bytes)
        begin = bytes[i];
    if (!receives && asked->same)
        begin = 0;
    args->receives = receives;
    args->mode = KP_MPI_STANDARD;
    args->buffer = (char *)(uintptr_t)buffer + begin;
    args->count = (size_t)count;
    args->peer = receives ? topology->sources[i] : topology->targets[i];
    args->tag = tag_of(topology, i, receives);
    return MPI_SUCCESS;
}

static int start(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    const struct messages *messages = request->data;
    int error = MPI_SUCCESS;
    request->active = true;
    for (int i = 0; i < messages->count; i++) {
        struct kp_mpi_part *part = kp_mpi_part(request, i);
        kp_mpi_again(self);
        part->status = kp_mpi_part_start(self, request->comm, request->comm->inner,
                                         &messages->list[i], part, false);
        if (part->status)
            error = kp_mpi_part_end(self, request->comm, part);
    }
    return error;
}

/* Makes a request that is not started yet. The receives come first. */
static int make(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const struct asked *asked,
                struct kp_mpi_request **made)
{
    int error = check_topology(self, comm);
    if (error)
        return error;
    const int ins = comm->topology->source_count, outs = comm->topology->target_count;
    const size_t count = (size_t)ins + (size_t)outs;
    struct messages *messages = malloc(sizeof *messages + count * sizeof messages->list[0]);
    if (!messages)
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a request");
    messages->count = (int)count;
    for (int i = 0; i < ins && !error; i++)
        error = check(self, comm, asked, i, true, &messages->list[i]);
    for (int i = 0; i < outs && !error; i++)
        error = check(self, comm, asked, i, false, &messages->list[ins + i]);
    struct kp_mpi_request *request =
        error ? NULL : kp_mpi_request_make(self, comm, count > 0 ? (int)count : 1);
    if (!request) {
        free(messages);
        return error ? error : MPI_ERR_NO_MEM;
    }
    request->data = messages;
    request->restart = start;
    *made = request;
    return MPI_SUCCESS;
}

enum form {
    NOW,
    LATER,
    KEPT
};

static int carry_out(struct kp_mpi_rank *self, MPI_Comm handle, const struct asked *asked,
                     enum form form, MPI_Request *given)
{
    struct kp_mpi_request *request = NULL;
    KP_MPI_COMM_OF(handle);
    int error = make(self, comm, asked, &request);
    if (error)
        return error;
    request->persistent = form == KEPT;
    if (given)
        *given = request->handle;
    if (form != KEPT)
        error = start(self, request);
    if (form != NOW)
        return error;
    kp_mpi_request_await(self, request);
    return kp_mpi_request_end(self, request, NULL, NULL);
}

int MPI_Neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct asked asked = {.out = sendbuf,
                                .out_count = sendcount,
                                .out_type = sendtype,
                                .in = recvbuf,
                                .in_count = recvcount,
                                .in_type = recvtype,
                                .same = true};
    KP_MPI_ENTER(Neighbor_allgather);
    return carry_out(self, comm, &asked, NOW, NULL);
}
KP_MPI_NAMES(Neighbor_allgather);

int MPI_Neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                            void *recvbuf, const int recvcounts[], const int displs[],
                            MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct asked asked = {.out = sendbuf,
                                .out_count = sendcount,
                                .out_type = sendtype,
                                .in = recvbuf,
                                .in_counts = recvcounts,
                                .in_displacements = displs,
                                .in_type = recvtype,
                                .same = true};
    KP_MPI_ENTER(Neighbor_allgatherv);
    return carry_out(self, comm, &asked, NOW, NULL);
}
KP_MPI_NAMES(Neighbor_allgatherv);

int MPI_Neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                          int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct asked asked = {.out = sendbuf,
                                .out_count = sendcount,
                                .out_type = sendtype,
                                .in = recvbuf,
                                .in_count = recvcount,
                                .in_type = recvtype};
    KP_MPI_ENTER(Neighbor_alltoall);
    return carry_out(self, comm, &asked, NOW, NULL);
}
KP_MPI_NAMES(Neighbor_alltoall);

int MPI_Neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                           MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                           const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct asked asked = {.out = sendbuf,
                                .out_counts = sendcounts,
                                .out_displacements = sdispls,
                                .out_type = sendtype,
                                .in = recvbuf,
                                .in_counts = recvcounts,
                                .in_displacements = rdispls,
                                .in_type = recvtype};
    KP_MPI_ENTER(Neighbor_alltoallv);
    return carry_out(self, comm, &asked, NOW, NULL);
}
KP_MPI_NAMES(Neighbor_alltoallv);

int MPI_Neighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                           const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                           const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    const struct asked asked = {.out = sendbuf,
                                .out_counts = sendcounts,
                                .out_bytes = sdispls,
                                .out_types = sendtypes,
                                .in = recvbuf,
                                .in_counts = recvcounts,
                                .in_bytes = rdispls,
                                .in_types = recvtypes};
    KP_MPI_ENTER(Neighbor_alltoallw);
    return carry_out(self, comm, &asked, NOW, NULL);
}
KP_MPI_NAMES(Neighbor_alltoallw);

int MPI_Ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                            void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                            MPI_Request *request)
{
    const struct asked asked = {.out = sendbuf,
                                .out_count = sendcount,
                                .out_type = sendtype,
                                .in = recvbuf,
                                .in_count = recvcount,
                                .in_type = recvtype,
                                .same = true};
    KP_MPI_ENTER(Ineighbor_allgather);
    return carry_out(self, comm, &asked, LATER, request);
}
KP_MPI_NAMES(Ineighbor_allgather);

int MPI_Ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                             void *recvbuf, const int recvcounts[], const int displs[],
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    const struct asked asked = {.out = sendbuf,
                                .out_count = sendcount,
                                .out_type = sendtype,
                                .in = recvbuf,
                                .in_counts = recvcounts,
                                .in_displacements = displs,
                                .in_type = recvtype,
                                .same = true};
    KP_MPI_ENTER(Ineighbor_allgatherv);
    return carry_out(self, comm, &asked, LATER, request);
}
KP_MPI_NAMES(Ineighbor_allgatherv);

int MPI_Ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                           MPI_Request *request)
{
    const struct asked asked = {.out = sendbuf,
                                .out_count = sendcount,
                                .out_type = sendtype,
                                .in = recvbuf,
                                .in_count = recvcount,
                                .in_type = recvtype};
    KP_MPI_ENTER(Ineighbor_alltoall);
    return carry_out(self, comm, &asked, LATER, request);
}
KP_MPI_NAMES(Ineighbor_alltoall);

int MPI_Ineighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                            const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                            MPI_Request *request)
{
    const struct asked asked = {.out = sendbuf,
                                .out_counts = sendcounts,
                                .out_displacements = sdispls,
                                .out_type = sendtype,
                                .in = recvbuf,
                                .in_counts = recvcounts,
                                .in_displacements = rdispls,
                                .in_type = recvtype};
    KP_MPI_ENTER(Ineighbor_alltoallv);
    return carry_out(self, comm, &asked, LATER, request);
}
KP_MPI_NAMES(Ineighbor_alltoallv);

int MPI_Ineighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                            MPI_Request *request)
{
    const struct asked asked = {.out = sendbuf,
                                .out_counts = sendcounts,
                                .out_bytes = sdispls,
                                .out_types = sendtypes,
                                .in = recvbuf,
                                .in_counts = recvcounts,
                                .in_bytes = rdispls,
                                .in_types = recvtypes};
    KP_MPI_ENTER(Ineighbor_alltoallw);
    return carry_out(self, comm, &asked, LATER, request);
}
KP_MPI_NAMES(Ineighbor_alltoallw);

int MPI_Neighbor_allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                MPI_Info info, MPI_Request *request)
{
    const struct asked asked = {.out = sendbuf,
                                .out_count = sendcount,
                                .out_type = sendtype,
                                .in = recvbuf,
                                .in_count = recvcount,
                                .in_type = recvtype,
                                .same = true};
    KP_MPI_ENTER(Neighbor_allgather_init);
    (void)info;
    return carry_out(self, comm, &asked, KEPT, request);
}
KP_MPI_NAMES(Neighbor_allgather_init);

int MPI_Neighbor_allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void *recvbuf, const int recvcounts[], const int displs[],
                                 MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request)
{
    const struct asked asked = {.out = sendbuf,
                                .out_count = sendcount,
                                .out_type = sendtype,
                                .in = recvbuf,
                                .in_counts = recvcounts,
                                .in_displacements = displs,
                                .in_type = recvtype,
                                .same = true};
    KP_MPI_ENTER(Neighbor_allgatherv_init);
    (void)info;
    return carry_out(self, comm, &asked, KEPT, request);
}
KP_MPI_NAMES(Neighbor_allgatherv_init);

int MPI_Neighbor_alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                               void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                               MPI_Info info, MPI_Request *request)
{
    const struct asked asked = {.out = sendbuf,
                                .out_count = sendcount,
                                .out_type = sendtype,
                                .in = recvbuf,
                                .in_count = recvcount,
                                .in_type = recvtype};
    KP_MPI_ENTER(Neighbor_alltoall_init);
    (void)info;
    return carry_out(self, comm, &asked, KEPT, request);
}
KP_MPI_NAMES(Neighbor_alltoall_init);

int MPI_Neighbor_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                MPI_Info info, MPI_Request *request)
{
    const struct asked asked = {.out = sendbuf,
                                .out_counts = sendcounts,
                                .out_displacements = sdispls,
                                .out_type = sendtype,
                                .in = recvbuf,
                                .in_counts = recvcounts,
                                .in_displacements = rdispls,
                                .in_type = recvtype};
    KP_MPI_ENTER(Neighbor_alltoallv_init);
    (void)info;
    return carry_out(self, comm, &asked, KEPT, request);
}
KP_MPI_NAMES(Neighbor_alltoallv_init);

int MPI_Neighbor_alltoallw_init(const void *sendbuf, const int sendcounts[],
                                const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                MPI_Request *request)
{
    const struct asked asked = {.out = sendbuf,
                                .out_counts = sendcounts,
                                .out_bytes = sdispls,
                                .out_types = sendtypes,
                                .in = recvbuf,
                                .in_counts = recvcounts,
                                .in_bytes = rdispls,
                                .in_types = recvtypes};
    KP_MPI_ENTER(Neighbor_alltoallw_init);
    (void)info;
    return carry_out(self, comm, &asked, KEPT, request);
}
KP_MPI_NAMES(Neighbor_alltoallw_init);
