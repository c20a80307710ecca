/* Rank 1 takes itself for the root.
 *
 * ranks: 3
 * goal: mismatch
 * names: R1 | MPI_Ibcast | root | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank;
    MPI_Request request;
    MPI_Ibcast(&x, 1, MPI_INT, rank == 1, MPI_COMM_WORLD, &request); /* A */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
