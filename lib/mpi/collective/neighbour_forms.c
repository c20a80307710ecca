/* The functions of MPI that are neighbourhood collectives. */
#include "lib/mpi/neighbours.h"
#include "lib/mpi/sized.h"

/* The library does not write to what it sends. */
#define OUT (void *)(uintptr_t)sendbuf

#define CALL_ALLGATHER                                                                             \
    {                                                                                              \
        .out = {OUT, .count = sendcount, .type = sendtype, .shared = true}, .in = {                \
            recvbuf,                                                                               \
            .count = recvcount,                                                                    \
            .type = recvtype                                                                       \
        }                                                                                          \
    }

int KP_MPI_SIZED(Neighbor_allgather)(const void *sendbuf, kp_mpi_count sendcount,
                                     MPI_Datatype sendtype, void *recvbuf, kp_mpi_count recvcount,
                                     MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLGATHER;
    KP_MPI_SIZED_ENTER(Neighbor_allgather);
    return kp_mpi_neighbours_now(self, comm, &call);
}
KP_MPI_SIZED_NAMES(Neighbor_allgather);

int KP_MPI_SIZED(Ineighbor_allgather)(const void *sendbuf, kp_mpi_count sendcount,
                                      MPI_Datatype sendtype, void *recvbuf, kp_mpi_count recvcount,
                                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLGATHER;
    KP_MPI_SIZED_ENTER(Ineighbor_allgather);
    return kp_mpi_neighbours_later(self, comm, &call, request);
}
KP_MPI_SIZED_NAMES(Ineighbor_allgather);

int KP_MPI_SIZED(Neighbor_allgather_init)(const void *sendbuf, kp_mpi_count sendcount,
                                          MPI_Datatype sendtype, void *recvbuf,
                                          kp_mpi_count recvcount, MPI_Datatype recvtype,
                                          MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLGATHER;
    KP_MPI_SIZED_ENTER(Neighbor_allgather_init);
    (void)info;
    return kp_mpi_neighbours_keep(self, comm, &call, request);
}
KP_MPI_SIZED_NAMES(Neighbor_allgather_init);

#define CALL_ALLGATHERV                                                                            \
    {                                                                                              \
        .out = {OUT, .count = sendcount, .type = sendtype, .shared = true}, .in = {                \
            recvbuf,                                                                               \
            .type = recvtype,                                                                      \
            .counts = KP_MPI_LIST(recvcounts),                                                     \
            .displacements = KP_MPI_LIST(displs)                                                   \
        }                                                                                          \
    }

int KP_MPI_SIZED(Neighbor_allgatherv)(const void *sendbuf, kp_mpi_count sendcount,
                                      MPI_Datatype sendtype, void *recvbuf,
                                      const kp_mpi_count recvcounts[],
                                      const kp_mpi_distance displs[], MPI_Datatype recvtype,
                                      MPI_Comm comm)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLGATHERV;
    KP_MPI_SIZED_ENTER(Neighbor_allgatherv);
    return kp_mpi_neighbours_now(self, comm, &call);
}
KP_MPI_SIZED_NAMES(Neighbor_allgatherv);

int KP_MPI_SIZED(Ineighbor_allgatherv)(const void *sendbuf, kp_mpi_count sendcount,
                                       MPI_Datatype sendtype, void *recvbuf,
                                       const kp_mpi_count recvcounts[],
                                       const kp_mpi_distance displs[], MPI_Datatype recvtype,
                                       MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLGATHERV;
    KP_MPI_SIZED_ENTER(Ineighbor_allgatherv);
    return kp_mpi_neighbours_later(self, comm, &call, request);
}
KP_MPI_SIZED_NAMES(Ineighbor_allgatherv);

int KP_MPI_SIZED(Neighbor_allgatherv_init)(const void *sendbuf, kp_mpi_count sendcount,
                                           MPI_Datatype sendtype, void *recvbuf,
                                           const kp_mpi_count recvcounts[],
                                           const kp_mpi_distance displs[], MPI_Datatype recvtype,
                                           MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLGATHERV;
    KP_MPI_SIZED_ENTER(Neighbor_allgatherv_init);
    (void)info;
    return kp_mpi_neighbours_keep(self, comm, &call, request);
}
KP_MPI_SIZED_NAMES(Neighbor_allgatherv_init);

#define CALL_ALLTOALL                                                                              \
    {                                                                                              \
        .out = {OUT, .count = sendcount, .type = sendtype}, .in = {                                \
            recvbuf,                                                                               \
            .count = recvcount,                                                                    \
            .type = recvtype                                                                       \
        }                                                                                          \
    }

int KP_MPI_SIZED(Neighbor_alltoall)(const void *sendbuf, kp_mpi_count sendcount,
                                    MPI_Datatype sendtype, void *recvbuf, kp_mpi_count recvcount,
                                    MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALL;
    KP_MPI_SIZED_ENTER(Neighbor_alltoall);
    return kp_mpi_neighbours_now(self, comm, &call);
}
KP_MPI_SIZED_NAMES(Neighbor_alltoall);

