/* Rank 1 sends to itself and waits until somebody takes it.
 *
 * ranks: 2
 * goal: deadlock
 * names: R1 | MPI_Ssend | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 3, y;
    if (rank == 1) {
        MPI_Ssend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* A */
        MPI_Recv(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
