/* Collective operations: those that wait, those that do not (I...), and persistent ones
 * (..._init).
 * mpi.h includes this header. */
#include "../mpi.h"

#ifndef KPORT_MPI_FACE_COLLECTIVE_H
#define KPORT_MPI_FACE_COLLECTIVE_H

KP_MPI(int, Allgather,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, MPI_Comm comm));
KP_MPI(int, Allgather_init,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Allgatherv,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
        const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm));
KP_MPI(int, Allgatherv_init,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
        const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
        MPI_Info info, MPI_Request *request));
KP_MPI(int, Allreduce,
       (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm));
KP_MPI(int, Allreduce_init,
       (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Alltoall,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, MPI_Comm comm));
KP_MPI(int, Alltoall_init,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Alltoallv,
       (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
        void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
        MPI_Comm comm));
KP_MPI(int, Alltoallv_init,
       (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
        void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Alltoallw,
       (const void *sendbuf, const int sendcounts[], const int sdispls[],
        const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
        const MPI_Datatype recvtypes[], MPI_Comm comm));
KP_MPI(int, Alltoallw_init,
       (const void *sendbuf, const int sendcounts[], const int sdispls[],
        const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
        const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Barrier, (MPI_Comm comm));
KP_MPI(int, Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Bcast, (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm));
KP_MPI(int, Bcast_init,
       (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
        MPI_Request *request));
KP_MPI(int, Exscan,
       (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm));
KP_MPI(int, Exscan_init,
       (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Gather,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, int root, MPI_Comm comm));
KP_MPI(int, Gather_init,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Gatherv,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
        const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
        MPI_Comm comm));
KP_MPI(int, Gatherv_init,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
        const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm,
        MPI_Info info, MPI_Request *request));
