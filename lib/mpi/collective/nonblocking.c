/* Collectives that do not wait. */
#include "lib/mpi/collective.h"
#include "lib/mpi/sized.h"

int KP_MPI_SIZED(Ibcast)(void *buffer, kp_mpi_count count, MPI_Datatype datatype, int root,
                         MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .in = buffer, .in_count = count, .in_type = datatype, .root = root};
    KP_MPI_SIZED_ENTER(Ibcast);
    return kp_mpi_collective_later(self, comm, KP_BROADCAST, &asked, request);
}
KP_MPI_SIZED_NAMES(Ibcast);

int KP_MPI_SIZED(Igather)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                          void *recvbuf, kp_mpi_count recvcount, MPI_Datatype recvtype, int root,
                          MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Igather);
    return kp_mpi_collective_later(self, comm, KP_GATHER, &asked, request);
}
KP_MPI_SIZED_NAMES(Igather);

int KP_MPI_SIZED(Iscatter)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                           void *recvbuf, kp_mpi_count recvcount, MPI_Datatype recvtype, int root,
                           MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Iscatter);
    return kp_mpi_collective_later(self, comm, KP_SCATTER, &asked, request);
}
KP_MPI_SIZED_NAMES(Iscatter);

int KP_MPI_SIZED(Iallgather)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                             void *recvbuf, kp_mpi_count recvcount, MPI_Datatype recvtype,
                             MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype};
    KP_MPI_SIZED_ENTER(Iallgather);
    return kp_mpi_collective_later(self, comm, KP_CONCAT, &asked, request);
}
KP_MPI_SIZED_NAMES(Iallgather);

int KP_MPI_SIZED(Ialltoall)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                            void *recvbuf, kp_mpi_count recvcount, MPI_Datatype recvtype,
                            MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype};
    KP_MPI_SIZED_ENTER(Ialltoall);
    return kp_mpi_collective_later(self, comm, KP_INDEX, &asked, request);
}
KP_MPI_SIZED_NAMES(Ialltoall);

int KP_MPI_SIZED(Igatherv)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                           void *recvbuf, const kp_mpi_count recvcounts[],
                           const kp_mpi_distance displs[], MPI_Datatype recvtype, int root,
                           MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_displacements = KP_MPI_LIST(displs),
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Igatherv);
    return kp_mpi_collective_later(self, comm, KP_GATHERV, &asked, request);
}
KP_MPI_SIZED_NAMES(Igatherv);

int KP_MPI_SIZED(Iscatterv)(const void *sendbuf, const kp_mpi_count sendcounts[],
                            const kp_mpi_distance displs[], MPI_Datatype sendtype, void *recvbuf,
                            kp_mpi_count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                            MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = KP_MPI_LIST(sendcounts),
                                       .out_displacements = KP_MPI_LIST(displs),
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Iscatterv);
    return kp_mpi_collective_later(self, comm, KP_SCATTERV, &asked, request);
}
KP_MPI_SIZED_NAMES(Iscatterv);

int KP_MPI_SIZED(Iallgatherv)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                              void *recvbuf, const kp_mpi_count recvcounts[],
                              const kp_mpi_distance displs[], MPI_Datatype recvtype, MPI_Comm comm,
                              MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_displacements = KP_MPI_LIST(displs),
                                       .in_type = recvtype};
    KP_MPI_SIZED_ENTER(Iallgatherv);
    return kp_mpi_collective_later(self, comm, KP_CONCATV, &asked, request);
}
KP_MPI_SIZED_NAMES(Iallgatherv);

int KP_MPI_SIZED(Ialltoallv)(const void *sendbuf, const kp_mpi_count sendcounts[],
                             const kp_mpi_distance sdispls[], MPI_Datatype sendtype, void *recvbuf,
                             const kp_mpi_count recvcounts[], const kp_mpi_distance rdispls[],
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = KP_MPI_LIST(sendcounts),
                                       .out_displacements = KP_MPI_LIST(sdispls),
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_displacements = KP_MPI_LIST(rdispls),
                                       .in_type = recvtype};
    KP_MPI_SIZED_ENTER(Ialltoallv);
    return kp_mpi_collective_later(self, comm, KP_INDEXV, &asked, request);
}
KP_MPI_SIZED_NAMES(Ialltoallv);

int KP_MPI_SIZED(Ialltoallw)(const void *sendbuf, const kp_mpi_count sendcounts[],
                             const kp_mpi_distance sdispls[], const MPI_Datatype sendtypes[],
                             void *recvbuf, const kp_mpi_count recvcounts[],
                             const kp_mpi_distance rdispls[], const MPI_Datatype recvtypes[],
                             MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = KP_MPI_LIST(sendcounts),
                                       .out_displacements = KP_MPI_LIST(sdispls),
                                       .out_types = sendtypes,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_displacements = KP_MPI_LIST(rdispls),
                                       .in_types = recvtypes};
    KP_MPI_SIZED_ENTER(Ialltoallw);
    return kp_mpi_collective_later(self, comm, KP_INDEXV, &asked, request);
}
KP_MPI_SIZED_NAMES(Ialltoallw);

int KP_MPI_SIZED(Ireduce)(const void *sendbuf, void *recvbuf, kp_mpi_count count,
                          MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                          MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .in = recvbuf,
                                       .in_count = count,
                                       .in_type = datatype,
                                       .op = op,
                                       .root = root};
    KP_MPI_SIZED_ENTER(Ireduce);
    return kp_mpi_collective_later(self, comm, KP_REDUCE, &asked, request);
}
KP_MPI_SIZED_NAMES(Ireduce);

int KP_MPI_SIZED(Iallreduce)(const void *sendbuf, void *recvbuf, kp_mpi_count count,
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_SIZED_ENTER(Iallreduce);
    return kp_mpi_collective_later(self, comm, KP_ALLREDUCE, &asked, request);
}
KP_MPI_SIZED_NAMES(Iallreduce);

int KP_MPI_SIZED(Iscan)(const void *sendbuf, void *recvbuf, kp_mpi_count count,
                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_SIZED_ENTER(Iscan);
    return kp_mpi_collective_later(self, comm, KP_SCAN, &asked, request);
}
KP_MPI_SIZED_NAMES(Iscan);

int KP_MPI_SIZED(Iexscan)(const void *sendbuf, void *recvbuf, kp_mpi_count count,
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_SIZED_ENTER(Iexscan);
    return kp_mpi_collective_later(self, comm, KP_SCAN_EXCLUSIVE, &asked, request);
}
KP_MPI_SIZED_NAMES(Iexscan);

int KP_MPI_SIZED(Ireduce_scatter_block)(const void *sendbuf, void *recvbuf, kp_mpi_count recvcount,
                                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                        MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = recvcount, .in_type = datatype, .op = op};
    KP_MPI_SIZED_ENTER(Ireduce_scatter_block);
    return kp_mpi_collective_later(self, comm, KP_REDUCE_SCATTER, &asked, request);
}
KP_MPI_SIZED_NAMES(Ireduce_scatter_block);

int KP_MPI_SIZED(Ireduce_scatter)(const void *sendbuf, void *recvbuf,
                                  const kp_mpi_count recvcounts[], MPI_Datatype datatype, MPI_Op op,
                                  MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .in = recvbuf,
                                       .in_counts = KP_MPI_LIST(recvcounts),
                                       .in_type = datatype,
                                       .op = op};
    KP_MPI_SIZED_ENTER(Ireduce_scatter);
    return kp_mpi_collective_later(self, comm, KP_REDUCE_SCATTERV, &asked, request);
}
KP_MPI_SIZED_NAMES(Ireduce_scatter);
