/* The server answers once more than it was asked.
 *
 * ranks: 2
 * goal: unmatched/deadlock
 * names: R0 | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    for (int i = 0; i < 3; i++)
        if (rank == 0) {
            MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        } else {
            MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
