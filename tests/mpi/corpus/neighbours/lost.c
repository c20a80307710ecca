/* Nobody waits for an exchange with neighbours that rank 0 has started.
 *
 * ranks: 2
 * goal: request
 * names: R0 | MPI_Ineighbor_alltoall | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[1] = {2}, periods[1] = {1}, x[2] = {rank, rank}, y[2];
    MPI_Comm ring;
    MPI_Request request;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    MPI_Ineighbor_alltoall(x, 1, MPI_INT, y, 1, MPI_INT, ring, &request); /* A */
    if (rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
