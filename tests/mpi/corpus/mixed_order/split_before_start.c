/* The even ranks start the exchange before they split the communicator, the odd ones after.
 *
 * ranks: 4
 * goal: mismatch/deadlock
 * names: MPI_Iallgather | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, y[4];
    MPI_Comm half;
    MPI_Request request;
    if (rank % 2 == 1)
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &half);
    MPI_Iallgather(&x, 1, MPI_INT, y, 1, MPI_INT, MPI_COMM_WORLD, &request); /* A */
    if (rank % 2 == 0)
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &half);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
