/* Persistent collectives. */
#include "lib/mpi/collective.h"

int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    KP_MPI_ENTER(Barrier_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_MPI_BARRIER, NULL, request);
}
KP_MPI_NAMES(Barrier_init);

int MPI_Bcast_init(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                   MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .in = buffer, .in_count = count, .in_type = datatype, .root = root};
    KP_MPI_ENTER(Bcast_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_BROADCAST, &asked, request);
}
KP_MPI_NAMES(Bcast_init);

int MPI_Gather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                    MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_ENTER(Gather_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_GATHER, &asked, request);
}
KP_MPI_NAMES(Gather_init);

int MPI_Scatter_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                     int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                     MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_ENTER(Scatter_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_SCATTER, &asked, request);
}
KP_MPI_NAMES(Scatter_init);

int MPI_Allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                       int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                       MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype};
    KP_MPI_ENTER(Allgather_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_CONCAT, &asked, request);
}
KP_MPI_NAMES(Allgather_init);

int MPI_Alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                      int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                      MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype};
    KP_MPI_ENTER(Alltoall_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_INDEX, &asked, request);
}
KP_MPI_NAMES(Alltoall_init);

int MPI_Gatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                     const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                     MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = recvcounts,
                                       .in_displacements = displs,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_ENTER(Gatherv_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_GATHERV, &asked, request);
}
KP_MPI_NAMES(Gatherv_init);

int MPI_Scatterv_init(const void *sendbuf, const int sendcounts[], const int displs[],
                      MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                      int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = sendcounts,
                                       .out_displacements = displs,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_ENTER(Scatterv_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_SCATTERV, &asked, request);
}
KP_MPI_NAMES(Scatterv_init);

int MPI_Allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                        const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                        MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = recvcounts,
                                       .in_displacements = displs,
                                       .in_type = recvtype};
    KP_MPI_ENTER(Allgatherv_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_CONCATV, &asked, request);
}
KP_MPI_NAMES(Allgatherv_init);

int MPI_Alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                       MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                       const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                       MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = sendcounts,
                                       .out_displacements = sdispls,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = recvcounts,
                                       .in_displacements = rdispls,
                                       .in_type = recvtype};
    KP_MPI_ENTER(Alltoallv_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_INDEXV, &asked, request);
}
KP_MPI_NAMES(Alltoallv_init);

int MPI_Alltoallw_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                       const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                       const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                       MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = sendcounts,
                                       .out_displacements = sdispls,
                                       .out_types = sendtypes,
                                       .in = recvbuf,
                                       .in_counts = recvcounts,
                                       .in_displacements = rdispls,
                                       .in_types = recvtypes};
    KP_MPI_ENTER(Alltoallw_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_INDEXV, &asked, request);
}
KP_MPI_NAMES(Alltoallw_init);

int MPI_Reduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .in = recvbuf,
                                       .in_count = count,
                                       .in_type = datatype,
                                       .op = op,
                                       .root = root};
    KP_MPI_ENTER(Reduce_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_REDUCE, &asked, request);
}
KP_MPI_NAMES(Reduce_init);

int MPI_Allreduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                       MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Allreduce_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_ALLREDUCE, &asked, request);
}
KP_MPI_NAMES(Allreduce_init);

int MPI_Scan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Scan_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_SCAN, &asked, request);
}
KP_MPI_NAMES(Scan_init);

int MPI_Exscan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Exscan_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_SCAN_EXCLUSIVE, &asked, request);
}
KP_MPI_NAMES(Exscan_init);

int MPI_Reduce_scatter_block_init(const void *sendbuf, void *recvbuf, int recvcount,
                                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                  MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = recvcount, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Reduce_scatter_block_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_REDUCE_SCATTER, &asked, request);
}
KP_MPI_NAMES(Reduce_scatter_block_init);

int MPI_Reduce_scatter_init(const void *sendbuf, void *recvbuf, const int recvcounts[],
                            MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                            MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_counts = recvcounts, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Reduce_scatter_init);
    (void)info;
    return kp_mpi_collective_keep(self, comm, KP_REDUCE_SCATTERV, &asked, request);
}
KP_MPI_NAMES(Reduce_scatter_init);
