/* The ranks start two exchanges with neighbours in different orders.
 *
 * ranks: 2
 * goal: mismatch/deadlock
 * names: R0 | R1 | MPI_Ineighbor_allgather | MPI_Ineighbor_alltoall | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[1] = {2}, periods[1] = {1}, x[2] = {rank, rank}, y[2], z[2];
    MPI_Comm ring;
    MPI_Request requests[2];
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    if (rank == 0) {
        MPI_Ineighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, ring, &requests[0]); /* A */
        MPI_Ineighbor_alltoall(x, 1, MPI_INT, z, 1, MPI_INT, ring, &requests[1]);
    } else {
        MPI_Ineighbor_alltoall(x, 1, MPI_INT, z, 1, MPI_INT, ring, &requests[0]); /* B */
        MPI_Ineighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, ring, &requests[1]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
