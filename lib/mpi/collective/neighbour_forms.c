/* The functions of MPI that are neighbourhood collectives. */
#include "lib/mpi/neighbours.h"

/* The library does not write to what it sends. */
#define OUT (void *)(uintptr_t)sendbuf

#define CALL_ALLGATHER                                                                             \
    {                                                                                              \
        .out = {OUT, sendcount, sendtype, .shared = true}, .in = { recvbuf, recvcount, recvtype }  \
    }

int MPI_Neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLGATHER;
    KP_MPI_ENTER(Neighbor_allgather);
    return kp_mpi_neighbours_now(self, comm, &call);
}
KP_MPI_NAMES(Neighbor_allgather);

int MPI_Ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                            void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                            MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLGATHER;
    KP_MPI_ENTER(Ineighbor_allgather);
    return kp_mpi_neighbours_later(self, comm, &call, request);
}
KP_MPI_NAMES(Ineighbor_allgather);

int MPI_Neighbor_allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLGATHER;
    KP_MPI_ENTER(Neighbor_allgather_init);
    (void)info;
    return kp_mpi_neighbours_keep(self, comm, &call, request);
}
KP_MPI_NAMES(Neighbor_allgather_init);

#define CALL_ALLGATHERV                                                                            \
    {                                                                                              \
        .out = {OUT, sendcount, sendtype, .shared = true}, .in = {                                 \
            recvbuf,                                                                               \
            .type = recvtype,                                                                      \
            .counts = recvcounts,                                                                  \
            .displacements = displs                                                                \
        }                                                                                          \
    }

int MPI_Neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                            void *recvbuf, const int recvcounts[], const int displs[],
                            MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLGATHERV;
    KP_MPI_ENTER(Neighbor_allgatherv);
    return kp_mpi_neighbours_now(self, comm, &call);
}
KP_MPI_NAMES(Neighbor_allgatherv);

int MPI_Ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                             void *recvbuf, const int recvcounts[], const int displs[],
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLGATHERV;
    KP_MPI_ENTER(Ineighbor_allgatherv);
    return kp_mpi_neighbours_later(self, comm, &call, request);
}
KP_MPI_NAMES(Ineighbor_allgatherv);

int MPI_Neighbor_allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void *recvbuf, const int recvcounts[], const int displs[],
                                 MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLGATHERV;
    KP_MPI_ENTER(Neighbor_allgatherv_init);
    (void)info;
    return kp_mpi_neighbours_keep(self, comm, &call, request);
}
KP_MPI_NAMES(Neighbor_allgatherv_init);

#define CALL_ALLTOALL                                                                              \
    {                                                                                              \
        .out = {OUT, sendcount, sendtype}, .in = { recvbuf, recvcount, recvtype }                  \
    }

int MPI_Neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                          int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALL;
    KP_MPI_ENTER(Neighbor_alltoall);
    return kp_mpi_neighbours_now(self, comm, &call);
}
KP_MPI_NAMES(Neighbor_alltoall);

int MPI_Ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                           MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALL;
    KP_MPI_ENTER(Ineighbor_alltoall);
    return kp_mpi_neighbours_later(self, comm, &call, request);
}
KP_MPI_NAMES(Ineighbor_alltoall);

int MPI_Neighbor_alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                               void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                               MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALL;
    KP_MPI_ENTER(Neighbor_alltoall_init);
    (void)info;
    return kp_mpi_neighbours_keep(self, comm, &call, request);
}
KP_MPI_NAMES(Neighbor_alltoall_init);

#define CALL_ALLTOALLV                                                                             \
    {                                                                                              \
        .out = {OUT, .type = sendtype, .counts = sendcounts, .displacements = sdispls}, .in = {    \
            recvbuf,                                                                               \
            .type = recvtype,                                                                      \
            .counts = recvcounts,                                                                  \
            .displacements = rdispls                                                               \
        }                                                                                          \
    }

int MPI_Neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                           MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                           const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALLV;
    KP_MPI_ENTER(Neighbor_alltoallv);
    return kp_mpi_neighbours_now(self, comm, &call);
}
KP_MPI_NAMES(Neighbor_alltoallv);

int MPI_Ineighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                            const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                            MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALLV;
    KP_MPI_ENTER(Ineighbor_alltoallv);
    return kp_mpi_neighbours_later(self, comm, &call, request);
}
KP_MPI_NAMES(Ineighbor_alltoallv);

int MPI_Neighbor_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALLV;
    KP_MPI_ENTER(Neighbor_alltoallv_init);
    (void)info;
    return kp_mpi_neighbours_keep(self, comm, &call, request);
}
KP_MPI_NAMES(Neighbor_alltoallv_init);

#define CALL_ALLTOALLW                                                                             \
    {                                                                                              \
        .out = {OUT, .counts = sendcounts, .places = sdispls, .types = sendtypes}, .in = {         \
            recvbuf,                                                                               \
            .counts = recvcounts,                                                                  \
            .places = rdispls,                                                                     \
            .types = recvtypes                                                                     \
        }                                                                                          \
    }

int MPI_Neighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                           const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                           const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALLW;
    KP_MPI_ENTER(Neighbor_alltoallw);
    return kp_mpi_neighbours_now(self, comm, &call);
}
KP_MPI_NAMES(Neighbor_alltoallw);

int MPI_Ineighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                            MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALLW;
    KP_MPI_ENTER(Ineighbor_alltoallw);
    return kp_mpi_neighbours_later(self, comm, &call, request);
}
KP_MPI_NAMES(Ineighbor_alltoallw);

int MPI_Neighbor_alltoallw_init(const void *sendbuf, const int sendcounts[],
                                const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALLW;
    KP_MPI_ENTER(Neighbor_alltoallw_init);
    (void)info;
    return kp_mpi_neighbours_keep(self, comm, &call, request);
}
KP_MPI_NAMES(Neighbor_alltoallw_init);
