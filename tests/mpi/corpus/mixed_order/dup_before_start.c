/* Rank 0 duplicates the communicator before it starts the broadcast, rank 1 after it.
 *
 * ranks: 2
 * goal: mismatch/deadlock
 * names: R0 | R1 | MPI_Ibcast | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    MPI_Request request;
    MPI_Comm copy;
    if (rank == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &request); /* A */
    if (rank == 1)
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
