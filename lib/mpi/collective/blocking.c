/* Collectives that wait. */
#include "lib/mpi/collective.h"

int MPI_Barrier(MPI_Comm comm)
{
    KP_MPI_ENTER(Barrier);
    return kp_mpi_collective_now(self, comm, KP_MPI_BARRIER, NULL);
}
KP_MPI_NAMES(Barrier);

int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {
        .in = buffer, .in_count = count, .in_type = datatype, .root = root};
    KP_MPI_ENTER(Bcast);
    return kp_mpi_collective_now(self, comm, KP_BROADCAST, &asked);
}
KP_MPI_NAMES(Bcast);

int MPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_ENTER(Gather);
    return kp_mpi_collective_now(self, comm, KP_GATHER, &asked);
}
KP_MPI_NAMES(Gather);

int MPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_ENTER(Scatter);
    return kp_mpi_collective_now(self, comm, KP_SCATTER, &asked);
}
KP_MPI_NAMES(Scatter);

int MPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype};
    KP_MPI_ENTER(Allgather);
    return kp_mpi_collective_now(self, comm, KP_CONCAT, &asked);
}
KP_MPI_NAMES(Allgather);

int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype};
    KP_MPI_ENTER(Alltoall);
    return kp_mpi_collective_now(self, comm, KP_INDEX, &asked);
}
KP_MPI_NAMES(Alltoall);

int MPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = recvcounts,
                                       .in_displacements = displs,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_ENTER(Gatherv);
    return kp_mpi_collective_now(self, comm, KP_GATHERV, &asked);
}
KP_MPI_NAMES(Gatherv);

int MPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                 MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                 int root, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = sendcounts,
                                       .out_displacements = displs,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_ENTER(Scatterv);
    return kp_mpi_collective_now(self, comm, KP_SCATTERV, &asked);
}
KP_MPI_NAMES(Scatterv);

int MPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = recvcounts,
                                       .in_displacements = displs,
                                       .in_type = recvtype};
    KP_MPI_ENTER(Allgatherv);
    return kp_mpi_collective_now(self, comm, KP_CONCATV, &asked);
}
KP_MPI_NAMES(Allgatherv);

int MPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                  MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                  MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = sendcounts,
                                       .out_displacements = sdispls,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = recvcounts,
                                       .in_displacements = rdispls,
                                       .in_type = recvtype};
    KP_MPI_ENTER(Alltoallv);
    return kp_mpi_collective_now(self, comm, KP_INDEXV, &asked);
}
KP_MPI_NAMES(Alltoallv);

int MPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                  const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                  const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = sendcounts,
                                       .out_displacements = sdispls,
                                       .out_types = sendtypes,
                                       .in = recvbuf,
                                       .in_counts = recvcounts,
                                       .in_displacements = rdispls,
                                       .in_types = recvtypes};
    KP_MPI_ENTER(Alltoallw);
    return kp_mpi_collective_now(self, comm, KP_INDEXV, &asked);
}
KP_MPI_NAMES(Alltoallw);

int MPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               int root, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .in = recvbuf,
                                       .in_count = count,
                                       .in_type = datatype,
                                       .op = op,
                                       .root = root};
    KP_MPI_ENTER(Reduce);
    return kp_mpi_collective_now(self, comm, KP_REDUCE, &asked);
}
KP_MPI_NAMES(Reduce);

int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Allreduce);
    return kp_mpi_collective_now(self, comm, KP_ALLREDUCE, &asked);
}
KP_MPI_NAMES(Allreduce);

int MPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Scan);
    return kp_mpi_collective_now(self, comm, KP_SCAN, &asked);
}
KP_MPI_NAMES(Scan);

int MPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Exscan);
    return kp_mpi_collective_now(self, comm, KP_SCAN_EXCLUSIVE, &asked);
}
KP_MPI_NAMES(Exscan);

int MPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = recvcount, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Reduce_scatter_block);
    return kp_mpi_collective_now(self, comm, KP_REDUCE_SCATTER, &asked);
}
KP_MPI_NAMES(Reduce_scatter_block);

int MPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                       MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_counts = recvcounts, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Reduce_scatter);
    return kp_mpi_collective_now(self, comm, KP_REDUCE_SCATTERV, &asked);
}
KP_MPI_NAMES(Reduce_scatter);
