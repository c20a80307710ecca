/* Persistent collectives. */
#include "lib/mpi/collective.h"
#include "lib/mpi/sized.h"

int KP_MPI_SIZED(Bcast_init)(void *buffer, kp_mpi_count count, MPI_Datatype datatype, int root,
                             MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .in = buffer, .in_count = count, .in_type = datatype, .root = root};
    KP_MPI_SIZED_ENTER(Bcast_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_BROADCAST, &asked, request);
}
KP_MPI_SIZED_NAMES(Bcast_init);

int KP_MPI_SIZED(Gather_init)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                              void *recvbuf, kp_mpi_count recvcount, MPI_Datatype recvtype,
                              int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Gather_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_GATHER, &asked, request);
}
KP_MPI_SIZED_NAMES(Gather_init);

int KP_MPI_SIZED(Scatter_init)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                               void *recvbuf, kp_mpi_count recvcount, MPI_Datatype recvtype,
                               int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Scatter_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_SCATTER, &asked, request);
}
KP_MPI_SIZED_NAMES(Scatter_init);

int KP_MPI_SIZED(Allgather_init)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                                 void *recvbuf, kp_mpi_count recvcount, MPI_Datatype recvtype,
                                 MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype};
    KP_MPI_SIZED_ENTER(Allgather_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_CONCAT, &asked, request);
}
KP_MPI_SIZED_NAMES(Allgather_init);

int KP_MPI_SIZED(Alltoall_init)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                                void *recvbuf, kp_mpi_count recvcount, MPI_Datatype recvtype,
                                MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype};
    KP_MPI_SIZED_ENTER(Alltoall_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_INDEX, &asked, request);
}
KP_MPI_SIZED_NAMES(Alltoall_init);

int KP_MPI_SIZED(Gatherv_init)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                               void *recvbuf, const kp_mpi_count recvcounts[],
                               const kp_mpi_distance displs[], MPI_Datatype recvtype, int root,
                               MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_displacements = KP_MPI_LIST(displs),
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Gatherv_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_GATHERV, &asked, request);
}
KP_MPI_SIZED_NAMES(Gatherv_init);

int KP_MPI_SIZED(Scatterv_init)(const void *sendbuf, const kp_mpi_count sendcounts[],
                                const kp_mpi_distance displs[], MPI_Datatype sendtype,
                                void *recvbuf, kp_mpi_count recvcount, MPI_Datatype recvtype,
                                int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = KP_MPI_LIST(sendcounts),
                                       .out_displacements = KP_MPI_LIST(displs),
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Scatterv_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_SCATTERV, &asked, request);
}
KP_MPI_SIZED_NAMES(Scatterv_init);

int KP_MPI_SIZED(Allgatherv_init)(const void *sendbuf, kp_mpi_count sendcount,
                                  MPI_Datatype sendtype, void *recvbuf,
                                  const kp_mpi_count recvcounts[], const kp_mpi_distance displs[],
                                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                  MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_displacements = KP_MPI_LIST(displs),
                                       .in_type = recvtype};
    KP_MPI_SIZED_ENTER(Allgatherv_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_CONCATV, &asked, request);
}
KP_MPI_SIZED_NAMES(Allgatherv_init);

int KP_MPI_SIZED(Alltoallv_init)(const void *sendbuf, const kp_mpi_count sendcounts[],
                                 const kp_mpi_distance sdispls[], MPI_Datatype sendtype,
                                 void *recvbuf, const kp_mpi_count recvcounts[],
                                 const kp_mpi_distance rdispls[], MPI_Datatype recvtype,
                                 MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = KP_MPI_LIST(sendcounts),
                                       .out_displacements = KP_MPI_LIST(sdispls),
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_displacements = KP_MPI_LIST(rdispls),
                                       .in_type = recvtype};
    KP_MPI_SIZED_ENTER(Alltoallv_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_INDEXV, &asked, request);
}
KP_MPI_SIZED_NAMES(Alltoallv_init);

int KP_MPI_SIZED(Alltoallw_init)(const void *sendbuf, const kp_mpi_count sendcounts[],
                                 const kp_mpi_distance sdispls[], const MPI_Datatype sendtypes[],
                                 void *recvbuf, const kp_mpi_count recvcounts[],
                                 const kp_mpi_distance rdispls[], const MPI_Datatype recvtypes[],
                                 MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = KP_MPI_LIST(sendcounts),
                                       .out_displacements = KP_MPI_LIST(sdispls),
                                       .out_types = sendtypes,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_displacements = KP_MPI_LIST(rdispls),
                                       .in_types = recvtypes};
    KP_MPI_SIZED_ENTER(Alltoallw_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_INDEXV, &asked, request);
}
KP_MPI_SIZED_NAMES(Alltoallw_init);

int KP_MPI_SIZED(Reduce_init)(const void *sendbuf, void *recvbuf, kp_mpi_count count,
                              MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                              MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .in = recvbuf,
                                       .in_count = count,
                                       .in_type = datatype,
                                       .op = op,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Reduce_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_REDUCE, &asked, request);
}
KP_MPI_SIZED_NAMES(Reduce_init);

int KP_MPI_SIZED(Allreduce_init)(const void *sendbuf, void *recvbuf, kp_mpi_count count,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_SIZED_ENTER(Allreduce_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_ALLREDUCE, &asked, request);
}
KP_MPI_SIZED_NAMES(Allreduce_init);

int KP_MPI_SIZED(Scan_init)(const void *sendbuf, void *recvbuf, kp_mpi_count count,
                            MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                            MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_SIZED_ENTER(Scan_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_SCAN, &asked, request);
}
KP_MPI_SIZED_NAMES(Scan_init);

int KP_MPI_SIZED(Exscan_init)(const void *sendbuf, void *recvbuf, kp_mpi_count count,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                              MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_SIZED_ENTER(Exscan_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_SCAN_EXCLUSIVE, &asked, request);
}
KP_MPI_SIZED_NAMES(Exscan_init);

int KP_MPI_SIZED(Reduce_scatter_block_init)(const void *sendbuf, void *recvbuf,
                                            kp_mpi_count recvcount, MPI_Datatype datatype,
                                            MPI_Op op, MPI_Comm comm, MPI_Info info,
                                            MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = recvcount, .in_type = datatype, .op = op};
    KP_MPI_SIZED_ENTER(Reduce_scatter_block_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_REDUCE_SCATTER, &asked, request);
}
KP_MPI_SIZED_NAMES(Reduce_scatter_block_init);

int KP_MPI_SIZED(Reduce_scatter_init)(const void *sendbuf, void *recvbuf,
                                      const kp_mpi_count recvcounts[], MPI_Datatype datatype,
                                      MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_type = datatype,
                                       .op = op};
    KP_MPI_SIZED_ENTER(Reduce_scatter_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_REDUCE_SCATTERV, &asked, request);
}
KP_MPI_SIZED_NAMES(Reduce_scatter_init);