int KP_MPI_SIZED(Ineighbor_alltoall)(const void *sendbuf, kp_mpi_count sendcount,
                                     MPI_Datatype sendtype, void *recvbuf, kp_mpi_count recvcount,
                                     MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALL;
    KP_MPI_SIZED_ENTER(Ineighbor_alltoall);
    return kp_mpi_neighbours_later(self, comm, &call, request);
}
KP_MPI_SIZED_NAMES(Ineighbor_alltoall);

int KP_MPI_SIZED(Neighbor_alltoall_init)(const void *sendbuf, kp_mpi_count sendcount,
                                         MPI_Datatype sendtype, void *recvbuf,
                                         kp_mpi_count recvcount, MPI_Datatype recvtype,
                                         MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALL;
    KP_MPI_SIZED_ENTER(Neighbor_alltoall_init);
    (void)info;
    return kp_mpi_neighbours_keep(self, comm, &call, request);
}
KP_MPI_SIZED_NAMES(Neighbor_alltoall_init);

#define CALL_ALLTOALLV                                                                             \
    {                                                                                              \
        .out = {OUT, .type = sendtype, .counts = KP_MPI_LIST(sendcounts),                          \
                .displacements = KP_MPI_LIST(sdispls)},                                            \
        .in = {                                                                                    \
            recvbuf,                                                                               \
            .type = recvtype,                                                                      \
            .counts = KP_MPI_LIST(recvcounts),                                                     \
            .displacements = KP_MPI_LIST(rdispls)                                                  \
        }                                                                                          \
    }

int KP_MPI_SIZED(Neighbor_alltoallv)(const void *sendbuf, const kp_mpi_count sendcounts[],
                                     const kp_mpi_distance sdispls[], MPI_Datatype sendtype,
                                     void *recvbuf, const kp_mpi_count recvcounts[],
                                     const kp_mpi_distance rdispls[], MPI_Datatype recvtype,
                                     MPI_Comm comm)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALLV;
    KP_MPI_SIZED_ENTER(Neighbor_alltoallv);
    return kp_mpi_neighbours_now(self, comm, &call);
}
KP_MPI_SIZED_NAMES(Neighbor_alltoallv);

int KP_MPI_SIZED(Ineighbor_alltoallv)(const void *sendbuf, const kp_mpi_count sendcounts[],
                                      const kp_mpi_distance sdispls[], MPI_Datatype sendtype,
                                      void *recvbuf, const kp_mpi_count recvcounts[],
                                      const kp_mpi_distance rdispls[], MPI_Datatype recvtype,
                                      MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALLV;
    KP_MPI_SIZED_ENTER(Ineighbor_alltoallv);
    return kp_mpi_neighbours_later(self, comm, &call, request);
}
KP_MPI_SIZED_NAMES(Ineighbor_alltoallv);

int KP_MPI_SIZED(Neighbor_alltoallv_init)(const void *sendbuf, const kp_mpi_count sendcounts[],
                                          const kp_mpi_distance sdispls[], MPI_Datatype sendtype,
                                          void *recvbuf, const kp_mpi_count recvcounts[],
                                          const kp_mpi_distance rdispls[], MPI_Datatype recvtype,
                                          MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALLV;
    KP_MPI_SIZED_ENTER(Neighbor_alltoallv_init);
    (void)info;
    return kp_mpi_neighbours_keep(self, comm, &call, request);
}
KP_MPI_SIZED_NAMES(Neighbor_alltoallv_init);

#define CALL_ALLTOALLW                                                                             \
    {                                                                                              \
        .out = {OUT, .counts = KP_MPI_LIST(sendcounts), .places = sdispls, .types = sendtypes},    \
        .in = {                                                                                    \
            recvbuf,                                                                               \
            .counts = KP_MPI_LIST(recvcounts),                                                     \
            .places = rdispls,                                                                     \
            .types = recvtypes                                                                     \
        }                                                                                          \
    }

int KP_MPI_SIZED(Neighbor_alltoallw)(const void *sendbuf, const kp_mpi_count sendcounts[],
                                     const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                     void *recvbuf, const kp_mpi_count recvcounts[],
                                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                     MPI_Comm comm)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALLW;
    KP_MPI_SIZED_ENTER(Neighbor_alltoallw);
    return kp_mpi_neighbours_now(self, comm, &call);
}
KP_MPI_SIZED_NAMES(Neighbor_alltoallw);

int KP_MPI_SIZED(Ineighbor_alltoallw)(const void *sendbuf, const kp_mpi_count sendcounts[],
                                      const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                      void *recvbuf, const kp_mpi_count recvcounts[],
                                      const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                      MPI_Comm comm, MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALLW;
    KP_MPI_SIZED_ENTER(Ineighbor_alltoallw);
    return kp_mpi_neighbours_later(self, comm, &call, request);
}
KP_MPI_SIZED_NAMES(Ineighbor_alltoallw);

int KP_MPI_SIZED(Neighbor_alltoallw_init)(const void *sendbuf, const kp_mpi_count sendcounts[],
                                          const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                          void *recvbuf, const kp_mpi_count recvcounts[],
                                          const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                          MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct kp_mpi_neighbour_call call = CALL_ALLTOALLW;
    KP_MPI_SIZED_ENTER(Neighbor_alltoallw_init);
    (void)info;
    return kp_mpi_neighbours_keep(self, comm, &call, request);
}
KP_MPI_SIZED_NAMES(Neighbor_alltoallw_init);
