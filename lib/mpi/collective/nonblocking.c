/* Collectives that do not wait. */
#include "lib/mpi/collective.h"

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    KP_MPI_ENTER(Ibarrier);
    return kp_mpi_collective_later(self, comm, KP_MPI_BARRIER, NULL, request);
}
KP_MPI_NAMES(Ibarrier);

int MPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
               MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .in = buffer, .in_count = count, .in_type = datatype, .root = root};
    KP_MPI_ENTER(Ibcast);
    return kp_mpi_collective_later(self, comm, KP_BROADCAST, &asked, request);
}
KP_MPI_NAMES(Ibcast);

int MPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_ENTER(Igather);
    return kp_mpi_collective_later(self, comm, KP_GATHER, &asked, request);
}
KP_MPI_NAMES(Igather);

int MPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                 MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_ENTER(Iscatter);
    return kp_mpi_collective_later(self, comm, KP_SCATTER, &asked, request);
}
KP_MPI_NAMES(Iscatter);

int MPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype};
    KP_MPI_ENTER(Iallgather);
    return kp_mpi_collective_later(self, comm, KP_CONCAT, &asked, request);
}
KP_MPI_NAMES(Iallgather);

int MPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype};
    KP_MPI_ENTER(Ialltoall);
    return kp_mpi_collective_later(self, comm, KP_INDEX, &asked, request);
}
KP_MPI_NAMES(Ialltoall);

int MPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                 MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = recvcounts,
                                       .in_displacements = displs,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_ENTER(Igatherv);
    return kp_mpi_collective_later(self, comm, KP_GATHERV, &asked, request);
}
KP_MPI_NAMES(Igatherv);

int MPI_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                  MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                  int root, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = sendcounts,
                                       .out_displacements = displs,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_count = recvcount,
                                       .in_type = recvtype,
                                       .root = root};
    KP_MPI_ENTER(Iscatterv);
    return kp_mpi_collective_later(self, comm, KP_SCATTERV, &asked, request);
}
KP_MPI_NAMES(Iscatterv);

int MPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                    MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_count = sendcount,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = recvcounts,
                                       .in_displacements = displs,
                                       .in_type = recvtype};
    KP_MPI_ENTER(Iallgatherv);
    return kp_mpi_collective_later(self, comm, KP_CONCATV, &asked, request);
}
KP_MPI_NAMES(Iallgatherv);

int MPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                   MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                   const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = sendcounts,
                                       .out_displacements = sdispls,
                                       .out_type = sendtype,
                                       .in = recvbuf,
                                       .in_counts = recvcounts,
                                       .in_displacements = rdispls,
                                       .in_type = recvtype};
    KP_MPI_ENTER(Ialltoallv);
    return kp_mpi_collective_later(self, comm, KP_INDEXV, &asked, request);
}
KP_MPI_NAMES(Ialltoallv);

int MPI_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                   const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                   const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                   MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .out_counts = sendcounts,
                                       .out_displacements = sdispls,
                                       .out_types = sendtypes,
                                       .in = recvbuf,
                                       .in_counts = recvcounts,
                                       .in_displacements = rdispls,
                                       .in_types = recvtypes};
    KP_MPI_ENTER(Ialltoallw);
    return kp_mpi_collective_later(self, comm, KP_INDEXV, &asked, request);
}
KP_MPI_NAMES(Ialltoallw);

int MPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {.out = sendbuf,
                                       .in = recvbuf,
                                       .in_count = count,
                                       .in_type = datatype,
                                       .op = op,
                                       .root = root};
    KP_MPI_ENTER(Ireduce);
    return kp_mpi_collective_later(self, comm, KP_REDUCE, &asked, request);
}
KP_MPI_NAMES(Ireduce);

int MPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Iallreduce);
    return kp_mpi_collective_later(self, comm, KP_ALLREDUCE, &asked, request);
}
KP_MPI_NAMES(Iallreduce);

int MPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Iscan);
    return kp_mpi_collective_later(self, comm, KP_SCAN, &asked, request);
}
KP_MPI_NAMES(Iscan);

int MPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = count, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Iexscan);
    return kp_mpi_collective_later(self, comm, KP_SCAN_EXCLUSIVE, &asked, request);
}
KP_MPI_NAMES(Iexscan);

int MPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_count = recvcount, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Ireduce_scatter_block);
    return kp_mpi_collective_later(self, comm, KP_REDUCE_SCATTER, &asked, request);
}
KP_MPI_NAMES(Ireduce_scatter_block);

int MPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_asked asked = {
        .out = sendbuf, .in = recvbuf, .in_counts = recvcounts, .in_type = datatype, .op = op};
    KP_MPI_ENTER(Ireduce_scatter);
    return kp_mpi_collective_later(self, comm, KP_REDUCE_SCATTERV, &asked, request);
}
KP_MPI_NAMES(Ireduce_scatter);
