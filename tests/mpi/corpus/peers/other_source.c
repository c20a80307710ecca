/* Rank 1 sends, and rank 0 waits for rank 2.
 *
 * ranks: 3
 * goal: deadlock
 * names: R0 | R1 | MPI_Recv | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 1;
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* A */
    else if (rank == 1)
        MPI_Ssend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* B */
    MPI_Finalize();
    return 0;
}
