/* A neighbourhood collective that waits does not match one that is started.
 *
 * ranks: 2
 * goal: mismatch/deadlock
 * names: R0 | R1 | MPI_Neighbor_allgather | MPI_Ineighbor_allgather | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[1] = {2}, periods[1] = {1}, x = rank, y[2];
    MPI_Comm ring;
    MPI_Request request;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    if (rank == 0)
        MPI_Neighbor_allgather(&x, 1, MPI_INT, y, 1, MPI_INT, ring); /* A */
    else {
        MPI_Ineighbor_allgather(&x, 1, MPI_INT, y, 1, MPI_INT, ring, &request); /* B */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
