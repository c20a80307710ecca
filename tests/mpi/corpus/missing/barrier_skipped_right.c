/* Ranks 0 and 1 meet at the barrier of a communicator of their own.
 *
 * ranks: 3
 * goal: right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm two;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2 ? MPI_UNDEFINED : 0, rank, &two);
    if (rank != 2) {
        MPI_Barrier(two);
        MPI_Comm_free(&two);
    }
    MPI_Finalize();
    return 0;
}
