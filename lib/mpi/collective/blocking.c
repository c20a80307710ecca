/* Collectives that wait. */
#include "lib/mpi/collective.h"
#include "lib/mpi/sized.h"

int KP_MPI_SIZED(Bcast)(void *buffer, kp_mpi_count count, MPI_Datatype datatype, int root,
                        MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {
        .in = buffer, .in_count = count, .in_type = datatype, .root = root};
    KP_MPI_SIZED_ENTER(Bcast);
    return kp_mpi_collective_now(self, comm, KP_BROADCAST, &asked);
}
KP_MPI_SIZED_NAMES(Bcast);

int KP_MPI_SIZED(Gather)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                         void *recvbuf, kp_mpi_count recvcount, MPI_Datatype recvtype, int root,
                         MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Gather);
    return kp_mpi_collective_now(self, comm, KP_GATHER, &asked);
}
KP_MPI_SIZED_NAMES(Gather);

int KP_MPI_SIZED(Scatter)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                          void *recvbuf, kp_mpi_count recvcount, MPI_Datatype recvtype, int root,
                          MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Scatter);
    return kp_mpi_collective_now(self, comm, KP_SCATTER, &asked);
}
KP_MPI_SIZED_NAMES(Scatter);

int KP_MPI_SIZED(Allgather)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                            void *recvbuf, kp_mpi_count recvcount, MPI_Datatype recvtype,
                            MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype};
    KP_MPI_SIZED_ENTER(Allgather);
    return kp_mpi_collective_now(self, comm, KP_CONCAT, &asked);
}
KP_MPI_SIZED_NAMES(Allgather);

int KP_MPI_SIZED(Alltoall)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                           void *recvbuf, kp_mpi_count recvcount, MPI_Datatype recvtype,
                           MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype};
    KP_MPI_SIZED_ENTER(Alltoall);
    return kp_mpi_collective_now(self, comm, KP_INDEX, &asked);
}
KP_MPI_SIZED_NAMES(Alltoall);

int KP_MPI_SIZED(Gatherv)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                          void *recvbuf, const kp_mpi_count recvcounts[],
                          const kp_mpi_distance displs[], MPI_Datatype recvtype, int root,
                          MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_displacements = KP_MPI_LIST(displs),
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Gatherv);
    return kp_mpi_collective_now(self, comm, KP_GATHERV, &asked);
}
KP_MPI_SIZED_NAMES(Gatherv);

int KP_MPI_SIZED(Scatterv)(const void *sendbuf, const kp_mpi_count sendcounts[],
                           const kp_mpi_distance displs[], MPI_Datatype sendtype, void *recvbuf,
                           kp_mpi_count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = KP_MPI_LIST(sendcounts),
                                       .out_displacements = KP_MPI_LIST(displs),
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Scatterv);
    return kp_mpi_collective_now(self, comm, KP_SCATTERV, &asked);
}
KP_MPI_SIZED_NAMES(Scatterv);

int KP_MPI_SIZED(Allgatherv)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                             void *recvbuf, const kp_mpi_count recvcounts[],
                             const kp_mpi_distance displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_displacements = KP_MPI_LIST(displs),
                                       .in_type = recvtype};
    KP_MPI_SIZED_ENTER(Allgatherv);
    return kp_mpi_collective_now(self, comm, KP_CONCATV, &asked);
}
KP_MPI_SIZED_NAMES(Allgatherv);

int KP_MPI_SIZED(Alltoallv)(const void *sendbuf, const kp_mpi_count sendcounts[],
                            const kp_mpi_distance sdispls[], MPI_Datatype sendtype, void *recvbuf,
                            const kp_mpi_count recvcounts[], const kp_mpi_distance rdispls[],
                            MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = KP_MPI_LIST(sendcounts),
                                       .out_displacements = KP_MPI_LIST(sdispls),
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_displacements = KP_MPI_LIST(rdispls),
                                       .in_type = recvtype};
    KP_MPI_SIZED_ENTER(Alltoallv);
    return kp_mpi_collective_now(self, comm, KP_INDEXV, &asked);
}
KP_MPI_SIZED_NAMES(Alltoallv);

int KP_MPI_SIZED(Alltoallw)(const void *sendbuf, const kp_mpi_count sendcounts[],
                            const kp_mpi_distance sdispls[], const MPI_Datatype sendtypes[],
                            void *recvbuf, const kp_mpi_count recvcounts[],
                            const kp_mpi_distance rdispls[], const MPI_Datatype recvtypes[],
                            MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = KP_MPI_LIST(sendcounts),
                                       .out_displacements = KP_MPI_LIST(sdispls),
                                       .out_types = sendtypes,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_displacements = KP_MPI_LIST(rdispls),
                                       .in_types = recvtypes};
    KP_MPI_SIZED_ENTER(Alltoallw);
    return kp_mpi_collective_now(self, comm, KP_INDEXV, &asked);
}
KP_MPI_SIZED_NAMES(Alltoallw);

int KP_MPI_SIZED(Reduce)(const void *sendbuf, void *recvbuf, kp_mpi_count count,
                         MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .in = recvbuf,
                                       .in_count = count,
                                       .in_type = datatype,
                                       .op = op,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Reduce);
    return kp_mpi_collective_now(self, comm, KP_REDUCE, &asked);
}
KP_MPI_SIZED_NAMES(Reduce);

int KP_MPI_SIZED(Allreduce)(const void *sendbuf, void *recvbuf, kp_mpi_count count,
                            MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_SIZED_ENTER(Allreduce);
    return kp_mpi_collective_now(self, comm, KP_ALLREDUCE, &asked);
}
KP_MPI_SIZED_NAMES(Allreduce);

int KP_MPI_SIZED(Scan)(const void *sendbuf, void *recvbuf, kp_mpi_count count,
                       MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_SIZED_ENTER(Scan);
    return kp_mpi_collective_now(self, comm, KP_SCAN, &asked);
}
KP_MPI_SIZED_NAMES(Scan);

int KP_MPI_SIZED(Exscan)(const void *sendbuf, void *recvbuf, kp_mpi_count count,
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_SIZED_ENTER(Exscan);
    return kp_mpi_collective_now(self, comm, KP_SCAN_EXCLUSIVE, &asked);
}
KP_MPI_SIZED_NAMES(Exscan);

int KP_MPI_SIZED(Reduce_scatter_block)(const void *sendbuf, void *recvbuf, kp_mpi_count recvcount,
                                       MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = recvcount, .in_type = datatype, .op = op};
    KP_MPI_SIZED_ENTER(Reduce_scatter_block);
    return kp_mpi_collective_now(self, comm, KP_REDUCE_SCATTER, &asked);
}
KP_MPI_SIZED_NAMES(Reduce_scatter_block);

int KP_MPI_SIZED(Reduce_scatter)(const void *sendbuf, void *recvbuf,
                                 const kp_mpi_count recvcounts[], MPI_Datatype datatype, MPI_Op op,
                                 MPI_Comm comm)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_type = datatype,
                                       .op = op};
    KP_MPI_SIZED_ENTER(Reduce_scatter);
    return kp_mpi_collective_now(self, comm, KP_REDUCE_SCATTERV, &asked);
}
KP_MPI_SIZED_NAMES(Reduce_scatter);
