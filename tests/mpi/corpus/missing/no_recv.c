/* Rank 0 sends synchronously, and rank 1 never receives.
 *
 * ranks: 2
 * goal: deadlock
 * names: R0 | MPI_Ssend | {A}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