KP_MPI(int, Iallgather,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Iallgatherv,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
        const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Iallreduce,
       (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ialltoall,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ialltoallv,
       (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
        void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ialltoallw,
       (const void *sendbuf, const int sendcounts[], const int sdispls[],
        const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
        const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ibarrier, (MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ibcast,
       (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Iexscan,
       (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Igather,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Igatherv,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
        const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Ineighbor_allgather,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ineighbor_allgatherv,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
        const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Ineighbor_alltoall,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ineighbor_alltoallv,
       (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
        void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ineighbor_alltoallw,
       (const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
        const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Ireduce,
       (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ireduce_scatter,
       (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
        MPI_Op op, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ireduce_scatter_block,
       (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Iscan,
       (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Iscatter,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Iscatterv,
       (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
        void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Neighbor_allgather,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, MPI_Comm comm));
KP_MPI(int, Neighbor_allgather_init,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Neighbor_allgatherv,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
        const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm));
KP_MPI(int, Neighbor_allgatherv_init,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
        const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
        MPI_Info info, MPI_Request *request));
KP_MPI(int, Neighbor_alltoall,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, MPI_Comm comm));
KP_MPI(int, Neighbor_alltoall_init,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Neighbor_alltoallv,
       (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
        void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
        MPI_Comm comm));
KP_MPI(int, Neighbor_alltoallv_init,
       (const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
        void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Neighbor_alltoallw,
       (const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
        const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm));
KP_MPI(int, Neighbor_alltoallw_init,
       (const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
        const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
        MPI_Request *request));
KP_MPI(int, Reduce,
       (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
        MPI_Comm comm));
KP_MPI(int, Reduce_init,
       (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Reduce_scatter,
       (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
        MPI_Op op, MPI_Comm comm));
KP_MPI(int, Reduce_scatter_block,
       (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm));
KP_MPI(int, Reduce_scatter_block_init,
       (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Reduce_scatter_init,
       (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
        MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Scan,
       (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm));
KP_MPI(int, Scan_init,
       (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Scatter,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, int root, MPI_Comm comm));
KP_MPI(int, Scatter_init,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
        MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Scatterv,
       (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
        void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm));
KP_MPI(int, Scatterv_init,
       (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
        void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
        MPI_Request *request));

#ifndef KP_NO_CALL_SITES
#define MPI_Allgather(...)                 KP_MPI_PLACED(MPI_Allgather, __VA_ARGS__)
#define PMPI_Allgather(...)                KP_MPI_PLACED(PMPI_Allgather, __VA_ARGS__)
#define MPI_Allgather_init(...)            KP_MPI_PLACED(MPI_Allgather_init, __VA_ARGS__)
#define PMPI_Allgather_init(...)           KP_MPI_PLACED(PMPI_Allgather_init, __VA_ARGS__)
#define MPI_Allgatherv(...)                KP_MPI_PLACED(MPI_Allgatherv, __VA_ARGS__)
#define PMPI_Allgatherv(...)               KP_MPI_PLACED(PMPI_Allgatherv, __VA_ARGS__)
#define MPI_Allgatherv_init(...)           KP_MPI_PLACED(MPI_Allgatherv_init, __VA_ARGS__)
#define PMPI_Allgatherv_init(...)          KP_MPI_PLACED(PMPI_Allgatherv_init, __VA_ARGS__)
#define MPI_Allreduce(...)                 KP_MPI_PLACED(MPI_Allreduce, __VA_ARGS__)
#define PMPI_Allreduce(...)                KP_MPI_PLACED(PMPI_Allreduce, __VA_ARGS__)
#define MPI_Allreduce_init(...)            KP_MPI_PLACED(MPI_Allreduce_init, __VA_ARGS__)
#define PMPI_Allreduce_init(...)           KP_MPI_PLACED(PMPI_Allreduce_init, __VA_ARGS__)
#define MPI_Alltoall(...)                  KP_MPI_PLACED(MPI_Alltoall, __VA_ARGS__)
#define PMPI_Alltoall(...)                 KP_MPI_PLACED(PMPI_Alltoall, __VA_ARGS__)
#define MPI_Alltoall_init(...)             KP_MPI_PLACED(MPI_Alltoall_init, __VA_ARGS__)
#define PMPI_Alltoall_init(...)            KP_MPI_PLACED(PMPI_Alltoall_init, __VA_ARGS__)
#define MPI_Alltoallv(...)                 KP_MPI_PLACED(MPI_Alltoallv, __VA_ARGS__)
#define PMPI_Alltoallv(...)                KP_MPI_PLACED(PMPI_Alltoallv, __VA_ARGS__)
#define MPI_Alltoallv_init(...)            KP_MPI_PLACED(MPI_Alltoallv_init, __VA_ARGS__)
#define PMPI_Alltoallv_init(...)           KP_MPI_PLACED(PMPI_Alltoallv_init, __VA_ARGS__)
#define MPI_Alltoallw(...)                 KP_MPI_PLACED(MPI_Alltoallw, __VA_ARGS__)
#define PMPI_Alltoallw(...)                KP_MPI_PLACED(PMPI_Alltoallw, __VA_ARGS__)
#define MPI_Alltoallw_init(...)            KP_MPI_PLACED(MPI_Alltoallw_init, __VA_ARGS__)
#define PMPI_Alltoallw_init(...)           KP_MPI_PLACED(PMPI_Alltoallw_init, __VA_ARGS__)
#define MPI_Barrier(...)                   KP_MPI_PLACED(MPI_Barrier, __VA_ARGS__)
#define PMPI_Barrier(...)                  KP_MPI_PLACED(PMPI_Barrier, __VA_ARGS__)
#define MPI_Barrier_init(...)              KP_MPI_PLACED(MPI_Barrier_init, __VA_ARGS__)
#define PMPI_Barrier_init(...)             KP_MPI_PLACED(PMPI_Barrier_init, __VA_ARGS__)
#define MPI_Bcast(...)                     KP_MPI_PLACED(MPI_Bcast, __VA_ARGS__)
#define PMPI_Bcast(...)                    KP_MPI_PLACED(PMPI_Bcast, __VA_ARGS__)
#define MPI_Bcast_init(...)                KP_MPI_PLACED(MPI_Bcast_init, __VA_ARGS__)
#define PMPI_Bcast_init(...)               KP_MPI_PLACED(PMPI_Bcast_init, __VA_ARGS__)
#define MPI_Exscan(...)                    KP_MPI_PLACED(MPI_Exscan, __VA_ARGS__)
#define PMPI_Exscan(...)                   KP_MPI_PLACED(PMPI_Exscan, __VA_ARGS__)
#define MPI_Exscan_init(...)               KP_MPI_PLACED(MPI_Exscan_init, __VA_ARGS__)
#define PMPI_Exscan_init(...)              KP_MPI_PLACED(PMPI_Exscan_init, __VA_ARGS__)
#define MPI_Gather(...)                    KP_MPI_PLACED(MPI_Gather, __VA_ARGS__)
#define PMPI_Gather(...)                   KP_MPI_PLACED(PMPI_Gather, __VA_ARGS__)
#define MPI_Gather_init(...)               KP_MPI_PLACED(MPI_Gather_init, __VA_ARGS__)
#define PMPI_Gather_init(...)              KP_MPI_PLACED(PMPI_Gather_init, __VA_ARGS__)
#define MPI_Gatherv(...)                   KP_MPI_PLACED(MPI_Gatherv, __VA_ARGS__)
#define PMPI_Gatherv(...)                  KP_MPI_PLACED(PMPI_Gatherv, __VA_ARGS__)
#define MPI_Gatherv_init(...)              KP_MPI_PLACED(MPI_Gatherv_init, __VA_ARGS__)
#define PMPI_Gatherv_init(...)             KP_MPI_PLACED(PMPI_Gatherv_init, __VA_ARGS__)
#define MPI_Iallgather(...)                KP_MPI_PLACED(MPI_Iallgather, __VA_ARGS__)
#define PMPI_Iallgather(...)               KP_MPI_PLACED(PMPI_Iallgather, __VA_ARGS__)
#define MPI_Iallgatherv(...)               KP_MPI_PLACED(MPI_Iallgatherv, __VA_ARGS__)
#define PMPI_Iallgatherv(...)              KP_MPI_PLACED(PMPI_Iallgatherv, __VA_ARGS__)
#define MPI_Iallreduce(...)                KP_MPI_PLACED(MPI_Iallreduce, __VA_ARGS__)
#define PMPI_Iallreduce(...)               KP_MPI_PLACED(PMPI_Iallreduce, __VA_ARGS__)
#define MPI_Ialltoall(...)                 KP_MPI_PLACED(MPI_Ialltoall, __VA_ARGS__)
#define PMPI_Ialltoall(...)                KP_MPI_PLACED(PMPI_Ialltoall, __VA_ARGS__)
#define MPI_Ialltoallv(...)                KP_MPI_PLACED(MPI_Ialltoallv, __VA_ARGS__)
#define PMPI_Ialltoallv(...)               KP_MPI_PLACED(PMPI_Ialltoallv, __VA_ARGS__)
#define MPI_Ialltoallw(...)                KP_MPI_PLACED(MPI_Ialltoallw, __VA_ARGS__)
#define PMPI_Ialltoallw(...)               KP_MPI_PLACED(PMPI_Ialltoallw, __VA_ARGS__)
#define MPI_Ibarrier(...)                  KP_MPI_PLACED(MPI_Ibarrier, __VA_ARGS__)
#define PMPI_Ibarrier(...)                 KP_MPI_PLACED(PMPI_Ibarrier, __VA_ARGS__)
#define MPI_Ibcast(...)                    KP_MPI_PLACED(MPI_Ibcast, __VA_ARGS__)
#define PMPI_Ibcast(...)                   KP_MPI_PLACED(PMPI_Ibcast, __VA_ARGS__)
#define MPI_Iexscan(...)                   KP_MPI_PLACED(MPI_Iexscan, __VA_ARGS__)
#define PMPI_Iexscan(...)                  KP_MPI_PLACED(PMPI_Iexscan, __VA_ARGS__)
#define MPI_Igather(...)                   KP_MPI_PLACED(MPI_Igather, __VA_ARGS__)
#define PMPI_Igather(...)                  KP_MPI_PLACED(PMPI_Igather, __VA_ARGS__)
#define MPI_Igatherv(...)                  KP_MPI_PLACED(MPI_Igatherv, __VA_ARGS__)
#define PMPI_Igatherv(...)                 KP_MPI_PLACED(PMPI_Igatherv, __VA_ARGS__)
#define MPI_Ineighbor_allgather(...)       KP_MPI_PLACED(MPI_Ineighbor_allgather, __VA_ARGS__)
#define PMPI_Ineighbor_allgather(...)      KP_MPI_PLACED(PMPI_Ineighbor_allgather, __VA_ARGS__)
#define MPI_Ineighbor_allgatherv(...)      KP_MPI_PLACED(MPI_Ineighbor_allgatherv, __VA_ARGS__)
#define PMPI_Ineighbor_allgatherv(...)     KP_MPI_PLACED(PMPI_Ineighbor_allgatherv, __VA_ARGS__)
#define MPI_Ineighbor_alltoall(...)        KP_MPI_PLACED(MPI_Ineighbor_alltoall, __VA_ARGS__)
#define PMPI_Ineighbor_alltoall(...)       KP_MPI_PLACED(PMPI_Ineighbor_alltoall, __VA_ARGS__)
#define MPI_Ineighbor_alltoallv(...)       KP_MPI_PLACED(MPI_Ineighbor_alltoallv, __VA_ARGS__)
#define PMPI_Ineighbor_alltoallv(...)      KP_MPI_PLACED(PMPI_Ineighbor_alltoallv, __VA_ARGS__)
#define MPI_Ineighbor_alltoallw(...)       KP_MPI_PLACED(MPI_Ineighbor_alltoallw, __VA_ARGS__)
#define PMPI_Ineighbor_alltoallw(...)      KP_MPI_PLACED(PMPI_Ineighbor_alltoallw, __VA_ARGS__)
#define MPI_Ireduce(...)                   KP_MPI_PLACED(MPI_Ireduce, __VA_ARGS__)
#define PMPI_Ireduce(...)                  KP_MPI_PLACED(PMPI_Ireduce, __VA_ARGS__)
#define MPI_Ireduce_scatter(...)           KP_MPI_PLACED(MPI_Ireduce_scatter, __VA_ARGS__)
#define PMPI_Ireduce_scatter(...)          KP_MPI_PLACED(PMPI_Ireduce_scatter, __VA_ARGS__)
#define MPI_Ireduce_scatter_block(...)     KP_MPI_PLACED(MPI_Ireduce_scatter_block, __VA_ARGS__)
#define PMPI_Ireduce_scatter_block(...)    KP_MPI_PLACED(PMPI_Ireduce_scatter_block, __VA_ARGS__)
#define MPI_Iscan(...)                     KP_MPI_PLACED(MPI_Iscan, __VA_ARGS__)
#define PMPI_Iscan(...)                    KP_MPI_PLACED(PMPI_Iscan, __VA_ARGS__)
#define MPI_Iscatter(...)                  KP_MPI_PLACED(MPI_Iscatter, __VA_ARGS__)
#define PMPI_Iscatter(...)                 KP_MPI_PLACED(PMPI_Iscatter, __VA_ARGS__)
#define MPI_Iscatterv(...)                 KP_MPI_PLACED(MPI_Iscatterv, __VA_ARGS__)
#define PMPI_Iscatterv(...)                KP_MPI_PLACED(PMPI_Iscatterv, __VA_ARGS__)
#define MPI_Neighbor_allgather(...)        KP_MPI_PLACED(MPI_Neighbor_allgather, __VA_ARGS__)
#define PMPI_Neighbor_allgather(...)       KP_MPI_PLACED(PMPI_Neighbor_allgather, __VA_ARGS__)
#define MPI_Neighbor_allgather_init(...)   KP_MPI_PLACED(MPI_Neighbor_allgather_init, __VA_ARGS__)
#define PMPI_Neighbor_allgather_init(...)  KP_MPI_PLACED(PMPI_Neighbor_allgather_init, __VA_ARGS__)
#define MPI_Neighbor_allgatherv(...)       KP_MPI_PLACED(MPI_Neighbor_allgatherv, __VA_ARGS__)
#define PMPI_Neighbor_allgatherv(...)      KP_MPI_PLACED(PMPI_Neighbor_allgatherv, __VA_ARGS__)
#define MPI_Neighbor_allgatherv_init(...)  KP_MPI_PLACED(MPI_Neighbor_allgatherv_init, __VA_ARGS__)
#define PMPI_Neighbor_allgatherv_init(...) KP_MPI_PLACED(PMPI_Neighbor_allgatherv_init, __VA_ARGS__)
#define MPI_Neighbor_alltoall(...)         KP_MPI_PLACED(MPI_Neighbor_alltoall, __VA_ARGS__)
#define PMPI_Neighbor_alltoall(...)        KP_MPI_PLACED(PMPI_Neighbor_alltoall, __VA_ARGS__)
#define MPI_Neighbor_alltoall_init(...)    KP_MPI_PLACED(MPI_Neighbor_alltoall_init, __VA_ARGS__)
#define PMPI_Neighbor_alltoall_init(...)   KP_MPI_PLACED(PMPI_Neighbor_alltoall_init, __VA_ARGS__)
#define MPI_Neighbor_alltoallv(...)        KP_MPI_PLACED(MPI_Neighbor_alltoallv, __VA_ARGS__)
#define PMPI_Neighbor_alltoallv(...)       KP_MPI_PLACED(PMPI_Neighbor_alltoallv, __VA_ARGS__)
#define MPI_Neighbor_alltoallv_init(...)   KP_MPI_PLACED(MPI_Neighbor_alltoallv_init, __VA_ARGS__)
#define PMPI_Neighbor_alltoallv_init(...)  KP_MPI_PLACED(PMPI_Neighbor_alltoallv_init, __VA_ARGS__)
#define MPI_Neighbor_alltoallw(...)        KP_MPI_PLACED(MPI_Neighbor_alltoallw, __VA_ARGS__)
#define PMPI_Neighbor_alltoallw(...)       KP_MPI_PLACED(PMPI_Neighbor_alltoallw, __VA_ARGS__)
#define MPI_Neighbor_alltoallw_init(...)   KP_MPI_PLACED(MPI_Neighbor_alltoallw_init, __VA_ARGS__)
#define PMPI_Neighbor_alltoallw_init(...)  KP_MPI_PLACED(PMPI_Neighbor_alltoallw_init, __VA_ARGS__)
#define MPI_Reduce(...)                    KP_MPI_PLACED(MPI_Reduce, __VA_ARGS__)
#define PMPI_Reduce(...)                   KP_MPI_PLACED(PMPI_Reduce, __VA_ARGS__)
#define MPI_Reduce_init(...)               KP_MPI_PLACED(MPI_Reduce_init, __VA_ARGS__)
#define PMPI_Reduce_init(...)              KP_MPI_PLACED(PMPI_Reduce_init, __VA_ARGS__)
#define MPI_Reduce_scatter(...)            KP_MPI_PLACED(MPI_Reduce_scatter, __VA_ARGS__)
#define PMPI_Reduce_scatter(...)           KP_MPI_PLACED(PMPI_Reduce_scatter, __VA_ARGS__)
#define MPI_Reduce_scatter_block(...)      KP_MPI_PLACED(MPI_Reduce_scatter_block, __VA_ARGS__)
#define PMPI_Reduce_scatter_block(...)     KP_MPI_PLACED(PMPI_Reduce_scatter_block, __VA_ARGS__)
#define MPI_Reduce_scatter_block_init(...) KP_MPI_PLACED(MPI_Reduce_scatter_block_init, __VA_ARGS__)
#define PMPI_Reduce_scatter_block_init(...)                                                        \
    KP_MPI_PLACED(PMPI_Reduce_scatter_block_init, __VA_ARGS__)
#define MPI_Reduce_scatter_init(...)  KP_MPI_PLACED(MPI_Reduce_scatter_init, __VA_ARGS__)
#define PMPI_Reduce_scatter_init(...) KP_MPI_PLACED(PMPI_Reduce_scatter_init, __VA_ARGS__)
#define MPI_Scan(...)                 KP_MPI_PLACED(MPI_Scan, __VA_ARGS__)
#define PMPI_Scan(...)                KP_MPI_PLACED(PMPI_Scan, __VA_ARGS__)
#define MPI_Scan_init(...)            KP_MPI_PLACED(MPI_Scan_init, __VA_ARGS__)
#define PMPI_Scan_init(...)           KP_MPI_PLACED(PMPI_Scan_init, __VA_ARGS__)
#define MPI_Scatter(...)              KP_MPI_PLACED(MPI_Scatter, __VA_ARGS__)
#define PMPI_Scatter(...)             KP_MPI_PLACED(PMPI_Scatter, __VA_ARGS__)
#define MPI_Scatter_init(...)         KP_MPI_PLACED(MPI_Scatter_init, __VA_ARGS__)
#define PMPI_Scatter_init(...)        KP_MPI_PLACED(PMPI_Scatter_init, __VA_ARGS__)
#define MPI_Scatterv(...)             KP_MPI_PLACED(MPI_Scatterv, __VA_ARGS__)
#define PMPI_Scatterv(...)            KP_MPI_PLACED(PMPI_Scatterv, __VA_ARGS__)
#define MPI_Scatterv_init(...)        KP_MPI_PLACED(MPI_Scatterv_init, __VA_ARGS__)
#define PMPI_Scatterv_init(...)       KP_MPI_PLACED(PMPI_Scatterv_init, __VA_ARGS__)
#endif

#endif
